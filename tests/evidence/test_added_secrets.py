"""A change that brings a secret along is objected to, and nothing else is."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.evidence.test_examiner import Place, of

from teamlead.core.evidence.values import Evidence
from teamlead.evidence.added_secrets import FOUND, LARGEST, SAMPLE, examine_secrets
from teamlead.evidence.examiner import RepositoryExaminer
from teamlead.system.git import Git
from teamlead.system.secrets import secrets_in

PASSWORD = "b7Rk-29xv!pLm"
KNOWN = {PASSWORD: "DB_PASSWORD", "correct horse battery staple": "PASSPHRASE"}

# In two parts, so that no other program takes these for what they only look like.
KEYS = {
    "an access key of AWS": "AKIA" + "Q7ZP2MX4LTB9WV5C",
    "a token of GitHub": "ghp" + "_kT9vQ2mXz7LbR4nYc8WfJ1sHd6PgA3uEo5Vi",
    "a token of GitLab": "glpat" + "-kT9vQ2mXz7LbR4nYc8Wf",
    "a key of Anthropic": "sk-ant" + "-api03-kT9vQ2mXz7LbR4nYc8WfJ1sHd6PgA3uEo5Vi",
    "a key of OpenAI": "sk-" + "proj-kT9vQ2mXz7LbR4nYc8WfJ1sHd6PgA3uEo5ViBq0",
    "a token of Slack": "xoxb" + "-2740183956-kT9vQ2mXz7LbR4nYc8Wf",
    "a webhook of Slack": "hooks.slack.com/services/" + "T02KQ9XZ/B07RM4LP/kT9vQ2mXz7LbR4nYc8WfJ1sH",
    "a key of Google": "AIza" + "SyD4kT9vQ2mXz7LbR4nYc8WfJ1sHd6PgA3u",
    "a key of Stripe": "sk_live" + "_kT9vQ2mXz7LbR4nYc8WfJ1sH",
    "a token of npm": "npm" + "_kT9vQ2mXz7LbR4nYc8WfJ1sHd6PgA3uEo5Vi",
    "a token of PyPI": "pypi" + "-AgEIkT9vQ2mXz7LbR4nYc8WfJ1sHd6PgA3uEo5ViBq0kT9vQ2mXz7LbR4nYc8Wf",
}
PEM = "-----BEGIN OPENSSH " + "PRIVATE KEY-----"
BODY = "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    root = tmp_path / "repository"
    root.mkdir()
    return Place(root)


def found(place: Place, files: Mapping[str, str | bytes], known: dict[str, str] = KNOWN) -> list[Evidence]:
    commit = place.commit(files)
    git = Git(place.root / ".git", place.root)
    return list(examine_secrets(git, place.claim("", commit), known))


def told(place: Place, text: str, path: str = "src/config.py") -> list[tuple[str, tuple[str, ...]]]:
    items = found(place, {path: text})
    # Whatever it is, nobody is shown it.
    assert not any(PASSWORD in repr(item) or BODY in repr(item) for item in items)
    return [(item.verdict, item.details) for item in items]


def test_a_known_value_is_objected_to_by_its_place_and_its_name(place: Place) -> None:
    text = f"HOST = 'db'\nLOGIN = 'ada:{PASSWORD}'\nPHRASE = 'correct horse battery staple'\n"
    (item,) = found(place, {"src/config.py": text, "src/ünï code.txt": f"{PASSWORD}\n"})
    assert (item.kind, item.verdict, item.found) == ("secrets", "objected", FOUND)
    assert item.details == (
        "src/config.py:2: the value of DB_PASSWORD",
        "src/config.py:3: the value of PASSPHRASE",
        "src/ünï code.txt:1: the value of DB_PASSWORD",
    )
    assert PASSWORD not in repr(item)


def test_a_known_value_is_objected_to_among_tests_as_well(place: Place) -> None:
    expected = [("objected", ("tests/test_db.py:1: the value of DB_PASSWORD",))]
    assert told(place, f"login('{PASSWORD}')\n", "tests/test_db.py") == expected


@pytest.mark.parametrize("what", KEYS)
def test_a_key_of_a_well_known_service_is_objected_to(place: Place, what: str) -> None:
    (item,) = found(place, {"deploy.sh": f"set -e\nexport KEY={KEYS[what]}\n"})
    assert (item.verdict, item.details) == ("objected", (f"deploy.sh:2: {what}",))
    assert KEYS[what] not in repr(item)


@pytest.mark.parametrize("key", [*KEYS.values(), f"{PEM}\n{BODY}\n"])
def test_a_key_in_a_sample_is_only_flagged(place: Place, key: str) -> None:
    (item,) = found(place, {"tests/fixtures/keys.txt": f"{key}\n"})
    assert (item.verdict, item.found) == ("flagged", SAMPLE)


def test_a_private_key_is_objected_to_and_what_only_speaks_of_one_is_not(place: Place) -> None:
    assert told(place, f"{PEM}\n{BODY}\n", "id") == [("objected", ("id:1: a private key",))]
    speaks = f"if text.startswith('{PEM}'):\n    return text\n"
    assert told(rebased(place), speaks) == []


def rebased(place: Place) -> Place:
    place.base = place.git("rev-parse", "HEAD")
    return place


@pytest.mark.parametrize(
    "text",
    [
        "AKIA" + "IOSFODNN7EXAMPLE",
        "sk-ant" + "-api03-your-key-goes-here-000000",
        "sk-" + "test-kT9vQ2mXz7LbR4nYc8WfJ1sHd6PgA3uEo5ViBq0",
        "sk-" + "ant-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "ghp" + "_abcdefghijklmnopqrstuvwxyzabcdefghijkl",
        "sk-" + "learn-contrib-imbalanced-ensemble-classifier-names",
        "risk-assessment-of-the-quarterly-figures-in-detail-2026",
        "sk_test" + "_kT9vQ2mXz7LbR4nYc8WfJ1sH",
    ],
)
def test_placeholders_and_other_words_are_no_keys(place: Place, text: str) -> None:
    assert told(place, f"KEY = '{text}'\n") == []


@pytest.mark.parametrize(
    "value",
    ["postgres", "development", "1234567890123", "aaaaaaaaaaaa1", "${SECRET}-a1b2c3d4"],
)
def test_a_known_value_that_may_stand_in_any_text_is_not_objected_to(place: Place, value: str) -> None:
    assert found(place, {"src/config.py": f"DEFAULT = '{value}'\n"}, {value: "DB_PASSWORD"}) == []


@pytest.mark.parametrize(
    "value", ["Latest-b7Rk29xv", "pw-12345-Qx", "k00000Rz81", "changeme1234", "Xxxxx-b7Rk29"]
)
def test_a_known_value_is_a_secret_whatever_words_are_in_it(place: Place, value: str) -> None:
    (item,) = found(place, {"src/config.py": f"LOGIN = '{value}'\n"}, {value: "DB_PASSWORD"})
    assert (item.verdict, item.details) == ("objected", ("src/config.py:1: the value of DB_PASSWORD",))


@pytest.mark.parametrize(
    "content",
    [
        f"\0LOGIN = '{PASSWORD}'\n".encode(),
        f"a\0b\nLOGIN = '{PASSWORD}'\n".encode(),
        f"LOGIN = '{PASSWORD}'\r\n".encode("utf-16"),
        f"LOGIN = '{PASSWORD}'\n".encode("utf-16-be"),
        f"LOGIN = '{PASSWORD}'\n".encode("utf-32"),
        b"\xff" * 30_000 + PASSWORD.encode(),
    ],
)
def test_a_known_value_is_objected_to_in_what_git_takes_for_binary(place: Place, content: bytes) -> None:
    (item,) = found(place, {"config.bin": content})
    assert item.verdict == "objected"
    assert [detail.partition(": ")[2] for detail in item.details] == ["the value of DB_PASSWORD"]


@pytest.mark.parametrize("attribute", ["-diff", "binary", "diff=made-up"])
def test_attributes_hide_no_secret(place: Place, attribute: str) -> None:
    place.base = place.commit({".gitattributes": f"*.py {attribute}\n"})
    assert told(place, f"\nLOGIN = '{PASSWORD}'\n") == [
        ("objected", ("src/config.py:2: the value of DB_PASSWORD",))
    ]


def test_a_value_of_many_lines_is_told_by_its_first_and_its_last(place: Place) -> None:
    lines = ["MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKc", "Zx81kWq5eT3nVbR7Lq2mXz7LbR4nYc8WfJ1"]
    known = secrets_in({"DEPLOY_KEY": "\n".join(lines)})
    text = f"key:\n  {lines[0]}\n  {lines[1]}\nother\n{lines[1]}\n"
    (item,) = found(place, {"values.yaml": text}, known)
    assert item.details == (
        "values.yaml:2-3: the value of DEPLOY_KEY",
        "values.yaml:5: the value of DEPLOY_KEY",
    )


def test_a_secret_in_the_name_of_a_new_file_is_objected_to_and_not_told(place: Place) -> None:
    key = KEYS["a token of GitHub"]
    (item,) = found(place, {f"logs/{PASSWORD}.txt": f"{PASSWORD}\n", f"{key}/a.txt": "a\n"})
    assert item.details == (
        "[secret]/a.txt, its name: a token of GitHub",
        "logs/[secret].txt, its name: the value of DB_PASSWORD",
        "logs/[secret].txt:1: the value of DB_PASSWORD",
    )
    assert found(rebased(place), {f"logs/{PASSWORD}.txt": "b\n", f"logs/2-{PASSWORD}.txt": "b\n"}) == []


def test_files_beyond_a_megabyte_are_not_looked_into(place: Place) -> None:
    assert found(place, {"data.bin": b"a" * LARGEST + PASSWORD.encode()}) == []


def test_what_stood_in_the_base_may_be_moved(place: Place) -> None:
    place.base = place.commit({"old.py": f"LOGIN = '{PASSWORD}'\n"})
    assert told(place, f"LOGIN = '{PASSWORD}'\n") == []


def test_what_is_taken_out_is_not_objected_to(place: Place) -> None:
    place.base = place.commit({"src/config.py": f"a\nLOGIN = '{PASSWORD}'\nb\n"})
    assert told(place, "a\nb\n") == []


def test_the_examiner_looks_for_what_it_was_told_to_be_secret(place: Place) -> None:
    commit = place.commit({"src/rate.py": f"RATE = '{PASSWORD}'\n"})
    git = Git(place.root / ".git", place.root)
    examiner = RepositoryExaminer(git, "s-1", secrets=KNOWN)
    examined = asyncio.run(examiner.examine(place.claim("", commit)))
    assert [item.verdict for item in of("secrets", examined)] == ["objected"]
    assert of("secrets", place.examine(place.claim("", commit))) == []
