import pytest

from teamlead.core.model import Question, Usage
from teamlead.runners.run_events import LONGEST_RAW, LONGEST_TEXT, Tally, parse_event


def tally(*lines: bytes) -> Tally:
    total = Tally()
    for line in lines:
        total.add(parse_event(line))
    return total


def test_an_unknown_type_is_kept_as_it_is() -> None:
    assert parse_event(b'{"type": "mood", "level": [1]}') == {"type": "mood", "level": [1]}


@pytest.mark.parametrize(
    "line",
    [
        b"Hello",
        b"",
        b"{",
        b"[1]",
        b"3",
        b'{"no": "type"}',
        b'{"type": 1}',
        b"[" * 10_000,
        b'{"a":' * 5_000,
        b'{"type": NaN}',
    ],
)
def test_a_line_that_is_no_event_is_kept_raw(line: bytes) -> None:
    assert parse_event(line) == {"type": "raw", "text": line.decode()}


def test_of_a_long_line_that_is_no_event_the_beginning_is_kept() -> None:
    assert parse_event(b"\0" * 1_000_000) == {"type": "raw", "text": "\0" * LONGEST_RAW}


def test_broken_text_inside_an_event_does_not_lose_the_event() -> None:
    assert parse_event(b'{"type": "text", "text": "\xff!"}') == {"type": "text", "text": "\ufffd!"}


def test_usage_adds_up_and_unknown_stays_unknown() -> None:
    total = tally(
        b'{"type": "usage", "input_tokens": 5, "cost_usd": 0.25}', b'{"type": "usage", "input_tokens": 7}'
    )
    assert total.usage == Usage(12, None, 0.25)


@pytest.mark.parametrize("value", [b"-5", b"true", b'"5"', b"1.5", b"1e300", b"[]"])
def test_a_count_that_is_none_is_unknown(value: bytes) -> None:
    assert tally(b'{"type": "usage", "input_tokens": %s}' % value).usage == Usage()


def test_a_question_with_odd_options_keeps_the_usable_ones() -> None:
    total = tally(b'{"type": "ask", "text": "Which?", "options": ["a", 1, null, "b"]}')
    assert total.question == Question("Which?", ("a", "b"))


def test_what_an_agent_says_of_itself_is_made_inert_and_short() -> None:
    total = tally(b'{"type": "finished", "status": "ok", "summary": "\\u001b[31m%s"}' % (b"x" * 100_000))
    assert total.summary.startswith("xxx")
    assert len(total.summary) < LONGEST_TEXT + 20


def test_words_that_are_too_long_for_a_summary_are_kept_as_a_report() -> None:
    tally = Tally()
    tally.add({"type": "finished", "status": "ok", "summary": "x" * 2 * LONGEST_TEXT})
    assert len(tally.summary) < len(tally.report) == 2 * LONGEST_TEXT
    tally.add({"type": "finished", "status": "ok", "summary": "short"})
    assert (tally.summary, tally.report) == ("short", "")


def test_talk_with_the_team_is_no_call_of_a_tool() -> None:
    tally = Tally(0)
    for name in ("mcp__team__submit_result", "mcp_team_ask_human", "Read"):
        tally.add({"type": "tool_call", "name": name})
    assert tally.tool_calls == 1
