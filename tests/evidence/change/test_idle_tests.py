"""New tests that assert nothing."""

from pathlib import Path

import pytest
from tests.evidence.change.repository import Files, Repository

from teamlead.evidence.change.idle_tests import examine_idle_tests

BASE = {
    "shop/prices.py": "def total(prices):\n    return sum(prices)\n",
    "shop/rules.py": "def check_price(price):\n    return price > 0\n",
    "tests/helpers.py": "def same_total(prices, expected):\n    assert sum(prices) == expected\n\n\n"
    "def check_nothing(prices):\n    print(prices)\n",
    "tests/test_old.py": "def test_old():\n    total([1])\n",
    "cart.js": "export const add = (a, b) => a + b;\n",
    "cart.go": "package shop\n\nfunc Add() {}\n",
    "src/lib.rs": "pub fn add() {}\n",
}


def found(root: Path, files: Files) -> list[str]:
    repository = Repository(root / "r", BASE)
    claim = repository.claim(repository.commit(files))
    items = list(examine_idle_tests(repository.git, claim, repository.texts(claim)))
    assert all(item.verdict == "flagged" and "What would make it fail" in item.question for item in items)
    return [detail for item in items for detail in item.details]


def python(body: str, above: str = "") -> Files:
    return {"tests/test_new.py": f"from shop.prices import total\n{above}\n\ndef test_new(mocker):\n{body}"}


def go(body: str) -> Files:
    return {"cart_test.go": f"package shop\n\nfunc TestNew(t *testing.T) {{\n{body}}}\n"}


def rust(body: str) -> Files:
    return {
        "src/lib.rs": "pub fn add() {}\n#[cfg(test)]\nmod tests {\n"
        f"    #[test]\n    fn adds() {{\n{body}    }}\n}}\n"
    }


IDLE: dict[str, Files] = {
    "calls": python("    total([1])\n    result = total([2])\n"),
    "words about what it asserts": python(
        '    """Assert that it\n    raises, and check it."""\n    total([1])  # assert\n'
    ),
    "printed": python("    print('assert', total([1]))\n"),
    "a comparison that nobody looks at": python("    total([1]) == 1\n"),
    "what is tested is called check": python("    check_price(2)\n", "from shop.rules import check_price\n"),
    "a helper that asserts nothing": python(
        "    check_nothing([1])\n", "from tests.helpers import check_nothing\n"
    ),
    "unittest": {
        "tests/test_new.py": "class TestIt(TestCase):\n    def test_new(self):\n        self.cart.add(1)\n"
    },
    "node": {"test/cart.test.js": "test('adds', () => {\n  add(1, 2);\n});\n"},
    "mocha": {"test/cart.test.js": "it('should assert', function () {\n  const sum = add(1, 2);\n});\n"},
    "tape": {"test/cart.test.js": "test('adds', (t) => {\n  add(1, 2);\n  t.pass();\n  t.end();\n});\n"},
    "go": go("\tAdd()\n"),
    "go with a subtest": go('\tt.Run("a", func(t *testing.T) {\n\t\tAdd()\n\t})\n'),
    "go with a log": go("\tt.Log(Add())\n"),
    "rust": rust("        add();\n"),
}


@pytest.mark.parametrize("files", IDLE.values(), ids=IDLE)
def test_a_new_test_that_asserts_nothing_is_asked_about(tmp_path: Path, files: Files) -> None:
    (detail,) = found(tmp_path, files)
    assert detail.endswith("asserts nothing")


