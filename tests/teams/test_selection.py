"""The team is chosen whose keywords are in the task, each met as its own script wants it."""

# ruff: noqa: RUF001 - lines are shown as they are printed

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teamlead.teams.selection import Keywords, best, scores


def met(task: str, *keywords: str) -> tuple[str, ...]:
    [found] = scores(task, [Keywords("team", keywords)])
    return found.met


@pytest.mark.parametrize(
    ("keyword", "task"),
    [
        ("UI", "the ui is slow"),
        ("ui", "Fix the UI."),
        ("UI", "(UI)"),
        ("UI", "로그인 UI를 고쳐"),
        ("api", "APIが遅い"),
        ("api", "Ａｐｉ gone"),
        ("NPE", "an npe, again"),
        ("k8s", "k8s-deploy"),
        ("C++", "a C++20 crash"),
        ("code review", "a  code\nreview"),
        ("버그", "버그가 생겼다"),
        ("버그", "500버그"),
        ("버그", "API버그"),
        ("버그", unicodedata.normalize("NFD", "버그가")),
        ("バグ", "このバグを直す"),
        ("バグ", "ﾊﾞｸﾞ"),
        ("設計書", "新設計書を書く"),
        ("straße", "STRASSE"),
        ("café", "cafe\u0301"),
    ],
)
def test_a_keyword_is_met(keyword: str, task: str) -> None:
    assert met(task, keyword) == (keyword,)


@pytest.mark.parametrize(
    ("keyword", "task"),
    [
        ("UI", "build the fruit"),
        ("UI", "ui_kit"),
        ("UI", "ui2"),
        ("api", "rapid"),
        ("api", "apis"),
        ("bug", "debug"),
        ("bug", "bugs"),
        ("e", "cafe\u0301"),
        ("버그", "디버그"),
        ("배포", "재배포"),
        ("버그", "벌레"),
        ("バグ", "バッグ"),
        ("code review", "codereview"),
        ("x", ""),
    ],
)
def test_a_keyword_is_not_met(keyword: str, task: str) -> None:
    assert met(task, keyword) == ()


def test_a_later_place_counts_where_an_earlier_one_does_not() -> None:
    assert met("debug the bug", "bug") == ("bug",)
    assert met("디버그의 버그", "버그") == ("버그",)


def test_each_keyword_counts_once_however_often_it_is_met_or_spelled() -> None:
    assert met("bug, BUG and error", "bug", "BUG", "error", "crash") == ("bug", "error")


def test_the_most_keywords_win_and_of_as_many_the_first_team() -> None:
    teams = [Keywords("one", ("a",)), Keywords("two", ("b", "c")), Keywords("three", ("b", "d"))]

    def chosen(task: str) -> tuple[str, int] | None:
        found = best(scores(task, teams))
        return (found.team, found.score) if found else None

    assert chosen("a b c") == ("two", 2)
    assert chosen("b d") == ("three", 2)
    assert chosen("b") == ("two", 1)
    assert chosen("a b") == ("one", 1)
    assert chosen("z") is None
    assert [each.score for each in scores("a b c", teams)] == [1, 2, 1]


def test_no_team_is_no_choice() -> None:
    assert best(scores("a", [])) is None


@given(st.text(), st.lists(st.text(min_size=1), max_size=5))
def test_any_texts_can_be_compared_and_a_keyword_alone_is_met_by_itself(
    task: str, keywords: list[str]
) -> None:
    scores(task, [Keywords("team", tuple(keywords))])
    for keyword in keywords:
        if "".join(unicodedata.normalize("NFKC", keyword).split()):
            assert met(keyword, keyword)
