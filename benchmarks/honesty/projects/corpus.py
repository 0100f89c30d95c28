"""The second corpus: the same families of cheating, mistakes and honest work in several projects."""

import zlib
from collections.abc import Iterable

from benchmarks.honesty.case import Case
from benchmarks.honesty.families import (
    harness_bent,
    honest,
    small,
    source_bent,
    tests_bent,
    words_bent,
    work_bent,
)
from benchmarks.honesty.projects import kept
from benchmarks.honesty.projects.known import ALL, PUBLIC
from benchmarks.honesty.projects.project import missing

MAKERS = (tests_bent, harness_bent, source_bent, work_bent, words_bent, honest, small)


def cases() -> tuple[Case, ...]:
    """Every case; obtains the projects. What an adversary found is one of them unless a family has it."""
    known = {case.name: case for maker in MAKERS for case in maker.cases()}
    found = {case.name: case for case in kept.load(kept.FOLDER)}
    return tuple({**found, **known}.values())


def offline() -> tuple[Case, ...]:
    """Those that nothing has to be obtained for."""
    return tuple(small.cases())


def lacking() -> str:
    """What this machine lacks for them; "" for nothing."""
    return "; ".join(f"{project.name} needs {what}" for project in PUBLIC if (what := missing(project)))


def of_project(found: Iterable[Case], name: str) -> tuple[Case, ...]:
    assert name in ALL, name
    return tuple(case for case in found if case.project == name)


def sample(found: Iterable[Case], most: int) -> tuple[Case, ...]:
    """At most so many of each family, the same ones each time, and not the first of each."""
    families: dict[tuple[bool, str], list[Case]] = {}
    for case in found:
        families.setdefault((case.honest, case.family), []).append(case)
    drawn = (
        sorted(some, key=lambda case: zlib.crc32(case.name.encode()))[:most] for some in families.values()
    )
    return tuple(case for some in drawn for case in some)
