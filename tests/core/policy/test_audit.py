"""An audit-only shell reads, and nothing else, however the command is written."""

import os
import random
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from teamlead.core.policy.audit import refusal

SIZE = int(os.environ.get("TEAMLEAD_TEST_SIZE", "1"))
SEED = int(os.environ.get("TEAMLEAD_TEST_SEED", "1"))

ALLOWED = """
npm audit
npm audit --json
npm audit --omit=dev --audit-level=high
yarn audit --json
yarn npm audit --all --recursive
pnpm audit --prod
git log
git log --oneline -5
git log -n 5 --stat
git log -n5 -p --follow -- src/a.py
git log --since='2 weeks ago' --author=Ann
git log --since "2 weeks ago"
git log --format='%h %an: %s' main..HEAD
git log --pretty=oneline HEAD~3..HEAD
git log -S'password = ' --all
git log -S "../secret" --all
git log -G'eval\\(' --pickaxe-regex
git log -L 1,3:src/a.py
git log --graph --decorate --all
git log main...topic
git log -M90% --name-status
git --no-pager log -3
git diff
git diff --stat HEAD~1
git diff --cached -U10
git diff HEAD -- src/ "docs/a b.md"
git diff --name-only HEAD^ HEAD
git diff --no-ext-diff --no-textconv main
git diff -w --word-diff
git show
git show HEAD:src/a.py
git show --stat HEAD~2
git show 'HEAD@{1}'
git show HEAD:../README.md
git status
git status --short --branch
git status -sb -uno
git blame -L 1,3 -w src/a.py
git blame --porcelain src/a.py
git grep -n TODO
git grep -ie 'a b' HEAD -- src
git grep '/etc/passwd'
git ls-files
git ls-files --others --exclude-standard
git ls-files -s src
git rev-parse HEAD
git rev-parse --abbrev-ref HEAD
git rev-parse --show-toplevel
cat README.md
cat -n src/a.py
cat -- -odd-name
cat 'a b.txt' "c d.txt" e\\ f.txt
cat src/*.py
cat ./*
cat src/../README.md
cat ROOT/README.md
cat -
head README.md
head -5 README.md
head -n 5 src/a.py
head -c 100 README.md
head -n -2 README.md
head --lines=3 README.md
tail -n +2 README.md
tail -20 README.md
wc -l README.md src/a.py
wc README.md
ls
ls -la
ls -la ROOT
ls -R src docs
ls --color=never -1
ls src/[ab].py
find
find . -name '*.py'
find src docs -type f -not -path '*/node_modules/*'
find . -maxdepth 2 -type d ! -name .git
find . \\( -name '*.py' -o -name '*.js' \\) -print0
find . -mtime -7 -size +10k
find . -newer README.md
find . -name "*.pem" -o -name ".env*" -prune
find -L . -type l
find ROOT/src -name '*.py'
grep -rn password src
grep -rn --include='*.py' 'eval(' .
grep -rn --include=*.py eval src
grep -A 3 -B 2 x README.md
grep -e '../' -e '/etc' README.md
grep '/etc/passwd' README.md
grep -c "foo$" README.md
grep -E 'a|b' README.md
grep -rniE "(secret|token|api_key)" src
grep -rn "\\$HOME" src
rg -n password src
rg -g '*.py' -i token
rg -A2 -B2 'exec\\(' src
rg --hidden --glob '!.git' x
cat README.md | head -3
git log --oneline | head -5 | wc -l
find . -name '*.py' | grep -v test | wc -l
git diff HEAD~1 | grep '^+'
git status && git diff --stat
ls src; ls docs
cat README.md || ls
cd src && ls
cd ROOT && git log -1
cd ROOT/src; cat a.py
'cat' README.md
c\\at README.md
""".strip().splitlines()

