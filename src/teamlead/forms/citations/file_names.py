"""Whether a word in a text is the name of a file. `node:18` and `example.com:443` are none."""

import re
from enum import Enum, auto


class Likeness(Enum):
    KNOWN = auto()
    """It ends like a file, or is called like one."""
    PATH = auto()
    """It has folders and an ending."""
    POSSIBLE = auto()
    """A file, if there is one."""


_ENDINGS = frozenset(
    """
    adoc asm astro awk bash bat bzl c cc cfg cjs clj cljs cmake coffee conf cpp cs cshtml css csv cts cu cxx
    dart diff ejs el elm env erb erl ex exs f90 feature fish fs fsx gd gemspec glsl go gql gradle graphql
    groovy h haml hbs hcl hh hpp hs htm html hxx ini ipynb java jinja j2 jl js json json5 jsonc jsonl jsx kt
    kts less lhs liquid lisp lock lua md mdx mjs mk ml mli mm mts nim nix patch php pl plist pm po prisma
    properties proto ps1 pug py pyi pyx razor rb rs rst sass sbt scala scm scss sh sln sol sql svelte svg
    swift tcl tex tf tfvars thrift toml ts tsv tsx twig txt vb vim vue wat wgsl xml yaml yml zig zsh
    """.split()  # noqa: SIM905 - a table of names reads better without quotes
)
_NAMES = frozenset(
    """
    makefile gnumakefile dockerfile containerfile jenkinsfile vagrantfile procfile rakefile gemfile brewfile
    caddyfile justfile guardfile podfile fastfile appfile snakefile license licence readme
    changelog codeowners copying gradlew mvnw cmakelists go.mod go.sum .gitignore
    .gitattributes .gitmodules .dockerignore .editorconfig .env .npmrc .nvmrc .prettierrc .eslintrc .babelrc
    .bashrc .zshrc .profile
    """.split()  # noqa: SIM905 - as above
)
_PRODUCTS = frozenset(
    {"node.js", "next.js", "vue.js", "nuxt.js", "express.js", "three.js", "d3.js", "react.js"}
)
"""Written with their version behind a colon."""
_DOMAINS = frozenset(
    """
    ai app at au be biz br ca ch cloud cn co com de dev edu es eu example fr gov home icu info int internal
    invalid io it jp kr lan local localhost me mil net nl no online org page pt ru se site store svc tech
    test tv uk us xyz
    """.split()  # noqa: SIM905 - as above
)
OF_NODE = re.compile(
    r"node:(?:internal|assert|async_hooks|buffer|child_process|cluster|console|constants|crypto|dgram|diagnostics_channel|dns"
    r"|domain|events|fs|http2?|https|inspector|module|net|os|path|perf_hooks|process|punycode|querystring|readline|repl|sea"
    r"|sqlite|stream|string_decoder|sys|test|timers|tls|trace_events|tty|url|util|v8|vm|wasi|worker_threads|zlib)(?:[/.]|$)"
)
"""A module of its library, as its traces name them: no file that one could look up."""
_ENDING = re.compile(r"[A-Za-z][A-Za-z0-9_+-]{0,15}")


def likeness(path: str) -> Likeness | None:
    """None: no file is called so."""
    folders, _, name = path.replace("\\", "/").rpartition("/")
    stem, dot, ending = name.rpartition(".")
    if not re.search(r"[^\W\d_]", name):
        return None
    lower = name.lower()
    if lower in _PRODUCTS and not folders:
        return Likeness.POSSIBLE
    if lower in _NAMES or stem.lower() in _NAMES or (stem and ending.lower() in _ENDINGS):
        return Likeness.POSSIBLE if _is_host(folders) else Likeness.KNOWN
    if not folders and (not dot or ending.lower() in _DOMAINS or not stem):
        return None
    if dot and not _ENDING.fullmatch(ending):
        return Likeness.POSSIBLE if folders and not ending.isdigit() else None
    if _is_host(folders):
        return Likeness.POSSIBLE if dot else None
    return Likeness.PATH if dot and folders else Likeness.POSSIBLE


def _is_host(folders: str) -> bool:
    first = folders.partition("/")[0]
    _, dot, ending = first.rpartition(".")
    return bool(dot) and ending.lower() in _DOMAINS
