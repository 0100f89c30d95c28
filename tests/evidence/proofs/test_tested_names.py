"""What new lines of tests use, and in which files that may be."""

from teamlead.evidence.proofs.tested_names import owner, used
from teamlead.evidence.weakening.files_of_tests import Text

PYTHON = {
    "shop/__init__.py": "from shop.till import Till\n",
    "shop/till.py": "class Till: ...\n",
    "shop/words.py": "def plural(word): ...\n",
    "shop/urls.py": "class Query:\n    def items(self): ...\n",
}


def test_of_python_a_keyword_a_method_of_another_class_and_a_word_are_no_names() -> None:
    test = (
        "from shop import urls\nfrom shop.till import Till as Box\n\n\ndef test_it(given):\n"
        "    local = {'a': 1}\n    assert Box(plural=False).add(**local) == 'words'\n    local.items()\n"
    )
    found = used(Text("tests/test_till.py", "from shop import urls\n", test), PYTHON)

    assert found.names == {"Till", "add", "local", "items"}
    assert found.files == {"shop/__init__.py", "shop/till.py", "shop/urls.py"}
    assert found.owners == frozenset({"urls", "Till", "add", "items"})
    assert owner(PYTHON["shop/urls.py"], 2) == {"Query"}


def test_a_package_hands_on_what_it_imports_itself() -> None:
    for line in ("import shop", "from shop import Till"):
        found = used(Text("test_shop.py", None, f"{line}\n"), PYTHON)
        assert found.files == {"shop/__init__.py", "shop/till.py"}
    assert used(Text("test_shop.py", None, "def broken(:\n"), PYTHON).files == frozenset()


def test_a_class_that_derives_from_the_one_around_a_line_counts_too() -> None:
    text = "class A:\n    def f(self): ...\n\n\nclass B(A): ...\n\n\nclass C: ...\n"
    assert owner(text, 2) == {"A", "B"}
    assert owner(text, 20) == frozenset()


def test_of_javascript_it_is_what_is_asked_for_by_its_place_and_what_that_asks_for() -> None:
    code = {
        "index.js": "module.exports = require('./lib/tax');\n",
        "lib/tax.js": "exports.gross = 1;\n",
        "lib/other.mjs": "export const gross = 1;\n",
        "lib/more/index.js": "",
    }
    test = 'import { gross } from "../index.js";\ntest("net", () => gross({ cardinal: 1 }).items(net));\n'

    found = used(Text("test/tax.js", "", test), code)

    assert found.files == {"index.js", "lib/tax.js"}
    assert {"gross", "items"} <= found.names
    assert "cardinal" not in found.names
    for asked, file in {"./more": "lib/more/index.js", "./other.mjs": "lib/other.mjs"}.items():
        assert used(Text("lib/tax.test.js", "", f"await import('{asked}');\n"), code).files == {file}
    assert used(Text("tax.test.js", "", "require('.');\n"), code).files == {"index.js", "lib/tax.js"}


def test_of_go_it_is_the_own_package_and_those_that_are_imported() -> None:
    code = {"tax/tax.go": "", "units/units.go": "", "other/other.go": ""}
    test = 'package tax\n\nimport (\n\t"example.org/shop/units"\n)\n\n'
    test += "func TestIt() { units.Day(Gross(Rate{Sum: 1})) }\n"

    found = used(Text("tax/tax_test.go", "", test), code)

    assert found.files == {"tax/tax.go", "units/units.go"}
    assert {"Day", "Gross"} <= found.names
    assert "Sum" not in found.names
    assert used(Text("a_test.rb", "", "x"), code).files == frozenset()
