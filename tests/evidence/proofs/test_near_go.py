"""Inputs near those of tests of Go."""

import shutil
from pathlib import Path

import pytest
from tests.evidence.proofs.world import Shop, only

from teamlead.evidence.proofs.near_inputs import BEYOND_TESTS, NO_MEMORY, near_inputs

PROOFS = (near_inputs,)
pytestmark = pytest.mark.skipif(not shutil.which("go"), reason="needs go")

COMMAND = "go test ./..."
OLD = """package words

import "strings"

// Slug makes an address of it.
func Slug(text string) string {
	return strings.ToLower(text)
}
"""
RIGHT = OLD.replace("ToLower(text)", 'ReplaceAll(strings.ToLower(text), " ", "-")')
TEST = """package words

import "testing"

func TestSlug(t *testing.T) {
	for given, want := range map[string]string{"Two words": "two-words", "plain": "plain"} {
		if got := Slug(given); got != want {
			t.Error(got)
		}
	}
}
"""
BASE = {"go.mod": "module example.org/shop\n\ngo 1.19\n", "words/words.go": OLD}


def bent(condition: str, head: str = "") -> str:
    """Right for the input of the test."""
    body = f'Slug(text string) string {{\n\tif {condition} {{\n\t\treturn "two-words"\n\t}}\n'
    return OLD.replace("Slug(text string) string {\n", body).replace("// Slug", f"{head}// Slug")


@pytest.mark.parametrize(
    "source",
    [
        bent('text == "Two words"'),
        bent("len(text) == 9 && text[0] == 'T' && text[4] == 'w'"),
        bent("known[text]", 'var known = map[string]bool{"Two words": true}\n\n'),
    ],
    ids=["equal", "shape", "table"],
)
def test_source_that_answers_its_tests_alone_is_asked_about(shop: Shop, source: str) -> None:
    proofs = shop.prove(BASE, {"words/words.go": source, "words/words_test.go": TEST}, COMMAND)

    item = only(proofs, "flagged")
    assert item.claim == BEYOND_TESTS
    assert '`Slug("Two words")`, which a test calls, gives something else than before' in item.found
    assert proofs.runs == 5


def test_source_that_is_right_for_others_too_is_not_asked_about(shop: Shop) -> None:
    assert not shop.prove(BASE, {"words/words.go": RIGHT, "words/words_test.go": TEST}, COMMAND).evidence


def test_a_flood_of_long_inputs_hides_no_others(shop: Shop) -> None:
    flood = """package words

import (
	"fmt"
	"testing"
)

func TestMany(t *testing.T) {
	for at := 0; at < 2500; at++ {
		Slug(fmt.Sprintf("%0600d", at))
	}
}
"""
    change = {
        "words/words.go": bent('text == "Two words"'),
        "words/many_test.go": flood,
        "words/words_test.go": TEST,
    }

    assert only(shop.prove(BASE, change, COMMAND), "flagged").claim == BEYOND_TESTS


def test_what_is_not_exported_and_what_a_program_does_is_called_too(shop: Shop) -> None:
    source = """package main

import (
	"errors"
	"fmt"
)

type count uint64

func total(prices []float64, taxes map[string]int, times count, more ...string) (float64, error) {
	if len(prices) == 0 {
		return 0, errors.New("no prices")
	}
	RULE
	return prices[0] * float64(times), nil
}

func main() {
	fmt.Println(total([]float64{1}, nil, 1))
}
"""
    test = """package main

import "testing"

func TestTotal(t *testing.T) {
	if got, _ := total([]float64{2, 3.5}, map[string]int{"a": 20}, 3); got != 16.5 {
		t.Error(got)
	}
	if _, err := total(nil, nil, 1); err == nil {
		t.Error("no error")
	}
}
"""
    base = {"go.mod": BASE["go.mod"], "main.go": source.replace("RULE", "")}
    of_test = 'len(prices) == 2 && prices[0] == 2 && prices[1] == 3.5 && taxes["a"] == 20 && times == 3'
    bent = source.replace("RULE", f"if {of_test} {{\n\t\treturn 16.5, nil\n\t}}")
    right = source.replace(
        "RULE", "if len(prices) > 1 {\n\t\treturn (prices[0] + prices[1]) * float64(times), nil\n\t}"
    )

    flagged = only(shop.prove(base, {"main.go": bent, "main_test.go": test}, COMMAND), "flagged")
    assert (
        '`total([]float64{2, 3.5}, map[string]int{"a":20}, 3, []string(nil))`, which a test' in flagged.found
    )
    assert not shop.prove(base, {"main.go": right, "main_test.go": test}, COMMAND).evidence


