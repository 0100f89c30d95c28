"""What a task's own sentences say of its functions is tried on the work: "`double(2)` is `4`".

Where something else comes out, a judge is asked which sentence asks for that. What the base gives as well,
and the words do not plainly want, may tell of what was to be mended.
"""

import asyncio
import json
import posixpath
import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from teamlead.core.evidence.values import CheckResult, Evidence, Proofs
from teamlead.core.work.acceptance import listed
from teamlead.core.work.checking import look_again
from teamlead.evidence.proofs import planned_program
from teamlead.evidence.proofs.bench import Bench, Ran
from teamlead.evidence.proofs.documented_examples import PLACES, interpreter
from teamlead.evidence.proofs.harness import is_of_tests
from teamlead.evidence.proofs.planned_program import MARKER
from teamlead.evidence.proofs.stated_values import Stated, Turned, stated_values, turned_values
from teamlead.evidence.proofs.variants import stored
from teamlead.evidence.sources.languages import Language, language
from teamlead.evidence.sources.public_names import public_names
from teamlead.evidence.weakening.files_of_tests import is_test, read_texts
from teamlead.system.git import Git

AS_PLANNED = "what the task says of its functions comes out"
MOST = 20
MOST_FILES = 50
LEAST_SECONDS = 10.0
SCRIPTS = ("*.js", "*.mjs", "*.cjs")
_NAME = re.compile(r"(?<![\w.$'\"])[A-Za-z_$][\w$]*")
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'")
_LITERAL = re.compile(r"[-+]?\d[\d_.]*|[\"'\[{(].*|None|True|False|true|false|null")
_CODE = re.compile(r"`([A-Za-z_$][\w$]*)(?:\([^`]*\))?`")
_BROUGHT = re.compile(
    r"\b(?:const|let|var|import)\s+(?P<names>[\w$]+|(?:[\w$]+\s*,\s*)?\{[^}]*\})\s*(?:from\s*|=\s*require\()\s*[\"'](?P<place>[^\"']+)"
)
_PROGRAMS: dict[Language, str] = {"python": "teamlead_examples.py", "javascript": "teamlead_examples.mjs"}


class _Name(NamedTuple):
    name: str
    path: str
    part: str
    """What it is called there; empty: it stands for the whole module."""


class Example(NamedTuple):
    stated: Stated
    names: tuple[_Name, ...]
    spoken: Language


class Outcome(NamedTuple):
    agrees: bool | None
    """None: nobody could tell."""
    got: str


async def planned_examples(bench: Bench) -> Proofs:
    task = bench.case.claim.task
    texts = (task.title, task.description, *task.acceptance)
    if not any(check.passed for check in bench.case.checks) or not (
        stated_values(texts) or turned_values(texts)
    ):
        return Proofs()
    examples = await bench.look(_examples, bench, texts)
    found = list[Evidence]()
    for spoken in ("python", "javascript"):
        if own := [each for each in examples if each.spoken == spoken]:
            found += await _tried(bench, own)
    return Proofs(tuple(found))


async def _tried(bench: Bench, examples: list[Example]) -> list[Evidence]:
    check = next(check for check in bench.case.checks if check.passed)
    came = await outcomes_of(bench, bench.work, check, examples)
    if came is None:
        return []
    ran, outcomes = came
    wrong = [(each, end) for each, end in zip(examples, outcomes, strict=True) if end.agrees is False]
    if doubted := [each for each, _ in wrong if not each.stated.must]:
        before = await outcomes_of(bench, bench.base, check, doubted)
        told = before[1] if before else []
        was_so = {each.stated for each, end in zip(doubted, told, strict=False) if end.agrees}
        wrong = [(each, end) for each, end in wrong if each.stated not in was_so]
    if not wrong and not any(end.agrees for end in outcomes):
        return []
    return [_item(check, ran, wrong, sum(end.agrees is True for end in outcomes))]


