"""Whether a package of Go touches nothing but what it is given, by what it imports."""

from collections.abc import Iterator
from pathlib import PurePosixPath

from teamlead.evidence.sources.tokens import tokens
from teamlead.evidence.weakening.files_of_tests import Text, read_texts
from teamlead.system.git import Git

_PURE = frozenset(
    """
    bufio bytes cmp compress/flate compress/gzip compress/zlib container/heap container/list container/ring
    context encoding errors fmt hash html index/suffixarray io iter maps math net/url path reflect regexp
    slices sort strconv strings sync sync/atomic text/scanner text/tabwriter time unicode
    """.split()  # noqa: SIM905 - names read better so than one a line
)
"""Packages of the standard library that touch nothing but what they are given."""
_PURE_FOLDERS = ("crypto/", "encoding/", "hash/", "math/", "regexp/", "unicode/")
_MOST = 30
"""Packages of a project that one of them may need."""


def is_pure(git: Git, commit: str, path: str) -> bool:
    """So are the packages of its own project that it imports."""
    listing = git.run("ls-tree", "-r", "-z", "--name-only", commit).fields
    there = [path for path in (field.decode("utf-8", "replace") for field in listing) if is_source(path)]
    home, module = _module(git, commit, path)
    asked = [str(PurePosixPath(path).parent)]
    known = {*asked}
    while asked:
        folder = asked.pop()
        paths = [each for each in there if str(PurePosixPath(each).parent) == folder]
        for text in read_texts(git, commit, commit, paths) if paths else ():
            for name in _reached(text):
                own = str(PurePosixPath(home, name.removeprefix(module).lstrip("/")))
                if name in _PURE or name.startswith(_PURE_FOLDERS):
                    continue
                if not module or not f"{name}/".startswith(f"{module}/") or len(known) > _MOST:
                    return False
                asked += [own] if own not in known else []
                known.add(own)
    return True


def is_source(path: str) -> bool:
    return path.endswith(".go") and not path.endswith("_test.go")


def _module(git: Git, commit: str, path: str) -> tuple[str, str]:
    """The folder of the module that it belongs to, and the module's name."""
    for folder in PurePosixPath(path).parents:
        (text,) = read_texts(git, commit, commit, [str(folder / "go.mod")]) or [Text("", None, None)]
        for line in (text.after or "").splitlines():
            if line.startswith("module "):
                return str(folder), line.split()[1].strip('"')
    return ".", ""


def _reached(text: Text) -> Iterator[str]:
    """The packages that it imports; what it is told to the compiler counts as one."""
    words, inside = tokens(text.after or "", "go"), False
    for at, word in enumerate(words):
        before = words[at - 1].text if at else ""
        if word.text.startswith(("//go:embed", "//go:linkname")):
            yield word.text
        elif word.string and (inside or before == "import" or (at > 1 and words[at - 2].text == "import")):
            yield word.text[1:-1]
        inside = (inside and word.text != ")") or (word.text == "(" and before == "import")
