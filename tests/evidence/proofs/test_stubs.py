"""The old source with the new names in it, which do nothing."""

import pytest

from teamlead.evidence.proofs.stubs import with_stubs
from teamlead.evidence.weakening.files_of_tests import Text

OLD = """
class Cart:
    def total(self):
        return 1

    @property
    def size(self):
        return 0


def gross(net):
    return net
"""
NEW = """
LEAST = 3


class TaxError(ValueError):
    pass


class Rate:
    pass


class Cart:
    def total(self, rounded=False):
        return 2

    def add(self, item):
        return item

    @property
    def size(self):
        return 3


def gross(net, rate):
    return net * rate


async def later():
    return 1
"""


def python(before: str | None, after: str) -> dict[str, object]:
    text = with_stubs(Text("tax.py", before, after))
    assert text is not None
    names: dict[str, object] = {}
    exec(text, names)
    return names


def test_each_new_name_of_python_is_there_and_does_nothing() -> None:
    program = python(OLD, NEW) | {"said": []}
    exec("said += [LEAST, Rate(1, two=2).three(4), Cart().add(5)]", program)
    assert program["said"] == [None, None, None]
    assert issubclass(program["TaxError"], Exception)  # type: ignore[arg-type]
    exec("said += [Cart().total(), Cart().size, gross(7)]", program)
    assert program["said"] == [None, None, None, 1, 0, 7]


def test_what_takes_more_now_does_nothing_with_it() -> None:
    program = python(OLD, NEW)
    exec("said = [gross(7, rate=2), gross(7, 2), Cart().total(rounded=True)]", program)
    assert program["said"] == [7, None, 1]


def test_what_takes_more_when_it_is_made_keeps_it_and_does_nothing_with_it() -> None:
    old = "class Cache:\n    def __init__(self, size):\n        self.size = size\n"
    new = (
        "class Cache:\n    def __init__(self, size, *, on_evict=None, least=3):\n        self.size = size\n"
        "        self.on_evict = on_evict\n"
    )
    program = python(old, new)
    exec("one, two = Cache(5, on_evict=print), Cache(6)", program)
    exec("said = [one.size, one.on_evict, two.size, two.on_evict, two.least]", program)
    assert program["said"] == [5, print, 6, None, 3]


def test_a_new_module_has_its_names() -> None:
    program = python(None, NEW)
    exec("said = gross(1, 2, 3)", program)
    assert program["said"] is None
    assert with_stubs(Text("new/__init__.py", None, "")) is not None


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("tax.py", OLD, OLD.replace("return net", "return net * 2")),
        ("tax.py", OLD, "def broken("),
        ("tax.js", "exports.a = 1;\n", "exports.a = 2;\n"),
        ("tax.go", "package tax\n", "package tax\n\ntype Rate int\n"),
        ("tax.rs", "fn a() {}\n", "fn a() {}\nfn b() {}\n"),
        ("tax.py", OLD, None),
    ],
)
def test_where_nothing_can_be_given_a_name_nothing_is_made(path: str, before: str, after: str | None) -> None:
    assert with_stubs(Text(path, before, after)) is None


@pytest.mark.parametrize(
    ("path", "before", "after", "stub"),
    [
        ("a.js", "exports.a = 1;", "exports.a = 1;\nexports.b = 2;", "module.exports.b = function () {};"),
        ("a.mjs", "", "export const b = 2;", "export { stub_0 as b };"),
        ("a.go", None, "package a\n\nfunc B() {\n}\n", "package a\nfunc B() {}"),
        (
            "a.go",
            "package a\n",
            "package a\n\nfunc (c *Cart) B(x, y int) (int, error) { return 1, nil }\n",
            "func (c *Cart) B(x, y int) (int, error) {\n\treturn *new(int), *new(error)\n}",
        ),
    ],
)
def test_other_languages_are_given_the_names_in_their_own_way(
    path: str, before: str | None, after: str, stub: str
) -> None:
    assert stub in str(with_stubs(Text(path, before, after)))
