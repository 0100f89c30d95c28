"""One item of a workflow: `**STAGE** (PHASE): members (parallel) — depends on STAGE`."""

import re
from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

_ITEM = re.compile(
    r"\s*(?:\*\*|__)?(?P<name>[^:：*(（\n]{1,80}?)\s*"  # noqa: RUF001
    r"(?:[(（](?P<inner>[^()（）\n]{1,40})[)）])?\s*(?:\*\*|__)?\s*"  # noqa: RUF001
    r"(?:[(（](?P<outer>[^()（）\n]{1,40})[)）])?\s*(?:[:：](?:\*\*|__)?(?P<rest>.*))?",  # noqa: RUF001
    re.DOTALL,
)
_BEHIND = re.compile(r"\s*[—–―→]|\s-{1,2}\s|(?=\bdepends\s+on\b)", re.IGNORECASE)  # noqa: RUF001
_DEPENDS = re.compile(
    r"(?:\b(?:depends\s+on|after)\b\s*:?|依存\s*[:：]|의존\s*[:：])\s*(?P<names>.*)|(?P<ja>.*?)\s*に依存|(?P<ko>.*?)\s*에\s*의존",  # noqa: RUF001
    re.IGNORECASE | re.DOTALL,
)
_PARALLEL = re.compile(
    r"(?:(?<!\S)|(?=[(（]))[(（]?\s*(?:in parallel|parallel|병렬로?|並列[でに]?|並行(?:して)?)\s*[)）]?"  # noqa: RUF001
    r"(?=$|[\s,、，.—–-])",  # noqa: RUF001
    re.IGNORECASE,
)
LONGEST: Final = 2000
"""Characters of an item: longer ones are no stage."""
_OPENING = ("(", "（")  # noqa: RUF001
_BETWEEN = re.compile(r"[,、，+＋&]|\s+and\s+", re.IGNORECASE)  # noqa: RUF001
_WITH_ROLE = re.compile(r"(?P<card>[^()（）]*)[(（](?P<role>[^()（）]*)[)）]")  # noqa: RUF001


class Item(NamedTuple):
    name: str
    phase: str
    members: str
    words: str
    """Behind the dash."""
    parallel: bool


class Named(NamedTuple):
    """How a workflow names a member."""

    written: str
    names: tuple[str, ...]
    """What may be its name, the likeliest first."""


def item(text: str) -> Item | None:
    found = _ITEM.fullmatch(" ".join(text.split())) if len(text) <= LONGEST else None
    if found is None:
        return None
    rest = (found["rest"] or "").strip()
    apart = _BEHIND.search(rest)
    members, words = (rest[: apart.start()], rest[apart.end() :]) if apart else (rest, "")
    parallel = _PARALLEL.search(members)
    behind = _PARALLEL.search(words)
    members = _PARALLEL.sub(" ", members)
    phase = found["inner"] or found["outer"] or ""
    return Item(
        " ".join(found["name"].strip(" _").split()),
        " ".join(phase.split()),
        members.strip(" ,、，"),  # noqa: RUF001
        words.strip(),
        parallel=parallel is not None or (behind is not None and behind[0].startswith(_OPENING)),
    )


def depends_on(words: str) -> list[str] | None:
    """Whatever may be the name of a stage; None: the words name none."""
    found = _DEPENDS.search(words)
    if found is None:
        return None
    names = found["names"] or found["ja"] or found["ko"] or ""
    return [name for part in _BETWEEN.split(names) if (name := part.strip(" *`.。"))]


def members(text: str) -> Iterator[Named]:
    for part in _parts(text):
        written = part.strip(" *`.。")
        if not written:
            continue
        found = _WITH_ROLE.fullmatch(written)
        if found is None:
            yield Named(written, (written,))
        else:
            yield Named(written, tuple(filter(None, (found["role"].strip(), found["card"].strip()))))


def _parts(text: str) -> Iterator[str]:
    """Brackets hold together what stands in them."""
    begun: list[str] = []
    for part in _BETWEEN.split(text):
        begun.append(part)
        joined = ",".join(begun)
        if joined.count("(") + joined.count("（") <= joined.count(")") + joined.count("）"):  # noqa: RUF001
            yield joined
            begun = []
    if begun:
        yield ",".join(begun)


def known(name: str, names: Collection[str]) -> str:
    """The one of these that it means, whatever its case; empty: none."""
    folded = " ".join(name.split()).casefold()
    return next((each for each in names if each.casefold() == folded), "")
