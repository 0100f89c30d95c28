"""A correction of the spelling is certain, or it is none."""

import pytest

from teamlead.guard.spelling import _MEANING_BEARING, _MISSPELT, is_misspelling


def distance(a: str, b: str) -> int:
    """Of Damerau and Levenshtein: letters added, dropped, changed, or swapped with their neighbour."""
    rows = [list(range(len(b) + 1))]
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            row.append(min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (x != y)))
            if i > 1 and j > 1 and (x, a[i - 2]) == (b[j - 2], y):
                row[-1] = min(row[-1], rows[-2][j - 2] + 1)
        rows.append(row)
    return rows[-1][-1]


@pytest.mark.parametrize(("wrong", "right"), _MISSPELT.items())
def test_what_is_well_known_is_near_the_right_word_and_bears_no_requirement(wrong: str, right: str) -> None:
    assert 0 < distance(wrong, right) <= 2
    assert not {wrong, right} & _MEANING_BEARING
    assert right not in _MISSPELT
    assert is_misspelling(wrong, right)
    assert is_misspelling(f"({wrong.title()},", f"({right.title()},")
    assert not is_misspelling(right, wrong)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("thresohld", "threshold"), ("Configruation", "Configuration"), ("RECIEVED", "RECEIVED")],
)
def test_two_swapped_letters_of_a_long_word_are_a_slip(wrong: str, right: str) -> None:
    assert is_misspelling(wrong, right)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("trial", "trail"),
        ("casual", "causal"),
        ("martial", "marital"),
        ("present", "prevent"),
        ("should", "could"),
        ("reuqired", "required"),
        ("optoinal", "optional"),
        ("recieve", "Receive"),
        ("recieve.", "receive,"),
        ("recieve_all", "receive_all"),
        ("エラー", "エラ"),
        ("", ""),
    ],
)
def test_what_may_be_another_word_is_no_slip(before: str, after: str) -> None:
    assert not is_misspelling(before, after)