async def outcomes_of(
    bench: Bench, commit: str, check: CheckResult, examples: Sequence[Example]
) -> tuple[Ran, list[Outcome]] | None:
    """What each comes to on this commit. None: they could not be tried."""
    ran = await _run(bench, commit, check, examples)
    outcomes = await asyncio.to_thread(_read, ran, len(examples)) if ran else []
    return (ran, outcomes) if ran and outcomes else None


async def _run(bench: Bench, commit: str, check: CheckResult, examples: Sequence[Example]) -> Ran | None:
    name = _PROGRAMS[examples[0].spoken]
    given = [
        {
            "expression": each.stated.expression,
            "value": each.stated.value,
            "raises": each.stated.raises,
            "names": [[*one] for one in each.names],
        }
        for each in examples
    ]
    place = Path(planned_program.__file__).with_suffix(PurePosixPath(name).suffix)
    text = await asyncio.to_thread(place.read_text, "utf-8")
    if name.endswith(".py"):
        program = f"{text}\n\nmain({given!r}, {PLACES!r})\n"
        command = f"{interpreter(check.command) or 'python3'} -B {shlex.quote(name)}"
    else:
        program = f"const EXAMPLES = {json.dumps(given)}\nconst MARKER = {json.dumps(MARKER)}\n{text}"
        command = f"node {shlex.quote(name)}"
    return await bench.run_with(
        commit,
        {name: await bench.look(stored, program.encode(errors="replace"))},
        check,
        around=lambda _: command,
        within=max(LEAST_SECONDS, check.seconds),
    )


def _read(ran: Ran, number: int) -> list[Outcome]:
    try:
        _, _, told = Path(ran.end.log).read_text("utf-8", "replace").rpartition(MARKER)
        found = [Outcome(*each) for each in json.loads(told.strip().split("\n")[0])]
    except (OSError, ValueError, TypeError):
        return []
    return found if len(found) == number else []


def _item(check: CheckResult, ran: Ran, wrong: list[tuple[Example, Outcome]], right: int) -> Evidence:
    told = [
        f"`{each.stated.expression}` {end.got}, and the task says {_said(each.stated)}" for each, end in wrong
    ]
    return Evidence(
        kind="proof",
        verdict="flagged" if wrong else "proven",
        claim=AS_PLANNED,
        found=listed(told) if wrong else f"{right} of them tried",
        command=look_again(check.command, ran.commit, ran.end.room),
        details=tuple(f"by the sentence: {each.stated.sentence}" for each, _ in wrong),
        log=ran.end.log,
        question="; ".join(
            f"The plan says {_said(each.stated)} of `{each.stated.expression}`, and the work {end.got}. "
            "Which sentence asks for this?"
            for each, end in wrong
        ),
    )


def _said(stated: Stated) -> str:
    return f"it {'raises' if stated.raises else 'is'} `{stated.value}`"


def _examples(git: Git, bench: Bench, texts: Sequence[str]) -> list[Example]:
    known = Known(git, bench)
    turned = [found for each in turned_values(texts) if (found := known.by_its_function(each, texts))]
    said = [*stated_values(texts), *turned][:MOST]
    return [example for stated in said if (example := known.resolved(stated))]


