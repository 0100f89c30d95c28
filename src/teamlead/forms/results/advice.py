"""What makes a report better, and is never demanded."""

from collections.abc import Iterator

from teamlead.core.reports import DesignFindings, ExplorationFindings, Result
from teamlead.forms.results.breaches import Fault


def next_steps(result: Result, _: str) -> Iterator[Fault]:
    if result.status != "SUCCESS" and not result.next_steps:
        yield Fault("it is not done, and names no next step (say what should be done)", "next_steps")


def recovery_options(result: Result, _: str) -> Iterator[Fault]:
    if result.error is not None and not result.error.recovery:
        yield Fault("the error comes without a way to recover (suggest some)", "error")


def trade_offs(result: Result, _: str) -> Iterator[Fault]:
    if isinstance(result.details, DesignFindings) and not result.details.trade_offs:
        yield Fault("the design weighs nothing (name the trade-offs)", "details")


def patterns_found(result: Result, _: str) -> Iterator[Fault]:
    if isinstance(result.details, ExplorationFindings) and not result.details.patterns:
        yield Fault("no pattern is named (name those that new code should follow)", "details")
