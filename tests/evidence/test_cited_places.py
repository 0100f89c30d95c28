import os

from hypothesis import given, settings
from hypothesis import strategies as st

from teamlead.evidence.cited_places import FileText, Quotation

SIZE = int(os.environ.get("TEAMLEAD_TEST_SIZE", "1"))

LINES = st.lists(st.text(alphabet="abcdefgh_ ()=.,{}", max_size=30).map(str.rstrip), min_size=1, max_size=30)


def text(lines: list[str]) -> FileText:
    return FileText("\n".join([*lines, ""]).encode())


@settings(max_examples=150 * SIZE)
@given(LINES, st.data())
def test_lines_of_a_file_stand_where_they_are(lines: list[str], data: st.DataObject) -> None:
    lines = [f"{line} some_{number % 3}(words)" for number, line in enumerate(lines)]
    first = data.draw(st.integers(1, len(lines)))
    last = data.draw(st.integers(first, min(len(lines), first + 4)))
    needle = Quotation("\n".join(lines[first - 1 : last]))
    file = text(lines)
    assert file.holds(needle, first, last)
    assert file.nearest(needle, first)


@settings(max_examples=150 * SIZE)
@given(LINES, st.integers(0, 40))
def test_a_line_that_only_one_place_has_is_found_there_from_anywhere(lines: list[str], at: int) -> None:
    unique = "answer = compute(42)"
    position = at % (len(lines) + 1)
    file = text([*lines[:position], unique, *lines[position:]])
    for line in range(1, file.length + 1):
        assert file.nearest(Quotation(unique), line) == position + 1
        assert file.holds(Quotation(unique), line, line) is (line == position + 1)


@settings(max_examples=150 * SIZE)
@given(LINES, st.text(max_size=60))
def test_any_quotation_can_be_looked_for(lines: list[str], quote: str) -> None:
    file, needle = text(lines), Quotation(quote)
    for line in range(1, file.length + 1):
        assert file.holds(needle, line, line) in {True, False}
        if needle.parts:
            assert 0 <= file.nearest(needle, line) <= file.length


def test_a_file_has_as_many_lines_as_it_has_line_ends() -> None:
    contents = [b"", b"a", b"a\n", b"a\nb", b"a\r\nb\r\n", b"\n", b"\n\n"]
    assert [FileText(content).length for content in contents] == [0, 1, 1, 2, 2, 1, 2]
