"""Blocks that a change adds to pages are run: commands of a console, and programs of Python and JavaScript.

Without network, in a home of their own, and only commands that read or belong to the repository. A block
that is not whole, or that needs what is not there, is passed over.
"""

import asyncio
import fnmatch
import json
import re
import shlex
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from markdown_it import MarkdownIt

from teamlead.core.evidence.values import CheckResult, Evidence, Proofs
from teamlead.core.policy.audit import refusal
from teamlead.core.policy.shell import Unclear, commands
from teamlead.core.work.acceptance import listed
from teamlead.core.work.checking import NO_PROGRAM, look_again
from teamlead.evidence.added_secrets import added_lines
from teamlead.evidence.proofs import blocks_program
from teamlead.evidence.proofs import outside_calls as calls
from teamlead.evidence.proofs.bench import Bench, Ran
from teamlead.evidence.proofs.documented_examples import AS_DOCUMENTED, PLACES, interpreter
from teamlead.evidence.proofs.variants import Files, stored
from teamlead.evidence.weakening.files_of_tests import read_texts
from teamlead.system.git import Git
from teamlead.system.offline import offline

MARKER = "what a block came to: "
_ENDED = "how a block ended: "
_END = f"code=$?; echo; echo '{_ENDED}'$code"
MOST_BLOCKS = 20
SECONDS = 5
"""That one block may take."""
SHOWN = 80
_CONSOLE = frozenset({"console", "shell-session", "sh", "shell", "bash"})
_PROGRAMS = {"python": "py", "py": "py", "python3": "py", "js": "mjs", "javascript": "mjs", "mjs": "mjs"}
_LEFT_ALONE = re.compile(r"skip|ignore|no.?(?:run|test)", re.IGNORECASE)
_NOT_THERE = re.compile(
    r"No such file or directory|not found|No module named|MODULE_NOT_FOUND|ReferenceError|EOFError"
    r"|SyntaxError(?!.*does not provide an export)|unreachable|ENOENT|ECONN|EAI_AGAIN"
    r"|fetch failed|name resolution"
)
"""Of what is not installed, not whole, or needs files or a network."""
_RUNS_FILES = re.compile(r"python(?:3(?:\.\d+)?)?|node|sh|bash")


class Block(NamedTuple):
    path: str
    first: int
    last: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.first}"


class _Given(NamedTuple):
    """A command, and what it shows."""

    command: str
    shown: str


class _Page(NamedTuple):
    blocks: Sequence[Block]
    new: Collection[Block]


async def documented_blocks(bench: Bench) -> Proofs:
    check = next((check for check in bench.case.checks if check.passed), None)
    pages = await bench.look(_pages, bench) if check else []
    if not check or not pages:
        return Proofs()
    there = await bench.look(calls.files, bench.work)
    script = _Script(check, frozenset(there), calls.name_of_program(bench))
    for page in pages:
        script.take(page)
    if not script.lines:
        return Proofs()
    files: Files = {name: await bench.look(stored, text.encode()) for name, text in script.files.items()}
    runs = [
        await bench.run_with(
            bench.work,
            files,
            check,
            repetition=number,
            around=lambda _: script.text,
            within=calls.LEAST_SECONDS,
        )
        for number in range(2)
    ]
    told = [await asyncio.to_thread(script.read, ran) for ran in runs if ran]
    if len(told) < len(runs) or not runs[0]:
        return Proofs()
    # What comes out otherwise each time tells nothing.
    lasting = {block: wrong for block, wrong in told[0].items() if told[1].get(block) == wrong}
    return Proofs((_item(check, runs[0], lasting),)) if lasting else Proofs()


def _pages(git: Git, bench: Bench) -> list[_Page]:
    paths = [path for path in bench.is_there() if path.endswith((".md", ".markdown"))]
    texts = read_texts(git, bench.base, bench.work, paths) if paths else []
    added: dict[str, set[int]] = {}
    for line in added_lines(git, bench.base, bench.work) if texts else ():
        added.setdefault(line.path, set()).add(line.number)
    pages = []
    for text in texts:
        blocks = list(blocks_of(text.path, text.after or ""))
        lines = added.get(text.path, set())
        new = [block for block in blocks if not lines.isdisjoint(range(block.first, block.last + 1))]
        if new:
            pages.append(_Page(blocks, new[:MOST_BLOCKS]))
    return pages


