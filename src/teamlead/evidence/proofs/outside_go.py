"""Tests of Go, called by a program of our own.

Their package is built as a program, beside itself: with its tests, and with a package of ours in the place of
`testing`.
"""

import asyncio
import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path, PurePosixPath
from string import Template
from typing import NamedTuple

from teamlead.core.evidence.values import CheckResult
from teamlead.evidence.proofs import outside_calls as calls
from teamlead.evidence.proofs.bench import Bench, Ran
from teamlead.evidence.proofs.outside_calls import Called
from teamlead.evidence.proofs.outside_program import FAILED, MARKER
from teamlead.evidence.proofs.variants import Files, stored
from teamlead.evidence.weakening.files_of_tests import Text, read_texts
from teamlead.system.git import Git

MOST_PACKAGES = 3
_TESTING = Path(__file__).with_name("outside_testing.go")
_KIT = re.compile(r"^([ \t]*(?:import[ \t]+)?)([\w.]+[ \t]+)?\"testing\"", re.MULTILINE)
_TEST = re.compile(r"^func (Test(?![a-z])\w*)\(\s*\w+ \*testing\.T\)", re.MULTILINE)
_PACKAGE = re.compile(r"^package (\w+)", re.MULTILINE)
_MODULE = re.compile(r"^module\s+\"?([^\s\"]+)", re.MULTILINE)
_NOT_SIMPLE = re.compile(r"\*testing\.[FM]\b|^\s*//go:embed|^import \"C\"", re.MULTILINE)
_MAIN = Template("""package main

import (
	"fmt"
	"os"
$imports
	kit "$kit"
)
$around
func main() {
$disguise
	for _, each := range []struct {
		name string
		call func(*kit.T)
	}{$tests} {
		each := each
		call := func(around kit.Around) {
			told := kit.Outcome(each.name, each.call, around)
			fmt.Printf("\\n$marker{%q: {%+q: %+q}}\\n", "$way", each.name, told)
		}
$call
	}
$end
	os.Exit(0)
}
""")
_DISGUISE = """	program.Init()
	os.Args = []string{os.Args[0] + ".test", "-test.v=true"}
	flag.Parse()
	all := []program.InternalTest{}"""
_AS_A_TEST = """		tested := func(t *program.T) { call(around(t)) }
		all = append(all, program.InternalTest{Name: each.name, F: tested})"""
_AROUND = """
func around(t *program.T) kit.Around {
	return func(name string, call func(func(), kit.Around)) {
		t.Run(name, func(t *program.T) { call(t.SkipNow, around(t)) })
	}
}
"""
_AT_THE_END = "\tprogram.Main(func(string, string) (bool, error) { return true, nil }, all, nil, nil)"


class _Package(NamedTuple):
    folder: PurePosixPath
    address: str
    """By which it is imported."""
    sources: Sequence[Text]
    tests: Sequence[Text]


async def call_go(bench: Bench) -> Called | None:
    check = calls.by_a_program(bench, ("go",))
    packages = await bench.look(_asked, bench) if check else []
    if not check or not packages:
        return None
    ran = await _run(bench, check, packages, ("bare",))
    ways = await calls.read_lines(ran) if ran else {}
    called = Called(check, ran, ways) if ran else None
    if called and any(told.startswith(FAILED) for told in called.bare.values()):
        more = await _run(bench, check, packages, ("named", "tested") * 2)
        return called._replace(ways={**ways, **(await calls.read_lines(more) if more else {})})
    return called


def _asked(git: Git, bench: Bench) -> list[_Package]:
    there = calls.files(git, bench.work)
    folders = {PurePosixPath(path).parent for path in calls.changed_sources(bench, "go")}
    if not folders:
        return []
    touched = calls.tests_of(git, bench, "go", lambda text: PurePosixPath(text.path).parent in folders, there)
    wanted = sorted({PurePosixPath(text.path).parent for text in touched})[:MOST_PACKAGES]
    paths = [path for path in there if path.endswith(".go") and PurePosixPath(path).parent in wanted]
    modules = [path for path in there if PurePosixPath(path).name == "go.mod"]
    texts = read_texts(git, bench.work, bench.work, [*modules, *paths])
    homes = {
        PurePosixPath(text.path).parent: _MODULE.search(text.after or "") for text in texts[: len(modules)]
    }
    return [
        package
        for folder in wanted
        for package in _packages(
            folder,
            homes,
            [each for each in texts[len(modules) :] if PurePosixPath(each.path).parent == folder],
        )
    ]


