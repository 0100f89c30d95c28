"""Faults in what new tests speak of, where a change left the code itself as it was.

A function that they use gives nothing. One that the task names is made wrong in every way.
"""

import ast
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from teamlead.core.model import TaskSpec
from teamlead.evidence.proofs import (
    go_faults,
    go_functions,
    javascript_faults,
    javascript_functions,
    python_faults,
)
from teamlead.evidence.proofs.bench import Bench
from teamlead.evidence.proofs.faults import Fault, in_turns
from teamlead.evidence.proofs.harness import is_of_tests
from teamlead.evidence.proofs.python_statements import parsed
from teamlead.evidence.proofs.tested_names import Used, owner, used
from teamlead.evidence.sources.brackets import Code, Span, code
from teamlead.evidence.sources.languages import Language, language
from teamlead.evidence.weakening.files_of_tests import read_texts
from teamlead.system.git import Git

FAULTS: Mapping[Language, Callable[[str, Collection[int]], Sequence[Fault]]] = {
    "python": python_faults.faults,
    "javascript": javascript_faults.faults,
    "go": go_faults.faults,
}
MOST_FILES = 300
_CODE = re.compile(
    r"`(?:[\w$]+\.)*([^\W\d][\w$]*)(?:\([^`]*)?`|\b([^\W\d]\w*)\(|\b([a-z]+(?:_\w+|[A-Z]\w*))\b|\b((?:[A-Z][a-z\d]+){2,})\b"
)


def faults_in_tested_code(git: Git, bench: Bench) -> list[tuple[str, Fault]]:
    touched = [path for path in bench.is_there() if language(path) and is_of_tests(path)]
    texts = read_texts(git, bench.base, bench.work, touched) if touched else []
    listed = git.run("ls-tree", "-r", "-z", "--name-only", bench.work).fields if texts else []
    paths = [field.decode("utf-8", "replace") for field in listed]
    paths = [path for path in paths if _is_code(path, touched)][:MOST_FILES]
    code = {path: text or "" for path, _, text in read_texts(git, bench.work, bench.work, paths)}
    uses = [used(text, code) for text in texts]
    named = _named(bench.case.claim.task)
    found = ([(path, fault) for fault in _of_file(path, text, uses, named)] for path, text in code.items())
    return list(in_turns(found))


def _named(task: TaskSpec) -> frozenset[str]:
    """What its words call as code is called."""
    told = "\n".join((task.title, task.description, *task.acceptance))
    return frozenset(name for found in _CODE.finditer(told) for name in found.groups() if name)


def _is_code(path: str, tests: Sequence[str]) -> bool:
    spoken = language(path)
    return spoken in FAULTS and not is_of_tests(path) and any(language(test) == spoken for test in tests)


def _of_file(path: str, text: str, uses: Sequence[Used], named: frozenset[str]) -> Iterator[Fault]:
    of_it = [each for each in uses if path in each.files]
    if not of_it:
        return
    spoken, every = language(path), range(1, text.count("\n") + 2)
    bodies = [lines for name, lines in _bodies(text, spoken) if name in named]
    nothing = {f"{name} returns nothing" for each in of_it for name in each.names}
    for fault in FAULTS[spoken](text, every):
        if fault.sentence in nothing or any(fault.line in lines for lines in bodies):
            classes = owner(text, fault.line)
            if any(not classes or each.owners is None or classes & each.owners for each in of_it):
                yield fault


def _bodies(text: str, spoken: Language) -> Iterator[tuple[str, range]]:
    """The functions of a source, each with its lines."""
    if spoken == "python":
        tree = parsed(text)
        for node in ast.walk(tree) if tree else ():
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield node.name, range(node.lineno, (node.end_lineno or node.lineno) + 1)
        return
    read = code(text, spoken)
    for name, statements in _of_words(read, spoken) if read else ():
        lines = [read.words[at].line for span in statements for at in (span.first, span.last)] if read else []
        if lines:
            yield name, range(min(lines), max(lines) + 1)


def _of_words(read: Code, spoken: Language) -> Iterator[tuple[str, Sequence[Span]]]:
    if spoken == "go":
        yield from ((each.function.name, each.function.statements) for each in go_functions.functions(read))
    else:
        yield from ((each.name, each.statements) for each in javascript_functions.functions(read))