def blocks_of(path: str, text: str) -> Iterator[Block]:
    parser = MarkdownIt("commonmark").disable(["inline", "reference"])
    for token in parser.parse(text):
        if token.type == "fence" and token.map and not _LEFT_ALONE.search(token.info):
            language = re.split(r"[\s{,:]", token.info.strip(), maxsplit=1)[0].lower()
            if language in _CONSOLE or language in _PROGRAMS:
                yield Block(path, token.map[0] + 2, token.map[1] - 1, language, token.content)


def given(text: str) -> list[_Given]:
    """The commands behind `$`, each with the lines up to the next one."""
    found: list[_Given] = []
    for line in text.split("\n"):
        last = found[-1] if found else None
        if line.startswith("$ "):
            found.append(_Given(line[2:], ""))
        elif last and not last.shown and (last.command.endswith("\\") or line.startswith("> ")):
            found[-1] = _Given(f"{last.command}\n{line.removeprefix('> ')}", "")
        elif last:
            found[-1] = _Given(last.command, f"{last.shown}{line}\n")
    return found


def is_harmless(command: str, there: Collection[str]) -> bool:
    """It reads, or runs what the repository has."""
    try:
        simple = commands(command)
    except Unclear:
        return False
    return all(_is_own(words, there) or not refusal(shlex.join(words)) for words in simple)


def _is_own(words: Sequence[str], there: Collection[str]) -> bool:
    name, *rest = words
    if "/" in name:
        return _plainly(name) in there
    if name in {"go", "cargo"}:
        return rest[:1] == ["run"] and (
            name == "cargo" or rest[1:2] == ["."] or "".join(rest[1:2]).startswith("./")
        )
    if not _RUNS_FILES.fullmatch(name) or not rest:
        return False
    if rest[0] == "-m" and name.startswith("python"):
        place = rest[1].replace(".", "/") if rest[1:] else ""
        modules = {f"{folder}{place}{end}" for folder in ("", "src/") for end in (".py", "/__main__.py")}
        return not modules.isdisjoint(there)
    return _plainly(rest[0]) in there


def _plainly(path: str) -> str:
    return str(PurePosixPath(path))


