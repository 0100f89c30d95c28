"""An edit is TRIVIAL only if everybody would call it so. The rest is for an agent."""

import pytest

from teamlead.guard.trivial import classify, judge_edit

TRIVIAL = [
    ("typo", "recieve", "receive"),
    ("typo", '"recieve"', '"receive"'),
    ("version", "1.0.0", "1.0.1"),
    ("version", '"1.0.0"', '"1.0.1"'),
    ("date", "2025-01-01", "2025-01-31"),
    ("date", '"2025-01-01"', '"2025-01-31"'),
    ("formatting", "  - one\n - two", "- one\n- two"),
]
"""Every row of the table of examples."""

MORE_TRIVIAL = [
    ("typo", "The server will recieve it.", "The server will receive it."),
    ("typo", "Recieved, then stored", "Received, then stored"),
    ("typo", "a seperately stored value", "a separately stored value"),
    ("typo", "the respnose is stored", "the response is stored"),
    ("typo", "teh end\nof teh world", "the end\nof the world"),
    ("version", "version: 1.0.0", "version: 1.1.0"),
    ("version", "# Login\n\n**Version**: 1.0", "# Login\n\n**Version**: 1.1"),
    ("version", "| Version | v1.2.0 |", "| Version | v1.3.0 |"),
    ("version", "バージョン: 1.0.0", "バージョン: 1.0.1"),
    ("version", "버전: 1.0.0", "버전: 1.0.1"),
    ("date", "Last updated: 2025-01-01", "Last updated: 2025-01-31"),
    ("date", "最終更新日: 2025年1月1日", "最終更新日: 2025年1月31日"),
    ("date", "- Date: 2025/01/01", "- Date: 2025/01/31"),
    ("formatting", "* one", "- one"),
    ("formatting", "one  ", "one"),
    ("formatting", "one\ntwo", "one\n\ntwo"),
    ("formatting", "one\n\n\n\ntwo", "one\n\ntwo"),
    ("formatting", "the word", "the **word**"),
    ("formatting", "call run", "call `run`"),
    ("formatting", "|a|b|", "| a | b |"),
    ("formatting", "## Title", "# Title"),
    ("formatting", "end", "end\n"),
]

NOT_TRIVIAL = [
    ("a number", "timeout: 30", "timeout: 60"),
    ("for more or for less", "The server should answer.", "The server must answer."),
    ("content is added", "- one", "- one\n- two"),
    ("more exactly", "高速レスポンス", "100ms 以内のレスポンス"),
    # Where one might doubt.
    ("a number", "maxRetries: 3", "maxRetries: 5"),
    ("for more or for less", "name (optional)", "name"),
    ("other words", "エラーメッセージ", "エラー通知"),
]
"""Every row of what is not trivial, and of what is in doubt."""

