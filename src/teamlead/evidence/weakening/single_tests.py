"""The single tests of a file: where each stands, and its lines."""

import ast
import re
from collections.abc import Sequence
from typing import NamedTuple

from teamlead.evidence.sources.languages import Language
from teamlead.evidence.sources.statements import parsed
from teamlead.evidence.weakening.groups_of_tests import Groups

_STARTS: dict[Language, re.Pattern[str]] = {
    "python": re.compile(r"\s*(?:async )?def (?P<name>test\w*)\("),
    "javascript": re.compile(
        r"\s*(?:[xf]?it|x?test|specify)(?:\.\w+)*(?:\(.*\))?\(\s*(?P<quote>[\"'`])(?P<name>.+?)(?P=quote)\s*,?"
    ),
    "go": re.compile(r"func (?P<name>(?:Test|Fuzz|Example)\w*)\("),
    "rust": re.compile(r"\s*(?:pub )?(?:async )?fn (?P<name>\w+)\("),
    "java": re.compile(r"\s*(?:public |private |protected )?(?:void|fun) (?P<name>[\w`][\w ]*`?)\("),
    "ruby": re.compile(
        r"\s*(?:def (?P<name>test_\w+)"
        r"|x?(?:it|specify|test|scenario) (?P<quote>[\"'])(?P<title>.+?)(?P=quote))"
    ),
    "csharp": re.compile(r"\s*public (?:async )?(?:void|Task) (?P<name>\w+)\("),
}
_MARKED: dict[Language, re.Pattern[str]] = {
    "rust": re.compile(r"#\[(?:\w+::)*test\b|#\[rstest"),
    "java": re.compile(r"@(?:\w+)?Test\b"),
    "csharp": re.compile(r"\[(?:Fact|Theory|Test|TestMethod|TestCase)\b"),
}
"""Where the name alone does not make it a test."""

_ATTRIBUTE = re.compile(r"\s*(?:@|#\[|\[\w+)")
_CONTINUES = re.compile(r"[)\]]")


class Test(NamedTuple):
    name: str
    line: int
    """Of its name, counted from 1."""
    first: int
    """Of its first line, which may be a decorator."""
    lines: tuple[str, ...]
    groups: tuple[str, ...] = ()
    """The classes, modules or `describe` blocks around it."""


def tests_of(text: str, spoken: Language) -> list[Test]:
    shadowed = _shadowed(text) if spoken == "python" else frozenset()
    return [test for test in all_tests_of(text, spoken) if test.line not in shadowed]


def all_tests_of(text: str, spoken: Language) -> list[Test]:
    """Also those that another one of the same name takes the place of."""
    lines = text.split("\n")
    found: list[Test] = []
    groups = Groups(spoken)
    for index in range(len(lines)):
        line = _joined(lines, index, spoken)
        groups.read(line)
        start = _STARTS[spoken].match(line) if spoken else None
        if start is None:
            continue
        first = _first(lines, index)
        marked = _MARKED.get(spoken)
        if marked and not any(marked.search(above) for above in lines[first : index + 1]):
            continue
        name = start["name"] or start.groupdict().get("title") or ""
        own_lines = tuple(lines[first : end_of(lines, index)])
        found.append(Test(name, index + 1, first + 1, own_lines, groups.of(lines[index])))
    return found


_HELPERS: dict[Language, re.Pattern[str]] = {
    "python": re.compile(r"\s*(?:async )?def (?P<name>\w+)\("),
    "javascript": re.compile(
        r"\s*(?:export )?(?:(?:async )?function\*? (?P<name>\w+)\(|(?:const|let|var) (?P<title>\w+) = .*=>)"
    ),
    "go": re.compile(r"func (?:\([^)]*\) )?(?P<name>\w+)\("),
    "rust": re.compile(r"\s*(?:pub )?(?:async )?fn (?P<name>\w+)[(<]"),
    "java": re.compile(r"\s+(?:\w+ )*\w[\w<>\[\]]* (?P<name>\w+)\([^;]*\{"),
    "ruby": re.compile(r"\s*def (?P<name>\w+)"),
}
"""How a function begins that tests may call."""


def helpers_of(text: str, spoken: Language) -> list[Test]:
    lines = text.split("\n")
    tests = {test.line for test in tests_of(text, spoken)}
    begins = _HELPERS.get(spoken)
    found: list[Test] = []
    for index, line in enumerate(lines):
        start = begins.match(line) if begins and index + 1 not in tests else None
        if start:
            name = start["name"] or start.groupdict().get("title") or ""
            found.append(Test(name, index + 1, index + 1, tuple(lines[index : end_of(lines, index)])))
    return found


def outside(text: str, tests: list[Test]) -> str:
    """Returns what belongs to no test, with as many lines as the text."""
    lines = text.split("\n")
    for test in tests:
        lines[test.first - 1 : test.first - 1 + len(test.lines)] = [""] * len(test.lines)
    return "\n".join(lines)


def _shadowed(text: str) -> frozenset[int]:
    """The lines of functions that another one of the same name takes the place of: no program runs them."""
    tree = parsed(text)
    if tree is None:
        return frozenset()
    lines: set[int] = set()
    classes = [each.body for each in tree.body if isinstance(each, ast.ClassDef)]
    for body in (tree.body, *classes):
        named = [each for each in body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
        last = {each.name: each for each in named}
        lines |= {each.lineno for each in named if last[each.name] is not each}
    return frozenset(lines)


def _joined(lines: list[str], index: int, spoken: Language) -> str:
    """A title may stand on the line after `it(`."""
    line = lines[index]
    if spoken == "javascript" and line.endswith("(") and index + 1 < len(lines):
        return line + lines[index + 1].lstrip()
    return line


def _first(lines: list[str], index: int) -> int:
    """Returns where it begins with the attributes above it, of one line or of several."""
    depth = _indent(lines[index])
    while index:
        above = index - 1
        if _CONTINUES.match(lines[above].strip()):
            above -= 1
            while above > 0 and _indent(lines[above]) > depth:
                above -= 1
        if not _ATTRIBUTE.match(lines[above]):
            break
        index = above
    return index


def end_of(lines: Sequence[str], index: int) -> int:
    """Finds its end by indentation: strings and comments may hold brackets."""
    depth = _indent(lines[index])
    for end in range(index + 1, len(lines)):
        line = lines[end]
        if line.strip() and _indent(line) <= depth and not _CONTINUES.match(line.strip()):
            return end
    return len(lines)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