def _packages(
    folder: PurePosixPath, homes: Mapping[PurePosixPath, re.Match[str] | None], texts: Sequence[Text]
) -> Iterator[_Package]:
    """Tests of a package, and those that import it as everybody does."""
    home = next((each for each in (folder, *folder.parents) if homes.get(each)), None)
    module = homes[home] if home is not None else None
    if home is None or module is None:
        return
    address = str(PurePosixPath(module[1], folder.relative_to(home)))
    tests = [text for text in texts if text.path.endswith("_test.go")]
    sources = [text for text in texts if text not in tests]
    for name, group in groupby(sorted(tests, key=_package), key=_package):
        files = list(group)
        own = [] if name.endswith("_test") else sources
        if name and not any(_NOT_SIMPLE.search(text.after or "") for text in (*own, *files)):
            yield _Package(folder, address, own, files)


def _package(text: Text) -> str:
    found = _PACKAGE.search(text.after or "")
    return found[1] if found else ""


async def _run(
    bench: Bench, check: CheckResult, packages: Sequence[_Package], ways: Sequence[str]
) -> Ran | None:
    name = calls.name_of_program(bench)
    kit = await asyncio.to_thread(_TESTING.read_text, "utf-8")
    files: dict[str, str] = {}
    lines = []
    for number, package in enumerate(packages):
        place = package.folder / f"{name}{number}"
        files[str(place / "kit" / "kit.go")] = kit
        inside = f"cd {shlex.quote(str(package.folder))}"
        for way in dict.fromkeys(ways):
            files |= dict(_files(package, place, way))
            built = f"{place.name}/{way}"
            lines.append(f"({inside} && go build -buildvcs=false -o {built}.out ./{built})")
        scrubbed = f'{inside} && env -i PATH="$PATH" HOME="$HOME"'
        lines += [f"({scrubbed} ./{place.name}/{way}.out)" for way in ways]
    entries: Files = {path: await bench.look(stored, text.encode()) for path, text in files.items()}
    return await bench.run_with(
        bench.work, entries, check, around=lambda _: "\n".join(lines), within=calls.seconds(check)
    )


def _files(package: _Package, place: PurePosixPath, way: str) -> Iterator[tuple[str, str]]:
    folder = place / way
    kit = f"{package.address}/{place.name}/kit"
    for text in package.sources:
        source = re.sub(r"^func main\(", "func mainOfIt(", text.after or "", flags=re.MULTILINE)
        yield str(folder / PurePosixPath(text.path).name), _PACKAGE.sub("package main", source, count=1)
    tests: dict[str, str] = {}
    for number, text in enumerate(package.tests):
        source = text.after or ""
        names = _TEST.findall(source)
        source = _KIT.sub(lambda found: f'{found[1]}{found[2] or "testing "}"{kit}"', source, count=1)
        source = _PACKAGE.sub("package main", source, count=1)
        for name in names:
            known = name if way != "bare" else f"step{len(tests)}"
            tests[f"{text.path}::{name}"] = known
            source = re.sub(rf"\b{name}\b", known, source)
        # Where its name is to be seen: it cannot be that of a test here.
        above = f"//line ../../{PurePosixPath(text.path).name}:1\n" if way != "bare" else ""
        yield str(folder / f"part_{number}.go"), above + source
    tested = way == "tested"
    yield (
        str(folder / "main_of_it.go"),
        _MAIN.substitute(
            imports='\t"flag"\n\tprogram "testing"' if tested else "",
            kit=kit,
            disguise=_DISGUISE if tested else "",
            tests="".join(f"\n\t\t{{{json.dumps(name)}, {call}}}," for name, call in tests.items()),
            call=_AS_A_TEST if tested else "\t\tcall(kit.Plain)",
            around=_AROUND if tested else "",
            end=_AT_THE_END if tested else "",
            marker=MARKER,
            way=way,
        ),
    )
