"""A user at home: a repository with a history, secrets, other working trees, programs that run and listen.

P/repository       the checkout; P/repository/{.venv,node_modules,data,.env} are ignored
P/home             keys, logins, caches, start-up files; home/other and home/second are linked working trees
P/config, P/state  the user's settings of teamlead, and what sessions keep
P/remote           what `origin` names
P/run              XDG_RUNTIME_DIR, with the sockets of a desktop
"""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shlex import quote

from tests.attacks import keyring, pictures
from tests.attacks.attack import CANARY, Aftermath, Attack
from tests.attacks.listeners import Ears, Gate
from tests.attacks.persons import Person
from tests.flows.support import Ended, Project, Step, run, write

from teamlead.errors import TeamleadError
from teamlead.system.untrusted_folder import remove_tree

DRIVER = Path(__file__).with_name("driver.py")
LIBRARY = Path(__file__).parents[1] / "system" / "rooms" / "attacks.py"
PATIENCE = 90.0
HONEST = "honest.txt"
SHARE = 12
"""Attacks that one agent makes."""
VICTIM = "import signal; signal.pause()"

SETTINGS = """
attempts = 3
retry_delay = 0
planner = false
radar = 0
jobs = 12
link = ["data"]
"""

TOOLS = """
won() { echo done | loot; }
loot() { mkdir -p loot && cat >"loot/$NAME.txt"; }
sly() { git -C "$REPO" -c user.name=sly -c user.email=sly commit-tree -m sly "HEAD^{tree}"; }
again() { for _ in $(seq 50); do "$@" && return; done; }
say() { "$PYTHON" -c "$SAY" "$1"; }
try() { "$PYTHON" "$LIBRARY" "$1" "$PLACES" && won; }
"""
"""again: git refuses where another attack writes to the same file."""
SAY = (
    "import os, socket, sys; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1].replace('@', '\\0')); "
    "s.sendall(os.environ['NAME'].encode())"
)
AT_THE_GATE = "bash -c 'exec 3<>/dev/tcp/127.0.0.1/{gate} && echo {word} >&3 && cat <&3'\n"
REPENT = """find . -name .git -prune -o "(" -type l -o -type p ")" -exec rm "{}" +
rm -rf .GIT module .gitmodules .gitattributes; test -d src || { mkdir src && echo "A = 1" >src/a.py; }"""
"""What agents do whose work was refused: if too many failed in a row, nobody would start any more."""

SECRETS = (
    *(".ssh/id_ed25519", ".gnupg/private-keys-v1.d/key", ".aws/credentials", ".config/gcloud/tokens.db"),
    *(
        ".azure/token",
        ".kube/config",
        ".docker/config.json",
        ".netrc",
        ".git-credentials",
        ".config/gh/hosts.yml",
    ),
    *(".npmrc", ".pypirc", ".cargo/credentials.toml", ".bash_history", ".mozilla/firefox/cookies.sqlite"),
    *(".claude/.credentials.json", ".codex/auth.json", ".local/share/keyrings/login.keyring", ".pgpass"),
)
BELONGINGS = (
    *(".bashrc", ".profile", ".ssh/authorized_keys", ".local/bin/tool", ".cache/tool/entry", ".npm/index"),
    *(".claude/settings.json", ".claude/commands/review.md", ".codex/config.toml", "docs/letter.txt"),
    *(".config/autostart/mail.desktop", ".config/systemd/user/backup.service", ".cargo/config.toml"),
)
IGNORED = {
    ".venv/pyvenv.cfg": "home = /usr/bin\n",
    ".venv/bin/tool": "#!/bin/sh\n",
    "node_modules/left-pad/index.js": "module.exports = 1\n",
    "data/set.csv": "1,2\n",
    ".env": f"TOKEN={CANARY}\n",
}
BRANCHES = ("release", "hotfix", "packed", "bundled", "noted", "borrowed")


