"""Parameters that are never read, and functions that are left to do."""

import pytest

from teamlead.evidence.change.unfinished import UNDONE, UNREAD, examine_unfinished
from teamlead.evidence.weakening.files_of_tests import Text

BEFORE = "def gross(net):\n    return net * 1.2\n"


def found(text: str, path: str = "shop/prices.py", before: str | None = BEFORE) -> list[tuple[str, str]]:
    items = list(examine_unfinished([Text(path, before, text)]))
    assert all(item.verdict == "flagged" and item.question for item in items)
    return [(item.claim, item.found) for item in items]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("shop/prices.py", "def gross(net, rate):\n    return net * 1.2\n"),
        ("shop/prices.py", "def gross(net, *, rate=1.2):\n    '''With a rate.'''\n    return net * 1.2\n"),
        ("shop/prices.py", "def gross(net, rate):\n    rate = 1.2\n    return net * rate\n"),
        ("shop/prices.py", BEFORE + "\n\ndef net_of(gross, rate):\n    return gross / 1.2\n"),
        ("shop/prices.py", "class Price:\n    def gross(self, net, rate):\n        return net\n"),
        ("shop/prices.py", "def gross(net):\n    return 1.2\n"),
        ("shop/prices.py", "def gross(net, rate):\n    del rate\n    return net\n"),
        ("shop/prices.py", "def gross(net, rate):\n    _ = rate\n    return net\n"),
        ("shop/prices.js", "const gross = (net, rate) => net * 1.2;\n"),
        ("shop/prices.js", "export function gross(net, rate = 1.2) {\n  return net * 1.2; // rate\n}\n"),
        ("shop/prices.go", "func Gross(net, rate float64) float64 {\n\treturn net * 1.2\n}\n"),
        ("shop/prices.rs", "pub fn gross(net: f64, rate: f64) -> f64 {\n    net * 1.2\n}\n"),
    ],
)
def test_a_parameter_that_is_never_read_is_asked_about(path: str, text: str) -> None:
    before = BEFORE if path.endswith(".py") else None
    (item,) = found(text, path, before)
    assert item[0] == UNREAD


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("shop/prices.py", "def gross(net, rate):\n    return net * rate\n"),
        ("shop/prices.py", "def gross(net, _rate):\n    return net\n"),
        ("shop/prices.py", "def gross(net, rate):\n    return f'{net} {rate}'\n"),
        ("shop/prices.py", "def gross(net, rate):\n    return (lambda: net * rate)()\n"),
        ("shop/prices.py", "def gross(net, rate):\n    return '%(net)s %(rate)s' % locals()\n"),
        ("shop/prices.py", "class Price(Base):\n    def gross(self, net, rate):\n        return net\n"),
        ("shop/prices.py", "class P(Protocol):\n    def gross(self, net, rate): ...\n"),
        ("shop/prices.py", "class P:\n    @abstractmethod\n    def gross(self, net, rate):\n        pass\n"),
        ("shop/prices.py", "class P:\n    def __exit__(self, kind, value, trace):\n        return None\n"),
        ("shop/prices.py", "@overload\ndef gross(net, rate): ...\n"),
        ("shop/prices.py", "@app.route('/')\ndef page(request, name):\n    return 1\n"),
        ("shop/prices.py", "def on_end(signal, frame):\n    stop()\n\n\nhandle(2, on_end)\n"),
        ("shop/prices.js", "function gross(net, rate) {\n  return `${net} ${rate}`;\n}\n"),
        ("shop/prices.js", "const gross = async (net, rate) => ({ net, rate });\n"),
        ("shop/prices.js", "app.get('/', (request, response) => response.end());\n"),
        ("shop/prices.js", "function gone(request, response) {\n  return 1;\n}\napp.get('/', gone);\n"),
        ("shop/prices.go", "func (p *Price) Gross(net, rate float64) float64 {\n\treturn net\n}\n"),
        ("shop/prices.go", "func Gross(net float64, _ float64) float64 {\n\treturn net\n}\n"),
        ("tests/test_prices.py", "def test_gross(place, rate):\n    assert place\n"),
    ],
)
def test_what_is_read_or_laid_down_by_somebody_else_is_left_alone(path: str, text: str) -> None:
    assert [
        item for item in found(text, path, "" if path.endswith(".py") else None) if item[0] == UNREAD
    ] == []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("shop/prices.py", "def gross(net):\n    raise NotImplementedError\n"),
        (
            "shop/prices.py",
            "def gross(net):\n    if net < 0:\n        raise NotImplementedError('soon')\n    return net\n",
        ),
        ("shop/prices.py", BEFORE + "\n\ndef net_of():\n    '''Later.'''\n"),
        ("shop/prices.py", BEFORE + "\n\ndef net_of():\n    ...\n"),
        ("shop/prices.py", BEFORE + "\n\ndef net_of():\n    pass\n"),
        ("shop/prices.py", BEFORE.replace("1.2", "1.2  # TODO: the rate")),
        ("shop/prices.py", "def gross(net):\n    raise RuntimeError('not implemented yet')\n"),
        ("shop/prices.py", "def gross(net):\n    assert False, 'TODO'\n"),
        ("shop/prices.js", "const gross = () => { throw new Error('not implemented'); };\n"),
        ("shop/prices.go", 'func Gross() error {\n\treturn errors.New("not implemented")\n}\n'),
        ("shop/prices.js", "function gross() {\n  throw new Error('Not implemented');\n}\n"),
        ("shop/prices.ts", "export function gross(): number {\n  throw new TypeError(`TODO`);\n}\n"),
        ("shop/prices.go", 'func Gross() int {\n\tpanic("todo")\n}\n'),
        ("shop/prices.go", 'func (p *Price) Gross(rate int) error {\n\tpanic("not implemented")\n}\n'),
        ("shop/prices.go", 'func Gross(net, rate int) int {\n\tpanic("later")\n}\n'),
        ("shop/prices.go", "func Gross(net int) int {\n\tpanic(errNotImplemented)\n}\n"),
        ("shop/prices.rs", "impl P {\n    fn gross(&self) -> u8 {\n        todo!()\n    }\n}\n"),
        ("shop/prices.js", "class P {\n  gross(net) { throw new Error('not implemented') }\n}\n"),
        ("shop/prices.js", "exports.gross = function (net) {\n  throw new Error('Not implemented')\n}\n"),
        ("shop/prices.rs", "fn gross() -> u8 {\n    todo!()\n}\n"),
        ("shop/prices.rs", 'fn gross() -> u8 {\n    unimplemented!("soon")\n}\n'),
    ],
)
def test_what_is_left_to_do_is_asked_about(path: str, text: str) -> None:
    assert [claim for claim, _ in found(text, path, BEFORE if path.endswith(".py") else None)] == [UNDONE]


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("", "class P:\n    @abstractmethod\n    def gross(self):\n        raise NotImplementedError\n"),
        ("", "class P(Protocol):\n    def gross(self):\n        ...\n"),
        (
            "",
            "class P:\n    def a(self):\n        pass\n\n\nclass Q(P):\n    def a(self):\n        return 1\n",
        ),
        ("", "class Wrong(Exception):\n    pass\n"),
        ("", "try:\n    gross()\nexcept ValueError:\n    pass\n"),
        ("def gross(): ...\n", "def gross(): ...\n\n\nRATE = 1\n"),
        ("", "def f(x):\n    raise KeyError(f'Todo not found: {x}')\n"),
        ("", "def f(x):\n    return '# TODO' in x\n"),
        ("# TODO: more\n", "# TODO: more\n\nRATE = 1\n"),
    ],
)
def test_what_was_left_before_or_is_for_others_to_fill_is_left_alone(before: str, text: str) -> None:
    assert found(text, before=before) == []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("shop/prices.pyi", "def gross(net: int) -> int: ...\n"),
        ("shop/prices.go", "func must(err error) {\n\tpanic(err)\n}\n"),
        (
            "shop/prices.go",
            'func Gross(net int) int {\n\tif net < 0 {\n\t\tpanic("below")\n\t}\n\treturn net\n}\n',
        ),
        ("shop/prices.go", "func (p *Price) Close() {\n}\n"),
        ("shop/prices.js", "class P {\n  gross(net) { throw new Error('no price') }\n}\n"),
        ("shop/prices.js", "if (old) {\n  throw new Error('not implemented for old ones')\n}\n"),
    ],
)
def test_what_has_no_body_or_gives_up_for_a_reason_is_left_alone(path: str, text: str) -> None:
    assert found(text, path, None) == []


def test_a_function_of_one_bare_parameter_says_nothing_about_the_one_above_it() -> None:
    before = "const safe = (val, deep) => {\n  return val + deep\n}\n"
    assert found(before + "\nconst keys = text => text.length\n", "shop/ini.js", before) == []


def test_a_bare_parameter_that_nothing_reads_is_asked_about() -> None:
    assert found("const keys = text => 1\n", "shop/ini.js", None)
