"""What is seen in a room, and what is not."""

import os
import socket
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.system.rooms.support import SECRET, Guest

from teamlead.system.rooms.users_home import HIDDEN


def test_nothing_of_a_home_that_is_secret_can_be_read(guest: Guest) -> None:
    for number, name in enumerate(HIDDEN):
        if not any(other.startswith(name + "/") for other in HIDDEN):
            guest.write(guest.home / name / "key" if number % 2 else guest.home / name)
    guest.write(guest.home / "notes.txt", "open\n")
    done = guest.shell("cat ~/notes.txt; grep -rs xyzzy ~/.[a-z]* ~/bin; echo; ls -A ~/.ssh ~/.gnupg")
    assert [line for line in done.lines if SECRET in line] == []
    assert done.lines[0] == "open"


def test_a_hidden_file_can_be_read_and_is_empty(guest: Guest) -> None:
    guest.write(guest.home / ".npmrc")
    assert guest.shell("wc -c < ~/.npmrc; echo x > ~/.npmrc || echo kept").lines[0] == "0"
    assert (guest.home / ".npmrc").read_text() == SECRET


def test_what_this_program_may_not_see_is_hidden_also_where_the_user_exposes_it(guest: Guest) -> None:
    oracle = guest.write(guest.home / "checks" / "oracle.sh")
    guest.write(guest.home / "checks" / "data", "open\n")
    shown = {"house": {"exposed": [oracle.parent]}}
    done = guest.shell(f"cat {oracle.parent}/data {oracle}; echo end", room={"unseen": [oracle]}, **shown)
    assert done.lines == ["open", "end"]
    assert SECRET in guest.shell(f"cat {oracle}", **shown).lines


MOVED = {
    "XDG_CONFIG_HOME": "config!/gh/hosts.yml",
    "XDG_DATA_HOME": "data!/keyrings/login",
    "DOCKER_CONFIG": "docker!/config.json",
    "CODEX_HOME": "codex!/auth.json",
    "GNUPGHOME": "gnupg!/key",
    "KUBECONFIG": "kube/one!:kube/two!",
    "NETRC": "netrc!",
    "HISTFILE": "history!",
}
"""Where a user keeps secrets: up to the mark by the variable."""


@pytest.mark.parametrize("strict", [False, True])
def test_secrets_that_a_variable_moves_elsewhere_are_hidden_too(guest: Guest, strict: bool) -> None:
    named = {}
    for variable, places in MOVED.items():
        for place in places.split(":"):
            guest.write(guest.home / "bin" / place.replace("!", ""))
        parts = [f"{guest.home}/bin/{place.split('!')[0]}" for place in places.split(":")]
        named[variable] = ":".join(parts)
    guest.write(guest.home / "bin" / "config" / "other", "open\n")
    guest.env |= named
    # What a program is not given itself.
    env = dict.fromkeys(named, "")
    request: dict[str, Any] = {"env": env, "house": {"strict": strict}}
    done = guest.shell("cat ~/bin/config/other; grep -rs xyzzy ~/bin; echo end", **request)
    assert done.lines == ["open", "end"]


def test_what_a_variable_names_that_a_program_is_given_or_that_is_its_own_is_shown(guest: Guest) -> None:
    key, own = guest.write(guest.home / "keys" / "google.json", "key\n"), guest.home / "own"
    guest.write(own / "auth.json", "login\n")
    guest.env |= {"GOOGLE_APPLICATION_CREDENTIALS": str(key), "CODEX_HOME": str(own), "HISTFILE": "/dev/null"}
    room = {"writable": [own]}
    done = guest.shell(
        f"cat {key} {own}/auth.json </dev/null >&1 2>/dev/null; echo x > /dev/null",
        room=room,
        env={"CODEX_HOME": "", "HISTFILE": ""},
    )
    assert done == (0, ["key", "login"])


def test_a_socket_in_a_home_is_hidden(guest: Guest) -> None:
    place = guest.home / ".bitwarden-ssh-agent.sock"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(place))
        assert guest.shell("test -S ~/.bitwarden-ssh-agent.sock || echo gone").lines == ["gone"]