HONEST: dict[str, Files] = {
    "assert": python("    assert total([1]) == 1\n"),
    "raises": python("    with pytest.raises(ValueError):\n        total(['a'])\n"),
    "raises by name": python("    with raises(ValueError):\n        total(['a'])\n"),
    "warns": python("    with pytest.warns(UserWarning):\n        total(['a'])\n"),
    "mock": python("    m = mocker.patch('x')\n    total([m])\n    m.assert_called_once_with(1)\n"),
    "fail": python("    if total([1]) != 1:\n        pytest.fail('no')\n"),
    "raise": python("    if total([1]) != 1:\n        raise AssertionError\n"),
    "program": python("    subprocess.run(['shop'], check=True)\n"),
    "unittest": {
        "tests/test_new.py": "class TestIt(TestCase):\n    def test_new(self):\n"
        "        self.assertEqual(total([1]), 1)\n"
    },
    "unittest with raises": {
        "tests/test_new.py": "class TestIt(TestCase):\n    def test_new(self):\n"
        "        with self.assertRaises(ValueError):\n            total(['a'])\n"
    },
    "a helper of the file": python("    holds(1)\n", "def holds(n):\n    assert total([n]) == n\n"),
    "a helper of a helper": python(
        "    outer(1)\n", "def holds(n):\n    assert total([n]) == n\n\n\ndef outer(n):\n    holds(n)\n"
    ),
    "a helper of another file": python("    same_total([1], 1)\n", "from tests.helpers import same_total\n"),
    "a helper that is handed on": python(
        "    each([1], same_total)\n", "from tests.helpers import same_total\n"
    ),
    "a helper of a library": python("    check_estimator(total)\n", "from sklearn import check_estimator\n"),
    "what is asserted after each test": {
        "tests/test_new.py": "class TestIt(TestCase):\n    def tearDown(self):\n"
        "        self.assertEqual(left(), 0)\n\n"
        "    def test_new(self):\n        total([1])\n"
    },
    "a fixture": {"tests/test_new.py": "@pytest.fixture\ndef test_client():\n    return total\n"},
    "a test in a string": python(
        "    t.makepyfile('''\ndef test_inner():\n    total()\n''')\n    assert t.run()\n"
    ),
    "skipped": {"tests/test_new.py": "@pytest.mark.skip\ndef test_new():\n    total([1])\n"},
    "one that was there": {"tests/test_old.py": "def test_old():\n    total([1, 2])\n"},
    "one that got another name": {"tests/test_old.py": "def test_total():\n    total([1])\n"},
    "node": {"test/cart.test.js": "test('adds', () => {\n  assert.equal(add(1, 2), 3);\n});\n"},
    "jest": {"test/cart.test.js": "test('adds', () => {\n  expect(add(1, 2)).toBe(3);\n});\n"},
    "tape": {"test/cart.test.js": "test('adds', (t) => {\n  t.equal(add(1, 2), 3);\n  t.end();\n});\n"},
    "supertest": {
        "test/cart.test.js": "it('gets', () => {\n  return request(app).get('/').expect(200);\n});\n"
    },
    "a callback": {"test/cart.test.js": "it('emits', (done) => {\n  add.on('end', done);\n});\n"},
    "a helper of JavaScript": {
        "test/cart.test.js": "const holds = (a) => expect(add(a, 0)).toBe(a);\n"
        "it('adds', () => {\n  holds(1);\n});\n"
    },
    "to be done": {"test/cart.test.js": "test.todo('adds');\n"},
    "go": go('\tif Add() != 1 {\n\t\tt.Errorf("no")\n\t}\n'),
    "go with a helper": go("\tholds(t, Add())\n"),
    "go with a library": go("\tis := is.New(t)\n\tis.Equal(Add(), 1)\n"),
    "an example of Go": {"cart_test.go": "package shop\n\nfunc ExampleAdd() {\n\tAdd()\n\t// Output: 1\n}\n"},
    "rust": rust("        assert_eq!(add(), ());\n"),
    "rust that unwraps": rust("        add().unwrap();\n"),
}


@pytest.mark.parametrize("files", HONEST.values(), ids=HONEST)
def test_a_test_that_asserts_by_itself_or_by_a_helper_is_left_alone(tmp_path: Path, files: Files) -> None:
    assert found(tmp_path, files) == []
