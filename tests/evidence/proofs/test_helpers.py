"""Modules outside of the folders of tests that help to test."""

from pathlib import Path

import pytest
from tests.evidence.change.repository import Repository
from tests.evidence.proofs.test_frozen_harness import OTHER, RIGHT, WRONG
from tests.evidence.proofs.world import Files, Shop, only, told

from teamlead.core.model import Change
from teamlead.evidence.proofs.frozen_harness import frozen_harness
from teamlead.evidence.proofs.harness import Question, find_harness

PROOFS = (frozen_harness,)

SAME = "def same(is_so, expected):\n    assert is_so == expected\n"
USES = (
    "from support.compare import same\nfrom tax import gross\n\n\n"
    "def test_gross():\n    same(gross(100), 120)\n"
)


def frozen(folder: Path, path: str, after: str, **files: str) -> bool:
    """Whether a change of this file alone is a change of what tests the work."""
    base = {
        name.replace("__", "/").replace("_py", ".py").replace("_js", ".js"): text
        for name, text in files.items()
    }
    repository = Repository(folder / "r", base)
    work = repository.commit({path: after})
    changes = (Change(path, "100644", "100644", 1, 1),)
    harness = find_harness(repository.git, Question(repository.base, work, changes, ("pytest",), ("**",)))
    return path in {**harness.sure, **harness.doubtful}


@pytest.mark.parametrize(
    "files",
    [
        {"tests__test_a_py": "from lib.compare import same\n"},
        {"tests__test_a_py": "import lib.compare\n"},
        {"tests__test_a_py": "from lib import compare\n"},
        {"tests__test_a_py": "from lib.more import x\n", "lib__more_py": "from .compare import same\n"},
    ],
    ids=["from", "import", "module", "through another"],
)
def test_one_that_only_tests_import_is_theirs(tmp_path: Path, files: dict[str, str]) -> None:
    assert frozen(tmp_path, "lib/compare.py", "def same(a, b): ...\n", lib__compare_py=SAME, **files)


@pytest.mark.parametrize(
    ("text", "files"),
    [
        (SAME, {}),
        (SAME, {"tests__test_a_py": "import lib.compare\n", "lib__cart_py": "from .compare import same\n"}),
        (SAME, {"tests__test_a_py": "import lib.compare\n", "run_py": "from lib import compare\n"}),
        ("def same(a, b):\n    return a == b\n", {"tests__test_a_py": "import lib.compare\n"}),
        (f"{SAME}\n\ndef more():\n    return 1\n", {"tests__test_a_py": "import lib.compare\n"}),
    ],
    ids=["nobody", "source, too", "a script, too", "no help for tests", "and something else"],
)
def test_no_other_one_is(tmp_path: Path, text: str, files: dict[str, str]) -> None:
    assert not frozen(tmp_path, "lib/compare.py", f"{text}\n", lib__compare_py=text, **files)


def test_one_that_imports_a_test_program_is_theirs(tmp_path: Path) -> None:
    case = (
        "import unittest\n\n\nclass Case(unittest.TestCase):\n    def same(self, a, b):\n        return a\n"
    )
    tests = "from lib.case import Case\n"
    assert frozen(tmp_path, "lib/case.py", f"{case}\n", lib__case_py=case, tests__test_a_py=tests)


@pytest.mark.parametrize(
    ("importer", "expected"), [("test__a_test_js", True), ("lib__cart_js", False)], ids=["tests", "source"]
)
def test_scripts_are_followed_by_their_places(tmp_path: Path, importer: str, expected: bool) -> None:
    same = "const assert = require('node:assert');\nexports.same = (a, b) => assert.equal(a, b);\n"
    tests = {"test__b_test_js": "import { same } from '../lib/compare.js';\n"}
    place = "../lib/compare" if expected else "./compare"
    more = {importer: f"const {{ same }} = require('{place}');\n"}
    assert frozen(tmp_path, "lib/compare.js", f"{same}\n", lib__compare_js=same, **tests, **more) is expected


def test_data_that_tests_find_by_its_folder_is_theirs(tmp_path: Path) -> None:
    lists = "from pathlib import Path\n\nCASES = list(Path('cases').glob('*.json'))\n"
    assert frozen(tmp_path, "cases/one.json", "[2]\n", **{"cases/one.json": "[1]\n"}, tests__test_a_py=lists)
    plain = {"cases/one.json": "[1]\n"}
    assert not frozen(
        tmp_path / "b", "cases/one.json", "[2]\n", **plain, tests__test_a_py="CASES = 'cases'\n"
    )


def test_work_that_passes_only_by_its_helper_is_asked_about(shop: Shop) -> None:
    base: Files = {
        "tax.py": WRONG,
        "support/__init__.py": "'Support.'\n",
        "support/compare.py": SAME,
        "test_tax.py": USES,
        "test_other.py": OTHER,
    }
    vague = {"support/compare.py": SAME.replace("== expected", "is not None")}

    flag = only(shop.prove(base, {"tax.py": f"{WRONG}\n", **vague}), "flagged")
    assert flag.found.endswith("passes only with the new version of support/compare.py")

    proofs = shop.prove(base, {"tax.py": RIGHT, **vague})
    assert (told(proofs, "flagged"), proofs.acquits) == ([], True)
