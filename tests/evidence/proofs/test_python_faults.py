"""Python source that is wrong in one place."""

import pytest

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


@pytest.mark.parametrize(
    ("value", "can_be_told_apart"),
    [
        ("item.strip()", True),
        ("item > 3", False),
        ("not item", False),
        ("isinstance(item, int) or None", False),
        ("re.match('a', item)", False),
        ("item.startswith('a')", False),
        ("1 if item > 3 else 2", True),
    ],
)
def test_who_says_yes_or_no_does_not_return_what_it_was_asked_about(
    value: str, can_be_told_apart: bool
) -> None:
    found = {fault.sentence for fault in faults(f"def look(item):\n    return {value}\n", {2})}
    assert ("look returns item as it is" in found) is can_be_told_apart
    assert "look returns nothing" in found
