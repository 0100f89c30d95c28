"""Generated files are made once more, and compared: by a generator that is in the repository, and is known.

Known are those that a check runs, and what `go generate` runs out of the repository. One that the change
brings in or touches is never run.
"""

import asyncio
import difflib
import re
import shlex
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from teamlead.core.evidence.values import MADE_BY_GENERATOR, CheckResult, Evidence, Proofs, in_brief
from teamlead.core.policy.shell import Unclear, commands
from teamlead.core.work.checking import look_again
from teamlead.evidence.change.generated_files import says_so
from teamlead.evidence.proofs import outside_calls as calls
from teamlead.evidence.proofs.bench import Bench, Ran
from teamlead.evidence.weakening.files_of_tests import Text, is_test, read_texts
from teamlead.system.git import Git

SOME = "a generated file is as its generator makes it"
MOST = 5
SHOWN = 6
"""Lines that differ."""
_MARKER = "teamlead: made again"
_DIRECTIVE = re.compile(r"^//go:generate\s+(.+)$", re.MULTILINE)


class _Made(NamedTuple):
    path: str
    text: str
    """As it is in the work."""
    command: str


class _Asked(NamedTuple):
    made: list[_Made]
    whole: bool
    """Of no file that says that it is generated, the generator is unknown."""


async def generated_again(bench: Bench) -> Proofs:
    check = next((check for check in bench.case.checks if check.passed), None)
    asked = await bench.look(_asked, bench) if check else None
    if not check or not asked or not asked.made:
        return Proofs()
    ran = await _run(bench, bench.work, check, asked.made)
    found = await asyncio.to_thread(_read, ran, asked.made) if ran else {}
    if ran is None or not all(made.path in found for made in asked.made):
        return Proofs()
    other = [made for made in asked.made if not _same(made.text, found[made.path])]
    if other and not await _made_so_before(bench, check, other):
        return Proofs()
    wrong = [_shown(made, found[made.path]) for made in other]
    return Proofs((_item(check, ran, asked, wrong),))


def _asked(git: Git, bench: Bench) -> _Asked:
    changed = {change.path for change in bench.changes}
    texts = read_texts(git, bench.base, bench.work, bench.is_there())
    generated = [text for text in texts if text.after and not is_test(text.path) and says_so(text.after)]
    there = calls.files(git, bench.work) if generated else []
    made = []
    for text in generated[:MOST]:
        known = _known(git, bench, text, [path for path in there if path not in changed], changed)
        command = next(known, "")
        if command:
            made.append(_Made(text.path, text.after or "", command))
    return _Asked(made, len(made) == len(generated))


def _known(git: Git, bench: Bench, text: Text, old: Sequence[str], changed: Collection[str]) -> Iterator[str]:
    head = says_so(text.after or "")
    for check in bench.case.checks:
        for words in _simple(check.command):
            # What a check runs, and what the file says that made it.
            scripts = [word.removeprefix("./") for word in words if word.removeprefix("./") in old]
            if any(script in head for script in scripts):
                yield shlex.join(words)
    folder = PurePosixPath(text.path).parent
    beside = [path for path in old if path.endswith(".go") and PurePosixPath(path).parent == folder]
    for each in read_texts(git, bench.work, bench.work, beside) if text.path.endswith(".go") else ():
        asked = _DIRECTIVE.findall(each.after or "")
        if asked and all(_is_own(command, folder, old, changed) for command in asked):
            yield f"cd {shlex.quote(str(folder))} && go generate {shlex.quote(PurePosixPath(each.path).name)}"


def _simple(command: str) -> Sequence[Sequence[str]]:
    try:
        return commands(command)
    except Unclear:
        return ()


