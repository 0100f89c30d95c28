"""Examples that a change adds to documentation."""

import pytest
from tests.evidence.proofs.test_frozen_harness import OTHER, RIGHT
from tests.evidence.proofs.world import UNITTEST, Shop, only, told

from teamlead.evidence.proofs.documented_examples import documented_examples, interpreter

PROOFS = (documented_examples,)
BASE = {"tax.py": RIGHT, "test_other.py": OTHER, "README.md": "# Shop\n"}
PAGE = """# Shop

```pycon
>>> from tax import gross
>>> gross(100)
{value}
```
"""
DOCSTRING = """

def halved(value):
    '''Half of it.

    >>> halved(4)
    {value}
    '''
    return value / 2
"""


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("README.md", PAGE.format(value="999"), "README.md:5 (`gross(100)` gives "),
        (
            "README.md",
            PAGE.format(value="999").replace("(100)", "(100)  # doctest: +SKIP"),
            "(`gross(100)  # doctest: +SKIP` is skipped)",
        ),
        ("tax.py", RIGHT + DOCSTRING.format(value="3.0"), "(`halved(4)` gives 2.0)"),
    ],
)
def test_an_example_that_shows_what_does_not_come_out_is_asked_about(
    shop: Shop, name: str, text: str, place: str
) -> None:
    flag = only(shop.prove(BASE, {name: text}), "flagged")

    assert place in flag.found
    assert "Is the example right, or the work?" in flag.question


def test_a_value_that_was_changed_below_an_old_example_counts_too(shop: Shop) -> None:
    before = {**BASE, "README.md": PAGE.format(value="120")}

    assert told(shop.prove(before, {"README.md": PAGE.format(value="999")}), "flagged")


def test_examples_that_come_out_are_told_and_old_ones_left_alone(shop: Shop) -> None:
    before = {**BASE, "README.md": PAGE.format(value="999")}

    proofs = shop.prove(before, {"tax.py": RIGHT + DOCSTRING.format(value="2.0")}, UNITTEST)

    assert told(proofs, "proven") == ["1 of them"]
    assert told(shop.prove(before, {"README.md": "Words\n\n" + PAGE.format(value="999")}), "flagged") == []


@pytest.mark.parametrize(
    "example",
    [
        ">>> shop.open()\n3\n",
        ">>> import nowhere_installed\n",
        ">>> object()\n<object object at 0x1>\n",
        ">>> {}['a']\nTraceback (most recent call last):\nKeyError: 1\n",
    ],
    ids=["set up elsewhere", "not installed", "another each time", "an error that is shown"],
)
def test_what_no_run_can_tell_is_not_held_against_an_example(shop: Shop, example: str) -> None:
    assert told(shop.prove(BASE, {"README.md": f"# Shop\n\n{example}"}), "flagged") == []


@pytest.mark.parametrize(
    ("command", "python"),
    [
        ("python3.12 -m pytest -q", "python3.12"),
        ("cd src && .venv/bin/python -m unittest", ".venv/bin/python"),
        ("bin/pytest -q", '$(head -n 1 "$(command -v bin/pytest)" | cut -c 3-)'),
        ("make test", ""),
        ("node --test", ""),
    ],
)
def test_the_python_of_a_command_is_the_one_that_it_names(command: str, python: str) -> None:
    assert interpreter(command) == python
