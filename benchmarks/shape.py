"""The shape of the source: how many there are of what should be one, or few, or none.

`python -m benchmarks.shape [--json] [--places FIGURE] [--source FOLDER]`

Everything is read from syntax trees: nothing is imported or run. A counter's docstring says what it counts.
"""

import argparse
import ast
import inspect
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).parents[1] / "src/teamlead"
MOST_ARGUMENTS = 5
MOST_FILES = 3
OUTSIDE = {"views", "cli"}
"""The rooms that make what the outside reads."""
FOREIGN = {"session_file", "sarif"}
"""Modules whose documents have keys that others have named."""


class Import(NamedTuple):
    statement: ast.stmt
    here: str
    full: str


class Module:
    def __init__(self, path: str, text: str) -> None:
        self.path = path
        parts = Path(path).with_suffix("").parts
        self.parts = parts[:-1] if parts[-1] == "__init__" else parts
        self.name = ".".join(("teamlead", *self.parts))
        self.room = self.parts[0] if self.parts else ""
        self.tree = ast.parse(text, path)
        self.nodes = list(ast.walk(self.tree))

    @cached_property
    def imports(self) -> list[Import]:
        """Of our own modules only, wherever they stand."""
        found: list[Import] = []
        for node in self.nodes:
            match node:
                case ast.Import(names=names):
                    found += [Import(node, each.asname or each.name, each.name) for each in names]
                case ast.ImportFrom(module=str(source), names=names):
                    found += [
                        Import(node, each.asname or each.name, f"{source}.{each.name}") for each in names
                    ]
        return [each for each in found if each.full.split(".")[0] == "teamlead"]

    @cached_property
    def functions(self) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
        return [node for node in self.nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]

    @cached_property
    def calls(self) -> list[tuple[ast.Call, str]]:
        """Each with the name of what it calls: the full one, where that was imported from us."""
        return [(node, self._full_name(node.func)) for node in self.nodes if isinstance(node, ast.Call)]

    @cached_property
    def _names(self) -> dict[str, str]:
        return {each.here: each.full for each in self.imports}

    def _full_name(self, node: ast.expr) -> str:
        match node:
            case ast.Name(id=name):
                return self._names.get(name, name)
            case ast.Attribute(value=value, attr=name):
                return f"{self._full_name(value)}.{name}"
        return ""

    def at(self, node: ast.stmt | ast.expr | ast.pattern, what: str = "") -> str:
        return f"{self.path}:{node.lineno} {what}".rstrip()


Modules = Sequence[Module]


def builders(modules: Modules) -> Iterator[str]:
    """Calls that make a RunSpec, which is what a runner gets."""
    for module in modules:
        yield from (module.at(call) for call, name in module.calls if _last(name) == "RunSpec")


def deciders(modules: Modules) -> Iterator[str]:
    """Modules that call the core's decide or evolve, but for core's step, these two, and a function fold."""
    for module in modules:
        if module.room == "core" and {"step", "decide", "evolve"} & set(module.parts):
            continue
        folding = {node for each in module.functions if each.name == "fold" for node in ast.walk(each)}
        called = [name for call, name in module.calls if call not in folding]
        if any(name.startswith("teamlead.core.") and _last(name) in {"decide", "evolve"} for name in called):
            yield module.path


def phase_comparisons(modules: Modules) -> Iterator[str]:
    """Comparisons and cases that hold something called phase against names of the session's phases."""
    phases = _phases(modules)
    for module in modules:
        for node in module.nodes:
            match node:
                case ast.Compare(left=left, comparators=others):
                    sides = [left, *others]
                    if any(map(_is_phase, sides)) and any(_texts(side) & phases for side in sides):
                        yield module.at(node)
                case ast.Match(subject=subject, cases=cases) if _is_phase(subject):
                    yield from (module.at(case.pattern) for case in cases if _texts(case.pattern) & phases)


def _phases(modules: Modules) -> set[str]:
    for module in modules:
        for node in module.tree.body if module.room == "core" else ():
            match node:
                case ast.Assign(targets=[ast.Name(id="Phase")], value=value):
                    return _texts(value)
    raise SystemExit("no module of core says `Phase = Literal[...]`: say here where the phases are named")


def _is_phase(node: ast.expr) -> bool:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Subscript(slice=ast.Constant(value=name)):
            return name == "phase"
    return False


def _texts(node: ast.AST) -> set[str]:
    constants = (each.value for each in ast.walk(node) if isinstance(each, ast.Constant))
    return {value for value in constants if isinstance(value, str)}


