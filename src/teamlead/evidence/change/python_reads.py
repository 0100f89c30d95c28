"""What a module of Python reads of who calls it: every name is followed to the module that it comes from."""

import ast
from collections.abc import Iterator, Mapping
from typing import Final

from teamlead.evidence.change.own_place import decides, handed_on

Read = tuple[str, str, int]
"""Its kind, what is read, and in which line."""
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


def python_reads(tree: ast.Module) -> Iterator[Read]:
    names = imported(tree)
    above = {child: parent for parent in ast.walk(tree) for child in ast.iter_child_nodes(parent)}
    guards = {id(each.test) for each in tree.body if isinstance(each, ast.If)}
    plain = {id(part) for each in ast.walk(tree) if id(each) in guards for part in ast.walk(each)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute | ast.Name) and isinstance(node.ctx, ast.Load):
            # `if __name__ == "__main__":` at the end of a module is how every program begins.
            if isinstance(node, ast.Name) and node.id == "__name__" and id(node) in plain:
                continue
            origin = origin_of(node, names)
            kind = _kind(origin)
            if kind == "main module" and not decides(node, above):
                continue
            if kind:
                key = _key(node, above)
                kind = "program's name" if origin == "sys.argv" and key == "[0]" else kind
                yield kind, origin.removeprefix("builtins.") + key, node.lineno
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "getattr":
            owner = origin_of(node.args[0], names) if node.args else ""
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


def imported(tree: ast.Module) -> dict[str, str]:
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
            origin = origin_of(node.value, names) or handed_on(node.value, names)
            if origin and node.targets[0].id not in names:
                names[node.targets[0].id] = origin
    return names


def origin_of(node: ast.expr, names: Mapping[str, str]) -> str:
    if isinstance(node, ast.Name):
        return names.get(node.id, "")
    if isinstance(node, ast.Attribute):
        owner = origin_of(node.value, names)
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
