"""Unit tests of Rust, called by an example of their package, which is built without `cfg(test)`.

What stands in a package's folder of tests is outside in any case.
"""

import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import NamedTuple

from teamlead.core.evidence.values import CheckResult
from teamlead.evidence.proofs import outside_calls as calls
from teamlead.evidence.proofs.bench import Bench
from teamlead.evidence.proofs.outside_calls import Called
from teamlead.evidence.proofs.outside_program import FAILED, MARKER
from teamlead.evidence.proofs.variants import Files, stored
from teamlead.evidence.sources.unit_tests import modules_of_tests
from teamlead.evidence.weakening.files_of_tests import read_texts
from teamlead.system.git import Git

MOST_SOURCES = 200
_ROOTS = ("lib.rs", "main.rs")
_OF_TESTS = re.compile(r"#\[cfg\(test\)\]\s*(?=(?:pub(?:\([^)]*\))?\s+)?mod\s)")
_MODULE = re.compile(r"^([ \t]*)(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)(?=\s*[;{])", re.MULTILINE)
_TEST = re.compile(r"(?<!\])(\n[ \t]*)#\[test\]\s*(?:pub\s+)?fn\s+(\w+)\s*\(\s*\)(?=\s*\{)")
_MAIN = """
fn main() {
    let mut way = String::new();
    std::io::stdin().read_line(&mut way).unwrap();
    let calls: &[(&str, fn())] = &[TESTS];
    for (name, call) in calls {
        let thread = if way == "bare" { "step" } else { name.split_once("::").unwrap().1 };
        let ended = std::thread::Builder::new().name(thread.to_string()).spawn(*call).unwrap().join();
        let told = match ended {
            Ok(()) => "passed".to_string(),
            Err(said) => {
                let said = match (said.downcast_ref::<String>(), said.downcast_ref::<&str>()) {
                    (Some(text), _) => text.to_string(),
                    (_, Some(text)) => text.to_string(),
                    _ => String::new(),
                };
                let first = said.lines().next().unwrap_or("");
                let asserted = first.starts_with("assertion");
                if asserted { format!("FAILED{}", first) } else { "unknown".to_string() }
            }
        };
        println!("\\nMARKER{{{:?}: {{{:?}: {:?}}}}}", way, name, told);
    }
}
"""
_BUILD = (
    "cargo rustc -q --example {name} --message-format=json -- --cap-lints warn {more}"
    ' | sed -n \'s/.*"executable":"\\([^"]*\\)".*/\\1/p\' | tail -n 1'
)
_KEPT = 'env -i PATH="$PATH" HOME="$HOME"'


class _Package(NamedTuple):
    folder: PurePosixPath
    root: str
    sources: Mapping[str, str]
    wanted: frozenset[str]
    """The sources whose tests are called."""


async def call_rust(bench: Bench) -> Called | None:
    check = calls.by_a_program(bench, ("cargo",))
    package = await bench.look(_asked, bench) if check else None
    if not check or not package:
        return None
    called = await _run(bench, check, package, ("bare",))
    if called and any(told.startswith(FAILED) for told in called.bare.values()):
        more = await _run(bench, check, package, ("named", "tested") * 2)
        return called._replace(ways={**called.ways, **(more.ways if more else {})})
    return called


def _asked(git: Git, bench: Bench) -> _Package | None:
    changed = [path for path in bench.is_there() if path.endswith(".rs")]
    there = calls.files(git, bench.work) if changed else []
    homes = {PurePosixPath(path).parent for path in there if PurePosixPath(path).name == "Cargo.toml"}
    for path in changed:
        folder = next((each for each in PurePosixPath(path).parents if each in homes), None)
        roots = [str(folder / "src" / root) for root in _ROOTS] if folder is not None else []
        root = next((each for each in roots if each in there), "")
        if folder is None or not root:
            continue
        below = [
            each for each in there if each.endswith(".rs") and folder / "src" in PurePosixPath(each).parents
        ]
        texts = read_texts(git, bench.work, bench.work, below[:MOST_SOURCES])
        sources = {text.path: text.after or "" for text in texts}
        wanted = frozenset(each for each in changed if _TEST.search(sources.get(each, "")))
        if wanted:
            return _Package(folder, root, sources, wanted)
    return None


async def _run(bench: Bench, check: CheckResult, package: _Package, ways: tuple[str, ...]) -> Called | None:
    name = calls.name_of_program(bench)
    entries: Files = {path: await bench.look(stored, text.encode()) for path, text in _files(package, name)}
    lines = [f"cd {shlex.quote(str(package.folder))}", f"plain=$({_BUILD.format(name=name, more='')})"]
    if "tested" in ways:
        # As a test program is called by cargo.
        lines += [
            'cp "$plain" plain.out && plain=$PWD/plain.out',
            f"built=$({_BUILD.format(name=name, more='--cfg test')})",
            "mkdir -p target/debug/deps && tested=$PWD/target/debug/deps/step-0123456789abcdef",
            'cp "$built" "$tested"',
        ]
    for way in ways:
        program = '"$tested"' if way == "tested" else '"$plain"'
        lines.append(f"printf {way} | {_KEPT} {program}")
    ran = await bench.run_with(
        bench.work, entries, check, around=lambda _: "\n".join(lines), within=calls.seconds(check)
    )
    return Called(check, ran, await calls.read_lines(ran)) if ran else None


def _files(package: _Package, name: str) -> Iterator[tuple[str, str]]:
    """A copy of the package's source, whose tests are functions that all of it sees."""
    above = package.folder / "src"
    place = package.folder / "examples" / name
    tests = {test: call for path in sorted(package.wanted) for test, call in _tests(package, path)}
    for path, text in package.sources.items():
        if PurePosixPath(path).name in _ROOTS and path != package.root:
            continue
        source = _OF_TESTS.sub("", text)
        source = _MODULE.sub(r"\1pub mod \2", source)
        source = _TEST.sub(r"\1pub fn \2()", source)
        if path == package.root:
            source = re.sub(r"^(pub )?fn main\(", "fn main_of_it(", source, flags=re.MULTILINE)
            told = ", ".join(f'("{test}", {call})' for test, call in tests.items())
            main = _MAIN.replace("TESTS", told).replace("FAILED", FAILED).replace("MARKER", MARKER)
            source += main
            yield str(place / "main.rs"), source
        else:
            yield str(place / PurePosixPath(path).relative_to(above)), source


def _tests(package: _Package, path: str) -> Iterator[tuple[str, str]]:
    text = package.sources[path]
    file = PurePosixPath(path).relative_to(package.folder / "src")
    parts = [*file.parts[:-1], *([] if path == package.root or file.stem == "mod" else [file.stem])]
    spans = [(start, end) for start, end in modules_of_tests(text)]
    for test in _TEST.finditer(text):
        inside = next((span for span in spans if span[0] < test.start() < span[1]), None)
        named = _MODULE.search(text[slice(*inside)]) if inside else None
        within = [*parts, *([named[2]] if named else []), test[2]]
        yield f"{path}::{test[2]}", "::".join(["crate", *within])
