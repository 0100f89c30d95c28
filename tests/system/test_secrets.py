import json
import os
from pathlib import Path

import pytest

from teamlead.system.secrets import Secrets, known_secrets, secrets_in

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


@pytest.mark.parametrize("value", ["abcdefgh-x", "ababababab", "aaaaaaaaaa"])
def test_one_is_hidden_whose_end_may_be_the_beginning_of_another(value: str) -> None:
    words = Words()
    guard = Secrets({"A_KEY": value, "B_KEY": "x-another"}).guard(words)
    for piece in ("is ", value, "", "."):
        guard.write(piece.encode())
    guard.close()
    assert b"".join(words.pieces) == b"is [secret]."


def test_without_any_nothing_is_changed() -> None:
    words = Words()
    none = Secrets({"HOME": "/home/somebody"})
    assert none.guard(words) is words
    assert none.hidden_in({"type": "text", "text": ""}) == {"type": "text", "text": ""}


def test_the_login_in_an_address_is_hidden() -> None:
    secrets = Secrets({"HTTPS_PROXY": "http://ada:correct-horse@proxy.invalid:8080", "HOME": "/home/ada"})
    assert secrets.hidden(b"via ada:correct-horse at /home/ada") == b"via [secret] at /home/ada"


def test_the_password_of_a_login_is_hidden_alone_too() -> None:
    secrets = Secrets(
        {"DATABASE_URL": "postgres://ada:correct%2Fhorse@db/app", "OTHER": "ftp://ada:short@db"}
    )
    said = b"ada, correct%2Fhorse, correct/horse, short"
    assert secrets.hidden(said) == b"ada, [secret], [secret], short"


@pytest.mark.parametrize(
    "name",
    [
        "DB_PASSWD",
        "GPG_PASSPHRASE",
        "MYSQL_PWD",
        "APP_CRED",
        "APP_CREDS",
        "credentials",
        "CRED_STORE",
        "dbpwd",
        "DB_PASS",
        "SMTPPASS2",
        "GITHUB_PAT",
        "AUTH",
        "npm_config__auth",
    ],
)
def test_a_secret_is_known_by_what_it_is_called(name: str) -> None:
    assert secrets_in({name: "correct-horse"}) == {"correct-horse": name}


@pytest.mark.parametrize(
    "name",
    [
        "PWD",
        "OLDPWD",
        "CREDIT_LIMIT",
        "INCREDIBLE",
        "PASSAGE",
        "BYPASS",
        "COMPASS",
        "PASS_RATE",
        "PATTERN",
        "AUTHOR",
        "AUTH_URL",
    ],
)
def test_what_is_called_something_else_is_none(name: str) -> None:
    assert secrets_in({name: "/gone/or-not"}) == {}


def test_where_a_secret_lies_is_none(tmp_path: Path) -> None:
    file = tmp_path / "id_rsa"
    assert secrets_in({"SSH_KEY": str(file)}) == {str(file): "SSH_KEY"}
    file.touch()
    assert secrets_in({"SSH_KEY": str(file), "API_KEY": "/base64+starts/so="}) == {
        "/base64+starts/so=": "API_KEY"
    }


def test_what_is_no_text_is_hidden_too() -> None:
    assert Secrets({"A_KEY": "abcdefgh\udcff"}).hidden(b"is abcdefgh\xff.") == b"is [secret]."