REFUSED = """
npm audit fix
npm audit --fix
npm audit --json fix
npm audit fix --force
npm install
npm audit --registry=http://evil.test
npm audit --prefix /tmp
npm audit --script-shell=/tmp/x
npm run audit
npx audit
yarn audit fix
yarn add x
yarn
pnpm audit --fix
pnpm audit fix
git log --output=x
git log --output x
git log --outpu=x
git log --o=x
git log "--output=x"
git log --out\\put=x
git log '--out'"put"=x
git diff --output=src/a.py
git diff -o x
git diff --output-directory=x
git diff --no-index README.md /etc/passwd
git diff /etc/passwd README.md
git diff -- ../../etc/passwd
git diff --ext-diff
git diff --textconv
git log -p --ext-diff
git log --ext-dif
git show --textconv HEAD:a
git show --output=x HEAD
git diff -O/etc/passwd
git log --show-signature
git log --format=%G?
git log --pretty='%h %GK'
git -c core.pager='touch x' log
git -c diff.external=touch diff
git -C /etc log
git -C .. log
git -p log
git --paginate log
git --exec-path=. log
git --git-dir=../x log
git --work-tree=/ status
git --config-env=core.pager=X log
git
git commit -m x
git push
git branch new
git tag x
git stash
git checkout .
git reset --hard
git config core.hooksPath x
git update-ref refs/heads/main HEAD
git worktree add x
git fetch
git apply x
git gc
git log; git push
git grep -O x
git grep -Ovi x
git grep --open-files-in-pager=vi x
git grep --open-files x
git grep -f /etc/passwd
git grep --no-index x /etc
git blame --contents /etc/passwd README.md
git blame -S x README.md
git blame --ignore-revs-file=/etc/passwd README.md
git ls-files -X /etc/passwd
git ls-files --exclude-from=/etc/passwd
git rev-parse --parseopt
git show-ref
git cat-file --textconv HEAD:a
git log -n --output=x
git log -L --output=x
git log -S --output=x
git status --output=x
git log --stdin
git LOG
GIT log
cat /etc/passwd
cat ../outside
cat src/../../outside
cat ROOT/../outside
cat ROOTother/x
cat ~/.ssh/id_rsa
cat ~root/x
cat README.md > x
cat README.md >> x
cat README.md >| x
cat README.md >&x
cat README.md &> x
cat <> x
cat < /etc/passwd
cat 2>x README.md
cat README.md 2>&1
cat <<EOF
cat <<<x
cat <(ls)
cat >(tee x)
cat $(touch x)
cat `touch x`
cat "$(touch x)"
cat "`touch x`"
cat $HOME/x
cat ${HOME}/x
cat "$HOME/x"
cat $'\\x2fetc/passwd'
cat $"x"
cat a & touch x
cat a |& tee x
cat a | tee x
cat a | sh
cat a | xargs rm
cat a && rm a
cat a || rm a
cat a; rm a
cat a ;rm a
cat a;
; cat a
| cat
cat a | | cat b
cat a ;; cat b
X=1 cat a
PATH=. cat a
GIT_EXTERNAL_DIFF=./x git diff
GIT_PAGER=x git log
env cat a
env
printenv
printenv PATH
set
export X=1
alias cat=rm
cat() { rm a; }
function cat { rm a; }
{ rm a; }
(rm a)
! rm a
time rm a
if true; then rm a; fi
eval 'rm a'
exec rm a
command rm a
builtin eval x
source x
. x
sh -c 'rm a'
bash x
sudo cat a
xargs cat
tee x
cd .. && cat x
cd
cd -
cd ~
cd /
cd ROOT/..
cd src docs
cd -P src
cd src && cat ../../x
cd src > x
echo x
printf x
sed -i s/a/b/ README.md
sed -n 'w x' README.md
awk 'BEGIN{system("rm a")}'
sort -o x README.md
uniq README.md x
python -c x
rm a
touch x
cp a b
mv a b
ln -s a b
dd of=x
/bin/cat README.md
./cat README.md
cat *
cat -*
cat -- *
cat ?x
cat [a]x
cat .*
cat src/.*/x
cat .?/x
c*t README.md
git l*g
git log --out*
git {log,--output=x}
cat {a,/etc/passwd}
cat a{1..3}
git show HEAD@{1}
cat =ls
git log ^main
cat !$
cat "a!b"
cat 'a
cat "a
cat a\\
cat '\\' x '
cat a=~/x
cat a:~/x
cat #x
head -f x
head --files0-from=x
tail -f README.md
tail -F README.md
tail --follow README.md
tail --pid=1 README.md
wc --files0-from=/etc/passwd
ls /etc
ls ..
ls --hyperlink=x ..
find / -name x
find .. -name x
find . -exec rm {} \\;
find . -exec rm '{}' ';'
find . -execdir rm '{}' +
find . -ok rm '{}' ';'
find . -okdir rm '{}' ';'
find . -delete
find . -name x -delete
find . -fprint x
find . -fprint0 x
find . -fprintf x %p
find . -fls x
find -files0-from /etc/passwd
find . -newer /etc/passwd
find . -name -delete
find . -name
find -D exec .
find . -name *.py
find . (-name x)
grep x /etc/passwd
grep -r x ..
grep -f /etc/passwd README.md
grep --file=/etc/passwd README.md
grep -e x /etc/passwd
grep -ex /etc/passwd
grep --regexp=x /etc/passwd
grep --exclude-from=/etc/passwd x README.md
grep -A 3 x /etc/passwd
rg --pre=./x y
rg --pre ./x y
rg --hostname-bin=./x y
rg -z x
rg --search-zip x
rg --files /etc
rg -f /etc/passwd
rg --ignore-file=/etc/passwd x
rg x /etc
cat --unknown
cat README.md --output=x
""".strip().splitlines()

