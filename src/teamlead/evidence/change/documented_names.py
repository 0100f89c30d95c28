"""Calls that new documentation shows of the project's own modules, and that no source of it has."""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import PurePosixPath

from teamlead.core.evidence.values import Evidence, in_brief
from teamlead.evidence.added_secrets import added_lines
from teamlead.evidence.change.searching import in_source
from teamlead.evidence.sources.languages import language
from teamlead.ports.checking import Claim
from teamlead.system.git import Git

CLAIM = "what it documents is there"
PAGES = (".md", ".markdown", ".rst", ".txt", ".adoc")
MOST = 60
_CALL = re.compile(r"(?<![\w.$/-])([A-Za-z_][\w-]*)\.([^\W\d]\w{2,})\(")
_EVERYWHERE = frozenset(
    {"src", "lib", "index", "main", "test", "tests", "util", "utils", "common", "core", "app"}
)


def examine_documented_names(git: Git, claim: Claim) -> Iterator[Evidence]:
    if not any(change.path.endswith(PAGES) for change in claim.changes):
        return
    shown: dict[tuple[str, str], str] = {}
    for line in added_lines(git, claim.base, claim.commit):
        if line.path.endswith(PAGES):
            for owner, name in _CALL.findall(line.text.decode("utf-8", "replace")):
                shown.setdefault((owner, name), f"{line.path}:{line.number}")
    own = _own(git, claim) if shown else frozenset()
    found = [
        f"{place}: {owner}.{name}(), and no source has {name!r}"
        for (owner, name), place in list(shown.items())[:MOST]
        # Names are often put together, and this one may be a part of a longer one.
        if owner in own and not in_source(git, claim.commit, name, "-i")
    ]
    if found:
        yield Evidence(
            "change",
            "flagged",
            claim=CLAIM,
            found=f"a page shows what is nowhere: {in_brief(found)}",
            details=tuple(found),
            question=f"Where is this? {in_brief(found)}",
        )


def _own(git: Git, claim: Claim) -> frozenset[str]:
    """What modules and the package of the repository are called."""
    listed = git.run("ls-tree", "-r", "-z", "--name-only", claim.commit).fields
    paths = [PurePosixPath(field.decode("utf-8", "replace")) for field in listed]
    code = [path for path in paths if language(str(path))]
    names = {part for path in code for part in (*path.parts[:-1], path.stem)}
    told = git.run("cat-file", "-p", f"{claim.commit}:package.json", ok=(0, 128)).text
    with suppress(ValueError, KeyError, TypeError):
        names.add(str(json.loads(told)["name"]).rpartition("/")[2])
    return frozenset(names - _EVERYWHERE)