def test_sockets_and_files_of_others_in_temporary_folders_are_gone(guest: Guest) -> None:
    with subprocess.Popen(["sleep", "60"]) as other:
        mark = guest.write(guest.folder / "outside" / "file")
        seen = guest.shell(f"ls -A /tmp /run /var/tmp; test -e {mark} && echo seen; ls /proc")
        assert str(other.pid) not in seen.lines
        other.kill()
    assert "seen" not in seen.lines
    assert "user" not in seen.lines


def test_a_temporary_folder_is_private_and_writable(guest: Guest) -> None:
    done = guest.shell(
        'echo "$TMPDIR"; echo x > "$TMPDIR"/x; touch /var/tmp/x; cat /tmp/x', env={"TMPDIR": "/nowhere"}
    )
    assert done == (0, ["/tmp", "x"])
    assert not Path("/tmp/x").exists()


def test_an_agent_s_own_temporary_folder_stays_its_own(guest: Guest) -> None:
    own = guest.state / "homes" / "one"
    done = guest.shell('touch "$TMPDIR"/x', env={"TMPDIR": f"{own}"}, room={"writable": [own]})
    assert done.code == 0
    assert (own / "x").exists()


def test_where_the_sockets_of_the_user_s_session_are_is_not_told(guest: Guest) -> None:
    assert guest.shell('echo "$XDG_RUNTIME_DIR"', env={"XDG_RUNTIME_DIR": "/run/user/1"}).lines == [""]


def test_the_rest_of_the_disk_is_read_only(guest: Guest) -> None:
    done = guest.shell("for f in /etc /usr ~ ~/.local; do touch $f/evil 2>/dev/null && echo $f; done; ls ~")
    assert done.lines == ["project"]


def test_what_an_agent_writes_to_its_home_is_written_through(guest: Guest) -> None:
    own, late = guest.home / ".claude", guest.state / "homes" / "one"
    settings = guest.write(own / "settings.json", "{}")
    script = (
        "echo new > ~/.claude/session; echo evil > ~/.claude/settings.json;"
        f"rm ~/.claude/settings.json; echo late > {late}/file; cat ~/.claude/settings.json"
    )
    done = guest.shell(script, room={"writable": [own, late], "guarded": [settings, own / "missing"]})
    assert done.lines[-1] == "{}"
    assert (settings.read_text(), (own / "session").read_text()) == ("{}", "new\n")
    assert (late / "file").read_text() == "late\n"
    assert not (own / "missing").exists()


def test_a_link_that_an_agent_has_left_in_its_home_shows_nothing(guest: Guest) -> None:
    key = guest.write(guest.home / ".ssh" / "id")
    own = guest.state / "homes" / "one"
    room = {
        "writable": [own, own / "folder"],
        "guarded": [own / "settings.json", own / "plugins" / "id"],
        "readable": [own / "prompt.md"],
    }
    links = (
        "ln -s ~/.ssh/id settings.json; ln -s ~/.ssh/id prompt.md; ln -s ~/.ssh plugins; ln -s ~/.ssh folder"
    )
    assert guest.shell(f"cd {own} && {links}", room={"writable": [own]}) == (0, [])
    done = guest.shell(f"cat {key} {own}/*; ls {own}/folder {key.parent}", room=room)
    assert [line for line in done.lines if SECRET in line or line == "id"] == []


def test_a_prompt_in_the_state_directory_is_shown_alone(guest: Guest) -> None:
    prompt = guest.write(guest.state / "runs" / "one" / "prompt.md", "do it")
    guest.write(prompt.with_name("events"))
    done = guest.shell(
        f"cat {prompt}; echo; ls {prompt.parent} {guest.state}; touch {prompt}", room={"readable": [prompt]}
    )
    assert done.lines[:1] == ["do it"]
    assert not {"events", "journal.db"} & set(done.lines)
    assert done.code != 0


def test_what_the_user_exposes_is_shown_and_writable(guest: Guest) -> None:
    guest.write(guest.home / ".ssh" / "id", "key\n")
    guest.write(guest.home / ".config" / "gh" / "hosts", "host\n")
    script = "cat ~/.ssh/id ~/.config/gh/hosts; echo known > ~/.ssh/known_hosts"
    done = guest.shell(script, house={"exposed": ["~/.ssh", guest.home / ".config", "~/.missing"]})
    assert done == (0, ["key", "host"])
    assert (guest.home / ".ssh" / "known_hosts").read_text() == "known\n"


