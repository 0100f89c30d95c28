"""Tests of Go in reverse."""

from teamlead.evidence.proofs import go_order

TESTS = """package shop

func TestMain(m *testing.M) { m.Run() }

// TestFirst comes first.
func TestFirst(t *testing.T) {
	helper("}")
}

func helper(word string) {}

func Testing(t *testing.T) {}

func TestSecond(t *testing.T) { second() }

func TestThird(t *testing.T) {
	third()
}
"""


def test_tests_change_places_and_all_else_stays() -> None:
    turned = go_order.in_reverse(TESTS)

    assert turned.tests == ["TestFirst", "TestSecond", "TestThird"]
    places = [
        turned.text.index(word) for word in ("TestMain", "third()", "helper(word", "second()", 'helper("}')
    ]
    assert places == sorted(places)
    assert sorted(turned.text.split("\n")) == sorted(TESTS.split("\n"))
    assert go_order.in_reverse("package broken {").tests == []


def test_the_touched_tests_are_asked_for_twice_whatever_the_command_counts() -> None:
    asked = go_order.asking("go test -count=1 -race ./...", ["TestA", "TestB"])

    assert asked == (
        "export GOFLAGS=\"$(go env GOFLAGS)\"' -count=2 -run=^(TestA|TestB)$'\ngo test -race ./..."
    )
