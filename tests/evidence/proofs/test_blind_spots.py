"""What further runs cannot look at is told."""

import shutil

import pytest
from tests.evidence.proofs.world import NODE, PYTEST, Shop, only, told

from teamlead.evidence.proofs.blind_spots import blind_spots

PROOFS = (blind_spots,)
BASE = {"README.md": "A shop\n"}
TEST = "def test_it():\n    assert True\n"


LINES = "not looked at: which new lines run, and whether tests notice faults there, in"


def test_files_of_which_nobody_knows_what_runs_are_named_and_so_are_tests_that_have_one_order(
    shop: Shop,
) -> None:
    test = "require('node:test').test('it', () => {});\n"

    item = only(shop.prove(BASE, {"src/till.rs": "fn till() {}\n", "it.test.js": test}, NODE), "unknown")

    order = "another order of it.test.js: nothing tells its program so for certain"
    assert item.found == f"{LINES} src/till.rs: there is no way for such files; {order}"


def test_where_everything_is_looked_at_nothing_is_said(shop: Shop) -> None:
    proofs = shop.prove(BASE, {"till.py": "ONE = 1\n", "till.pyi": "ONE: int\n", "test_it.py": TEST}, PYTEST)

    assert proofs.evidence == ()


@pytest.mark.skipif(not shutil.which("go"), reason="needs go")
def test_go_that_tells_no_coverage_is_told(shop: Shop) -> None:
    test = 'package shop\n\nimport "testing"\n\nfunc TestIt(t *testing.T) {}\n'
    base = {"go.mod": "module example.org/shop\n\ngo 1.19\n", "it_test.go": test}
    own = "go test -v -coverprofile=own.txt ./..."

    proofs = shop.prove(base, {"till.go": "package shop\n\nvar Till = 1\n"}, own)

    assert told(proofs, "unknown") == [f"{LINES} till.go: go tells no coverage when this command calls it"]
