import json
import sys
from pathlib import Path

import pytest
from tests.system.rooms.support import Guest

from teamlead.ports.rooms import Means
from teamlead.system.rooms import availability as module
from teamlead.system.rooms.availability import (
    APPARMOR,
    CONTAINER,
    LIMITED,
    SWITCHED_OFF,
    UNKNOWN,
    ask_again,
    doubt,
    install,
    look,
    means,
    mend,
)
from teamlead.system.warden_client import supported

LOOK = "import json; from teamlead.system.rooms.availability import look; print(json.dumps(look()._asdict()))"
NO_NAMESPACES = "echo 0 > /proc/sys/user/max_user_namespaces && exec "
REFUSAL = "bwrap: setting up uid map: Permission denied"

linux = pytest.mark.skipif(not supported(), reason="this system has no wardens")


@pytest.fixture(autouse=True)
def forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_known", [])


def bubblewrap(path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> Path:
    path.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo bubblewrap 9.9 && exit\n{script}\n')
    path.chmod(0o755)
    monkeypatch.setattr(module, "USUAL", str(path))
    return path


def test_whoever_starts_rooms_finds_that_they_work(guest: Guest) -> None:
    found = json.loads(guest.call(guest.python, "-c", LOOK))
    assert found["program"].endswith("/bwrap")
    assert (found["why_not"], found["remedy"]) == ("", "")


def test_where_namespaces_are_forbidden_it_says_so_and_landlock_is_left(guest: Guest) -> None:
    command = f"{NO_NAMESPACES} {guest.python} -c '{LOOK}'"
    found = json.loads(guest.call("unshare", "-Ur", "sh", "-c", command))
    assert (found["program"], found["overlays"]) == ("", False)
    assert "namespace" in found["why_not"]
    assert found["remedy"] == LIMITED
    assert found["landlock"] == look().landlock


@linux
def test_without_bubblewrap_it_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "USUAL", "/nowhere/bwrap")
    monkeypatch.setenv("PATH", "/nowhere")
    found = look()
    assert (found.program, found.why_not) == ("", "bubblewrap is not installed")
    assert "bubblewrap" in found.remedy


@linux
def test_a_program_that_refuses_is_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bubblewrap(tmp_path / "bwrap", monkeypatch, f"echo '{REFUSAL}' >&2; exit 1")
    found = look()
    assert (found.program, found.version) == ("", "9.9")
    assert found.why_not == f"a trial room could not be entered: {REFUSAL}"


@linux
def test_a_program_that_hides_nothing_makes_no_rooms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"'
    bubblewrap(tmp_path / "bwrap", monkeypatch, fake)
    found = look()
    assert (found.program, found.why_not) == (
        "",
        "a trial room could not be entered: it shows what it should hide",
    )


def fake_looks(monkeypatch: pytest.MonkeyPatch, program: Path, result: Means) -> list[str]:
    looks: list[str] = []

    def counted() -> Means:
        looks.append("look")
        return result

    monkeypatch.setattr(module, "look", counted)
    monkeypatch.setattr(module, "USUAL", str(program))
    return looks


def forget() -> None:
    module._known.clear()


def test_what_works_is_remembered_until_the_program_is_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = bubblewrap(tmp_path / "bwrap", monkeypatch, "")
    good = Means(str(program), "9.9", 7, overlays=True)
    looks = fake_looks(monkeypatch, program, good)
    cache = tmp_path / "means.json"
    assert means(cache) == means(cache) == good
    forget()
    assert means(cache) == good
    assert len(looks) == 1
    forget()
    bubblewrap(program, monkeypatch, "another")
    assert means(cache) == good
    assert len(looks) == 2


def test_what_is_doubted_is_asked_again_by_this_process_and_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = bubblewrap(tmp_path / "bwrap", monkeypatch, "")
    looks = fake_looks(monkeypatch, program, Means(str(program), "9.9"))
    cache = tmp_path / "means.json"
    means(cache)
    doubt()
    assert not cache.exists()
    means()
    assert len(looks) == 2
    doubt()
    means(cache)
    assert cache.exists()


def test_what_is_found_anew_takes_the_place_of_what_was_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = bubblewrap(tmp_path / "bwrap", monkeypatch, "")
    cache = tmp_path / "means.json"
    fake_looks(monkeypatch, program, Means(str(program), "9.9"))
    assert means(cache).program
    looks = fake_looks(monkeypatch, program, Means(why_not="no"))
    assert ask_again(cache).why_not == "no"
    assert means(cache).why_not == "no"
    forget()
    assert means(cache).why_not == "no"
    assert len(looks) == 2
    fake_looks(monkeypatch, program, Means(str(program), "9.9"))
    ask_again(cache)
    forget()
    looks = fake_looks(monkeypatch, program, Means())
    assert means(cache).program
    assert looks == []


def test_what_does_not_work_is_asked_again_by_the_next_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = fake_looks(monkeypatch, tmp_path / "bwrap", Means(why_not="no"))
    for _ in range(2):
        assert means(tmp_path / "means.json").why_not == "no"
        forget()
    assert len(looks) == 2


@pytest.mark.parametrize("text", ["", "{", "[]", '{"means": {"program": 1}}', '{"means": {"x": 1}}', "null"])
def test_a_broken_memory_is_no_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    program = bubblewrap(tmp_path / "bwrap", monkeypatch, "")
    looks = fake_looks(monkeypatch, program, Means(str(program)))
    (tmp_path / "means.json").write_text(text)
    assert means(tmp_path / "means.json").program == str(program)
    assert looks == ["look"]


@pytest.mark.parametrize(
    ("release", "command"),
    [
        ("ID=ubuntu\nID_LIKE=debian", "sudo apt install bubblewrap"),
        ('ID="rocky"\nID_LIKE="rhel centos fedora"', "sudo dnf install bubblewrap"),
        ("ID=manjaro\nID_LIKE=arch", "sudo pacman -S bubblewrap"),
        ('ID="opensuse-leap"\nID_LIKE="suse opensuse"', "sudo zypper install bubblewrap"),
    ],
)
def test_each_system_has_its_own_way_to_install(tmp_path: Path, release: str, command: str) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "os-release").write_text(release)
    assert install(tmp_path) == command


def test_an_unknown_system_is_told_the_usual_ways(tmp_path: Path) -> None:
    assert all(word in install(tmp_path) for word in ("apt", "dnf", "pacman"))


@pytest.mark.parametrize(
    ("files", "said", "remedy"),
    [
        ({"proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1\n"}, REFUSAL, APPARMOR),
        ({"proc/sys/kernel/unprivileged_userns_clone": "0\n"}, "", SWITCHED_OFF),
        ({".dockerenv": ""}, "bwrap: No permissions to create new namespace", CONTAINER),
        ({".dockerenv": ""}, "max_*_namespaces exceeded (ENOSPC)", LIMITED),
        ({}, "", UNKNOWN),
    ],
)
def test_each_reason_has_its_remedy(tmp_path: Path, files: dict[str, str], said: str, remedy: str) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert mend(said, tmp_path) == remedy


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_other_systems_have_no_such_rooms(monkeypatch: pytest.MonkeyPatch, platform: str) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    found = look()
    assert found.why_not
    assert found.kind != "bubblewrap"
