"""Go source that is wrong in one place."""

import shutil
import subprocess
from pathlib import Path

import pytest

from teamlead.evidence.proofs.go_faults import faults

SOURCE = """package shop

import (
	"fmt"
	"strings"
)

type Till struct {
	sum   int
	lines map[string]int
}

func Gross(net int) (int, error) {
	if net < 0 {
		return 0, fmt.Errorf("no")
	}
	if much := net * 3; much > 1000 {
		return much, nil
	}
	return net * 2, nil
}

func (t *Till) Add(name string, a, b int) (sum int, err error) {
	for _, x := range []int{a, b} {
		t.sum += x
	}
	fmt.Println("added")
	t.note(
		name,
	)
	if err := t.check(); err != nil {
		return 0, err
	}
	return t.total()
}

func (t *Till) note(name string)    { t.lines[name]++ }
func (t *Till) check() error        { return nil }
func (t *Till) total() (int, error) { return t.sum, nil }
func (t *Till) String() string      { return "a till" }

func Map[T any](items []T, change func(T) T) []T {
	found := make([]T, 0, len(items))
	for _, item := range items {
		found = append(found, change(item))
	}
	return found
}

func Upper(words []string) []string {
	return Map(words, func(s string) string { return strings.ToUpper(s) })
}

func Any() interface{} {
	switch x := struct{ a int }{1}; x.a {
	case 1:
		return x
	default:
		return nil
	}
}
"""
LINES = range(1, 100)


def changed(text: str) -> dict[str, tuple[int, list[str]]]:
    """Each fault with its line and with the lines that were not there."""
    before = text.split("\n")
    return {
        fault.sentence: (fault.line, [line.strip() for line in fault.text.split("\n") if line not in before])
        for fault in faults(text, LINES)
    }


def test_a_function_returns_nothing_or_its_argument_a_condition_turns_a_statement_goes() -> None:
    assert changed(SOURCE) == {
        "Gross returns nothing": (20, ["_ = net * 2; return *new(int), *new(error)"]),
        "Add returns nothing": (34, ["_, _ = t.total(); return *new(int), *new(error)"]),
        "`t.lines[name]++` is left out": (
            37,
            ["func (t *Till) note(name string)    { _ = func() { t.lines[name]++ } }"],
        ),
        "total returns nothing": (
            39,
            ["func (t *Till) total() (int, error) { _ = t.sum; return *new(int), *new(error) }"],
        ),
        "Map returns nothing": (47, ["_ = found; return *new([]T)"]),
        "Upper returns nothing": (
            51,
            ["_ = Map(words, func(s string) string { return strings.ToUpper(s) }); return *new([]string)"],
        ),
        "Any returns nothing": (57, ["_ = x; return *new(interface{})"]),
        "a function returns nothing": (
            51,
            ["return Map(words, func(s string) string { _ = strings.ToUpper(s); return *new(string) })"],
        ),
        "`if much > 1000` is the other way round": (17, ["if much := net * 3; !(much > 1000) {"]),
        "`t.note(` is left out": (28, ["_ = func() { t.note(", ") }"]),
        "`found = append(found, change(item))` is left out": (
            45,
            ["_ = func() { found = append(found, change(item)) }"],
        ),
        "Upper returns words as it is": (
            51,
            ["_ = Map(words, func(s string) string { return strings.ToUpper(s) }); return words"],
        ),
        "a function returns s as it is": (
            51,
            ["return Map(words, func(s string) string { _ = strings.ToUpper(s); return s })"],
        ),
        "Gross returns net as it is": (20, ["_ = net * 2; return net, *new(error)"]),
        "Map returns items as it is": (47, ["_ = found; return items"]),
    }


def test_only_what_ran_is_changed_and_nothing_that_cannot_be_read() -> None:
    assert faults(SOURCE, {13, 14, 27, 31, 38, 40}) == []
    # That it was asked is not enough: something has to depend on it.
    assert faults(SOURCE, {17}) == []
    assert [fault.line for fault in faults(SOURCE, {17, 18})] == [18, 17, 18]
    assert faults("package shop\n\nfunc Broken( {\n", {3}) == []


@pytest.mark.skipif(not shutil.which("go"), reason="needs go")
def test_go_compiles_each_of_them(tmp_path: Path) -> None:
    (tmp_path / "go.mod").write_text("module example.org/shop\n\ngo 1.19\n")
    found = faults(SOURCE, LINES)
    for number, fault in enumerate(found):
        (tmp_path / f"p{number}").mkdir()
        (tmp_path / f"p{number}" / "shop.go").write_text(fault.text)

    subprocess.run(["go", "build", "./..."], cwd=tmp_path, check=True)