MORE_NOT_TRIVIAL = [
    ("for more or for less", "検証を推奨する", "検証を必須とする"),
    ("for more or for less", "入力を検証するべきである", "入力を検証しなければならない"),
    ("for more or for less", "검증을 권장한다", "검증은 필수이다"),
    ("for more or for less", "검증할 수 있다", "검증해야 한다"),
    ("for more or for less", "it must not fail", "it must fail"),
    ("for more or for less", "The server shoud answer", "The server should answer"),
    ("for more or for less", "名前 任意", "名前"),
    ("other words", "must", "MUST"),
    ("other words", "prevent the message", "present the message"),
    ("other words", "the contact of a user", "the contract of a user"),
    ("other words", "this may affect it", "this may effect it"),
    ("other words", "send it form here", "send it from here"),
    ("other words", "a marital court", "a martial court"),
    ("other words", "the user", "the users"),
    ("other words", "call `recieve`", "call `receive`"),
    ("other words", "the recieveAll method", "the receiveAll method"),
    ("other words", "see recieve.md", "see receive.md"),
    ("content is removed", "- [ ] done", "- [x] done"),
    ("content is added", "fast", "fast and cheap"),
    ("content is removed", "fast and cheap", "fast"),
    ("content is removed", "- one\n- two", "- one"),
    ("content is removed", "one\ntwo", "one two"),
    ("a number", "needs Python 3.11.0", "needs Python 3.12.0"),
    ("a number", "1.5", "2.5"),
    ("a number", "API version: 1.0", "API version: 2.0"),
    ("a number", "Deadline: 2025-01-01", "Deadline: 2025-01-31"),
    ("a number", "# Shop\n## Redis\nVersion: 6.2.0", "# Shop\n## Redis\nVersion: 7.0.0"),
    ("a number", "redis:\n  version: 6.2.0", "redis:\n  version: 7.0.0"),
    ("content is removed", "- 5 degrees", "5 degrees"),
    ("a number", "version: 1.0.0", "version: latest"),
    ("a number", "Date: 2025-01-01", "Date: 2025-13-01"),
    ("block of code", "```\nif a:\n    b\n```", "```\nif a:\nb\n```"),
    ("block of code", "~~~yaml\nversion: 1.0.0\n~~~", "~~~yaml\nversion: 1.0.1\n~~~"),
    ("block of code", "````\n```\na  b\n````", "````\n```\na b\n````"),
    ("block of code", "- ```\n  a  b\n  ```", "- ```\n  a b\n  ```"),
    ("block of code", "```\n    ```\na  b\n```", "```\n    ```\na b\n```"),
    ("other words", "call `a  b`", "call `a b`"),
    ("other words", "`*x*`", "`x`"),
    ("other words", "the snake_case name", "the snakecase name"),
    ("other words", "done", "~~done~~"),
    ("other words", "see __init__", "see init"),
    ("3 lines change", "teh a\nteh b\nteh c", "the a\nthe b\nthe c"),
    ("3 lines change", " a\n b\nc\nd\n e", "a\nb\nc\nd\ne"),
    ("other words", f"{'a ' * 2000}recieve", f"{'a ' * 2000}receive"),
]


@pytest.mark.parametrize(("kind", "before", "after"), [*TRIVIAL, *MORE_TRIVIAL])
def test_an_obvious_correction_is_trivial(kind: str, before: str, after: str) -> None:
    assert classify(before, after).kind == kind


@pytest.mark.parametrize(("why", "before", "after"), [*NOT_TRIVIAL, *MORE_NOT_TRIVIAL])
def test_what_changes_the_meaning_or_might_is_not_trivial(why: str, before: str, after: str) -> None:
    found = classify(before, after)
    assert found.kind is None
    assert why in found.reason
    verdict = judge_edit("docs/spec.md", before, after, "user-asked-for-speed")
    assert (verdict.allowed, verdict.role) == (False, "product-manager")


@pytest.mark.parametrize("where", [1, 50, 100])
def test_the_lines_that_change_are_found_wherever_they_are(where: int) -> None:
    lines = [f"line at the threshold {number}" for number in range(1, 101)]
    wrong = [*lines]
    wrong[where - 1] = wrong[where - 1].replace("threshold", "thresohld")
    found = classify("\n".join(wrong), "\n".join(lines))
    assert (found.kind, found.lines) == ("typo", (where,))


def test_pure_form_is_the_only_edit_that_needs_no_occasion() -> None:
    assert judge_edit("spec.md", "-   one", "- one").allowed
    verdict = judge_edit("spec.md", "recieve", "receive")
    assert (verdict.allowed, verdict.rule, verdict.role) == (False, "agent-first", "product-manager")


@pytest.mark.parametrize("occasion", ["user-asked-for-speed", "agent-failed"])
def test_with_an_occasion_every_trivial_edit_may_be_made(occasion: str) -> None:
    for _, before, after in TRIVIAL:
        assert judge_edit("spec.md", before, after, occasion).exemption == "trivial-edit"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("src/app.py", "backend-specialist"),
        ("src/App.tsx", "frontend-specialist"),
        ("tests/test_app.py", "qa-engineer"),
        ("pyproject.toml", "backend-specialist"),
    ],
)
def test_code_and_tests_have_no_trivial_edits(path: str, role: str) -> None:
    verdict = judge_edit(path, "a  = 1", "a = 1", "user-asked-for-speed")
    assert (verdict.allowed, verdict.role) == (False, role)


@pytest.mark.timeout(30)
@pytest.mark.parametrize("piece", ["*a ", "`", "a" * 50 + "*", "| ", "\n", "```\n", "# a\n", "<!--", "a:"])
def test_a_hostile_text_is_judged_in_bounded_time(piece: str) -> None:
    text = piece * (100_000 // len(piece))
    for before, after in ((text, text + "b"), ("b" + text, text), (text[:1500], text[:1501] + "b")):
        classify(before, after)