def _is_own(command: str, folder: PurePosixPath, old: Sequence[str], changed: Collection[str]) -> bool:
    """A program of the repository, of which the change touches no file."""
    words = command.split()
    if words[:2] != ["go", "run"] or not words[2:]:
        return False
    place = _below(folder, words[2])
    if place is None:
        return False
    if place.endswith(".go"):
        return place in old
    files = [path for path in (*old, *changed) if str(PurePosixPath(path).parent) == place]
    sources = [path for path in files if path.endswith(".go")]
    return bool(sources) and not any(path in changed for path in sources)


def _below(folder: PurePosixPath, word: str) -> str | None:
    """None: it is no path inside of the repository."""
    if not word.startswith((".", "./", "../")) and not word.endswith(".go"):
        return None
    parts: list[str] = list(folder.parts)
    for part in PurePosixPath(word).parts:
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part != "/":
            parts.append(part)
        else:
            return None
    return str(PurePosixPath(*parts))


async def _run(bench: Bench, commit: str, check: CheckResult, made: Sequence[_Made]) -> Ran | None:
    lines = [_again(each, number) for number, each in enumerate(made)]
    return await bench.run_with(
        commit,
        {},
        check,
        around=lambda _: "\n".join([*lines, f"echo '{_MARKER}'"]),
        within=calls.seconds(check),
    )


def _again(made: _Made, number: int) -> str:
    """Twice. It is taken away before, so that nothing but its generator can have made it."""
    path = shlex.quote(f"./{made.path}")
    return f"""kept=$(mktemp) && cp {path} "$kept"
for each in 1 2; do
rm -f {path}
({made.command}) >/dev/null 2>&1 </dev/null && [ -f {path} ] &&
echo '{_MARKER} {number}' && cat {path} && echo
done
cp "$kept" {path}
"""


def _read(ran: Ran, made: Sequence[_Made]) -> dict[str, str]:
    """Those that it makes the same each time, by their paths."""
    try:
        parts = Path(ran.end.log).read_text("utf-8", "replace").split(_MARKER)[1:]
    except OSError:
        return {}
    told: dict[str, list[str]] = {}
    for part in parts:
        number, _, text = part.partition("\n")
        told.setdefault(number.strip(), []).append(text)
    twice = {each.path: told.get(str(number), []) for number, each in enumerate(made)}
    return {
        path: texts[0].removesuffix("\n")
        for path, texts in twice.items()
        if len(texts) == 2 and texts[0] == texts[1]
    }


def _same(text: str, told: str) -> bool:
    return text.splitlines() == told.splitlines()


async def _made_so_before(bench: Bench, check: CheckResult, made: Sequence[_Made]) -> bool:
    """Else another version of the generator, or of what it needs, makes the difference."""
    texts = await bench.look(read_texts, bench.base, bench.work, [each.path for each in made])
    before = {text.path: text.before for text in texts if text.before is not None}
    known = [each for each in made if each.path in before]
    ran = await _run(bench, bench.base, check, known) if known else None
    found = await asyncio.to_thread(_read, ran, known) if ran else {}
    return all(each.path in found and _same(before[each.path], found[each.path]) for each in known)


def _shown(made: _Made, again: str) -> str:
    lines = difflib.unified_diff(made.text.splitlines(), again.splitlines(), n=0, lineterm="")
    changed = [line for line in lines if line[:1] in "+-" and line[:3] not in {"+++", "---"}]
    return f"{made.path} (`{made.command}` makes it otherwise: {'; '.join(changed[:SHOWN])})"


def _item(check: CheckResult, ran: Ran, asked: _Asked, wrong: list[str]) -> Evidence:
    told = in_brief(wrong) if wrong else ""
    return Evidence(
        "proof",
        "flagged" if wrong else "proven",
        MADE_BY_GENERATOR if asked.whole else SOME,
        f"its generator makes another file: {told}"
        if wrong
        else f"{len(asked.made)} made again, and the same",
        details=tuple(wrong),
        command=look_again(check.command, ran.commit, ran.end.room),
        log=ran.end.log,
        question=f"What is generated is not what its generator makes: {told}. Was it changed by hand?"
        if wrong
        else "",
    )
