"""Code that newly looks at who calls it, and when: arguments, environment, stack, main module, clock, calls.

By this a program can tell a test from its use. In Python every name is followed to the module that it comes
from, under whatever name; in other languages words in a row are compared.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from teamlead.core.evidence.values import Evidence, in_brief
from teamlead.evidence.change import asked
from teamlead.evidence.sources.languages import Language, language
from teamlead.evidence.sources.statements import parsed
from teamlead.evidence.sources.tokens import Token, tokens
from teamlead.evidence.weakening.files_of_tests import Text, is_test
from teamlead.ports.checking import Claim

CLAIM = "it does the same whoever calls it"
_PYTHON: Final[Mapping[str, str]] = {
    "sys.argv": "arguments",
    "sys.orig_argv": "arguments",
    "argparse": "arguments",
    "os.environ": "environment",
    "os.environb": "environment",
    "os.getenv": "environment",
    "os.getenvb": "environment",
    "os.getppid": "process",
    "os.getcwd": "process",
    "os.ttyname": "process",
    "os.isatty": "process",
    "psutil": "process",
    "sys._getframe": "stack",
    "sys._current_frames": "stack",
    "sys.exc_info": "stack",
    "inspect.currentframe": "stack",
    "inspect.stack": "stack",
    "inspect.trace": "stack",
    "inspect.getouterframes": "stack",
    "inspect.getframeinfo": "stack",
    "traceback.extract_stack": "stack",
    "traceback.format_stack": "stack",
    "traceback.walk_stack": "stack",
    "sys.modules": "modules",
    "sys.gettrace": "modules",
    "sys.getprofile": "modules",
    "sys.path": "modules",
    "sys.flags": "modules",
    "gc": "modules",
    "unittest": "test program",
    "pytest": "test program",
    "_pytest": "test program",
    "nose": "test program",
    "doctest": "test program",
    "time": "clock",
    "time.sleep": "",
    "datetime.datetime.now": "clock",
    "datetime.datetime.utcnow": "clock",
    "datetime.datetime.today": "clock",
    "datetime.date.today": "clock",
    "importlib.import_module": "computed name",
    "os.__dict__": "computed name",
    "sys.__dict__": "computed name",
    "builtins.eval": "computed name",
    "builtins.exec": "computed name",
    "builtins.__import__": "computed name",
    "builtins.globals": "computed name",
    "builtins.__name__": "main module",
    "builtins.__file__": "main module",
}
_WORDS: Final[Mapping[Language, Mapping[str, str]]] = {
    "javascript": {
        "process . argv": "arguments",
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
        "Backtrace ::": "stack",
        "Location :: caller": "stack",
        "cfg ! ( test": "test program",
        "cfg ( not ( test": "test program",
        "SystemTime :: now": "clock",
        "Instant :: now": "clock",
    },
}
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
        for text in texts
        if text.after and language(text.path) and not is_test(text.path, text.after)
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


Read = tuple[str, str, int]
"""Its kind, what is read, and in which line."""


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
            yield from _of_python(tree)
            yield from _counters(tree)
    elif spoken in _WORDS:
        yield from _in_a_row(tokens(text, spoken), _WORDS[spoken])


def _of_python(tree: ast.Module) -> Iterator[Read]:
    names = _imported(tree)
    above = {child: parent for parent in ast.walk(tree) for child in ast.iter_child_nodes(parent)}
    guards = {id(each.test) for each in tree.body if isinstance(each, ast.If)}
    plain = {id(part) for each in ast.walk(tree) if id(each) in guards for part in ast.walk(each)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute | ast.Name) and isinstance(node.ctx, ast.Load):
            # `if __name__ == "__main__":` at the end of a module is how every program begins.
            if isinstance(node, ast.Name) and node.id == "__name__" and id(node) in plain:
                continue
            origin = _origin(node, names)
            kind = _kind(origin)
            if kind:
                yield kind, origin.removeprefix("builtins.") + _key(node, above), node.lineno
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "getattr":
            owner = _origin(node.args[0], names) if node.args else ""
            if owner in {"sys", "os", "builtins"} or (len(node.args) > 1 and _is_dunder(node.args[1])):
                yield "computed name", ast.unparse(node), node.lineno


def _key(node: ast.AST, above: Mapping[ast.AST, ast.AST]) -> str:
    """Which one of many is read, where it says so; else where it goes."""
    for _ in range(3):
        node = above.get(node, node)
        given = (
            node.args[:1]
            if isinstance(node, ast.Call)
            else [node.slice]
            if isinstance(node, ast.Subscript)
            else []
        )
        if given and isinstance(given[0], ast.Constant):
            return f"[{given[0].value!r}]"
        if isinstance(node, ast.Assign):
            return f" as {ast.unparse(node.targets[0])}"
    return ""


def _is_dunder(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and str(node.value).startswith("__")


def _imported(tree: ast.Module) -> dict[str, str]:
    """What each name stands for."""
    names = {
        name: f"builtins.{name}" for name in ("eval", "exec", "__import__", "globals", "__name__", "__file__")
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                first = alias.name.partition(".")[0]
                names[alias.asname or first] = alias.name if alias.asname else first
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                names[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    # A second name for it: `environment = os.environ`.
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            origin = _origin(node.value, names)
            if origin and node.targets[0].id not in names:
                names[node.targets[0].id] = origin
    return names


def _origin(node: ast.expr, names: Mapping[str, str]) -> str:
    if isinstance(node, ast.Name):
        return names.get(node.id, "")
    if isinstance(node, ast.Attribute):
        owner = _origin(node.value, names)
        return f"{owner}.{node.attr}" if owner else ""
    return ""


def _kind(origin: str) -> str:
    parts = origin.split(".")
    for end in range(len(parts), 0, -1):
        # A module alone is read by what is read of it.
        name = ".".join(parts[:end])
        if name in _PYTHON and "." in origin:
            return _PYTHON[name]
    return ""


def _counters(tree: ast.Module) -> Iterator[Read]:
    """Finds functions that behave otherwise from some call on: what they count is kept from call to call."""
    shared = {
        target.id
        for each in tree.body
        if isinstance(each, ast.Assign | ast.AnnAssign)
        for target in (each.targets if isinstance(each, ast.Assign) else [each.target])
        if isinstance(target, ast.Name)
    }
    shared |= {each.name for each in tree.body if isinstance(each, ast.ClassDef)}
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        kept = {name for each in ast.walk(function) if isinstance(each, ast.Global) for name in each.names}
        defaults = [*function.args.defaults, *function.args.kw_defaults]
        if any(isinstance(each, ast.List | ast.Dict | ast.Set) for each in defaults):
            kept |= {each.arg for each in (*function.args.args, *function.args.kwonlyargs)}
        kept |= shared | {function.name}
        changed = {_root(node) for each in ast.walk(function) for node in _changed(each)} & kept
        tests = [each.test for each in ast.walk(function) if isinstance(each, ast.If | ast.IfExp | ast.While)]
        asked_for = {part.id for test in tests for part in ast.walk(test) if isinstance(part, ast.Name)}
        for name in sorted(changed & asked_for):
            yield "number of calls", f"{function.name} counts in {name}", function.lineno


def _changed(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.AugAssign):
        yield node.target


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _in_a_row(found: Sequence[Token], table: Mapping[str, str]) -> Iterator[Read]:
    for words, kind in table.items():
        parts = words.split(" ")
        for index, token in enumerate(found):
            row = found[index : index + len(parts)]
            if token.text == parts[0] and [each.text for each in row] == parts:
                yield kind, "".join(parts), token.line
                break
