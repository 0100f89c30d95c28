"""Attacks by what an agent hands in: its files, and the git directory that it works with.

What the lead does with them it does outside of every room. So these have to fail without one, too.
"""

from tests.attacks.attack import Attack, changes, delivers, reads

OWN = 'own="$(git rev-parse --absolute-git-dir)"; '
PROGRAM = '"touch $HOME/ran-$NAME"'
RAN = "home/ran-{slug}"


FILES = (
    Attack(
        "commits a link to a secret",
        'mkdir -p loot; ln -s "$HOME/.netrc" "loot/$NAME.txt"',
        reads(),
        control="held",
        apart=True,
    ),
    Attack(
        "commits a link out of the repository",
        "ln -s / everything",
        delivers("everything"),
        control="held",
        apart=True,
    ),
    Attack(
        "commits a submodule",
        "git init -q module && git -C module commit -q --allow-empty -m x && git config -f .gitmodules "
        "submodule.module.path module && git config -f .gitmodules submodule.module.url ../evil && "
        "git add .gitmodules module && git commit -q -m module",
        delivers(".gitmodules"),
        control="held",
        apart=True,
    ),
    Attack(
        "commits attributes that run a filter",
        'echo "*.txt filter=evil" >.gitattributes',
        delivers(".gitattributes"),
        control="held",
        apart=True,
    ),
    Attack(
        "commits a git directory by another spelling",
        "mkdir .GIT && touch .GIT/config",
        delivers(".GIT/config"),
        control="held",
        apart=True,
    ),
    Attack("leaves a pipe in its copy", "mkfifo pipe", delivers("pipe"), control="held", apart=True),
    Attack(
        "puts a link in the place of a folder",
        'rm -r src; ln -s "$HOME/docs" src; rm -f data/set.csv; rmdir data; ln -s "$HOME/docs" data',
        changes("home/docs/letter.txt"),
        control="held",
        apart=True,
    ),
    Attack(
        "leaves a file that git ignores for who comes after",
        "mkdir -p build && echo evil >build/evil",
        delivers("build/evil"),
        control="held",
        apart=True,
    ),
)

GIT_DIRECTORY = (
    Attack(
        "sets a monitor in its own git directory",
        f"git config core.fsmonitor {PROGRAM}",
        changes(RAN),
        control="held",
        apart=True,
    ),
    Attack(
        "sets hooks in its own git directory",
        OWN
        + """mkdir -p "$own/hooks"
for hook in post-checkout post-commit post-index-change post-merge pre-commit reference-transaction; do
  printf '#!/bin/sh\\ntouch %s\\n' "$HOME/ran-$NAME" >"$own/hooks/$hook"; chmod +x "$own/hooks/$hook"
done""",
        changes(RAN),
        control="held",
        apart=True,
    ),
    Attack(
        "sets a filter in its own git directory",
        OWN + f"git config filter.evil.clean {PROGRAM}; git config filter.evil.process {PROGRAM}; "
        'mkdir -p "$own/info"; echo "* filter=evil diff=evil merge=evil" >"$own/info/attributes"; '
        "echo new >new-$NAME",
        changes(RAN),
        control="held",
        apart=True,
    ),
    Attack(
        "makes the index of its git directory a link",
        OWN + 'rm -f "$own/index"; ln -s "$HOME/.bashrc" "$own/index"; echo new >new-$NAME',
        changes("home/.bashrc"),
        control="held",
        apart=True,
    ),
    Attack(
        "makes HEAD of its git directory a link",
        OWN + 'rm -f "$own/HEAD"; ln -s "$HOME/.profile" "$own/HEAD"; echo new >new-$NAME',
        changes("home/.profile"),
        control="held",
        apart=True,
    ),
    Attack(
        "makes the settings of its git directory a link",
        OWN + 'rm -f "$own/config"; ln -s "$HOME/.gitconfig" "$own/config"; echo new >new-$NAME',
        changes("home/.gitconfig"),
        control="held",
        apart=True,
    ),
    Attack(
        "makes the refs of its git directory a link",
        OWN + 'rm -rf "$own/refs"; ln -s "$HOME/docs" "$own/refs"; echo new >new-$NAME',
        changes("home/docs/*"),
        control="held",
        apart=True,
    ),
    Attack(
        "makes the objects of its git directory a link",
        OWN + 'git commit -q --allow-empty -m x; rm -rf "$own/objects/info"; '
        'ln -s "$HOME/docs" "$own/objects/info"; echo new >new-$NAME',
        changes("home/docs/*"),
        control="held",
        apart=True,
    ),
    Attack(
        "borrows objects from elsewhere",
        OWN
        + 'git commit -q --allow-empty -m x; echo "$HOME/other/objects" >>"$own/objects/info/alternates"; '
        "echo new >new-$NAME",
        changes("git/objects/info/alternates"),
        control="held",
        apart=True,
    ),
    Attack(
        "makes its git directory a link to the user's",
        OWN + 'rm -rf "$own"; ln -s "$REPO/.git" "$own"; echo new >new-$NAME',
        changes("staged *"),
        control="held",
        apart=True,
    ),
    Attack(
        "names the user's repository as what it shares",
        OWN + 'echo "$REPO/.git" >"$own/commondir"; touch "$own/index.lock" "$own/HEAD.lock"; '
        "echo new >new-$NAME",
        changes("staged *"),
        control="held",
        apart=True,
    ),
)
BY_WORK = (*FILES, *GIT_DIRECTORY)
