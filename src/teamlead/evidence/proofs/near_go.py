"""Functions of Go, called with what tests gave them and with values near that.

Each begins with a call that notes what it is given. They are called by a program that is made of the sources
of their package, so that it reaches those that are not exported, too.
"""

import json
import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from string import Template
from typing import NamedTuple

from teamlead.evidence.proofs.go_functions import GoFunction, functions
from teamlead.evidence.proofs.near_calls import FOLDER, NAME, VARIABLE, Call, Noted, Program, Way
from teamlead.evidence.proofs.pure_go import is_source
from teamlead.evidence.proofs.variants import Entry, entries, stored
from teamlead.evidence.sources.brackets import code
from teamlead.evidence.weakening.files_of_tests import Text, read_texts
from teamlead.system.git import Git

_PROGRAM = Path(__file__).with_name("near_program.go")
_MOST_PACKAGES = 3
_MOST_CALLS = 400
"""Of one function: tests go through ranges, and through what comes by chance."""
_LONGEST = 500
_NO_VALUE = re.compile(r"\*|\b(?:any|chan|error|func|interface|struct)\b")
"""In the type of a parameter: what it is given cannot be written down."""
_PACKAGE = re.compile(r"^package (\w+)", re.MULTILINE)
_NOTES = Template("""package $package

import (
	"encoding/json"
	"os"
	"sync"
)

var teamleadLock sync.Mutex
var teamleadSeen = map[string]map[string]bool{}

func teamleadNote(name string, given ...interface{}) {
	text, err := json.Marshal(given)
	if err != nil || len(text) > $longest {
		return
	}
	teamleadLock.Lock()
	defer teamleadLock.Unlock()
	seen := teamleadSeen[name]
	if seen == nil {
		seen = map[string]bool{}
		teamleadSeen[name] = seen
	}
	if seen[string(text)] || len(seen) == $most {
		return
	}
	seen[string(text)] = true
	call, _ := json.Marshal([]string{$folder, name, string(text)})
	notes, err := os.OpenFile(os.Getenv("$variable"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		notes.Write(append(call, '\\n'))
		notes.Close()
	}
}
""")
_TABLE = Template("""package main

var teamleadFunctions = map[string]interface{}{$entries}
""")


class _Plain(NamedTuple):
    """A function that belongs to no type, and has no types of its own."""

    name: str
    given: tuple[str, ...]
    body: int
    """Where in the text its body begins."""


def _noting(git: Git, work: str, modules: Sequence[Text]) -> Program:
    files: dict[str, Entry | None] = {f"{FOLDER}/README": stored(git, b"Notes of what tests call.\n")}
    modes = entries(git, work, [text.path for text in modules])
    for text in modules:
        source, found = text.after or "", _PACKAGE.search(text.after or "")
        mode = modes[text.path]
        if found is None or mode is None:
            continue
        for each in sorted(_functions(source), key=lambda each: -each.body):
            given = ", ".join((json.dumps(each.name), *each.given))
            source = f"{source[: each.body]} teamleadNote({given}); {source[each.body :]}"
        folder = PurePosixPath(text.path).parent
        notes = _NOTES.substitute(
            package=found[1],
            folder=json.dumps(str(folder)),
            variable=VARIABLE,
            most=_MOST_CALLS,
            longest=_LONGEST,
        )
        files[text.path] = stored(git, source.encode(), mode.mode)
        files[str(folder / f"{NAME}.go")] = stored(git, notes.encode())
    # What go remembers of a test leaves no notes.
    return Program(files, 'export GOFLAGS="$(go env GOFLAGS) -count=1"')


def _functions(text: str) -> Iterator[_Plain]:
    read = code(text, "go")
    for each in functions(read) if read else ():
        names = tuple(parameter.name for parameter in each.given)
        if read and _is_plain(each) and all(name and name != "_" for name in names):
            yield _Plain(each.function.name, names, read.words[each.body].end)


def _is_plain(each: GoFunction) -> bool:
    return each.is_alone and bool(each.given) and not any(_NO_VALUE.search(one.type) for one in each.given)


def _noted(lines: list[str]) -> Noted:
    calls = [call for line in lines if (call := _call(line))][: 5 * _MOST_CALLS]
    folders = list(dict.fromkeys(call[0] for call in calls))[:_MOST_PACKAGES]
    return Noted([call for folder in folders for call in calls if call[0] == folder])


def _call(line: str) -> Call | None:
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, list) and [str] * 3 == [type(each) for each in found] else None


def _calling(git: Git, commit: str, noted: Noted, with_near: bool) -> Program:
    files: dict[str, Entry | None] = {}
    lines = []
    for folder in dict.fromkeys(call[0] for call in noted.calls):
        place = PurePosixPath(folder) / NAME
        asked = [{"Name": name, "Given": given} for home, name, given in noted.calls if home == folder]
        texts = _sources(git, commit, folder)
        files |= {str(place / name): stored(git, text.encode()) for name, text in _files(texts, asked)}
        given = f"{NAME}/calls.json {shlex.quote(folder)}"
        lines.append(
            f"(cd {shlex.quote(folder)} && go build -buildvcs=false -o {NAME}/out ./{NAME} </dev/null\n"
            f"./{NAME}/out {'near' if with_near else 'these'} {given} </dev/null)"
        )
    return Program(files, "\n".join(lines))


def _sources(git: Git, commit: str, folder: str) -> list[Text]:
    listed = git.run(
        "ls-tree", "-z", "--name-only", f"{commit}:{'' if folder == '.' else folder}", ok=(0, 128)
    )
    names = [field.decode("utf-8", "replace") for field in listed.fields]
    paths = [str(PurePosixPath(folder, name)) for name in names if is_source(name)]
    return read_texts(git, commit, commit, paths) if paths else []


def _files(texts: Sequence[Text], asked: Sequence[dict[str, str]]) -> Iterator[tuple[str, str]]:
    there = {each.name for text in texts for each in _functions(text.after or "")}
    for text in texts:
        source = re.sub(r"^func main\(", "func mainOfIt(", text.after or "", flags=re.MULTILINE)
        yield PurePosixPath(text.path).name, _PACKAGE.sub("package main", source, count=1)
    names = dict.fromkeys(each["Name"] for each in asked if each["Name"] in there)
    table = "".join(f"\n\t{json.dumps(name)}: {name}," for name in names)
    yield f"{NAME}_table.go", _TABLE.substitute(entries=f"{table}\n")
    yield f"{NAME}_calls.go", _PROGRAM.read_text("utf-8")
    yield "calls.json", json.dumps(asked)


GO = Way((".go",), _noting, _noted, _calling)