def test_a_cache_that_the_user_exposes_is_written_through(guest: Guest) -> None:
    guest.write(guest.home / ".cache" / "known", "known\n")
    assert guest.shell("echo new > ~/.cache/new", house={"exposed": ["~/.cache"]}).code == 0
    assert (guest.home / ".cache" / "new").read_text() == "new\n"


def test_a_checkout_in_the_home_of_an_agent_does_not_show_that_home(guest: Guest) -> None:
    guest.write(guest.home / ".codex" / "auth.json")
    root = guest.home / ".codex" / "skills"
    root.mkdir()
    done = guest.shell("pwd; cat file.txt; ls -A ~/.codex", house={"root": root})
    assert done == (0, [str(root), "of the copy", "skills"])


def test_what_the_user_exposes_never_has_the_state_or_the_git_directory_in_it(guest: Guest) -> None:
    done = guest.shell(f"ls {guest.state}; cat .git; touch ~/made", house={"exposed": ["~"]})
    assert "journal.db" not in done.lines
    assert done.lines[-1] == f"gitdir: {guest.git_dir}"
    assert (guest.home / "made").exists()


def test_a_strict_room_shows_toolchains_and_little_else_of_a_home(guest: Guest) -> None:
    guest.write(guest.home / "notes.txt")
    guest.write(guest.home / "tools" / "bin" / "tool", "#!/bin/sh\ncat ~/tools/lib\n").chmod(0o755)
    guest.write(guest.home / "tools" / "lib", "library\n")
    guest.write(guest.home / ".cargo" / "env", "cargo\n")
    guest.write(guest.home / ".cargo" / "credentials.toml")
    script = "ls ~; cat ~/.cargo/env ~/.cargo/credentials.toml; tool; cat ~/project/file.txt"
    path = f"{guest.home}/tools/bin:{guest.env['PATH']}"
    done = guest.shell(script, house={"strict": True}, env={"PATH": path})
    assert done == (0, ["project", "tools", "cargo", "library", "of the copy"])


@pytest.mark.parametrize("strict", [False, True])
def test_a_user_without_a_home_has_rooms(guest: Guest, strict: bool) -> None:
    done = guest.shell("cat file.txt", house={"home": "/nowhere/at/all", "strict": strict})
    assert done == (0, ["of the copy"])


@pytest.mark.parametrize("place", ["/tmp", "/var/tmp"])
def test_programs_below_temporary_folders_are_shown(guest: Guest, place: str) -> None:
    folder = Path(place, f"teamlead-tools-{os.getpid()}-{guest.user}")
    try:
        guest.write(folder / "bin" / "tool", f"#!/bin/sh\ncat {folder}/lib/words\n").chmod(0o755)
        guest.write(folder / "lib" / "words", "works\n")
        (folder / "link").symlink_to(folder / "bin")
        assert guest.run([str(folder / "bin" / "tool")])[0].lines == ["works"]
        assert guest.shell("tool", env={"PATH": f"{folder}/link:/usr/bin:/bin"}).lines == ["works"]
    finally:
        subprocess.run(["rm", "-r", folder], check=True)


@pytest.mark.parametrize("place", ["/tmp", "/var/tmp"])
def test_programs_below_temporary_folders_that_a_command_names_are_there_and_written_privately(
    guest: Guest, place: str
) -> None:
    folder = Path(place, f"teamlead-tools-{os.getpid()}-{guest.user}")
    try:
        guest.write(folder / "one" / "bin" / "tool", f"#!/bin/sh\ncat {folder}/one/words\n").chmod(0o755)
        words = guest.write(folder / "one" / "words", "works\n")
        guest.write(folder / "other" / "words")
        (folder / "link").symlink_to(folder / "one")
        subprocess.run(["chmod", "-R", "a+rX", folder], check=True)
        command = f"{folder}/link/bin/tool && {folder}/one/bin/tool; ls {folder}"
        assert guest.shell(command).lines == ["works", "works", "link", "one"]
        if not guest.ours:
            subprocess.run(["chown", "-R", f"{guest.user}:{guest.user}", folder], check=True)
        assert guest.shell(f"echo new > {words}; {folder}/one/bin/tool").lines == ["new"]
        assert words.read_text() == "works\n"
    finally:
        subprocess.run(["rm", "-r", folder], check=True)