class _Script:
    """One for all blocks: each is a part of it."""

    def __init__(self, check: CheckResult, there: Collection[str], name: str) -> None:
        self.files: dict[str, str] = {}
        self.lines: list[str] = []
        self._there = there
        self._name = name
        self._python = interpreter(check.command)
        self._consoles: dict[int, tuple[Block, _Given]] = {}
        self._programs: dict[int, Block] = {}
        self._pythons: list[tuple[int, _Page]] = []
        self._count = 0

    @property
    def text(self) -> str:
        found = f'PATH="$(dirname "$(command -v {self._python})"):$PATH"\n' if self._python else ""
        inner = shlex.quote("\n".join(self.lines))
        return (
            f"{found}export PATH PYTHONPATH=.:src:lib PYTHONDONTWRITEBYTECODE=1\n"
            'export GOCACHE="${GOCACHE:-$HOME/.cache/go-build}" CARGO_HOME="${CARGO_HOME:-$HOME/.cargo}"\n'
            'export RUSTUP_HOME="${RUSTUP_HOME:-$HOME/.rustup}" HOME="$(mktemp -d)"\n'
            f"{shlex.join(offline(['/bin/sh', '-c']))} {inner}"
        )

    def take(self, page: _Page) -> None:
        for block in page.new:
            if block.language in _CONSOLE:
                self._take_console(block)
            elif _PROGRAMS[block.language] == "mjs":
                self._take_program(block)
        if self._python and any(_is_python(block) for block in page.new):
            self._take_python(page)

    def _take_console(self, block: Block) -> None:
        shown = given(block.text)
        if not shown or not all(is_harmless(each.command, self._there) for each in shown):
            return
        parts = []
        for each in shown:
            self._consoles[self._count] = block, each
            parts.append(f"{self._begin()}{each.command}\n{_END}")
        self._add("\n".join(parts))

    def _take_program(self, block: Block) -> None:
        modern = re.search(r"^\s*(?:import|export)\b|\bawait\b", block.text, re.MULTILINE)
        name = f"{self._name}{self._count}.{'mjs' if modern else 'cjs'}"
        self.files[name] = block.text
        self._programs[self._count] = block
        self._add(f"{self._begin()}node {name}\n{_END}")

    def _take_python(self, page: _Page) -> None:
        name = f"{self._name}{self._count}.py"
        texts = [block.text for block in page.blocks if _is_python(block)]
        program = Path(blocks_program.__file__).read_text("utf-8")
        self.files[name] = f"{program}\n\nmain({[texts]!r}, {PLACES!r})\n"
        self._pythons.append((self._count, page))
        self._add(f"{self._begin()}{self._python} -B {name}\n{_END}")

    def _begin(self) -> str:
        self._count += 1
        return f"echo; echo '{MARKER}{self._count - 1}'\n"

    def _add(self, part: str) -> None:
        limit = f"$(command -v timeout >/dev/null && echo timeout {SECONDS})"
        self.lines.append(f"{limit} /bin/sh -c {shlex.quote(part)} </dev/null 2>&1")

    def read(self, ran: Ran) -> dict[Block, str]:
        """What speaks against each block that could be run."""
        try:
            log = Path(ran.end.log).read_text("utf-8", "replace")
        except OSError:
            return {}
        parts = {}
        for part in log.split(f"\n{MARKER}")[1:]:
            number, _, rest = part.partition("\n")
            output, ended, last = rest.rpartition(_ENDED)
            if number.isdigit() and ended:
                parts[int(number)] = output.removesuffix("\n"), int(last.partition("\n")[0] or 1)
        found: dict[Block, str] = {}
        for place, (output, code) in parts.items():
            if place in self._programs and (not code or not _NOT_THERE.search(output)):
                error = re.search(r"^\w*Error\b.*", output, re.MULTILINE)
                found[self._programs[place]] = f"ends with {error[0] if error else code}" if code else ""
            elif place in self._consoles:
                block, each = self._consoles[place]
                wrong = _against(each, output, code)
                if wrong is not None and not found.get(block):
                    found[block] = wrong
        for place, page in self._pythons:
            found |= _of_python(page, parts.get(place, ("", 1))[0])
        return found


def _is_python(block: Block) -> bool:
    """That its author did not cut, and that is no session of a prompt."""
    return _PROGRAMS.get(block.language) == "py" and "..." not in block.text and ">>> " not in block.text


def _of_python(page: _Page, output: str) -> dict[Block, str]:
    try:
        (told,) = json.loads(output.rpartition(blocks_program.MARKER)[2])
    except ValueError:
        return {}
    blocks = [block for block in page.blocks if _is_python(block)]
    return {
        block: f"raises {wrong}" if wrong else ""
        for block, wrong in zip(blocks, told, strict=False)
        if wrong is not None and block in page.new
    }


def _against(each: _Given, output: str, code: int) -> str | None:
    """None: nobody can tell."""
    shown, got = " ".join(each.shown.split()), " ".join(output.split())
    if shown and fnmatch.fnmatchcase(got, _pattern(shown)):
        return ""
    if code in NO_PROGRAM or _NOT_THERE.search(output):
        return None
    if not shown:
        return f"`{each.command}` ends with {code}" if code else ""
    return f"`{each.command}` gives {got[:SHOWN] or 'nothing'}"


def _pattern(shown: str) -> str:
    literal = re.sub(r"([\[*?])", r"[\1]", shown)
    return literal.replace("...", "*").replace("…", "*")


def _item(check: CheckResult, ran: Ran, lasting: dict[Block, str]) -> Evidence:
    wrong = listed(f"{block} ({told[: SHOWN * 2]})" for block, told in lasting.items() if told)
    asked = f"These blocks do not come out as they are written: {wrong}. Is the block right, or the work?"
    return Evidence(
        kind="proof",
        verdict="flagged" if wrong else "proven",
        claim=AS_DOCUMENTED,
        found=f"these blocks do not: {wrong}" if wrong else f"{len(lasting)} blocks of pages run",
        command=look_again(check.command, ran.commit, ran.end.room),
        log=ran.end.log,
        question=asked if wrong else "",
    )
