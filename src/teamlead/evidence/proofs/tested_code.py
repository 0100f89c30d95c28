"""Faults in what new tests speak of, where a change left the code itself as it was."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from teamlead.evidence.proofs import go_faults, javascript_faults, python_faults
from teamlead.evidence.proofs.bench import Bench
from teamlead.evidence.proofs.faults import Fault, in_turns
from teamlead.evidence.proofs.harness import is_of_tests
from teamlead.evidence.proofs.tested_names import Used, owner, used
from teamlead.evidence.sources.languages import Language, language
from teamlead.evidence.weakening.files_of_tests import read_texts
from teamlead.system.git import Git

FAULTS: Mapping[Language, Callable[[str, Collection[int]], Sequence[Fault]]] = {
    "python": python_faults.faults,
    "javascript": javascript_faults.faults,
    "go": go_faults.faults,
}
MOST_FILES = 300


def faults_in_tested_code(git: Git, bench: Bench) -> list[tuple[str, Fault]]:
    """Functions that new lines of tests use, giving nothing: who looks at what they give notices."""
    touched = [path for path in bench.is_there() if language(path) and is_of_tests(path)]
    texts = read_texts(git, bench.base, bench.work, touched) if touched else []
    listed = git.run("ls-tree", "-r", "-z", "--name-only", bench.work).fields if texts else []
    paths = [field.decode("utf-8", "replace") for field in listed]
    paths = [path for path in paths if _is_code(path, touched)][:MOST_FILES]
    code = {path: text or "" for path, _, text in read_texts(git, bench.work, bench.work, paths)}
    uses = [used(text, code) for text in texts]
    found = ([(path, fault) for fault in _of_file(path, text, uses)] for path, text in code.items())
    return list(in_turns(found))


def _is_code(path: str, tests: Sequence[str]) -> bool:
    spoken = language(path)
    return spoken in FAULTS and not is_of_tests(path) and any(language(test) == spoken for test in tests)


def _of_file(path: str, text: str, uses: Sequence[Used]) -> Iterator[Fault]:
    of_it = [each for each in uses if path in each.files]
    wanted = {f"{name} returns nothing" for each in of_it for name in each.names}
    faults = FAULTS[language(path)](text, range(1, text.count("\n") + 2)) if wanted else ()
    for fault in faults:
        if fault.sentence in wanted:
            classes = owner(text, fault.line)
            if any(not classes or each.owners is None or classes & each.owners for each in of_it):
                yield fault
