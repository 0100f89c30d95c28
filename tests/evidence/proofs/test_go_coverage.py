"""Which lines of Go ran."""

from teamlead.evidence.proofs import go_coverage as go

TEXT = """package shop

func Gross(net int) (int, error) {
	if net < 0 {
		return 0, errors.New("no")
	}
	if net > 1000 {
		much := net * 3
		return much, nil
	}
	return net * 2, nil
}

func Net(gross int) int {
	return gross / 2
}
"""
PROFILE = """mode: set
example.org/shop/tax/tax.go:3.36,4.13 1 1
example.org/shop/tax/tax.go:4.13,6.3 1 0
example.org/shop/tax/tax.go:7.2,7.16 1 1
example.org/shop/tax/tax.go:7.16,10.3 2 0
example.org/shop/tax/tax.go:11.2,11.20 1 1
example.org/shop/tax/tax.go:14.25,16.2 1 0
example.org/shop/tax/tax.go:14.25,16.2 1 0
example.org/shop/other.go:1.1,99.2 1 0
"""


def test_lines_of_blocks_that_were_not_entered_did_not_run() -> None:
    found = set(go.ran(PROFILE.splitlines(), [("tax/tax.go", TEXT), ("new.go", TEXT)]))

    assert {path for path, _ in found} == {"tax/tax.go"}
    code = [statement.line for statement in go.added_lines_of_code(TEXT, range(1, 20))]
    assert code == [3, 4, 7, 8, 9, 11, 14, 15]
    assert [line for line in code if ("tax/tax.go", line) not in found] == [8, 9, 14, 15]
    assert ("tax/tax.go", 0) in found


def test_a_block_that_one_of_several_packages_enters_ran() -> None:
    entered = PROFILE + "example.org/shop/tax/tax.go:14.25,16.2 1 1\n"

    assert ("tax/tax.go", 15) in set(go.ran(entered.splitlines(), [("tax/tax.go", TEXT)]))