def test_the_secrets_of_copied_settings_are_known_by_their_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEPLOY_TOKEN", "of-the-environment")
    (tmp_path / ".env").write_text(
        "# A_KEY=commented-out\nPORT=80808080\nAPI_KEY = plain-value-1\n"
        "export DB_PASSWORD='quoted # value'\nOTHER_SECRET=\"with = sign\"\nnot an assignment\n"
        "DATABASE_URL=postgres://ada:correct-horse@db/app\nSHORT_KEY=none\n"
        'NOTED_KEY=plain-value-2 # of the test\nBOTH_KEY="plain-value-3" # of both\n'
        'LONG_KEY="first-of-two\nsecond-of-two"\n'
    )
    (tmp_path / "config").mkdir()
    (tmp_path / "config/local.env").write_text("LOCAL_KEY=in-a-folder\n")
    (tmp_path / "notes.txt").write_text("NOTE_KEY=no-settings-file\n")
    (tmp_path / ".env.other").write_text("OTHER_KEY=not-copied-at-all\n")
    found = known_secrets(tmp_path, [".env", "config", "notes.txt", "absent/*"])
    assert {"of-the-environment": "DEPLOY_TOKEN"}.items() <= found.items()
    expected = {
        "plain-value-1": "API_KEY",
        "quoted # value": "DB_PASSWORD",
        "with = sign": "OTHER_SECRET",
        "ada:correct-horse": "the login in DATABASE_URL",
        "in-a-folder": "LOCAL_KEY",
        "plain-value-2": "NOTED_KEY",
        "plain-value-2 # of the test": "NOTED_KEY",
        "plain-value-3": "BOTH_KEY",
        "first-of-two": "LONG_KEY",
        "second-of-two": "LONG_KEY",
    }
    assert {value: name for value, name in found.items() if name in expected.values()} == expected
    assert not {"no-settings-file", "not-copied-at-all", "80808080", "commented-out"} & found.keys()


def test_a_plain_word_that_turns_something_on_is_no_secret() -> None:
    assert secrets_in({"AUTH": "required", "BASIC_AUTH": "ada:correct"}) == {"ada:correct": "BASIC_AUTH"}


KEY = """-----BEGIN PRIVATE KEY-----
MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7
Zx81kWq5eT3nVbR7Lq2mXz7LbR4nYc8WfJ1sHd6PgA3uEo5ViBq0
-----END PRIVATE KEY-----
"""


@pytest.mark.parametrize("written", [KEY, KEY.strip().replace("\n", "\\n")])
def test_every_line_of_a_secret_is_hidden_however_it_is_printed(written: str) -> None:
    secrets = Secrets({"DEPLOY_KEY": written})
    first, second = KEY.splitlines()[1:3]
    for said in (KEY, KEY.replace("\n", "\r\n    "), json.dumps(KEY), repr(KEY), f"+{second}\n", first):
        hidden = secrets.hidden(said.encode()).decode()
        assert first not in hidden
        assert second not in hidden
    assert secrets.hidden(b"-----BEGIN PRIVATE KEY-----") == b"-----BEGIN PRIVATE KEY-----"


def test_a_secret_of_any_length_is_hidden_wherever_the_output_is_cut() -> None:
    long = "".join(chr(97 + number * number % 23) for number in range(5000))
    secrets, words = Secrets({"A_KEY": long}), Words()
    guard = secrets.guard(words)
    for at in range(0, len(long), 700):
        guard.write(long[at : at + 700].encode())
    guard.close()
    assert set(b"".join(words.pieces).decode().split("[secret]")) == {""}


def test_of_many_secrets_each_is_hidden() -> None:
    many = [f"{number * 7919:08x}-of-many" for number in range(2000)]
    secrets = Secrets({f"A_KEY_{number}": value for number, value in enumerate(many)})
    assert secrets.hidden(" ".join(many).encode()) == b" ".join([b"[secret]"] * 2000)


def test_settings_are_found_in_the_folders_of_a_copied_folder_and_behind_no_link(tmp_path: Path) -> None:
    for folder in ("cfg/deep/er", "elsewhere"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "cfg/deep/er/.env.local").write_text("DEEP_KEY=deep-in-a-folder\n")
    (tmp_path / "elsewhere/.env").write_text("OTHER_KEY=not-copied-at-all\n")
    (tmp_path / "cfg/link").symlink_to("../elsewhere")
    os.mkfifo(tmp_path / "cfg/.env")
    found = known_secrets(tmp_path, ["cfg"])
    assert found["deep-in-a-folder"] == "DEEP_KEY"
    assert "not-copied-at-all" not in found
