"""Which folders of programs a command names."""

from pathlib import Path

import pytest

from teamlead.system.rooms.paths import folders_of_programs

PLACES = ("/tmp", "/var/tmp")
NONE: list[str] = []


@pytest.mark.parametrize(
    ("command", "folders"),
    [
        ("/tmp/v/bin/python -m pytest", ["/tmp/v/bin"]),
        ("cd src;/var/tmp/v/bin/python x&&(/tmp/w/bin/ruff)", ["/tmp/w/bin", "/var/tmp/v/bin"]),
        (". /tmp/v/bin/activate", ["/tmp/v/bin"]),
        ("PATH=/tmp/v/bin:$PATH make", ["/tmp/v/bin"]),
        ("make --python=/tmp/v/sbin/../bin/python", ["/tmp/v/bin"]),
        ("'/tmp/a b/bin/python' x", ["/tmp/a b/bin"]),
        ("sh -c \"/tmp/v/bin/python -c 'x'\"", ["/tmp/v/bin"]),
        ('echo $(/tmp/v/bin/python) "`/tmp/w/bin/x`"', ["/tmp/v/bin", "/tmp/w/bin"]),
        ("echo it's /tmp/v/bin/python", ["/tmp/v/bin"]),
        ("# /tmp/v/bin/python", ["/tmp/v/bin"]),
        ("mkdir -p /tmp/build && make > /tmp/log", NONE),
        ("/usr/bin/python ./tmp/v/bin/python tmp/v/bin/python", NONE),
        ("", NONE),
    ],
)
def test_programs_are_found_in_every_way_to_name_them(command: str, folders: list[str]) -> None:
    assert folders_of_programs(["/bin/sh", "-c", command, "name"], PLACES) == folders


@pytest.mark.parametrize(
    "argv", [["/tmp/v/bin/python", "-c", "/tmp/v/bin/x"], ["/bin/sh"], ["/bin/sh", "-c"]]
)
def test_only_commands_for_a_shell_name_any(argv: list[str]) -> None:
    assert folders_of_programs(argv, PLACES) == []


def test_a_program_behind_a_link_is_found_where_it_lies(tmp_path: Path) -> None:
    for name in ("environment", "real"):
        (tmp_path / name / "bin").mkdir(parents=True)
    (tmp_path / "real" / "bin" / "python").touch()
    (tmp_path / "environment" / "bin" / "python").symlink_to(tmp_path / "real" / "bin" / "python")
    command = f"{tmp_path}/environment/bin/python -m x"
    found = folders_of_programs(["/bin/sh", "-c", command], [str(tmp_path)])
    assert found == [f"{tmp_path}/environment/bin", f"{tmp_path}/real/bin"]