class Known:
    """Where the names come from that sentences use."""

    def __init__(self, git: Git, bench: Bench) -> None:
        self._git, self._commit = git, bench.work
        self._changed = frozenset(bench.is_there())
        listing = git.run("ls-tree", "-r", "-z", "--name-only", self._commit).fields
        decoded = (field.decode("utf-8", "replace") for field in listing)
        self._paths = [path for path in decoded if "\n" not in path and "\ufffd" not in path]

    def resolved(self, stated: Stated) -> Example | None:
        said = stated.expression if stated.raises else f"{stated.expression} {stated.value}"
        words = list(dict.fromkeys(_NAME.findall(_QUOTED.sub("''", said))))
        called = _NAME.findall(_QUOTED.sub("''", stated.expression))
        for spoken in ("python", "javascript"):
            names = [found for word in words if (found := self._find(word, spoken))]
            if any(found.name in called for found in names):
                return Example(stated, tuple(names), spoken)
        return None

    def by_its_function(self, turned: Turned, texts: Sequence[str]) -> Stated | None:
        """Where a task names a single function of changed source, that is the one."""
        named = {name for text in texts for name in _CODE.findall(text)}
        found = [
            place.name
            for name in sorted(named)
            for spoken in ("python", "javascript")
            if (place := self._find(name, spoken)) and place.path in self._changed and place.part
        ]
        if len(found) != 1:
            return None
        given, value = (
            each if _LITERAL.fullmatch(each) else json.dumps(each, ensure_ascii=False)
            for each in (turned.given, turned.value)
        )
        return Stated(f"{found[0]}({given})", value, turned.sentence)

    def _find(self, name: str, spoken: Language) -> _Name | None:
        found = dict.fromkeys(self._in_python(name) if spoken == "python" else self._in_scripts(name))
        touched = [place for place in found if place.path in self._changed] or list(found)
        return touched[0] if len(touched) == 1 else None

    def _in_python(self, name: str) -> Iterator[_Name]:
        pattern = rf"^((async +)?def|class) +{name}\>|^{name} *(:[^=]*)?="
        for path in self._with(pattern, "*.py"):
            yield _Name(name, path, name)
        places = (f"{name}.py", f"{name}/__init__.py")
        for path in self._paths:
            if (path in places or path.endswith(tuple(f"/{each}" for each in places))) and not is_of_tests(
                path
            ):
                yield _Name(name, path, "")

    def _in_scripts(self, name: str) -> Iterator[_Name]:
        paths = self._with(rf"\<{name}\>", *SCRIPTS)[:MOST_FILES]
        for text in read_texts(self._git, self._commit, self._commit, paths):
            if name in public_names(text.after or "", "javascript"):
                yield _Name(name, text.path, name)
        # What others call what a module exports as a whole.
        yield from self._brought(name)

    def _brought(self, name: str) -> Iterator[_Name]:
        pattern = rf"(const|let|var|import) +(.*[^[:alnum:]_])?{name}([^[:alnum:]_].*)?(require|from) *"
        given = (
            "grep",
            "-I",
            "-z",
            "-E",
            "-e",
            pattern,
            self._commit,
            "--",
            "*.js",
            "*.mjs",
            "*.cjs",
            "*.md",
        )
        told = self._git.run(*given, ok=(0, 1)).text
        for line in told.split("\n"):
            path, _, code = line.partition("\0")
            path = path.removeprefix(f"{self._commit}:")
            for found in _BROUGHT.finditer(code):
                if found["names"] == name and (place := self._place(path, found["place"])):
                    yield _Name(name, place, "")

    def _place(self, path: str, place: str) -> str:
        """The file of the repository that a module is brought in from; empty: it is none."""
        if not place.startswith("."):
            return self._front(place)
        named = posixpath.normpath(posixpath.join(posixpath.dirname(path), place))
        ends = ("", ".js", ".mjs", ".cjs", "/index.js", "/index.mjs")
        there = next((each for end in ends if (each := f"{named}{end}") in self._paths), "")
        there = there or ("index.js" if named == "." and "index.js" in self._paths else "")
        return "" if not there or is_test(there) else there

    def _front(self, package: str) -> str:
        """By the repository's own name."""
        if "package.json" not in self._paths:
            return ""
        try:
            told = json.loads(self._git.text("show", f"{self._commit}:package.json"))
            main = (
                posixpath.normpath(str(told.get("main") or "index.js")) if told.get("name") == package else ""
            )
        except (ValueError, AttributeError):
            return ""
        return next((each for each in (main, f"{main}.js", f"{main}/index.js") if each in self._paths), "")

    def _with(self, pattern: str, *files: str) -> list[str]:
        given = ("grep", "-l", "-I", "-z", "-E", "-e", pattern, self._commit, "--", *files)
        told = self._git.run(*given, ok=(0, 1)).text
        paths = (each.removeprefix(f"{self._commit}:") for each in told.split("\0") if each)
        return [path for path in paths if language(path) and not is_test(path) and not is_of_tests(path)]
