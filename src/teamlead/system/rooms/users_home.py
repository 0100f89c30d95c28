"""What lies in a user's home, as rooms treat it. All paths in the tables are below the home."""

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

KEYS = """
    .ssh .gnupg .password-store .pki .vault-token .netrc .authinfo .authinfo.gpg
    .git-credentials .config/git/credentials .config/gh .config/hub .config/glab-cli
    .aws .azure .config/gcloud .boto .s3cfg .oci .aliyun .bluemix .config/openstack .config/rclone
    .kube .docker/config.json .config/containers/auth.json .config/helm/registry
    .config/doctl .config/hcloud .fly .config/netlify .local/share/com.vercel.cli .wrangler .config/.wrangler
    .config/heroku .config/stripe .config/ngrok .terraformrc .terraform.d/credentials.tfrc.json
    .config/sops .config/age .config/op .config/Bitwarden .config/1Password .local/share/keyrings
    .local/share/kwalletd .pgpass .my.cnf .mylogin.cnf .Xauthority .ICEauthority
    .1password .minikube .docker/contexts .pulumi .kaggle .databrickscfg .config/configstore
    .local/share/mkcert
""".split()  # noqa: SIM905 - a table of names reads better without quotes
"""Whoever has one of these is the user elsewhere."""

REGISTRIES = """
    .npmrc .yarnrc.yml .pypirc .cargo/credentials .cargo/credentials.toml .gem/credentials
    .composer/auth.json .config/composer/auth.json .m2/settings.xml .m2/settings-security.xml
    .gradle/gradle.properties .nuget/NuGet/NuGet.Config .huggingface/token .cache/huggingface/token
    .cache/huggingface/stored_tokens
""".split()  # noqa: SIM905
"""Tokens to publish packages with. They may name a mirror too: who needs that exposes them."""

PRIVATE_LIFE = """
    .mozilla .cache/mozilla .thunderbird .config/google-chrome .cache/google-chrome .config/chromium
    .cache/chromium .config/BraveSoftware .config/microsoft-edge .config/vivaldi .config/opera
    .config/Signal .config/Slack .config/discord .local/share/TelegramDesktop
    .bash_history .zsh_history .zhistory .histfile .history .local/share/fish/fish_history .local/share/atuin
    .python_history .node_repl_history .sqlite_history .psql_history .mysql_history .rediscli_history
    .lesshst .viminfo .local/share/recently-used.xbel
""".split()  # noqa: SIM905
"""Sessions of browsers are keys, too; histories hold what was once typed, passwords included."""

DOORS = """
    .docker/run .docker/desktop .colima .lima .orbstack .vscode-server .vscode-remote-containers
    .rd .bitwarden-ssh-agent.sock
""".split()  # noqa: SIM905
"""Sockets: whoever may connect to one of them acts outside of the room."""

AGENTS = """
    .claude .claude.json .codex .gemini .qwen .grok .kimi .copilot .cursor .windsurf .codeium .continue
    .factory .aider.conf.yml .amazonq .config/opencode .local/share/opencode .config/goose .local/share/goose
    .config/crush .config/amp .local/share/amp .config/github-copilot .config/anthropic
    .config/Code .config/Cursor .config/zed .local/share/zed
""".split()  # noqa: SIM905
"""Logins and conversations of agents and editors. An agent's own is writable to it."""

HIDDEN = (*KEYS, *REGISTRIES, *PRIVATE_LIFE, *DOORS, *AGENTS)

MOVED_FOLDERS = {
    "XDG_CONFIG_HOME": ".config/",
    "XDG_DATA_HOME": ".local/share/",
    "XDG_CACHE_HOME": ".cache/",
    "DOCKER_CONFIG": ".docker/",
}
"""By a variable the user may keep elsewhere what else lies below these, hidden or not."""

