"""The touched tests in reverse, and then once more in the same process: each has to pass by itself."""

import asyncio
from pathlib import Path

from teamlead.core.evidence.values import CheckResult, Evidence, Proofs
from teamlead.core.work.acceptance import listed
from teamlead.core.work.checking import look_again
from teamlead.evidence.proofs import order_plugin
from teamlead.evidence.proofs.bench import Bench, Ran
from teamlead.evidence.proofs.harness import is_of_tests
from teamlead.evidence.proofs.variants import stored

ANY_ORDER = "its tests pass in any order, and more than once"
NAME = "teamlead_order"


async def order(bench: Bench) -> Proofs:
    touched = [path for path in bench.is_there() if path.endswith(".py") and is_of_tests(path)]
    checks = [check for check in bench.case.checks if check.passed and _by_pytest(check)]
    found = [await _turned(bench, check, touched) for check in checks] if touched else []
    return Proofs(tuple(item for item in found if item))


def _by_pytest(check: CheckResult) -> bool:
    return check.suite is not None and "pytest" in check.suite.programs


async def _turned(bench: Bench, check: CheckResult, touched: list[str]) -> Evidence | None:
    ran = await _run(bench, check, touched)
    if ran and _failed(ran):
        ran = await _run(bench, check, touched, repetition=1)
        return _flag(check, ran, _failed(ran)) if ran and _failed(ran) else None
    passed = ran and ran.passed and ran.end.suite and ran.end.suite.ran
    return (
        _item(check, ran, "they pass in reverse, and again in the same process") if ran and passed else None
    )


def _failed(ran: Ran) -> list[str]:
    suite = ran.end.suite
    if suite is None or not suite.failed:
        return []
    names = [name for name, status in (suite.names or {}).items() if status == "failed"]
    return names or [f"{suite.failed} of the tests"]


def _flag(check: CheckResult, ran: Ran, names: list[str]) -> Evidence:
    told = listed(names)
    return _item(
        check,
        ran,
        f"in reverse, and again in the same process, these fail: {told}",
        question=f"In reverse, or when they run twice, these fail: {told}. Which sentence of the plan "
        "asks for something that holds in one order only?",
    )


async def _run(bench: Bench, check: CheckResult, touched: list[str], *, repetition: int = 0) -> Ran | None:
    text = await asyncio.to_thread(Path(order_plugin.__file__).read_text, "utf-8")
    plugin = await bench.look(stored, f"{text}\n\nFILES += {touched!r}\n".encode())
    return await bench.run_with(
        bench.work,
        {f"{NAME}.py": plugin},
        check,
        repetition=repetition,
        environment={"PYTEST_ADDOPTS": f"-vvv -p no:sugar -p no:randomly -p {NAME}"},
        around=_around,
    )


def _around(command: str) -> str:
    """Where the command says itself what modules are imported from, the plugin's place comes first."""
    return 'export PYTHONPATH="$PWD"\n' + command.replace("PYTHONPATH=", 'PYTHONPATH="$PWD":')


def _item(check: CheckResult, ran: Ran, found: str, *, question: str = "") -> Evidence:
    return Evidence(
        kind="proof",
        verdict="flagged" if question else "proven",
        claim=ANY_ORDER,
        found=found,
        command=look_again(check.command, ran.commit, ran.end.room),
        log=ran.end.log,
        question=question,
    )