STRANGE = [
    "",
    " ",
    "\t",
    "cat a\nrm a",
    "cat a\rrm a",
    "cat 'a\nb'",
    "cat a \\\n rm",
    "cat a\0b",
    "cat a\u00a0--output=x",
    "cat\u2028rm",
    "cat \x1b[2J",
    "git log \ud800",
]


def words_of(text: str) -> list[str]:
    return text.split()


def with_root(command: str, root: str) -> str:
    return command.replace("ROOT", root)


@pytest.mark.parametrize("command", ALLOWED)
def test_a_command_that_reads_is_allowed(command: str) -> None:
    assert refusal(with_root(command, "/copies/one"), "/copies/one") == ""


@pytest.mark.parametrize("command", [*REFUSED, *STRANGE])
def test_a_command_that_might_do_more_is_refused_in_one_line(command: str) -> None:
    said = refusal(with_root(command, "/copies/one"), "/copies/one")
    assert "this shell only reads: use cat" in said


def test_without_a_root_no_absolute_path_is_read() -> None:
    assert refusal("cat /copies/one/README.md")


HEADS = words_of("cat head tail wc ls find grep git rg npm env tee sh sed sort")
GIT_WORDS = words_of(
    "log diff show status blame grep ls-files rev-parse branch tag config stash commit -c --no-pager"
)
PARTS = [
    *words_of(
        """
        README.md src/a.py src docs . ./* src/*.py ../beside HEAD HEAD~1 main topic
        --output=made --outpu=made --output made -o made -omade --stat -p -n 1 -5 --oneline
        --ext-diff --textconv -O./run --open-files-in-pager=./run -Sx -S x -Gx -L 1,2:src/a.py
        -l -a -r -R -n -i -c -e x -A 1 --cached --all --format=%h --no-index -- -
        -name x -type f -maxdepth 1 -exec ./run ; -delete -fprint made -fls made -print -o -newer
        core.pager=./run diff.external=./run user.name=made new -d -m -u -w -q -v -z --pre ./run
        \\; '{}' {} $(./run) `./run` "$(./run)" '$(./run)' >made 2>made >>made <README.md <(./run)
        * {a,b} $HOME
        """
    ),
    *["'a b'", '"a b"', "> made", "&> made"],
]
JOINTS = [" | ", " && ", " || ", "; ", " & ", " |& ", "\n", " | tee made | ", " > made; "]


def corpus(seed: int, count: int) -> Iterable[str]:
    """Commands put together at random, most of them nonsense, from what reads and what writes."""
    dice = random.Random(seed)
    for _ in range(count):
        line = ""
        for place in range(dice.choice((1, 1, 1, 2, 3))):
            head = dice.choice((*HEADS, *["git"] * 8, *["find"] * 3))
            words = [head, *([dice.choice(GIT_WORDS)] if head == "git" else [])]
            words += dice.choices(PARTS, k=dice.choice((0, 1, 1, 2, 2, 3, 4)))
            line += (dice.choice(JOINTS) if place else "") + " ".join(words)
        yield line


