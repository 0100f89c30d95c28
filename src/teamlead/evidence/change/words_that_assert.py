"""Functions of tests without their comments and strings, and the words in them that say: it may fail here."""

import ast
import posixpath
import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from teamlead.evidence.sources.languages import Language
from teamlead.evidence.sources.statements import is_docstring, parsed
from teamlead.evidence.weakening.assertions import is_comment, without_strings
from teamlead.evidence.weakening.files_of_tests import is_test
from teamlead.evidence.weakening.single_tests import helpers_of, tests_of

_ASSERTS: dict[Language, re.Pattern[str]] = {
    "python": re.compile(
        r"[aA]ssert|\b(?:pytest\.)?(?:raises|warns|deprecated_call)\(|\braise\b|\bfail\w*\(|\bcheck=True|raise_for_status"
        r"|\bexit\("
    ),
    "javascript": re.compile(
        r"[aA]ssert|\bexpect|[sS]hould\b|\bthrow\b|\b(?:done|cb|callback)\b|\bfail\b|[sS]napshot|\brejects?\b"
        r"|\b(?:t|st|tt|qt)\.(?!end\b|pass\b|comment\b|plan\b|teardown\b|timeoutAfter\b|diagnostic\b|mock\b|test\b)\w"
    ),
    "go": re.compile(
        r"\.(?:Errorf|Fatalf?|Fail|FailNow)\(|\b(?:t|tb|tt|b|f)\.Error\(|\bpanic\(|[aA]ssert|\b(?:Expect|So|require)\b"
    ),
    "rust": re.compile(
        r"assert|panic!|unreachable!|unwrap|\bexpect|\?(?:[;).]|$)|should_panic|\.(?:pass|compile_fail)\("
    ),
}
_MAY_ASSERT = re.compile(
    r"(?<!\w)(?P<root>(?:\w+\.)*)_*(?P<name>(?:check|verify|ensure|validate|expect)\w*)!?\(",
    re.IGNORECASE,
)
"""Of which nobody knows, unless it is the code that is tested."""
_GO_GIVEN = re.compile(r"(\w+) (?:\*testing\.[TBF]\b|testing\.TB\b)")
_OWN = re.compile(
    r"(?:import\s+|(?:const|let|var)\s+)(?P<names>[^;=]*?)\s*(?:from\s*|=\s*require\()[\"'](?P<path>\.[^\"']*)"
)


class Code(NamedTuple):
    name: str
    line: int
    text: str
    """Without its own name."""
    is_test: bool

    @property
    def words(self) -> frozenset[str]:
        return frozenset(re.findall(r"[A-Za-z_]\w*", self.text))


def code_of(text: str, spoken: Language) -> Iterator[Code]:
    """Of all its functions, tests and others."""
    if spoken == "python":
        tree = parsed(text)
        yield from _of_python(tree) if tree else ()
        return
    for found, are_tests in ((tests_of(text, spoken), True), (helpers_of(text, spoken), False)):
        for each in found:
            lines = (without_strings(line) for line in each.lines if not is_comment(line))
            yield Code(each.name, each.line, "\n".join(lines).replace(each.name, "", 1), are_tests)


def asserts(code: Code, spoken: Language, own: Collection[str]) -> bool:
    """`own` are the names of what is tested: that one of them is called `check` says nothing."""
    if _ASSERTS[spoken].search(code.text):
        return True
    if spoken == "go":
        given = "|".join(map(re.escape, {*_GO_GIVEN.findall(code.text)}))
        return bool(given and re.search(rf"[(,]\s*(?:{given})\s*[,)]", code.text))
    called = _MAY_ASSERT.finditer(code.text)
    return any((found["root"].partition(".")[0] or found["name"]) not in own for found in called)


def own_names(path: str, text: str, spoken: Language, paths: Collection[str]) -> frozenset[str]:
    """Names in a file of tests that it takes from the code of the repository."""
    if spoken == "python":
        return frozenset(_imported(text, paths))
    found: set[str] = set()
    for each in _OWN.finditer(text):
        if not is_test(posixpath.normpath(posixpath.join(posixpath.dirname(path), f"{each['path']}.js"))):
            found |= set(re.findall(r"\w+", each["names"]))
    return frozenset(found)


def _of_python(tree: ast.Module) -> Iterator[Code]:
    """As its parser sees it: what stands in a string is no function."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for inner in ast.walk(node):
                if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                    inner.body = [each for each in inner.body if not is_docstring(inner, each)] or [
                        ast.Pass()
                    ]
            lines = map(without_strings, ast.unparse(node).split("\n"))
            code = "\n".join(lines).replace(f"def {node.name}", "def ", 1)
            yield Code(node.name, node.lineno, code, node.name.startswith("test"))


def _imported(text: str, paths: Collection[str]) -> Iterator[str]:
    tree = parsed(text)
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for each in node.names:
                if _is_own(node.module, paths) or _is_own(f"{node.module}.{each.name}", paths):
                    yield each.asname or each.name
        elif isinstance(node, ast.Import):
            for each in node.names:
                if _is_own(each.name, paths):
                    yield each.asname or each.name.partition(".")[0]


def _is_own(module: str, paths: Collection[str]) -> bool:
    path = module.replace(".", "/")
    files = (f"{root}{path}{end}" for root in ("", "src/", "lib/") for end in (".py", "/__init__.py"))
    return any(file in paths and not is_test(file) for file in files)
