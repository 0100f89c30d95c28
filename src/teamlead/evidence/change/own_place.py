"""What a module does with its own name and place: files of data and loggers need them, decisions need not."""

import ast
from collections.abc import Mapping

_OWN = frozenset({"builtins.__name__", "builtins.__file__"})
_ENDS = frozenset(
    {"getLogger", "get_logger", "open", "files", "read_text", "read_bytes", "as_file", "get_data", "load"}
)
"""What these give says nothing about who calls."""
_ASKS = frozenset(
    {
        "exists",
        "isfile",
        "isdir",
        "is_file",
        "is_dir",
        "startswith",
        "endswith",
        "match",
        "search",
        "fullmatch",
    }
    | {"listdir", "glob", "iterdir", "find", "count", "index"}
)


def decides(node: ast.AST, above: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether what is done may depend on it: it is compared, asked for, or stands in a condition."""
    while isinstance(node, ast.expr | ast.keyword | ast.comprehension):
        outer = above[node]
        if isinstance(outer, ast.Call):
            if _called(outer) in _ENDS:
                return False
            if _called(outer) in _ASKS:
                return True
        if isinstance(outer, ast.Compare | ast.BoolOp | ast.Match):
            return True
        if isinstance(outer, ast.Subscript) and outer.slice is node:
            return True
        if node in (getattr(outer, "test", None), *getattr(outer, "ifs", ())):
            return True
        node = outer
    return False


def handed_on(value: ast.expr, names: Mapping[str, str]) -> str:
    """The name or the place that a value is made of, or nothing."""
    above = {child: parent for parent in ast.walk(value) for child in ast.iter_child_nodes(parent)}
    for node in ast.walk(value):
        origin = names.get(node.id, "") if isinstance(node, ast.Name) else ""
        if origin in _OWN and not _ended(node, above):
            return origin
    return ""


def _ended(node: ast.AST, above: Mapping[ast.AST, ast.AST]) -> bool:
    while node in above:
        node = above[node]
        if isinstance(node, ast.Call) and _called(node) in _ENDS:
            return True
    return False


def _called(call: ast.Call) -> str:
    named = call.func
    return named.attr if isinstance(named, ast.Attribute) else getattr(named, "id", "")