def test_programs_that_a_command_names_are_written_through_where_the_user_exposes_them(guest: Guest) -> None:
    guest.write(guest.folder / "tools" / "bin" / "tool", "#!/bin/sh\necho new > $1\n").chmod(0o755)
    words = guest.write(guest.folder / "tools" / "words")
    done = guest.shell(f"{guest.folder}/tools/bin/tool {words}", house={"exposed": ["/tmp"]})
    assert done.code == 0
    assert words.read_text() == "new\n"


@pytest.mark.parametrize("strict", [False, True])
def test_nothing_is_shown_because_a_command_names_it_that_is_hidden(guest: Guest, strict: bool) -> None:
    places = [
        guest.home / ".ssh",
        guest.state,
        guest.state / "copies" / "two",
        guest.root / ".git",
        guest.root / "ignored",
        *([guest.home / "private"] if strict else []),
    ]
    links = []
    for number, place in enumerate(places):
        guest.write(place / "bin" / "tool", f"#!/bin/sh\necho {SECRET}\n").chmod(0o755)
        links.append(guest.folder / f"link-{number}")
        links[-1].symlink_to(place)
    tools = [f"{place}/bin/tool" for place in (*places, *links)]
    done = guest.shell(f"{'; '.join(tools)}; cat {' '.join(tools)}; cat file.txt", house={"strict": strict})
    assert [line for line in done.lines if SECRET in line] == []
    assert done.lines[-1] == "of the copy"
    assert guest.shell(tools[0] + f"; ls {guest.home}/..").lines[-1] == "home"


def test_a_home_is_there_by_the_name_of_a_link_too(guest: Guest) -> None:
    name = guest.folder / "names" / "home"
    name.parent.mkdir()
    name.symlink_to(guest.home)
    guest.write(guest.home / "notes.txt", "open\n")
    guest.write(guest.home / ".ssh" / "id")
    script = f"cat ~/notes.txt {name}/notes.txt; cat ~/.ssh/id; touch ~/made; cat {guest.home}/notes.txt"
    done = guest.shell(script, house={"home": name}, env={"HOME": str(name)})
    assert done.lines[:2] == ["open", "open"]
    assert done.lines[-1] == "open"
    assert [line for line in done.lines if SECRET in line] == []
    assert not (guest.home / "made").exists()


def test_the_copy_lies_at_the_names_of_the_checkout_too(guest: Guest) -> None:
    (guest.folder / "projects").symlink_to(guest.root.parent)
    name = guest.folder / "projects" / "project"
    done = guest.shell(f"cat {name}/file.txt; echo new > {name}/new.txt; pwd", house={"names": [name]})
    assert done == (0, ["of the copy", str(guest.root)])
    assert (guest.copy / "new.txt").read_text() == "new\n"


def test_a_link_to_programs_shows_no_secret_that_lies_beside_them(guest: Guest) -> None:
    guest.write(guest.home / "bin" / "tool", "#!/bin/sh\necho works\n").chmod(0o755)
    guest.write(guest.home / ".ssh" / "id")
    link = guest.folder / "link"
    link.symlink_to(guest.home)
    path = f"{link}/bin:{link}:/usr/bin:/bin"
    done = guest.shell(f"tool; cat {link}/.ssh/id {link}/project/.git/HEAD", env={"PATH": path})
    assert done.lines[0] == "works"
    assert [line for line in done.lines if SECRET in line or "refs/heads" in line] == []


def test_the_python_that_runs_us_runs_in_a_room_too(guest: Guest) -> None:
    done = guest.run([guest.python, "-c", "import teamlead; print(teamlead.__name__)"])[0]
    assert done.lines == ["teamlead"]


