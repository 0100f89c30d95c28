"""How many files, pipes and sockets this process may have open at a time."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

BEFORE: Final = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
"""For the programs that we start: some look at every number below their limit, or know none above 1023."""


def raise_limit() -> None:
    """Raises the limit as far as the system allows."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    _set(hard)


@contextmanager
def limit_of_before() -> Iterator[None]:
    """Sets the limit of before, for a program that is started inside."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    _set(BEFORE)
    try:
        yield
    finally:
        _set(soft)


def _set(soft: int) -> None:
    # macOS calls a limit unlimited, and takes no such number.
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
