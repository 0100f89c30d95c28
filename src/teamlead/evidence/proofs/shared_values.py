"""Functions of Python that read what a change alters of their module, and that were not meant by it."""

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from teamlead.evidence.proofs.python_statements import parsed

_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
_STAYS = re.compile(
    r"\b(?:stays?|unchanged|untouched|as (?:it|they) (?:is|are|was|were)|not change"
    r"|keeps? (?:its|their|the|on)|still|same|alone|like before|as before)\b"
    r"|そのまま|変えな|変更しな|그대로|바꾸지|변경하지",
    re.IGNORECASE,
)
MOST_CALLS = 30


class Shared(NamedTuple):
    values: tuple[str, ...]
    """What was altered."""
    meant: tuple[str, ...]
    neighbours: tuple[str, ...]


def shared(before: str, after: str, said: str) -> Shared | None:
    """`said`: the words of the task. None: no function reads the same that another one was changed by."""
    had, has = parsed(before), parsed(after)
    if had is None or has is None:
        return None
    old, new = _named(had), _named(has)
    altered = [name for name in new if name in old and _is_value(new[name]) and _differ(old[name], new[name])]
    values = _readers(new, altered)
    functions = [
        name
        for name in values
        if isinstance(new[name], _Function) and not name.startswith("_") and name in old
    ]
    kept = {name for name in functions if _is_to_stay(name, said)}
    meant = [
        name
        for name in functions
        if name not in kept and (_names(name, said) or _differ(old[name], new[name]))
    ]
    rest = [name for name in functions if name not in meant and not _differ(old[name], new[name])]
    return Shared(tuple(altered), tuple(meant), tuple(rest)) if altered and meant and rest else None


def _named(tree: ast.Module) -> dict[str, ast.stmt]:
    found: dict[str, ast.stmt] = {}
    for node in tree.body:
        if isinstance(node, _Function):
            found[node.name] = node
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {each.id: node for each in targets if isinstance(each, ast.Name)}
    return found


def _is_value(node: ast.stmt) -> bool:
    return not isinstance(node, _Function)


def _differ(old: ast.stmt, new: ast.stmt) -> bool:
    return ast.dump(old) != ast.dump(new)


def _readers(named: Mapping[str, ast.stmt], altered: Collection[str]) -> list[str]:
    """By themselves, or by what they read and call."""
    reads = {
        name: {each.id for each in ast.walk(node) if isinstance(each, ast.Name)} - {name}
        for name, node in named.items()
    }
    found = set(altered)
    for _ in named:
        found |= {name for name, used in reads.items() if not found.isdisjoint(used)}
    return [name for name in named if name in found]


def _names(name: str, said: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", said))


def _is_to_stay(name: str, said: str) -> bool:
    """As one sentence says that has its name."""
    sentences = re.split(r"(?<=[.!?。])\s+|\n\s*\n|[;:]\s", said)
    return any(_names(name, each) and _STAYS.search(each) for each in sentences)


def given(tests: Sequence[str], function: str, meant: Collection[str], after: str) -> list[str]:
    """The arguments that tests hold: of its own calls, and of those that were meant, if it takes as many."""
    tree = parsed(after)
    node = _named(tree).get(function) if tree else None
    if not isinstance(node, ast.FunctionDef) or node.args.kwonlyargs or node.decorator_list:
        return []
    most = len(node.args.posonlyargs) + len(node.args.args)
    least = most - len(node.args.defaults)
    own, others = list[str](), list[str]()
    for test in tests:
        for name, arguments in _calls(test):
            if name == function and len(arguments) <= most:
                own.append(_written(arguments))
            elif name in meant and len(arguments) >= least and all(map(_is_harmless, arguments)):
                others.append(_written(arguments[: max(least, 1)]))
    return list(dict.fromkeys(own + others))[:MOST_CALLS]


def _calls(text: str) -> Iterator[tuple[str, list[object]]]:
    tree = parsed(text)
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.Call) and node.args:
            try:
                yield (
                    ast.unparse(node.func).rpartition(".")[2],
                    [ast.literal_eval(each) for each in node.args],
                )
            except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
                continue


def _written(arguments: Sequence[object]) -> str:
    return f"({', '.join(map(repr, arguments))}{',' if len(arguments) == 1 else ''})"


def _is_harmless(value: object) -> bool:
    """And no place of a file, that another function may do something to."""
    return not re.search(r"[/\\~]", repr(value))