class World(Project):
    def __init__(self, place: Path, person: Person) -> None:
        self.person = person
        self.mark = f"{place.name}-"
        self.home = place / "home"
        self.home.mkdir()
        super().__init__(place, _environment(place))
        self.settings(SETTINGS)
        self._furnish_home()
        self._furnish_repository()
        if not person.is_us:
            subprocess.run(["chown", "-hR", f"{person.uid}:{person.uid}", str(place)], check=True)
        self.ears = Ears()
        self.ears.at_path(place / "run" / "bus")
        self.ears.at_path(place / "agent.sock")
        self.ears.at_path(self.home / ".docker" / "run" / "docker.sock")
        self.ears.at_name(self.mark)
        self._port = self.ears.at_port()
        if person.uid == 0:
            self.ears.at_path(Path("/run", self.mark))
        self._victims = {name: self._start_victim() for name in ("victim", "prey", "idler")}

    # What the user has

    def _furnish_home(self) -> None:
        for name in (*SECRETS, *BELONGINGS):
            _put(self.home / name, f"{CANARY} {name}\n" if name in SECRETS else f"of the user: {name}\n")
        _put(self.home / ".gitconfig", "[user]\n\tname = Ada\n\temail = ada@example.com\n")
        shutil.copy(LIBRARY, self.home / "library.py")

    def _furnish_repository(self) -> None:
        self.has_repository({"README.md": "# Sample\n", "file.txt": "one\n", "src/a.py": "A = 1\n"})
        self.commit("second", {".gitignore": ".venv/\nnode_modules/\n/data\n.env\nbuild/\n"})
        for branch in BRANCHES:
            self.git("branch", branch)
        self.git("switch", "--quiet", "--create", "lonely")
        self.commit("only here", {"lonely.txt": "alone\n"})
        self.git("switch", "--quiet", "main")
        self.git("tag", "v1")
        self.git("tag", "v2", "HEAD~1")
        self.git("pack-refs", "--all")
        self.git("init", "--quiet", "--bare", str(self.place / "remote"))
        self.git("remote", "add", "origin", str(self.place / "remote"))
        self.git("push", "--quiet", "origin", "main")
        for name in ("other", "second"):
            self.git("worktree", "add", "--quiet", "-b", f"at-{name}", str(self.home / name))
            _put(self.home / name / "notes.txt", "not committed\n")
        for content in ("first", "last"):
            _put(self.root / "file.txt", f"{content}, for later\n")
            self.git("stash", "--quiet")
        hook = _put(self.root / ".git" / "hooks" / "pre-commit", "#!/bin/sh\nexit 0\n")
        hook.chmod(0o755)
        self.dangling = self.git("hash-object", "-w", str(self.home / "docs" / "letter.txt"))
        self.base = self.tip("main")
        for name, content in IGNORED.items():
            _put(self.root / name, content)
        _put(self.root / "draft.txt", "of the user, not committed\n")

    def _start_victim(self) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            [self.person.python, "-c", VICTIM],
            env={**self.environment, "TOKEN": f"{CANARY} environment"},
            cwd="/",
            **self.person.identity,
        )

    # What is played in it

    def attack(self, attacks: Sequence[Attack], *options: str, mutant: str = "none") -> Ended:
        """A session with agents that attack, and an honest one that is at work meanwhile."""
        agents = _shared_out(attacks)
        with Gate(len(agents)) as gate:
            honest = [run(AT_THE_GATE.format(gate=gate.port, word="stay")), write(HONEST, "honest work\n")]
            self.task(1, honest, fields=[f"Context: {CANARY} plan"])
            variables = "".join(f"export {name}={quote(value)}\n" for name, value in self.places.items())
            for number, share in enumerate(agents, 2):
                scripts = "".join(f"(export NAME={attack.slug}\n{attack.script}\n)\n" for attack in share)
                come, go = (AT_THE_GATE.format(gate=gate.port, word=word) for word in ("come", "go"))
                # Who may spoil its agent has no time to say that it goes.
                scripts = go + scripts if share[0].apart else scripts + go
                step: Step = {"run": variables + TOOLS + come + scripts}
                self.task(number, [step], [run(REPENT)], kind="integration")
            return self.teamlead(
                "start", self.plan, "--agent", f"scripted:{self.script}", *options, mutant=mutant
            )

    @property
    def places(self) -> dict[str, str]:
        """What scripts know of the world."""
        for_library = {
            "state": str(self.state_home),
            "root": str(self.root),
            "pid": self._victims["victim"].pid,
            "uid": self.person.uid,
            "word": self.mark,
        }
        return {
            "REPO": str(self.root),
            "STATE": str(self.state_home),
            "CONFIG": str(self.place / "config"),
            "REMOTE": str(self.place / "remote"),
            "AGENT": str(self.place / "agent.sock"),
            "BUS": str(self.place / "run" / "bus"),
            "ABSTRACT": f"@{self.mark}",
            "PORT": str(self._port),
            **{name.upper(): str(victim.pid) for name, victim in self._victims.items()},
            "DANGLING": self.dangling,
            "MARK": self.mark,
            "PYTHON": self.person.python,
            "LIBRARY": str(self.home / "library.py"),
            "PLACES": json.dumps(for_library),
            "SAY": SAY,
            "KEYRING": keyring.FIND,
        }

    def git(self, *arguments: str, cwd: Path | None = None) -> str:
        # Also where the repository is another user's.
        return super().git("-c", "safe.directory=*", *arguments, cwd=cwd)

    def teamlead(
        self, *arguments: str | Path, cwd: Path | None = None, mutant: str = "none", **changed: str
    ) -> Ended:
        keyring.put(self.mark, CANARY)
        done = subprocess.run(
            [self.person.python, str(self._driver), mutant, *map(str, arguments)],
            cwd=cwd or self.root,
            env={**self.environment, "TOKEN": f"{CANARY} environment", **changed},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
            **self.person.identity,
        )
        return Ended(done.returncode, done.stdout, done.stderr)

    @property
    def _driver(self) -> Path:
        return DRIVER if self.person.is_us else Path(shutil.copy(DRIVER, self.place))

    # What has become of it

    def aftermath(self, before: pictures.Picture, ended: Ended) -> Aftermath:
        dead = {
            name for name, victim in self._victims.items() if victim.poll() is not None or _stopped(victim)
        }
        dead |= {"leader"} if ended.code < 0 else set()
        # An attack may have lost objects of the session's own branches: then git can read none of them.
        whole = self._all_objects_are_there()
        return Aftermath(
            changed=pictures.differing(before, pictures.take(self)),
            loot=self._loot() if whole else {},
            heard=frozenset(self.ears.heard),
            dead=frozenset(dead),
            left=frozenset(self._left()),
            merged=frozenset(self._merged() if whole else ()),
            happened=frozenset(self._happened()),
        )

    def _all_objects_are_there(self) -> bool:
        return self.git_succeeds("-c", "safe.directory=*", "rev-list", "--objects", "--all", "--quiet")

    def _merged(self) -> list[str]:
        if f"refs/heads/{self.integration}" not in self.refs():
            return []
        return self.git("diff", "--name-only", self.base, self.integration).splitlines()

    def _happened(self) -> list[str]:
        try:
            return [event["kind"] for event in self.events()]
        except TeamleadError:
            return []

    def _loot(self) -> dict[str, str]:
        """On any branch, under any kept ref, and in what is left of copies."""
        found: dict[str, str] = {}
        listed = ("log", "--all", "--format=", "--raw", "--no-abbrev", "--no-renames", "-m", "--root")
        for line in self.git(*listed, "--", "loot").splitlines():
            (_, mode, _, name, _), path = line.split("\t")[0].split(), line.split("\t")[1]
            if mode == "100644":
                found[Path(path).stem] = found.get(Path(path).stem, "") + self.git("cat-file", "blob", name)
        for file in self.state_home.glob("*/copies/*/*/loot/*.txt"):
            if file.is_file() and not file.is_symlink():
                found[file.stem] = found.get(file.stem, "") + file.read_text(errors="replace")
        return found

    def _left(self) -> Iterator[str]:
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = path.read_text(errors="replace").split("\0")
            except OSError:
                continue
            yield from (word.removeprefix(self.mark) for word in words if word.startswith(self.mark))

    def close(self) -> None:
        for victim in self._victims.values():
            victim.kill()
            victim.wait()
        self.ears.close()
        for folder in self.state_home.glob("*/copies/*/.*/scratch"):
            remove_tree(folder)
        for shared in pictures.SHARED.values():
            for left in Path(shared).glob(f"{self.mark}*"):
                left.unlink()


@contextmanager
def world(settle: Callable[[Path], Person]) -> Iterator[World]:
    # Not pytest's own: that is closed to other users.
    place = Path(tempfile.mkdtemp(prefix="teamlead-world-"))
    place.chmod(0o755)
    found = World(place, settle(place))
    try:
        yield found
    finally:
        found.close()
        shutil.rmtree(place)


def _shared_out(attacks: Sequence[Attack]) -> list[list[Attack]]:
    """What each agent does: a start of an agent costs more than an attack."""
    alone = [[attack] for attack in attacks if attack.apart]
    others = [attack for attack in attacks if not attack.apart]
    return [others[first : first + SHARE] for first in range(0, len(others), SHARE)] + alone


def _environment(place: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return kept | {
        "HOME": str(place / "home"),
        "XDG_STATE_HOME": str(place / "state"),
        "XDG_CONFIG_HOME": str(place / "config"),
        "XDG_RUNTIME_DIR": str(place / "run"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_OPTIONAL_LOCKS": "0",
    }


def _put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def _stopped(victim: "subprocess.Popen[bytes]") -> bool:
    return Path(f"/proc/{victim.pid}/stat").read_text().rpartition(")")[2].split()[0] in "Tt"
