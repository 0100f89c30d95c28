import pytest

from teamlead.system.rooms.open_ports import open_ports


@pytest.mark.parametrize(
    ("environment", "ports"),
    [
        ({}, (443,)),
        ({"ANTHROPIC_BASE_URL": "http://127.0.0.1:8080/v1"}, (443, 8080)),
        ({"HTTPS_PROXY": "http://proxy.invalid:3128", "NO_PROXY": "localhost"}, (443, 3128)),
        ({"ALL_PROXY": "socks5h://proxy.invalid"}, (443, 1080)),
        ({"OPENAI_BASE_URL": "http://model.invalid"}, (80, 443)),
        ({"BROKEN": "http://model.invalid:port", "OTHER": "http://[::1:99"}, (443,)),
    ],
)
def test_a_strict_room_leaves_those_ports_open_that_its_environment_names(
    environment: dict[str, str], ports: tuple[int, ...]
) -> None:
    assert open_ports(environment) == ports


def test_the_teams_port_is_open() -> None:
    assert open_ports({}, "http://127.0.0.1:45123/mcp") == (443, 45123)
