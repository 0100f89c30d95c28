import pytest
from tests.hostile import Provocation, grows_too_fast

from teamlead.system.dotenv import assignments


def values(text: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for name, value in assignments(text):
        found.setdefault(name, set()).add(value)
    return found


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("abc", {"abc"}),
        ("  abc  ", {"abc"}),
        ("abc # x", {"abc", "abc # x"}),
        ("abc#x", {"abc", "abc#x"}),
        ('"abc" # x', {"abc"}),
        ("'abc'\t# x", {"abc"}),
        ('`a"b`', {'a"b'}),
        ('"a # b"', {"a # b"}),
        (r'"a\n\"b\\"', {'a\n"b\\', r"a\n\"b\\"}),
        (r"'a\nb'", {r"a\nb", "a\nb"}),
        ('"a\nb\n"  # x', {"a\nb\n", "a"}),
        ("'it is # not closed", {"it is # not closed", "it is"}),
        ("", {""}),
        ('""', {""}),
    ],
)
def test_a_value_is_read_as_each_of_the_common_tools_reads_it(written: str, meant: set[str]) -> None:
    for head in ("KEY=", "export KEY=", "  KEY = ", "KEY: "):
        found = values(f"A=1\n{head}{written}\nB=2\n")
        assert (found["KEY"], found["A"], found["B"]) == (meant, {"1"}, {"2"})


@pytest.mark.parametrize("text", ["# KEY=abc", "KEY", "=abc", "not an = assignment", "1KEY=abc"])
def test_what_assigns_nothing_has_no_value(text: str) -> None:
    assert values(text) == {}


@pytest.mark.parametrize(
    "part", ['A="', "A='\n", 'A="\\', "A", "A ", "export ", '\nA="\\"', "A=#", "A= ", " "]
)
def test_the_work_grows_with_the_file(part: str) -> None:
    for provocation in (Provocation("", part, ""), Provocation("A=b", part, "c")):
        assert grows_too_fast(lambda text: list(assignments(text)), provocation) == ""
