import json

import pytest

from teamlead.system.secrets import Secrets

TOKEN = "s3cr3t-of-the-team"
ODD = 'with "quotes" \\ and ünïcode'
SECRETS = Secrets(
    {"TEAMLEAD_TEAM_TOKEN": TOKEN, "api_key": ODD, "SHORT_KEY": "none", "HOME": "/home/somebody"}
)


class Words:
    def __init__(self) -> None:
        self.pieces: list[bytes] = []
        self.closed = False

    def write(self, data: bytes) -> None:
        self.pieces.append(data)

    def close(self) -> None:
        self.closed = True


@pytest.mark.parametrize("cut", range(len(TOKEN) + 3))
def test_a_secret_is_hidden_wherever_the_output_is_cut(cut: int) -> None:
    said, words = f"a{TOKEN}b{TOKEN}".encode(), Words()
    guard = SECRETS.guard(words)
    for piece in (said[:cut], said[cut:]):
        guard.write(piece)
    guard.close()
    assert b"".join(words.pieces) == b"a[secret]b[secret]"
    assert words.closed


def test_it_is_hidden_byte_by_byte_too() -> None:
    words = Words()
    guard = SECRETS.guard(words)
    for byte in f"s3s3cr {TOKEN[:-1]} {TOKEN} {TOKEN[:5]}".encode():
        guard.write(bytes([byte]))
    guard.close()
    assert b"".join(words.pieces) == f"s3s3cr {TOKEN[:-1]} [secret] {TOKEN[:5]}".encode()


def test_it_is_hidden_as_json_writes_it() -> None:
    for form in (json.dumps({"key": ODD}), json.dumps({"key": ODD}, ensure_ascii=False)):
        assert json.loads(SECRETS.hidden(form.encode())) == {"key": "[secret]"}


def test_what_is_no_secret_goes_on_at_once() -> None:
    words = Words()
    SECRETS.guard(words).write(b"none /home/somebody SHORT_KEY\n")
    assert words.pieces == [b"none /home/somebody SHORT_KEY\n"]


def test_of_two_the_longer_counts() -> None:
    secrets = Secrets({"A_KEY": "abcdefgh", "B_KEY": "abcdefghijkl"})
    words = Words()
    guard = secrets.guard(words)
    guard.write(b"abcdefgh")
    guard.write(b"ijkl")
    guard.close()
    assert b"".join(words.pieces) == b"[secret]"


def test_without_any_nothing_is_changed() -> None:
    words = Words()
    none = Secrets({"HOME": "/home/somebody"})
    assert none.guard(words) is words
    assert none.hidden_in({"type": "text", "text": ""}) == {"type": "text", "text": ""}


def test_the_login_in_an_address_is_hidden() -> None:
    secrets = Secrets({"HTTPS_PROXY": "http://ada:correct-horse@proxy.invalid:8080", "HOME": "/home/ada"})
    assert secrets.hidden(b"via ada:correct-horse at /home/ada") == b"via [secret] at /home/ada"
