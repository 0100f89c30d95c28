"""Files of findings that a member of a team leaves in its copy: they are told to its lead, and are no work.

Where the repository has such a folder of its own, what lies in it is work like any other.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Final, NamedTuple
from urllib.parse import quote

from msgspec.structs import replace

from teamlead.errors import Refused
from teamlead.system import untrusted_folder
from teamlead.workspaces import provided_files
from teamlead.workspaces.copy_folder import CopyFolder, CopyRecord
from teamlead.workspaces.snapshots import ABSENT

FOLDERS: Final = ("findings", ".party/findings")
MOST: Final = 100_000
"""Bytes of all of them. What is beyond that stays in the copy, and is kept with it."""
_NAME = re.compile(r"[^\W_][\w.-]{0,99}\.md")


class Left(NamedTuple):
    text: str
    record: CopyRecord
    """With what is no work."""


def take_out(copy: CopyFolder, record: CopyRecord, base: str, tree: str) -> Left:
    """`tree`: all that the copy holds."""
    git = copy.git(record)
    texts: list[str] = []
    given = dict(record.provided)
    room = MOST
    for path in _paths(copy, record, base):
        content = untrusted_folder.read(copy.path, path)
        if content is None or len(content) > room:
            continue
        room -= len(content)
        texts.append(content.decode(errors="replace").strip("\n"))
        provided_files.add(copy, path)
        head = git.text("ls-tree", tree, "--", f":(literal){path}").partition("\t")[0].split()
        if head:
            given[quote(path)] = f"{head[0]} {head[2]} {ABSENT} {'0' * len(head[2])}"
    return Left("\n\n".join(filter(None, texts)), replace(record, provided=given))


def _paths(copy: CopyFolder, record: CopyRecord, base: str) -> Iterator[str]:
    for folder in FOLDERS:
        with suppress(OSError, Refused):
            with untrusted_folder.unlinked(copy.path, folder, make=False) as there:
                names = sorted(filter(_NAME.fullmatch, there.names()))
            if names and not copy.git(record).text("ls-tree", base, "--", f"{folder}/"):
                yield from (f"{folder}/{name}" for name in names)
