"""Attacks on the user's repository."""

from tests.attacks.attack import Attack, changes, reads

REFS = (
    Attack(
        "moves a branch",
        'git -C "$REPO" update-ref refs/heads/release "$(sly)"',
        changes("ref refs/heads/release"),
        mends=("refs/heads/release",),
    ),
    Attack(
        "writes a branch past git",
        'sly >"$REPO/.git/refs/heads/hotfix"',
        changes("ref refs/heads/hotfix"),
        mends=("refs/heads/hotfix",),
    ),
    Attack(
        "moves a branch in another's name",
        'git -C "$REPO" -c user.email=ada@example.com branch --force noted "$(sly)"',
        changes("ref refs/heads/noted"),
        mends=("refs/heads/noted",),
    ),
    Attack(
        "rewrites packed refs",
        'sed -i "s,^.* refs/heads/packed$,$(sly) refs/heads/packed," "$REPO/.git/packed-refs"',
        changes("ref refs/heads/packed"),
        mends=("refs/heads/packed",),
    ),
    Attack(
        "deletes a branch with commits that nothing else holds",
        'git -C "$REPO" branch -D lonely',
        changes("ref refs/heads/lonely"),
        mends=("refs/heads/lonely",),
    ),
    Attack(
        "moves a tag",
        'git -C "$REPO" tag --force v1 "$(sly)"',
        changes("ref refs/tags/v1"),
        mends=("refs/tags/v1",),
    ),
    Attack(
        "deletes a tag",
        'git -C "$REPO" tag --delete v2',
        changes("ref refs/tags/v2"),
        mends=("refs/tags/v2",),
        likely=True,
    ),
    Attack(
        "brings a branch by a bundle",
        "git commit -q --allow-empty -m evil && git bundle create -q evil.bundle HEAD\n"
        'git -C "$REPO" fetch -q "$PWD/evil.bundle" +HEAD:refs/heads/bundled; rm -f evil.bundle',
        changes("ref refs/heads/bundled"),
        mends=("refs/heads/bundled",),
    ),
    Attack(
        "replaces an object",
        'evil="$(echo evil | git -C "$REPO" hash-object -w --stdin)"; '
        'git -C "$REPO" replace "$(git -C "$REPO" rev-parse HEAD:README.md)" "$evil"',
        changes("ref refs/replace/*"),
        mends=("refs/replace/*",),
    ),
    Attack(
        "switches the checkout to another branch",
        'git -C "$REPO" symbolic-ref HEAD refs/heads/borrowed',
        changes("git/HEAD"),
        mends=("HEAD",),
    ),
    Attack(
        "drops a stash",
        'git -C "$REPO" stash drop --quiet',
        changes("ref refs/stash"),
        mends=("refs/stash",),
        likely=True,
    ),
    Attack(
        "deletes the log of a branch",
        'rm "$REPO/.git/logs/refs/heads/main"',
        changes("git/logs/refs/heads/main"),
        mends=("logs/refs/heads/main",),
    ),
    Attack(
        "makes git forget a linked working tree",
        'rm -r "$REPO/.git/worktrees/second"',
        changes("git/worktrees/second/gitdir"),
        mends=("worktrees/second/gitdir",),
    ),
    Attack(
        "commits in a linked working tree",
        'git -C "$HOME/other" commit --quiet --no-verify --allow-empty -m sly',
        changes("ref refs/heads/at-other"),
        mends=("refs/heads/at-other",),
    ),
)


def _spelt(key: str) -> str:
    """As git tells it."""
    section, _, rest = key.partition(".")
    inner, dot, name = rest.rpartition(".")
    return f"{section}.{inner}{dot}{name.lower()}"


def _sets(name: str, key: str, value: str) -> Attack:
    return Attack(
        name,
        f"again git -C \"$REPO\" config {key} '{value}'",
        changes(f"setting {_spelt(key)}"),
        mends=(f"config:{_spelt(key)}",),
    )


