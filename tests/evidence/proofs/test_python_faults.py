"""Python source that is wrong in one place."""

from teamlead.evidence.proofs.python_faults import faults

SOURCE = """import log


class Till:
    def add(self, price, amount=1):
        if amount < 0:
            return (
                price
            )
        self.sum += price * amount
        log.info("added")
        self.paper.print(
            price)
        return self.sum


def tell(word): print(word); return word


def __repr__(self):
    return "a till"
"""


def test_a_function_returns_nothing_or_its_argument_a_condition_turns_a_statement_goes() -> None:
    found = {fault.sentence: fault for fault in faults(SOURCE, range(1, 30))}

    assert {sentence: fault.line for sentence, fault in found.items()} == {
        "add returns nothing": 14,
        "tell returns nothing": 17,
        "`if amount < 0` is the other way round": 6,
        "`self.sum += price * amount` is left out": 10,
        "add returns price as it is": 14,
    }
    assert "        return None\n" in found["add returns nothing"].text
    assert "if (not (amount < 0)):" in found["`if amount < 0` is the other way round"].text
    assert all(len(fault.text.splitlines()) == len(SOURCE.splitlines()) for fault in found.values())


def test_only_what_ran_is_changed_and_each_function_comes_before_a_second_fault_of_another() -> None:
    assert faults(SOURCE, {3, 11, 21}) == []
    assert [fault.line for fault in faults(SOURCE, range(1, 30))][:2] == [14, 17]
    assert faults("def broken(:\n", {1}) == []