def long_calls(modules: Modules) -> Iterator[str]:
    """Calls of our own classes and functions with more than five arguments by position.

    Not calls of what takes any number of them (the words of a git command), and not the rows of a table:
    calls that are the items of a constant of the module.
    """
    ours = {node.name for module in modules for node in module.nodes if isinstance(node, ast.ClassDef)}
    ours |= {each.name for module in modules for each in module.functions}
    ours -= {each.name for module in modules for each in module.functions if each.args.vararg}
    for module in modules:
        rows = set(_rows(module))
        for call, name in module.calls:
            if len(call.args) > MOST_ARGUMENTS and _last(name) in ours and call not in rows:
                yield module.at(call, f"{_last(name)}, {len(call.args)}")


def _rows(module: Module) -> Iterator[ast.expr]:
    for node in module.tree.body:
        match node:
            case ast.Assign(value=value) | ast.AnnAssign(value=value):
                match value:
                    case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Dict(values=items):
                        yield from items


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def repeated_names(modules: Modules) -> Iterator[str]:
    """Names of files that stand in more than three folders, __init__.py aside."""
    folders: dict[str, list[str]] = defaultdict(list)
    for module in modules:
        path = Path(module.path)
        folders[path.name].append(str(path.parent))
    for name, where in sorted(folders.items()):
        if name != "__init__.py" and len(where) > MOST_FILES:
            yield f"{name}: {', '.join(where)}"


def single_importers(modules: Modules) -> Iterator[str]:
    """Modules, packages too, that exactly one other module imports, at its top or in a function."""
    known = {module.name for module in modules}
    importers: dict[str, set[str]] = defaultdict(set)
    for module in modules:
        for each in module.imports:
            imported = each.full if each.full in known else each.full.rpartition(".")[0]
            importers[imported].add(module.path)
    for module in modules:
        others = importers[module.name] - {module.path}
        if len(others) == 1:
            yield f"{module.path}: {others.pop()}"


def hidden_imports(modules: Modules) -> Iterator[str]:
    """Import statements of our own modules inside functions of cli."""
    for module in modules:
        if module.room == "cli":
            inside = {node for each in module.functions for node in ast.walk(each)}
            statements = dict.fromkeys(each.statement for each in module.imports)
            yield from (module.at(node, ast.unparse(node)) for node in statements if node in inside)


def loose_tables(modules: Modules) -> Iterator[str]:
    """Annotations and aliases `dict[str, Any]` in views and cli."""
    for module in modules:
        for node in module.nodes if module.room in OUTSIDE else ():
            if isinstance(node, ast.Subscript) and ast.unparse(node) == "dict[str, Any]":
                yield module.at(node)


def camel_keys(modules: Modules) -> Iterator[str]:
    """Keys in camelCase, and structs that rename fields, in views and cli; not session.json's and SARIF's."""
    for module in modules:
        if module.room not in OUTSIDE or module.parts[-1] in FOREIGN:
            continue
        for node in module.nodes:
            match node:
                case ast.Dict(keys=keys):
                    constants = (key for key in keys if isinstance(key, ast.Constant))
                    yield from (module.at(key, str(key.value)) for key in constants if _camel(key.value))
                case ast.ClassDef(keywords=keywords) if any(each.arg == "rename" for each in keywords):
                    yield module.at(node, node.name)


def _camel(key: object) -> bool:
    return isinstance(key, str) and key.isalnum() and key[0].islower() and not key.islower()


def wiring(modules: Modules) -> Iterator[str]:
    """Modules of wiring."""
    return (module.path for module in modules if module.room == "wiring")


Counter = Callable[[Modules], Iterator[str]]
COUNTERS: Mapping[str, Counter] = {
    "builders": builders,
    "deciders": deciders,
    "phase-comparisons": phase_comparisons,
    "long-calls": long_calls,
    "repeated-names": repeated_names,
    "single-importers": single_importers,
    "hidden-imports": hidden_imports,
    "loose-tables": loose_tables,
    "camel-keys": camel_keys,
    "wiring": wiring,
}


def modules_in(source: Path) -> list[Module]:
    paths = sorted(source.rglob("*.py"))
    return [Module(path.relative_to(source).as_posix(), path.read_text("utf-8")) for path in paths]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="every figure with all of its places")
    parser.add_argument("--places", choices=COUNTERS, help="where this one is counted")
    parser.add_argument("--source", type=Path, default=SOURCE, help="another tree's src/teamlead")
    options = parser.parse_args(arguments)
    modules = modules_in(options.source)
    places = {name: list(count(modules)) for name, count in COUNTERS.items()}
    if options.json:
        print(json.dumps({"modules": len(modules), "places": places}, indent=2))
    elif options.places:
        print("\n".join(places[options.places]))
    else:
        print(f"{'modules':20}{len(modules):5}")
        for name, found in places.items():
            files = len({place.partition(":")[0] for place in found})
            within = f"in {files} files" if files < len(found) else ""
            meaning = str(inspect.getdoc(COUNTERS[name])).partition("\n")[0]
            print(f"{name:20}{len(found):5} {within:13}{meaning}")


if __name__ == "__main__":
    main()
