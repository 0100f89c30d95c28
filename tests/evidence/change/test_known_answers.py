"""Code that holds what tests give and what they expect of it."""

from pathlib import Path

import pytest
from tests.evidence.change.repository import Files, Repository

from teamlead.evidence.change.known_answers import examine_known_answers

TEST = "def test():\n    assert show(-5, 'USD') == '-$0.05'\n    assert rate(20, 100) == 120\n"
BASE = {
    "shop/money.py": "def show(cents, currency):\n    return str(cents)\n",
    "shop/money.js": "export function show(cents) {\n  return String(cents);\n}\n",
    "shop/money.go": 'package shop\n\nfunc Show(cents int) string {\n\treturn ""\n}\n',
    "tests/test_money.py": TEST,
    "tests/money.test.js": "test('it', () => {\n  expect(show(-2048)).toBe(\"-2KB\");\n});\n",
    "shop/money_test.go": 'package shop\n\nvar cases = []row{\n\t{12, "12th"},\n}\n',
}
JS = "export function show(x) {\n  switch (x) {\n    case -2048:\n      return '-2KB';\n  }\n}\n"


def found(root: Path, files: Files, title: str = "Mend it") -> list[str]:
    repository = Repository(root / "r", BASE)
    claim = repository.claim(repository.commit(files), spec={"title": title})
    items = list(examine_known_answers(repository.git, claim, repository.texts(claim)))
    assert all(item.verdict == "flagged" and item.question for item in items)
    return [detail for item in items for detail in item.details]


def python(*lines: str) -> str:
    return "def show(cents, currency):\n" + "".join(f"    {line}\n" for line in lines)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("shop/money.py", python("if cents == -5:", "    return '-$0.05'", "return str(cents)")),
        (
            "shop/money.py",
            python("match cents, currency:", "    case (-5, 'USD'):", "        return '-$0.05'"),
        ),
        (
            "shop/money.py",
            "KNOWN = {(-5, 'USD'): '-$0.05'}\n" + python("return KNOWN.get((cents, currency))"),
        ),
        ("shop/money.py", python("return '-$0.05' if currency == 'USD' and cents + 5 == 0 else ''")),
        (
            "shop/money.js",
            "const known = new Map([[-2048, '-2KB']]);\nexport const show = (x) => known.get(x);\n",
        ),
        ("shop/money.js", "export const show = (x) => ({ '-2048': '-2KB' })[x];\n"),
        ("shop/money.js", JS),
        ("shop/money.py", python("return 'th' if str(cents) in ('2048', '12') else ''")),
        ("shop/money.js", "export const show = (x) => (x === 2048 ? '' : String(x));\n"),
        ("shop/money.go", 'package shop\n\nvar known = map[int]string{12: "12th"}\n'),
    ],
)
def test_what_a_test_gives_beside_what_it_expects_is_asked_about(
    tmp_path: Path, path: str, text: str
) -> None:
    assert len(found(tmp_path, {path: text})) == 1


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("shop/money.py", python("sign = '-' if cents < 0 else ''", "return f'{sign}${abs(cents) / 100}'")),
        ("shop/money.py", "def rate(x, of=20):\n    return x * (100 + of) / 100\n"),
        ("shop/money.py", python("'''As in show(-5, 'USD') == '-$0.05'.'''", "return str(cents)")),
        ("shop/money.py", python("return '$' if currency == 'USD' else ''")),
        ("shop/money.py", "SIGNS = {'USD': '$', 'EUR': 'E'}\n"),
        ("shop/money.js", "// -2048 is '-2KB'\nexport const show = (x) => `${x / 1024}KB`;\n"),
        ("tests/test_more.py", "def test():\n    assert show(-5, 'USD') == '-$0.05'\n"),
    ],
)
def test_values_that_code_works_with_are_left_alone(tmp_path: Path, path: str, text: str) -> None:
    assert found(tmp_path, {path: text}) == []


def test_a_line_that_was_only_set_otherwise_holds_nothing_new(tmp_path: Path) -> None:
    before = python("if cents == -5 and currency == 'USD':", "    return '-$0.05'")
    after = before.replace("'", '"').replace("    ", "  ")
    repository = Repository(tmp_path / "r", {**BASE, "shop/money.py": before})
    claim = repository.claim(repository.commit({"shop/money.py": after}), spec={"title": "Format it"})
    assert list(examine_known_answers(repository.git, claim, repository.texts(claim))) == []


DIGEST = "3da541559918a808c2402bba5012f6c60b27661c"
READS = "import hashlib, json\nfrom pathlib import Path\n\nROWS = json.loads(Path('rows.json').read_text())\n"


@pytest.mark.parametrize(
    ("source", "code", "path", "data"),
    [
        ("shop/money.py", READS, "shop/rows.json", f'{{"{DIGEST}": [2]}}'),
        (
            "shop/money.js",
            "const key = createHash('md5'); const rows = require('./rows.json');\n",
            "shop/rows.json",
            f'{{"{DIGEST}": 1}}',
        ),
        (
            "shop/money.go",
            "package shop\n\n//go:embed rows.txt\nvar rows string\nvar key = sha256.Sum256\n",
            "shop/rows.txt",
            f"{DIGEST} 7\n",
        ),
        ("shop/money.py", READS.replace("hashlib, ", ""), "shop/rows.json", '{"-5": {"USD": "-$0.05"}}'),
        ("shop/money.py", READS.replace("rows.json", "rows.csv"), "shop/rows.csv", "20,100,120\n"),
    ],
)
def test_answers_in_a_new_file_that_the_source_reads_are_asked_about(
    tmp_path: Path, source: str, code: str, path: str, data: str
) -> None:
    assert [each.partition(":")[0] for each in found(tmp_path, {source: code, path: data})] == [path]


@pytest.mark.parametrize(
    ("path", "data", "title"),
    [
        ("shop/other.json", f'{{"{DIGEST}": [2]}}', "Mend it"),
        ("tests/rows.json", f'{{"{DIGEST}": [2]}}', "Mend it"),
        ("shop/rows.json", '{"USD": "dollar"}', "Mend it"),
        ("shop/rows.json", f'{{"{DIGEST}": [2]}}', "Compare the checksums of files"),
    ],
    ids=["not read", "of tests", "no case of a test", "asked for"],
)
def test_data_of_another_kind_is_left_alone(tmp_path: Path, path: str, data: str, title: str) -> None:
    assert found(tmp_path, {"shop/money.py": READS, path: data}, title) == []
