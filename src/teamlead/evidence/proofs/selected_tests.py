"""Which tests of a check are asked about a line: those that ran it; where nobody knows, the touched ones."""

from typing import NamedTuple

from teamlead.core.evidence.values import CheckResult
from teamlead.evidence.proofs import go_order
from teamlead.evidence.proofs.bench import Bench
from teamlead.evidence.proofs.chosen_tests import Choice, choice, of_files, of_go, of_javascript
from teamlead.evidence.proofs.harness import is_of_tests
from teamlead.evidence.proofs.traces import Place, Trace
from teamlead.evidence.sources.languages import language
from teamlead.evidence.weakening.files_of_tests import is_test, read_texts
from teamlead.system.git import Git

QUICK = 3.0
"""Seconds. A check that takes no longer is asked whole."""


class Selected(NamedTuple):
    how: Choice
    least: int
    """So many tests have to run."""
    certain: bool
    """No other test runs the line."""


async def selected(bench: Bench, found: Trace, check: CheckResult, place: Place) -> Selected | None:
    """None: the whole check has to be asked."""
    traced = next((each for each in found.checks if each.check == check), None)
    if traced is None or check.seconds <= QUICK:
        return None
    tests, certain = traced.tests.get(place, ()), True
    if not tests:
        certain = False
        of_tests = {name for at, names in traced.tests.items() if is_of_tests(at[0]) for name in names}
        tests = tuple(sorted(of_tests))
    how = await bench.look(choice, check, tests) if tests else None
    if how is None:
        tests, certain = await bench.look(_tests_of_go, bench), False
        how = of_go(check, tests)
    if how is None:
        paths = (path for path in bench.is_there() if is_of_tests(path))
        tests = tuple(path for path in paths if language(path) == "javascript")
        how = of_javascript(check, tests)
    return Selected(how, len(tests), certain) if how else None


def touched_alone(git: Git, bench: Bench, check: CheckResult) -> Choice | None:
    """The tests of the touched files. None: it is quick, or what else tests the work was changed, too."""
    paths = [path for path in bench.is_there() if path in bench.harness.sure]
    if check.seconds <= QUICK or not paths or not all(map(is_test, bench.harness.sure)):
        return None
    if bench.harness.doubtful or len({language(path) for path in paths}) > 1:
        return None
    match language(paths[0]):
        case "python":
            return of_files(git, check, paths)
        case "go":
            return of_go(check, _tests_of_go(git, bench))
        case "javascript":
            return of_javascript(check, paths)
        case _:
            return None


def _tests_of_go(git: Git, bench: Bench) -> tuple[str, ...]:
    """Of the touched files."""
    paths = [path for path in bench.is_there() if path.endswith("_test.go")]
    texts = read_texts(git, bench.work, bench.work, paths) if paths else []
    return tuple(sorted({name for text in texts for name in go_order.in_reverse(text.after or "").tests}))
