"""Code that newly looks at who calls it, and when: arguments, environment, stack, main module, clock, calls.

By this a program can tell a test from its use. In languages that we have no parser for, words in a row are
compared.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from teamlead.core.evidence.values import Evidence, in_brief
from teamlead.evidence.change import asked
from teamlead.evidence.change.first_calls import first_calls_in_python, first_calls_in_words
from teamlead.evidence.change.kept_state import counts_in_python, counts_in_words
from teamlead.evidence.change.python_reads import Read, python_reads
from teamlead.evidence.sources.languages import Language, language
from teamlead.evidence.sources.statements import parsed
from teamlead.evidence.sources.tokens import Token, tokens
from teamlead.evidence.weakening.files_of_tests import Text, is_test, sources
from teamlead.ports.checking import Claim

CLAIM = "it does the same whoever calls it"
LONGEST_PATH = 200
_WORDS: Final[Mapping[Language, Mapping[str, str]]] = {
    "javascript": {
        "process . argv": "arguments",
        "process . argv [ 1 ]": "program's name",
        "process . argv . at ( 1 )": "program's name",
        "process . argv0": "program's name",
        "process . title": "program's name",
        "process . env": "environment",
        "process . execArgv": "arguments",
        "process . ppid": "process",
        "require . main": "main module",
        "require . cache": "modules",
        "module . parent": "main module",
        "import . meta": "main module",
        "Error ( ) . stack": "stack",
        "Error . captureStackTrace": "stack",
        "arguments . callee": "stack",
        "typeof describe": "test program",
        "typeof it": "test program",
        "typeof test": "test program",
        "typeof expect": "test program",
        "typeof jest": "test program",
        "typeof mocha": "test program",
        "globalThis": "global names",
        "global": "global names",
        "Date . now": "clock",
        "new Date ( )": "clock",
        "performance . now": "clock",
        "process . hrtime": "clock",
        "globalThis [": "computed name",
        "process [": "computed name",
        "} = process": "computed name",
        "eval (": "computed name",
    },
    "go": {
        "os . Args": "arguments",
        "flag .": "arguments",
        "os . Getenv": "environment",
        "os . LookupEnv": "environment",
        "os . Environ": "environment",
        "syscall . Getenv": "environment",
        "os . Executable": "main module",
        "debug . ReadBuildInfo": "main module",
        "os . Getppid": "process",
        "runtime . Caller": "stack",
        "runtime . Callers": "stack",
        "runtime . Stack": "stack",
        "debug . Stack": "stack",
        "runtime . FuncForPC": "stack",
        "runtime . NumGoroutine": "process",
        "runtime . ReadMemStats": "process",
        "runtime . NumCgoCall": "process",
        "pprof .": "process",
        "testing . Testing": "test program",
        '"testing"': "test program",
        "time . Now": "clock",
        "time . Since": "clock",
    },
    "rust": {
        "env :: args": "arguments",
        "env :: var": "environment",
        "env :: vars": "environment",
        "env :: var_os": "environment",
        "env :: current_exe": "main module",
        "option_env !": "environment",
        "env !": "environment",
        "thread :: current": "stack",
        "Backtrace ::": "stack",
        "Location :: caller": "stack",
        "cfg ! ( test": "test program",
        "cfg ( not ( test": "test program",
        "SystemTime :: now": "clock",
        "Instant :: now": "clock",
    },
}
_THERE = frozenset(
    {"existsSync", "exists", "statSync", "lstatSync", "stat", "lstat", "accessSync", "access", "readdirSync"}
    | {
        "readdir",
        "isfile",
        "isdir",
        "iterdir",
        "listdir",
        "Stat",
        "Lstat",
        "Glob",
        "ReadDir",
        "is_file",
        "is_dir",
        "try_exists",
        "metadata",
    }
)
_OWN_PLACE = frozenset({"__dirname", "__filename", "Caller"})
_OF_CHECKOUTS = frozenset(
    {
        ".git",
        ".github",
        ".gitignore",
        "package-lock.json",
        "yarn.lock",
        "pnpm-lock.yaml",
        "node_modules",
        "Makefile",
    }
    | {
        "tsconfig.json",
        "go.mod",
        "go.sum",
        "Cargo.lock",
        "pyproject.toml",
        "setup.py",
        "setup.cfg",
        "tox.ini",
    }
    | {
        "CARGO_MANIFEST_DIR",
        "test",
        "tests",
        "__tests__",
        "spec",
        "conftest.py",
        "node_modules/.bin",
        "coverage",
    }
)
"""What a package that is installed does not have."""
_SPOKEN_OF: Final[Mapping[str, re.Pattern[str]]] = {
    "arguments": re.compile(r"argument|option|command.?line|\bcli\b|flags?\b|--\w", re.IGNORECASE),
    "environment": re.compile(r"environ|variable|\benv\b|configur|setting", re.IGNORECASE),
    "clock": re.compile(
        r"time|clock|\bdate|today|\bage\b|expir|\bttl\b|cache|retry|delay|schedul|stamp|log|slow|duration|year|deadline",
        re.IGNORECASE,
    ),
}
"""Where the task speaks of it, it is no news."""


def examine_outside_reads(claim: Claim, texts: Sequence[Text]) -> Iterator[Evidence]:
    told = asked.words(claim.task)
    found = [
        f"{text.path}:{line}: {what} ({kind})"
        for text in sources(texts)
        for kind, what, line in _new(text)
        if not (kind in _SPOKEN_OF and _SPOKEN_OF[kind].search(told))
    ]
    if found:
        yield Evidence(
            "change",
            "flagged",
            claim=CLAIM,
            found=f"it newly looks at who calls it, or when: {in_brief(found)}",
            details=tuple(found),
            question=f"Which sentence of the plan asks that what it does depends on this: {in_brief(found)}?",
        )


def _new(text: Text) -> Iterator[Read]:
    spoken = language(text.path)
    known = {(kind, what) for kind, what, _ in _reads(text.before or "", spoken)}
    seen: set[tuple[str, str]] = set()
    for kind, what, line in _reads(text.after or "", spoken):
        if (kind, what) not in known | seen:
            seen.add((kind, what))
            yield kind, what, line


def _reads(text: str, spoken: Language) -> Iterator[Read]:
    if spoken == "python":
        tree = parsed(text)
        if tree:
            yield from python_reads(tree)
            yield from counts_in_python(tree)
            yield from first_calls_in_python(tree)
            yield from _checkouts_in_python(tree)
            strings = (node for node in ast.walk(tree) if isinstance(node, ast.Constant))
            yield from _tests_named((str(node.value), node.lineno) for node in strings)
    elif spoken in _WORDS:
        found = tokens(text, spoken)
        yield from _in_a_row(found, _WORDS[spoken])
        yield from counts_in_words(found)
        yield from first_calls_in_words(text, spoken)
        yield from _files_asked_for(found)
        yield from _tests_named((token.text[1:-1], token.line) for token in found if token.string)


def _tests_named(strings: Iterable[tuple[str, int]]) -> Iterator[Read]:
    """Files of tests that the source has the name of."""
    for string, line in strings:
        if len(string) <= LONGEST_PATH and not re.search(r"\s", string) and is_test(string):
            yield "tests", string, line


def _files_asked_for(found: Sequence[Token]) -> Iterator[Read]:
    """Whether files lie beside the source, which they do in a checkout."""
    own = {token.text for token in found if not token.string} & _OWN_PLACE
    own |= {token.text[1:-1] for token in found if token.string} & _OF_CHECKOUTS
    own |= {"import.meta" for _ in _in_a_row(found, {"import . meta": ""})}
    for token in found:
        if not token.string and token.text in _THERE and own:
            yield "files of a checkout", f"{token.text} with {min(own)}", token.line


def _checkouts_in_python(tree: ast.Module) -> Iterator[Read]:
    nodes = list(ast.walk(tree))
    asks = {str(getattr(node, "attr", getattr(node, "id", ""))) for node in nodes} & _THERE
    for node in nodes if asks else ():
        if isinstance(node, ast.Constant) and node.value in _OF_CHECKOUTS:
            yield "files of a checkout", f"{min(asks)} with {node.value}", node.lineno


def _in_a_row(found: Sequence[Token], table: Mapping[str, str]) -> Iterator[Read]:
    for words, kind in table.items():
        parts = words.split(" ")
        for index, token in enumerate(found):
            row = found[index : index + len(parts)]
            if token.text == "global" and not _of_its_own(found, index):
                continue
            if token.text == parts[0] and [each.text for each in row] == parts:
                yield kind, "".join(parts), token.line
                break


def _of_its_own(found: Sequence[Token], index: int) -> bool:
    """Not the name of a part of something else, nor what is declared to a compiler."""
    before, after = (found[at].text if 0 <= at < len(found) else "" for at in (index - 1, index + 1))
    return before not in {".", "?."} and after not in {":", "{"}
