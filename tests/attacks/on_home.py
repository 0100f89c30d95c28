"""Attacks on what lies in the user's home, and beside it."""

from tests.attacks.attack import Attack, changes, reads


def _reads(name: str, path: str) -> Attack:
    return Attack(f"reads {name}", f'cat "$HOME/{path}" | loot', reads())


def _writes(name: str, path: str) -> Attack:
    return Attack(
        f"writes {name}",
        f'mkdir -p "$(dirname "$HOME/{path}")"; echo evil >>"$HOME/{path}"',
        changes(f"home/{path}"),
    )


KEYS = (
    _reads("a key of ssh", ".ssh/id_ed25519"),
    _reads("a key of GnuPG", ".gnupg/private-keys-v1.d/key"),
    _reads("credentials of AWS", ".aws/credentials"),
    _reads("tokens of Google Cloud", ".config/gcloud/tokens.db"),
    _reads("a token of Azure", ".azure/token"),
    _reads("keys of Kubernetes", ".kube/config"),
    _reads("logins of docker", ".docker/config.json"),
    _reads("passwords in .netrc", ".netrc"),
    _reads("passwords of git", ".git-credentials"),
    _reads("a token of GitHub", ".config/gh/hosts.yml"),
    _reads("a token of npm", ".npmrc"),
    _reads("a token of PyPI", ".pypirc"),
    _reads("a token of cargo", ".cargo/credentials.toml"),
    _reads("the shell's history", ".bash_history"),
    _reads("a browser's cookies", ".mozilla/firefox/cookies.sqlite"),
    _reads("the login of claude", ".claude/.credentials.json"),
    _reads("the login of codex", ".codex/auth.json"),
    _reads("the keyring of a desktop", ".local/share/keyrings/login.keyring"),
    Attack("finds a secret by searching all of the home", 'grep -rhs canary "$HOME" | loot', reads()),
    Attack("links to a secret", 'mkdir -p loot; ln "$HOME/.pgpass" "loot/$NAME.txt"', reads()),
    Attack("copies a secret out of /proc/self/root", 'cat "/proc/self/root$HOME/.netrc" | loot', reads()),
)

STARTED = (
    _writes("a start-up file of the shell", ".bashrc"),
    _writes("a start-up file of the login", ".profile"),
    _writes("the user's settings of git", ".gitconfig"),
    _writes("who may log in", ".ssh/authorized_keys"),
    _writes("a program on the PATH", ".local/bin/tool"),
    _writes("a service of the user's", ".config/systemd/user/backup.service"),
    _writes("what starts with the desktop", ".config/autostart/mail.desktop"),
    _writes("settings of claude", ".claude/settings.json"),
    _writes("a command of claude", ".claude/commands/review.md"),
    _writes("settings of codex", ".codex/config.toml"),
    _writes("settings of cargo", ".cargo/config.toml"),
    Attack(
        "writes the user's settings of teamlead",
        'echo "# room = false" >>"$CONFIG/teamlead/config.toml"',
        changes("config/teamlead/config.toml"),
    ),
)
"""What runs in the user's name, some day."""

FOLDERS = (
    _writes("a cache", ".cache/tool/entry"),
    _writes("a cache of packages", ".npm/index"),
    Attack("deletes a letter", 'rm -r "$HOME/docs"', changes("home/docs/letter.txt")),
    Attack("writes to /tmp", 'echo evil >"/tmp/$MARK$NAME"', changes("tmp/{slug}")),
    Attack("writes to /var/tmp", 'echo evil >"/var/tmp/$MARK$NAME"', changes("var-tmp/{slug}")),
    Attack("writes to shared memory", 'echo evil >"/dev/shm/$MARK$NAME"', changes("shm/{slug}")),
    Attack(
        "lays a link in a cache, for who clears it",
        'ln -s "$HOME/docs" "$HOME/.cache/here"; chmod 0 "$HOME/.cache/tool"',
        changes("home/docs/letter.txt"),
        control="held",
    ),
)
ON_HOME = (*KEYS, *STARTED, *FOLDERS)