class Sandbox:
    """A repository that shows whether a command changed anything in it or beside it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.pristine, self.root = folder / "now", folder / "pristine", folder / "now/copy"
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder / "home"),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_OPTIONAL_LOCKS": "0",
            "EDITOR": "true",
            "LC_ALL": "C.UTF-8",
        }
        for name in ("home", "copy/src", "copy/docs"):
            (self.folder / name).mkdir(parents=True)
        for name in ("README.md", "src/a.py", "src/b.py", "docs/c.md"):
            (self.root / name).write_text("x = 1\nTODO: password\n", encoding="utf-8")
        (self.root / "run").write_text("#!/bin/sh\ntouch made\n", encoding="utf-8")
        (self.root / "run").chmod(0o755)
        identity = "-c user.name=A -c user.email=a@example.com"
        self.run(
            f"git init -qb main && git add . && git {identity} commit -qm one && git branch topic && "
            f"echo more >>README.md && git {identity} commit -qam two && echo more >>src/a.py"
        )
        shutil.copytree(self.folder, self.pristine, symlinks=True)

    def run(self, command: str) -> None:
        subprocess.run(
            ["bash", "-c", command],
            cwd=self.root,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=30,
            check=False,
        )

    def harmed_by(self, command: str) -> bool:
        self.run(command)
        if contents(self.folder) == contents(self.pristine):
            return False
        shutil.rmtree(self.folder)
        shutil.copytree(self.pristine, self.folder, symlinks=True)
        return True


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else b""
        for path in folder.rglob("*")
    }


def harm(sandbox: Sandbox, judge: Callable[[str, str], str], commands: Iterable[str]) -> list[str]:
    """What the judge allowed and what then changed something."""
    allowed = [command for command in commands if not judge(command, str(sandbox.root))]
    return [command for command in dict.fromkeys(allowed) if sandbox.harmed_by(command)]


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Sandbox:
    return Sandbox(tmp_path_factory.mktemp("audit"))


def runnable(command: str) -> bool:
    """Package managers would ask their registry."""
    return command.split(maxsplit=1)[0] not in {"npm", "yarn", "pnpm"}


def test_what_is_allowed_changes_nothing(sandbox: Sandbox) -> None:
    listed = [with_root(command, str(sandbox.root)) for command in ALLOWED if runnable(command)]
    assert harm(sandbox, refusal, listed) == []
    made = [command for command in corpus(SEED, 20_000 * SIZE) if runnable(command)]
    allowed = [command for command in made if not refusal(command, str(sandbox.root))]
    assert len(allowed) > 200
    assert harm(sandbox, refusal, allowed[: 400 * SIZE]) == []


def by_prefix(command: str, root: str) -> str:
    return "" if command.startswith(("git log", "git diff", "cat", "find .")) else "refused"


def blind_to_options(command: str, root: str) -> str:
    return refusal(" ".join(word for word in command.split(" ") if not word.startswith("-")), root)


def blind_to_redirections(command: str, root: str) -> str:
    return refusal(command.replace(">", " "), root)


def blind_to_chains(command: str, root: str) -> str:
    return refusal(re.split("[;&|]", command)[0], root)


def blind_to_substitution(command: str, root: str) -> str:
    return refusal(command.replace("$", "").replace("`", "").replace("(", "").replace(")", ""), root)


@pytest.mark.parametrize(
    "weaker", [by_prefix, blind_to_options, blind_to_redirections, blind_to_chains, blind_to_substitution]
)
def test_a_weaker_judge_would_be_caught(sandbox: Sandbox, weaker: Callable[[str, str], str]) -> None:
    made = [command for command in corpus(SEED, 20_000) if runnable(command)]
    let_through = [
        command
        for command in made
        if not weaker(command, str(sandbox.root)) and refusal(command, str(sandbox.root))
    ]
    caught = next((command for command in let_through if sandbox.harmed_by(command)), None)
    assert caught is not None
