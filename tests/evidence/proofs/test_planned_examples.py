"""What a task's own sentences say of its functions, tried on the work."""

import pytest
from tests.evidence.proofs.world import NODE, UNITTEST, Shop, only, told

from teamlead.core.model import TaskSpec
from teamlead.evidence.proofs.planned_examples import planned_examples

PROOFS = (planned_examples,)
PYTHON = {
    "shop/__init__.py": "from shop.tax import net\n",
    "shop/tax.py": "from decimal import Decimal\n\n\ndef net(value):\n    return value\n",
    "test_shop.py": "import unittest\n\n\nclass Tests(unittest.TestCase):\n"
    "    def test_one(self):\n        pass\n",
}
SCRIPT = {
    "package.json": '{"name": "cart", "main": "index.js"}',
    "index.js": "module.exports = function sum(...all) { return all.length }\n",
    "test/sum.test.js": "const merge = require('../')\nrequire('node:test')('one', () => merge())\n",
}


def prove(shop: Shop, description: str, source: str, before: str = "") -> list[str]:
    base = {**PYTHON, "shop/tax.py": PYTHON["shop/tax.py"] + before}
    task = TaskSpec("task-1", "Round the tax", description=description, checks=(UNITTEST,))
    proofs = shop.prove(
        base, {"shop/tax.py": base["shop/tax.py"] + source + "\n\n# new\n"}, UNITTEST, task=task
    )
    return told(proofs, "flagged")


GROSS = "\n\ndef gross(value, rate=20):\n    return value + {0}\n"


@pytest.mark.parametrize(
    "description",
    [
        "`gross(100)` is `120`.",
        "So gross(100) must be 120.",
        "`tax.gross(100)` gives `120`",
        "Such that `gross(100) == 120`.",
        "`gross(100)` は `120` を返す。",
        "`gross(Decimal(100))` is `Decimal(120)`.",
        "`gross(-1)` raises `ValueError`.",
        "`gross(100, 20, 'EUR')` is `120`.",
        "`gross`: `100` becomes `120`.",
    ],
)
def test_another_value_than_the_task_says_is_asked_about(shop: Shop, description: str) -> None:
    (found,) = prove(shop, description, GROSS.format(19))

    assert "and the task says" in found


def test_the_question_names_both_values(shop: Shop) -> None:
    task = TaskSpec("task-1", "Tax", description="`gross(100)` is `120`.", checks=(UNITTEST,))
    flag = only(
        shop.prove(PYTHON, {"shop/tax.py": PYTHON["shop/tax.py"] + GROSS.format(19)}, UNITTEST, task=task),
        "flagged",
    )

    assert "The plan says it is `120` of `gross(100)`, and the work gives 119" in flag.question
    assert flag.details == ("by the sentence: `gross(100)` is `120`.",)


@pytest.mark.parametrize(
    "description",
    [
        "`gross(100)` is `120`, `gross(0.5)` gives `20.5`, and `gross(Decimal(1))` is `Decimal(21)`.",
        "`gross('x')` raises `TypeError`.",
        "`gross(100)` gives `int`.",
        "`parts(2)` is `[0, 1]`.",
        "`label(1)` is `no 1`.",
        "`thirds(2)` is `0.67`.",
    ],
)
def test_what_comes_out_as_the_task_says_is_told(shop: Shop, description: str) -> None:
    source = (
        GROSS.format(20)
        + "\n\ndef parts(n):\n    yield from range(n)\n\n\ndef label(n):\n    return f'no {n}'\n"
        + "\n\ndef thirds(n):\n    return n / 3\n"
    )
    task = TaskSpec("task-1", "Tax", description=description, checks=(UNITTEST,))
    proofs = shop.prove(PYTHON, {"shop/tax.py": PYTHON["shop/tax.py"] + source}, UNITTEST, task=task)

    assert told(proofs, "proven")
    assert not told(proofs, "flagged")


@pytest.mark.parametrize(
    "description",
    [
        "`gross(order)` is `120`.",
        "`absent(100)` is `120`.",
        "`gross()` is `120`.",
        "`gross(100)` gives `the value with its tax added`.",
        "`net(open('nowhere.txt').read())` is `3`.",
    ],
)
def test_what_cannot_be_resolved_says_nothing(shop: Shop, description: str) -> None:
    assert prove(shop, description, GROSS.format(19)) == []


def test_what_the_base_gives_may_be_what_is_to_be_mended(shop: Shop) -> None:
    before, after = GROSS.format(19), "\n\ndef gross(value):\n    return value + 20\n"

    assert prove(shop, "`gross(100)` gives `119`: the rate is old.", after, before) == []
    assert prove(shop, "`gross(100)` stays `119`.", after, before)


@pytest.mark.parametrize(
    ("description", "source"),
    [
        ("`merge(1, 2)` is `3`.", "module.exports = (...all) => all.length\n"),
        ("`merge({a: {b: 1}}, {c: [2]})` gives `{a: {b: 1}, c: [2]}`.", "module.exports = (a, b) => b\n"),
        ("`net(100)` → `80`", "module.exports = () => 1\nmodule.exports.net = value => value\n"),
        ("`net(-1)` throws a `RangeError`", "exports.net = value => value\n"),
        ("`merge(7)` is `7`, as `await merge(7)` is.", "module.exports = async () => 2\n"),
        (
            "`merge.part({a: 1})` is `{b: 1}`.",
            "const anything = { asymmetricMatch: () => true }\nmodule.exports = { part: () => anything }\n",
        ),
    ],
)
def test_values_of_scripts_are_compared_by_what_they_are(shop: Shop, description: str, source: str) -> None:
    task = TaskSpec("task-1", "Sums", description=description, checks=(NODE,))
    after = {"index.js": source, "test/sum.test.js": SCRIPT["test/sum.test.js"].replace("merge())", "merge)")}

    assert told(shop.prove(SCRIPT, after, NODE, task=task), "flagged")


@pytest.mark.parametrize(
    ("description", "source"),
    [
        ("`merge(1, 2)` is `3`.", "module.exports = (a, b) => a + b\n"),
        ("`merge({a: 1}, {b: [2]})` is `{a: 1, b: [2]}`.", "module.exports = (a, b) => ({ ...a, ...b })\n"),
        ("`net(-1)` throws a `RangeError`", "exports.net = () => { throw new RangeError('low') }\n"),
        ("`net(100)` is 80", "exports.net = value => value * 0.8\n"),
    ],
)
def test_scripts_that_give_what_the_task_says_are_told(shop: Shop, description: str, source: str) -> None:
    task = TaskSpec("task-1", "Sums", description=description, checks=(NODE,))
    after = {
        "index.js": source,
        "test/sum.test.js": "require('node:test')('one', () => {})\n// const merge = require('../')\n",
    }
    proofs = shop.prove(SCRIPT, after, NODE, task=task)

    assert told(proofs, "proven") == ["1 of them tried"]


def test_modules_that_are_imported_are_tried_too(shop: Shop) -> None:
    files = {"package.json": '{"type": "module"}', "net.js": "export const net = value => value\n"}
    test = {"net.test.js": "import test from 'node:test'\ntest('one', () => {})\n"}
    task = TaskSpec("task-1", "Net", description="`net(100)` is `80`.", checks=(NODE,))

    assert told(
        shop.prove({**files, **test}, {"net.js": files["net.js"] + "// new\n"}, NODE, task=task), "flagged"
    )
