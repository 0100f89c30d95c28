"""A machine that is out of processes, descriptors or memory for now: how we notice, and what we say."""

import errno
import os
import re

from teamlead.errors import MachineExhausted

OF_DESCRIPTORS_AND_MEMORY = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM})
EXHAUSTED = OF_DESCRIPTORS_AND_MEMORY | {errno.EAGAIN}
"""Where a program is started. Elsewhere EAGAIN says that something is not there yet."""
WORDS = re.compile(
    rf"(?:{'|'.join(re.escape(os.strerror(number)) for number in sorted(EXHAUSTED))})$|^fatal: Out of memory",
    re.MULTILINE,
)
SHELL_CANNOT_FORK = re.compile(rb"\S*sh: (?:\d+: )?(?:Cannot fork|(?:\S*sh: )?fork: .*)\s*", re.DOTALL)
"""All that a shell has said that came to nothing else."""


def exhausted(what: str) -> MachineExhausted:
    return MachineExhausted(
        what,
        remedy="the machine is out of processes, descriptors or memory (`ulimit -a`): end what is not needed,"
        " or use fewer --jobs; a session that runs goes on by itself, another one with `teamlead resume`",
    )


def unless_exhausted(error: BaseException) -> None:
    """Raises MachineExhausted where nothing else is wrong with a file that could not be opened."""
    if isinstance(error, OSError) and error.errno in OF_DESCRIPTORS_AND_MEMORY:
        raise exhausted(f"{error.strerror}: cannot open {error.filename!r}") from error


def means_exhausted(complaint: str) -> bool:
    """Whether a program complains about a machine that is exhausted."""
    return bool(WORDS.search(complaint))