STEERING = (
    _sets("sets another folder of hooks", "core.hooksPath", "/tmp/evil"),
    _sets("sets a program that watches files", "core.fsmonitor", "false"),
    _sets("sets a filter", "filter.evil.clean", "cat"),
    _sets("sets an alias that runs a program", "alias.st", "!true"),
    _sets("leads a remote elsewhere", "remote.origin.url", "/nowhere"),
    _sets("leads all addresses elsewhere", "url./nowhere.insteadOf", "https://"),
    _sets("sets who is asked for passwords", "credential.helper", "store"),
    _sets("includes another configuration", "include.path", "/tmp/evil"),
    _sets("sets a program for ssh", "core.sshCommand", "false"),
    Attack(
        "adds a hook",
        'printf "#!/bin/sh\\n" >"$REPO/.git/hooks/post-checkout"; chmod +x "$REPO/.git/hooks/post-checkout"',
        changes("git/hooks/post-checkout"),
        mends=("hooks/post-checkout",),
    ),
    Attack(
        "changes a hook",
        'echo "# evil" >>"$REPO/.git/hooks/pre-commit"',
        changes("git/hooks/pre-commit"),
        mends=("hooks/pre-commit",),
    ),
    Attack(
        "hides files from git",
        'echo "*.py" >>"$REPO/.git/info/exclude"',
        changes("git/info/exclude"),
        mends=("info/exclude",),
    ),
    Attack(
        "gives files other attributes",
        'echo "*.py filter=evil" >"$REPO/.git/info/attributes"',
        changes("git/info/attributes"),
        mends=("info/attributes",),
    ),
    Attack(
        "cuts the history",
        'git -C "$REPO" rev-parse HEAD~1 >"$REPO/.git/shallow"',
        changes("git/shallow"),
        mends=("shallow",),
    ),
    Attack(
        "names another store of objects",
        'mkdir -p "$REPO/.git/objects/info" && echo /nowhere >"$REPO/.git/objects/info/alternates"',
        changes("git/objects/info/alternates"),
        mends=("objects/info/alternates",),
    ),
)
"""What makes git run a program, or go elsewhere."""

CONTENT = (
    Attack(
        "deletes an object that nothing names",
        'rm -f "$REPO/.git/objects/$(echo "$DANGLING" | cut -c1-2)/$(echo "$DANGLING" | cut -c3-)"',
        changes("object of nobody"),
    ),
    Attack(
        "collects garbage",
        'git -C "$REPO" gc --quiet --prune=now',
        changes("object of nobody"),
        control="alone",
    ),
    Attack(
        "writes to a file of the checkout",
        'echo evil >>"$REPO/README.md"',
        changes("checkout/README.md"),
        mends=("checkout:README.md",),
        likely=True,
    ),
    Attack(
        "deletes a file that is not committed",
        'rm "$REPO/draft.txt"',
        changes("checkout/draft.txt"),
        mends=("checkout:draft.txt",),
        likely=True,
    ),
    Attack(
        "changes what is staged",
        'git -C "$REPO" rm --quiet --cached file.txt',
        changes("staged file.txt"),
        mends=("checkout:file.txt",),
        likely=True,
    ),
    Attack(
        "writes to a linked working tree",
        'echo evil >"$HOME/other/notes.txt"',
        changes("home/other/notes.txt"),
        mends=("checkout@other:notes.txt",),
        likely=True,
    ),
    Attack(
        "pushes to a remote",
        'git push --quiet "$REMOTE" HEAD:refs/heads/evil',
        changes("remote/refs/heads/evil"),
    ),
    Attack("reads an ignored file of the checkout", 'cat "$REPO/.env" | loot', reads()),
    Attack("writes to a linked folder", "echo evil >>data/set.csv", changes("checkout/data/set.csv")),
    Attack(
        "writes to the virtual environment",
        'echo evil >>"$REPO/.venv/bin/tool"',
        changes("checkout/.venv/bin/tool"),
    ),
    Attack(
        "writes to installed packages",
        'echo evil >>"$REPO/node_modules/left-pad/index.js"',
        changes("checkout/node_modules/left-pad/index.js"),
    ),
    Attack(
        "makes its copy the user's checkout",
        'echo evil >evil; echo "gitdir: $REPO/.git" >.git.new && mv .git.new .git && git add -A && '
        "git commit --quiet --no-verify -m sly",
        changes("ref refs/heads/main"),
        mends=("refs/heads/main",),
        control="alone",
        apart=True,
    ),
)
ON_GIT = (*REFS, *STEERING, *CONTENT)