MOVED = """
    CODEX_HOME CLAUDE_CONFIG_DIR GNUPGHOME KUBECONFIG AWS_SHARED_CREDENTIALS_FILE AWS_CONFIG_FILE NETRC
    NPM_CONFIG_USERCONFIG npm_config_userconfig PGPASSFILE GOOGLE_APPLICATION_CREDENTIALS CLOUDSDK_CONFIG
    AZURE_CONFIG_DIR GH_CONFIG_DIR HISTFILE
""".split()  # noqa: SIM905
"""Variables that name a secret itself, or a list of such."""

TOOLCHAINS = """
    .local bin .pyenv .conda miniconda3 miniforge3 mambaforge anaconda3 .rye
    .nvm .fnm .volta .nodenv .npm-global .yarn .bun .deno
    .cargo .rustup go .goenv .rbenv .rvm .gem .asdf .sdkman .jenv .dotnet .ghcup .cabal .stack .opam .elan
    .juliaup .julia .swiftly .linuxbrew .nix-profile .nix-defexpr
    .gitconfig .config/git .config/pip .config/uv .tool-versions
""".split()  # noqa: SIM905
"""All of a home that a strict room shows, read-only."""


class Cache(NamedTuple):
    default: str
    variable: str = ""
    """Names another place: the user may have set it, and we do where the default does not exist."""


CACHES = (
    Cache(".cache", "XDG_CACHE_HOME"),
    Cache(".npm", "npm_config_cache"),
    Cache(".cargo", "CARGO_HOME"),
    Cache("go/pkg/mod", "GOMODCACHE"),
    Cache(".gradle", "GRADLE_USER_HOME"),
    Cache(".nuget/packages", "NUGET_PACKAGES"),
    Cache(".pub-cache", "PUB_CACHE"),
    Cache(".bun/install/cache", "BUN_INSTALL_CACHE_DIR"),
    Cache(".m2"),
    Cache(".ccache"),
    Cache(".ivy2"),
    Cache(".sbt"),
    Cache(".local/share/pnpm/store"),
    Cache(".yarn/berry/cache"),
    Cache(".conda/pkgs"),
    Cache(".stack"),
    Cache(".hex"),
    Cache(".mix"),
    Cache(".julia"),
)
"""Package managers fail, some of them silently, where they cannot write. What they write stays private."""

ROOT_ONLY = """
    /etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/krb5.keytab /var/lib/docker
    /etc/ssh/ssh_host_rsa_key /etc/ssh/ssh_host_ecdsa_key /etc/ssh/ssh_host_ed25519_key
    /etc/ssl/private /etc/wireguard /etc/NetworkManager/system-connections /etc/kubernetes
""".split()  # noqa: SIM905
"""Below no home: whoever is root in a room could read them."""


def secrets(home: str, env: Mapping[str, str]) -> Iterator[str]:
    """Yields where secrets may lie, also outside of this home. `env`: that of the program in the room."""
    # Most homes have few of them: no more is asked of those that are missing.
    yield from (f"{home}/{name}" for name in _perhaps_in(home, HIDDEN))
    yield from _moved(os.environ, env)
    if os.geteuid() == 0:
        yield from ROOT_ONLY


def _perhaps_in(folder: str, names: Iterable[str]) -> Iterator[str]:
    """Yields names whose first part is there; all of them where nobody can tell."""
    try:
        there = frozenset(os.listdir(folder))  # noqa: PTH208 - this runs at every start of a program
    except OSError:
        return iter(names)
    return (name for name in names if name.partition("/")[0] in there)


def _moved(user: Mapping[str, str], env: Mapping[str, str]) -> Iterator[str]:
    """Secrets that the user keeps elsewhere than in their usual place.

    `env`: the program's. It may read what a variable names that it was given.
    """
    for variable, folder in MOVED_FOLDERS.items():
        place = user.get(variable, "")
        if place.startswith("/"):
            yield from (f"{place}/{name.removeprefix(folder)}" for name in HIDDEN if name.startswith(folder))
    for variable in MOVED:
        named = user.get(variable, "")
        if named != env.get(variable):
            yield from (path for path in named.split(":") if path.startswith("/"))
