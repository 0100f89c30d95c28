"""What further runs cost is told by what they were for."""

from collections.abc import Callable

import pytest
from tests.evidence.proofs.test_frozen_harness import NOTED, RED, TEST
from tests.evidence.proofs.world import Shop, told

from teamlead.core.evidence.values import Proofs
from teamlead.errors import MachineUnable, StaleLeader
from teamlead.evidence.proofs import prover
from teamlead.evidence.proofs.bench import Bench
from teamlead.evidence.proofs.frozen_harness import frozen_harness
from teamlead.evidence.proofs.outside_runner import outside_runner
from teamlead.evidence.proofs.unrun_lines import unrun_lines

PROOFS = (frozen_harness, unrun_lines, outside_runner)


def test_costs_are_told_by_kind_and_what_several_share_once(shop: Shop) -> None:
    proofs = shop.prove(RED, {"tax.py": NOTED, "test_tax.py": TEST.replace("120", "100")})

    # The base that is asked for names, the frozen harness, and the work with its own tests.
    assert [(cost.of, cost.runs) for cost in proofs.costs] == [
        ("frozen harness", 3),
        ("trace", 1),
        ("outside runner", 1),
    ]
    assert proofs.runs == 5
    assert proofs.seconds == round(sum(cost.seconds for cost in proofs.costs), 2) > 0


async def broken(_: Bench) -> Proofs:
    raise IndexError("nobody thought of that")


def test_a_proof_that_breaks_is_told_and_ends_nothing(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shop, "_proofs", (broken, unrun_lines))

    proofs = shop.prove(RED, {"tax.py": NOTED, "test_tax.py": TEST.replace("120", "100")})

    assert "it could not be tried: IndexError: nobody thought of that" in told(proofs, "unknown")
    assert any(cost.of == "trace" for cost in proofs.costs)


def unreadable(error: Exception) -> Callable[..., None]:
    def find(*_: object) -> None:
        raise error

    return find


def test_a_change_that_cannot_be_read_is_told_and_ends_nothing(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prover, "find_harness", unreadable(IndexError("nobody thought of that")))

    proofs = shop.prove(RED, {"test_tax.py": TEST.replace("120", "100")})

    assert told(proofs, "unknown") == ["it could not be tried: IndexError: nobody thought of that"]
    assert (len(proofs.evidence), proofs.runs) == (1, 0)


@pytest.mark.parametrize("error", [MachineUnable("the disk is full"), StaleLeader("another one leads")])
def test_what_no_leader_can_go_on_with_is_passed_on(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    monkeypatch.setattr(prover, "find_harness", unreadable(error))

    with pytest.raises(type(error)):
        shop.prove(RED, {"test_tax.py": TEST.replace("120", "100")})
