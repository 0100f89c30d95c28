"""What further runs cannot look at here, and why: of what is not told, people think that it was looked at."""

from collections.abc import Iterator, Sequence

from teamlead.core.evidence.values import CHECKS_PROVE_IT, Evidence, Proofs
from teamlead.core.work.acceptance import listed
from teamlead.evidence.proofs import go_coverage as go
from teamlead.evidence.proofs.bench import Bench
from teamlead.evidence.proofs.harness import is_of_tests
from teamlead.evidence.proofs.order import turn
from teamlead.evidence.proofs.traces import is_noted, trace
from teamlead.evidence.sources.languages import language

_LINES = "which new lines run, and whether tests notice faults there, in"


async def blind_spots(bench: Bench) -> Proofs:
    checks = [check for check in bench.case.checks if check.passed and check.suite]
    if not checks:
        return Proofs()
    touched = [path for path in bench.is_there() if language(path) and not path.endswith(".pyi")]
    tests = [path for path in touched if is_of_tests(path)]
    turned = [await bench.look(turn, bench, check, bench.work) for check in checks] if tests else [None]
    found = list(await _unseen_lines(bench, [path for path in touched if path not in tests]))
    if tests and not any(turned):
        found.append(f"another order of {listed(tests)}: nothing tells its program so for certain")
    told = f"not looked at: {'; '.join(found)}"
    return Proofs((Evidence("proof", "unknown", CHECKS_PROVE_IT, told),) if found else ())


async def _unseen_lines(bench: Bench, code: Sequence[str]) -> Iterator[str]:
    other = [path for path in code if not is_noted(path)]
    told = [f"{_LINES} {listed(other)}: there is no way for such files"] if other else []
    found = await bench.once(trace)
    of_go = [source for source in found.sources if go.is_measured(source.path)]
    run_by_go = any(go.runs(check.check.suite) for check in found.checks)
    if run_by_go and of_go and not any(found.loaded(source) for source in of_go):
        paths = listed(source.path for source in of_go)
        told.append(f"{_LINES} {paths}: go tells no coverage when this command calls it")
    return iter(told)
