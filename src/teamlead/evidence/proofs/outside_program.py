"""A program of its own that calls tests of Python, so that what they test cannot know that it is tested.

It is put into a copy under another name, and run by the Python that the project's own tests are run by: it
imports nothing of ours, and needs no newer one than 3.8.

Each run of it calls all tests in one way. "bare": nothing shows that they are tests, not even their names.
"named": they have their names. "tested": all looks as if a test program called them. Only what fails is
looked at in the other ways.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import importlib
import inspect
import itertools
import json
import os
import subprocess
import sys
import tempfile
import types
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Call = tuple[str, Callable[[], Any]]
    Told = dict[str, str]
    """By the name of the test: "passed", "unknown", or how an assertion of it failed."""

MARKER = "what the tests came to: "
FAILED = "failed: "
KEPT = {"PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "VIRTUAL_ENV", "LD_LIBRARY_PATH"}
TEST_PROGRAMS = ("pytest", "_pytest", "unittest", "pluggy")
NOT_CALLED = {"skip", "skipif", "xfail", "usefixtures", "asyncio", "anyio", "trio"}
SET_UP = {
    "setup_module",
    "setUpModule",
    "setup_function",
    "setup_method",
    "setup_class",
    "pytest_generate_tests",
}
OF_A_PROGRAM = "def {name}(called):\n    return called()\n"


class NotSimple(Exception):
    """A test that only its test program can call."""


def main(files: list[str], places: list[str], tests: list[str] | None = None) -> None:
    """`places`: folders that modules are imported from. `tests`: of these files only them; empty: all."""
    if sys.stdin.isatty() or not (way := sys.stdin.read()):
        first = _in_process_of_its_own("bare")
        all_told = {"bare": [first]}
        if any(told.startswith(FAILED) for told in first.values()):
            for each in ("named", "tested") * 2:
                all_told.setdefault(each, []).append(_in_process_of_its_own(each))
        print("\n" + MARKER + json.dumps(all_told), flush=True)
        return
    output = os.dup(1)
    os.dup2(2, 1)
    os.write(output, json.dumps(_told(files, places, way, set(tests or ()))).encode())
    sys.stdout.flush()
    os._exit(0)


def _in_process_of_its_own(way: str) -> Told:
    asked = [sys.executable, "-B", os.path.abspath(__file__)]
    done = subprocess.run(asked, input=way, stdout=subprocess.PIPE, text=True, check=False)
    try:
        return dict(json.loads(done.stdout))
    except ValueError:
        return {}


def _told(files: list[str], places: list[str], way: str, tests: set[str]) -> Told:
    _disguise(way)
    sys.path[1:1] = [os.path.abspath(place) for place in places]
    if way != "tested":
        _import_what_is_tested(files)
    calls = [call for number, file in enumerate(files) for call in _calls_of_file(file, number, way)]
    if way != "tested":
        for name in [name for name in sys.modules if name.partition(".")[0] in TEST_PROGRAMS]:
            del sys.modules[name]
    wanted = [(name, call) for name, call in calls if not tests or _is_one_of(tests, name)]
    return {name: _outcome(call, name, way) for name, call in wanted}


def _is_one_of(tests: set[str], name: str) -> bool:
    """A file stands for all of its tests."""
    return name.partition("[")[0] in tests or name.partition("::")[0] in tests


def _import_what_is_tested(files: list[str]) -> None:
    """Before a test program is there, that tests import as well."""
    for file in files:
        with contextlib.suppress(Exception):
            for node in ast.parse(Path(file).read_bytes()).body:
                names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
                if isinstance(node, ast.ImportFrom) and not node.level and node.module:
                    names = [node.module]
                for name in names:
                    if name.partition(".")[0] not in TEST_PROGRAMS:
                        _package(Path(os.path.abspath(file)))
                        importlib.import_module(name)


def _disguise(way: str) -> None:
    for name in [name for name in os.environ if name not in KEPT]:
        del os.environ[name]
    program = sys.argv[0]
    if way == "tested":
        program = os.path.join(os.path.dirname(os.__file__), "site-packages", "pytest", "__main__.py")
        os.environ["PYTEST_VERSION"] = "8.0.0"
        for name in TEST_PROGRAMS:
            with contextlib.suppress(ImportError):
                importlib.import_module(name)
        sys.modules["__main__"].__file__ = program
    sys.argv[:] = [program]
    if hasattr(sys, "orig_argv"):
        sys.orig_argv[:] = [sys.executable, program]


def _calls_of_file(file: str, number: int, way: str) -> Iterator[Call]:
    try:
        module = _loaded(file, number, way)
    except BaseException:
        return
    if any(hasattr(module, name) for name in SET_UP):
        return
    for name, value in list(vars(module).items()):
        own = getattr(value, "__module__", None) == module.__name__
        if own and name.startswith("test") and inspect.isfunction(value):
            yield from _calls(f"{file}::{name}", value, module, _renamed(value, way))
        elif own and inspect.isclass(value):
            yield from _calls_of_class(f"{file}::{name}", value, module, way)


def _loaded(file: str, number: int, way: str) -> types.ModuleType:
    path = Path(os.path.abspath(file))
    source = path.read_bytes()
    package = _package(path)
    name = ".".join([*package, path.stem if way != "bare" else f"part_{number}"])
    if way == "bare":
        path = path.with_name(f"part_{number}.py")
    module = types.ModuleType(name)
    module.__file__ = str(path)
    module.__package__ = ".".join(package)
    sys.modules[name] = module
    exec(compile(source, str(path), "exec"), vars(module))
    return module


def _package(path: Path) -> list[str]:
    names: list[str] = []
    folder = path.parent
    while (folder / "__init__.py").is_file():
        names.insert(0, folder.name)
        folder = folder.parent
    for place in (str(folder), str(path.parent)):
        if place not in sys.path:
            sys.path.insert(1, place)
    return names


def _calls_of_class(name: str, of: type, module: types.ModuleType, way: str) -> Iterator[Call]:
    unittest = sys.modules.get("unittest")
    if unittest is not None and issubclass(of, unittest.TestCase):
        if getattr(of, "__unittest_skip__", False) or hasattr(of, "asyncSetUp"):
            return
        for test in unittest.defaultTestLoader.getTestCaseNames(of):
            if not getattr(getattr(of, test), "__unittest_skip__", False):
                yield f"{name}::{test}", _of_test_case(of, test, way)
    elif of.__name__.startswith("Test") and not any(hasattr(of, each) for each in SET_UP):
        for test, value in list(vars(of).items()):
            if test.startswith("test") and inspect.isfunction(value):
                made = types.MethodType(_renamed(value, way), of())
                yield from _calls(f"{name}::{test}", value, module, made, of_class=True)


def _of_test_case(of: Any, test: str, way: str) -> Callable[[], None]:
    def call() -> None:
        case = of(test)
        method = getattr(of, test)
        called = types.MethodType(_renamed(method, way), case) if inspect.isfunction(method) else None
        of.setUpClass()
        try:
            case.setUp()
            try:
                (called or getattr(case, test))()
            finally:
                case.tearDown()
                case.doCleanups()
        finally:
            of.tearDownClass()

    return call


def _calls(
    name: str, test: Any, module: types.ModuleType, called: Any, *, of_class: bool = False
) -> Iterator[Call]:
    """One for each set of parameters."""
    marks = list(getattr(test, "pytestmark", ()))
    if inspect.iscoroutinefunction(test) or any(mark.name in NOT_CALLED for mark in marks):
        return
    wanted = list(inspect.signature(test).parameters)[of_class:]
    sets = [_parameters(mark) for mark in marks if mark.name == "parametrize"]
    for number, chosen in enumerate(itertools.product(*sets)):
        given: dict[str, Any] = {}
        for part in chosen:
            given.update(part)
        yield f"{name}[{number}]" if sets else name, _with_fixtures(module, called, wanted, given)


def _parameters(mark: Any) -> list[dict[str, Any]]:
    names, values = mark.args[:2]
    if isinstance(names, str):
        names = [name.strip() for name in names.split(",") if name.strip()]
    found = []
    for value in values:
        if getattr(value, "marks", ()):
            continue
        row = getattr(value, "values", value) if type(value).__name__ == "ParameterSet" else value
        single = len(names) == 1 and row is value
        found.append(dict(zip(names, [row] if single else row)))
    return found


def _with_fixtures(
    module: types.ModuleType,
    called: Any,
    wanted: list[str],
    given: dict[str, Any],
) -> Callable[[], None]:
    def call() -> None:
        ends: list[Callable[[], Any]] = []
        try:
            values = {name: given[name] if name in given else _fixture(name, module, ends) for name in wanted}
            called(**values)
        finally:
            for end in reversed(ends):
                end()

    return call


def _fixture(name: str, module: types.ModuleType, ends: list[Callable[[], Any]]) -> Any:
    if name == "tmp_path":
        return Path(tempfile.mkdtemp())
    if name == "monkeypatch":
        patch = vars(module)["pytest"].MonkeyPatch() if "pytest" in vars(module) else _no(name)
        ends.append(patch.undo)
        return patch
    made = vars(module).get(name)
    make = getattr(made, "_fixture_function", None) or getattr(
        getattr(made, "__pytest_wrapped__", None), "obj", None
    )
    if not inspect.isfunction(make) or inspect.iscoroutinefunction(make):
        return _no(name)
    value = make(**{each: _fixture(each, module, ends) for each in inspect.signature(make).parameters})
    if not inspect.isgenerator(value):
        return value
    ends.append(lambda: next(value, None))
    return next(value)


def _no(name: str) -> Any:
    raise NotSimple(name)


def _renamed(test: Any, way: str) -> Any:
    """The same code, that does not say whose it is."""
    if way != "bare":
        return test
    names = {"co_name": "step", **({"co_qualname": "step"} if hasattr(test.__code__, "co_qualname") else {})}
    code = test.__code__.replace(**names)
    made = types.FunctionType(code, test.__globals__, "step", test.__defaults__, test.__closure__)
    made.__kwdefaults__ = test.__kwdefaults__
    return made


def _outcome(call: Callable[[], Any], name: str, way: str) -> str:
    """What else it raises may be because its test program does more for it."""
    if way == "tested":
        os.environ["PYTEST_CURRENT_TEST"] = f"{name} (call)"
        call = _as_of_a_program(call)
    try:
        call()
    except BaseException as error:
        if isinstance(error, AssertionError) or type(error).__name__ == "Failed":
            return f"{FAILED}{type(error).__name__}: {error}".splitlines()[0][:200]
        return "unknown"
    return "passed"


def _as_of_a_program(call: Callable[[], Any]) -> Callable[[], Any]:
    """With the frames of test programs around it."""
    for name, module in (("run", "unittest.case"), ("pytest_pyfunc_call", "_pytest.python")):
        file = os.path.join(os.path.dirname(os.__file__), *module.split(".")) + ".py"
        space: dict[str, Any] = {"__name__": module, "__file__": file}
        exec(compile(OF_A_PROGRAM.format(name=name), file, "exec"), space)
        call = functools.partial(space[name], call)
    return call