def test_a_virtual_environment_in_the_checkout_is_shown_if_we_run_in_it(guest: Guest) -> None:
    environment = guest.root / ".venv"
    subprocess.run([guest.python, "-m", "venv", "--without-pip", environment], check=True)
    places = guest.call(guest.python, "-c", "import sys; print(*sys.path, sep=':')")
    guest.env["PYTHONPATH"] = places.strip().strip(":")
    guest.python = f"{environment}/bin/python"
    done = guest.run([guest.python, "-c", "import sys; print(sys.prefix)"])[0]
    assert done.lines == [str(environment)]
    assert list((guest.copy / ".venv").iterdir()) == []


def test_folders_are_mounted_read_only_and_layers_written_privately(guest: Guest) -> None:
    for name in ("linked", "layer"):
        guest.write(guest.root / name / "file", f"{name}\n")
        (guest.copy / name).mkdir()
    room = {"mounted": [[guest.root / "linked", "linked"]], "layered": [[guest.root / "layer", "layer"]]}
    script = (
        "cat linked/file layer/file; touch linked/x && echo evil; echo own > layer/file; rm -f layer/gone"
    )
    guest.write(guest.root / "layer" / "gone", "")
    first, second = guest.run(["sh", "-c", script], ["sh", "-c", "cat layer/file; ls layer"], room=room)
    assert first.lines[:2] == ["linked", "layer"]
    assert "evil" not in first.lines
    # A room keeps what was written for the next program.
    assert second.lines == ["own", "file"]
    assert sorted(path.name for path in (guest.root / "layer").iterdir()) == ["file", "gone"]
    assert (guest.root / "layer" / "file").read_text() == "layer\n"


def test_a_layer_behind_a_link_is_known_by_its_own_path_and_has_no_secret_in_it(guest: Guest) -> None:
    elsewhere = guest.write(guest.folder / "elsewhere" / "file", "elsewhere\n").parent
    guest.write(guest.home / ".ssh" / "id")
    targets = {"one": elsewhere, "two": guest.home, "three": guest.home / ".ssh", "four": guest.root / ".git"}
    for name, target in targets.items():
        (guest.root / name).symlink_to(target)
        (guest.copy / name).mkdir()
    layers = [[guest.root / name, name] for name in targets]
    script = f"cat {elsewhere}/file one/file; echo x > one/file; ls two three four"
    done = guest.shell(script, room={"layered": layers})
    assert done.lines == ["elsewhere", "elsewhere", "four:", "", "three:", "", "two:"]
    assert (elsewhere / "file").read_text() == "elsewhere\n"


def test_a_checkout_that_is_a_linked_worktree_has_its_git_directory_hidden(guest: Guest) -> None:
    linked = guest.home / "linked"
    guest.git("-C", str(guest.root), "worktree", "add", "-q", str(linked))
    guest.write(guest.copy / "other.txt", "other\n")
    commit = "git -c user.name=a -c user.email=a commit -qam x"
    script = f"ls -A {guest.root}/.git; {commit} && git log --format=%s; cat other.txt"
    done = guest.shell(script, house={"root": linked})
    assert done == (0, ["x", "first", "other"])
    assert guest.shell("pwd", house={"root": linked}).lines == [str(linked)]


def test_a_room_without_network_has_nothing_but_its_own_loopback(guest: Guest) -> None:
    done = guest.shell("tail -n +3 /proc/net/dev | cut -d: -f1", room={"network": False})
    assert [line.strip() for line in done.lines] == ["lo"]


def test_paths_with_odd_characters_are_paths(guest: Guest) -> None:
    name = "a:b,c\\d e"
    guest.write(guest.root / name / "file", "odd\n")
    (guest.copy / name).mkdir()
    room = {"layered": [[guest.root / name, name + "/."]], "scratch": guest.state / "scra:tch,"}
    done = guest.shell(f'cat "{name}/file" && echo new > "{name}/file"'.replace("\\", "\\\\"), room=room)
    assert done == (0, ["odd"])
    assert (guest.root / name / "file").read_text() == "odd\n"


@pytest.mark.root
@pytest.mark.parametrize("guest", ["root"], indirect=True)
def test_what_only_root_may_read_is_empty(guest: Guest) -> None:
    assert guest.shell("cat /etc/shadow").lines == []
