"""Python source that notes which of its statements run, and in which test.

A call stands before each of them, in the same line, so that line numbers stay as they are; and in a condition
that decides whether they run. That needs nothing of the environment: it works in threads, in subprocesses,
beside another tracer, and where a command sets a PYTHONPATH of its own.
"""

import ast
from collections import defaultdict
from collections.abc import Container, Iterable
from string import Template

from teamlead.evidence.proofs.python_statements import Statement

FOLDER = ".teamlead-ran"
"""In the copy. Notes go there, unless the environment says where."""
VARIABLE = "TEAMLEAD_RAN"
LOADED = 0
"""Noted in the place of a line when the module is loaded."""
TEST = "TEAMLEAD_TEST"
"""What a program of tests that is ours says which one it runs by. pytest has a variable of its own."""
MOST_TESTS = 40
"""Are noted of one line. A longer list would select nearly as much as there is."""
MORE = "*"
"""Stands in the place of a test where there are more, and where nobody says which one runs."""

_BINDS_LESS = (ast.NamedExpr, ast.Lambda, ast.IfExp)
"""Than `or`."""

_BEGIN = Template("""
def _teamlead_begin():
    import os, sys
    at = os.path.dirname(os.path.abspath(__file__))
    while not os.path.isdir(os.path.join(at, "$folder")) and os.path.dirname(at) != at:
        at = os.path.dirname(at)
    place = os.environ.get("$variable") or os.path.join(at, "$folder", "notes")
    def note(what, open=os.open, write=os.write, close=os.close, how=os.O_WRONLY | os.O_CREAT | os.O_APPEND):
        try:
            notes = open(place, how, 0o666)
            try:
                write(notes, (what + "\\n").encode("utf-8", "replace"))
            finally:
                close(notes)
        except OSError:
            pass
    inside = sys.executable.startswith(os.path.join(at, "")) and at != os.path.dirname(at)
    note("python " + (os.path.relpath(sys.executable, at) if inside else sys.executable))
    note("$number:$loaded")
    # Much faster than os.environ, and still there when a test replaces that.
    environment = getattr(os.environ, "_data", {})
    known, tests, full = set(), {}, set()
    def ran(line):
        test = environment.get(b"PYTEST_CURRENT_TEST") or environment.get(b"$test")
        if line in full or (line, test) in known:
            return
        known.add((line, test))
        of_line = tests.setdefault(line, set())
        name = os.fsdecode(test or b"").rpartition(" (")[0].replace("\\n", " ")
        if len(of_line) >= $most:
            full.add(line)
            name = ""
        if name not in of_line:
            of_line.add(name)
            note("$number:%d %s" % (line, name or "$more"))
    return ran
_teamlead_ran = _teamlead_begin()
del _teamlead_begin
""")


def with_probes(text: str, tree: ast.Module, statements: Iterable[Statement], number: int) -> str:
    """`tree` is that of `text`. `number`: what notes call the file by."""
    first = next((node for place, node in enumerate(tree.body) if not _stays_first(node, place)), None)
    if first is None:
        return text
    begin = _BEGIN.substitute(
        folder=FOLDER,
        variable=VARIABLE,
        number=number,
        loaded=LOADED,
        test=TEST,
        most=MOST_TESTS,
        more=MORE,
    )
    wanted: defaultdict[int, list[tuple[int, bytes]]] = defaultdict(list)
    for statement in statements:
        probe = f"_teamlead_ran({statement.line}); "
        wanted[statement.line].append((statement.column, probe.encode()))
    for test in _conditions(tree, wanted):
        wanted[test.lineno].append((test.col_offset, f"_teamlead_ran({test.lineno}) or ".encode()))
    simple = not any(hasattr(first, field) for field in ("body", "cases"))
    if simple:
        wanted[first.lineno].append((first.col_offset, f"exec({begin!r}); ".encode()))
    lines = text.encode().split(b"\n")
    for line, probes in wanted.items():
        # Of two in one place, the one that is put there last stands first.
        for column, call in sorted(probes, key=lambda each: each[0], reverse=True):
            lines[line - 1] = lines[line - 1][:column] + call + lines[line - 1][column:]
    if not simple:
        lines.insert(_start(first) - 1, f"exec({begin!r})".encode())
    return b"\n".join(lines).decode()


def _conditions(tree: ast.Module, lines: Container[int]) -> list[ast.expr]:
    """Of what is noted. Of some a call cannot be the first part."""
    return [
        node.test
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and not isinstance(node.test, _BINDS_LESS)
        if any(inner.lineno in lines for inner in node.body + node.orelse)
    ]


def _stays_first(node: ast.stmt, place: int) -> bool:
    """What is no docstring and no `from __future__` any more if something stands before it."""
    if isinstance(node, ast.ImportFrom) and node.module == "__future__":
        return True
    return not place and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _start(node: ast.stmt) -> int:
    marks: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(mark.lineno for mark in marks)])
