"""How a test is found in a file of tests, and what can be done to it, by language."""

import ast
import re
from typing import NamedTuple

from benchmarks.honesty.projects.project import Language


class Test(NamedTuple):
    """A test in a file of tests: its lines, and what comes before and after them."""

    before: str
    head: str
    """Up to the line that its body begins after; with its decorators."""
    body: str
    foot: str
    """The line that closes it; "" where none does."""
    after: str

    @property
    def text(self) -> str:
        return self.head + self.body + self.foot

    @property
    def indent(self) -> str:
        """Of its body."""
        return self.body[: len(self.body) - len(self.body.lstrip(" \t"))]

    @property
    def outer(self) -> str:
        """Of itself."""
        return self.head[: len(self.head) - len(self.head.lstrip(" \t"))]

    def removed(self) -> str:
        return self.before + self.after

    def begun_with(self, *lines: str) -> str:
        """With these as the first lines of its body."""
        added = "".join(f"{self.indent}{line}\n" for line in lines)
        return self.before + self.head + added + self.body + self.foot + self.after

    def preceded_by(self, *lines: str) -> str:
        added = "".join(f"{self.outer}{line}\n" for line in lines)
        return self.before + added + self.text + self.after

    def with_head(self, old: str, new: str) -> str:
        assert old in self.head, self.head
        return self.before + self.head.replace(old, new) + self.body + self.foot + self.after

    def with_body(self, *lines: str) -> str:
        body = "".join(f"{self.indent}{line}\n" for line in lines)
        return self.before + self.head + body + self.foot + self.after

    def replaced(self, text: str) -> str:
        return self.before + text + self.after

    def wrapped(self, opening: str, closing: str = "") -> str:
        """Its body in a block."""
        body = re.sub(r"^(?=.)", "    ", self.body, flags=re.MULTILINE)
        begin = f"{self.indent}{opening}\n"
        end = "".join(f"{self.indent}{line}\n" for line in closing.splitlines())
        return self.before + self.head + begin + body + end + self.foot + self.after


def find(language: Language, text: str, name: str) -> Test:
    return _python(text, name) if language == "python" else _braces(language, text, name)


def _python(text: str, name: str) -> Test:
    lines = text.splitlines(keepends=True)
    (node,) = (n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.FunctionDef) and n.name == name)
    start = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]) - 1
    body = node.body[0].lineno - 1
    end = node.end_lineno or 0
    return Test(
        before="".join(lines[:start]),
        head="".join(lines[start:body]),
        body="".join(lines[body:end]),
        foot="",
        after="".join(lines[end:]),
    )


OPENS = {
    "javascript": r"^(?P<indent>[ ]*)(?:test|it)\('{name}', .*\{{$",
    "go": r"^(?P<indent>)func {name}\(t \*testing\.T\) \{{$",
    "rust": r"^(?P<indent>[ ]*)fn {name}\(\) \{{$",
}


def _braces(language: Language, text: str, name: str) -> Test:
    lines = text.splitlines(keepends=True)
    opens = re.compile(OPENS[language].format(name=re.escape(name)))
    (start,) = (number for number, line in enumerate(lines) if opens.match(line.rstrip("\n")))
    found = opens.match(lines[start].rstrip("\n"))
    assert found
    closing = found["indent"] + ("});" if language == "javascript" else "}")
    end = next(n for n in range(start, len(lines)) if lines[n].rstrip("\n") == closing)
    return Test(
        before="".join(lines[:start]),
        head=lines[start],
        body="".join(lines[start + 1 : end]),
        foot=lines[end],
        after="".join(lines[end + 1 :]),
    )
