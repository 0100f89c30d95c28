"""Faults in what new tests speak of, where a change left the code itself as it was."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence

from teamlead.evidence.proofs import go_faults, javascript_faults, python_faults
from teamlead.evidence.proofs.bench import Bench
from teamlead.evidence.proofs.faults import Fault, in_turns
from teamlead.evidence.proofs.harness import is_of_tests
from teamlead.evidence.sources.languages import Language, language
from teamlead.evidence.weakening.files_of_tests import read_texts
from teamlead.system.git import Git

FAULTS: Mapping[Language, Callable[[str, Collection[int]], Sequence[Fault]]] = {
    "python": python_faults.faults,
    "javascript": javascript_faults.faults,
    "go": go_faults.faults,
}
MOST_FILES = 300
_NAME = re.compile(r"[^\W\d]\w{2,}")


def faults_in_tested_code(git: Git, bench: Bench) -> list[tuple[str, Fault]]:
    """Functions that new lines of tests name, giving nothing: who looks at what they give notices."""
    touched = [path for path in bench.is_there() if language(path) and is_of_tests(path)]
    texts = read_texts(git, bench.base, bench.work, touched) if touched else []
    names = {name for text in texts for name in _new_names(text.before, text.after)}
    listed = git.run("ls-tree", "-r", "-z", "--name-only", bench.work).fields if names else []
    paths = [field.decode("utf-8", "replace") for field in listed]
    paths = [path for path in paths if _is_code(path, touched)][:MOST_FILES]
    code = read_texts(git, bench.work, bench.work, paths)
    found = ([(path, fault) for fault in _of_names(path, text or "", names)] for path, _, text in code)
    return list(in_turns(found))


def _is_code(path: str, tests: Sequence[str]) -> bool:
    spoken = language(path)
    return spoken in FAULTS and not is_of_tests(path) and any(language(test) == spoken for test in tests)


def _new_names(before: str | None, after: str | None) -> set[str]:
    known = set((before or "").split("\n"))
    return {name for line in (after or "").split("\n") if line not in known for name in _NAME.findall(line)}


def _of_names(path: str, text: str, names: set[str]) -> list[Fault]:
    if names.isdisjoint(_NAME.findall(text)):
        return []
    wanted = {f"{name} returns nothing" for name in names}
    every_line = range(1, text.count("\n") + 2)
    return [fault for fault in FAULTS[language(path)](text, every_line) if fault.sentence in wanted]