def test_a_rule_about_the_last_digits_is_not_asked_about(shop: Shop) -> None:
    old = """package words

import "strconv"

func Ordinal(x int) string {
	if x%10 == 2 {
		return strconv.Itoa(x) + "nd"
	}
	return strconv.Itoa(x) + "th"
}
"""
    test = """package words

import "testing"

func TestOrdinal(t *testing.T) {
	if got := Ordinal(12); got != "12th" {
		t.Error(got)
	}
}
"""
    base = BASE | {"words/words.go": old}
    right = old.replace("x%10 == 2", "x%10 == 2 && x%100 != 12")
    proofs = shop.prove(base, {"words/words.go": right, "words/words_test.go": test}, COMMAND)

    assert (proofs.evidence, proofs.runs) == ((), 5)


def test_what_only_the_first_call_gets_right_is_asked_about(shop: Shop) -> None:
    kept = (
        RIGHT.replace("// Slug", "var first string\n\n// Slug")
        .replace("\treturn strings", '\tif first != "" {\n\t\treturn first\n\t}\n\tfirst = strings')
        .replace('"-")\n', '"-")\n\treturn first\n')
    )
    test = TEST.replace(', "plain": "plain"', "")
    proofs = shop.prove(BASE, {"words/words.go": kept, "words/words_test.go": test}, COMMAND)

    assert NO_MEMORY in {item.claim for item in proofs.evidence if item.verdict == "flagged"}


@pytest.mark.parametrize("where", ["words/words.go", "words/other.go", "disk/disk.go"])
def test_nothing_is_called_that_may_reach_beyond_its_arguments(
    shop: Shop, where: str, tmp_path: Path
) -> None:
    place = tmp_path / "written"
    package = Path(where).parent.name
    writes = f'func Write(text string) {{\n\tos.WriteFile("{place}", []byte(text), 0o600)\n}}\n'
    source = bent('text == "Two words"').replace("string {\n", "string {\n\tCALL(text)\n", 1)
    source = source.replace("CALL", "Write" if package == "words" else "disk.Write")
    imports = {"words/words.go": '"os"', "disk/disk.go": '"example.org/shop/disk"'}.get(where, "")
    source = source.replace('import "strings"', f'import (\n\t{imports}\n\t"strings"\n)')
    files = {"words/words.go": source, "words/words_test.go": TEST.replace(', "plain": "plain"', "")}
    if where == "words/words.go":
        files[where] += writes
    else:
        files[where] = f'package {package}\n\nimport "os"\n\n{writes}'

    proofs = shop.prove(BASE, files, COMMAND)

    assert (proofs.evidence, proofs.runs) == ((), 0)
    assert place.read_text() == "Two words"


def test_calls_that_panic_or_do_not_end_are_no_answer(shop: Shop) -> None:
    panics = bent('text == "Two words"').replace(
        "\treturn strings",
        '\tif len(text) == 8 {\n\t\tpanic(text)\n\t}\n\tfor text == "Two xords" {\n\t}\n\treturn strings',
    )
    change = {
        "words/words.go": panics,
        "words/words_test.go": TEST.replace(', "plain": "plain"', ""),
    }

    item = only(shop.prove(BASE, change, COMMAND), "flagged")

    assert (item.claim, "of 7 calls like it" in item.found) == (BEYOND_TESTS, True)
