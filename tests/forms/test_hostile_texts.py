"""No text hurts those who read what agents say: each ends in a value or in an error of its own, in time and
memory that grow with the text. TEAMLEAD_TEST_SIZE=100 tries 10,000 texts on each; a failure names its seed.
"""

import os
import re
from pathlib import Path

import pytest
from tests.forms.parsers import PARSERS, RESULTS, Parser
from tests.hostile import (
    MEGABYTE,
    Provocation,
    grows_too_fast,
    hostile_texts,
    provocations,
    quiet,
    takes_too_much,
)

SIZE = int(os.environ.get("TEAMLEAD_TEST_SIZE", "1"))
SEED = int(os.environ.get("TEAMLEAD_TEST_SEED", "1"))
TEXTS = 100 * SIZE
PROVOCATIONS = 20 * SIZE
LARGE = SIZE


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a text makes a parser look at or note down is in an empty folder."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("CLAUDE_PROJECT_DIR", "TEAMLEAD_GUARD", "TEAMLEAD_TASK"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


each_parser = pytest.mark.parametrize("parser", PARSERS, ids=lambda parser: parser.name)


def fault_of(parser: Parser, texts: int, seed: int) -> str:
    """The first text that raises what it may not, and what it raised."""
    for number, text in enumerate(hostile_texts(parser.samples, texts, seed)):
        try:
            parser.read(text)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is the parser's fault
            return f"text {number} of seed {seed}: {error!r} from {text[:300]!r}"
    return ""


def growth_of(parser: Parser, number: int, seed: int) -> str:
    for provocation in provocations(parser.samples, number, seed):
        if wrong := grows_too_fast(parser.read, provocation):
            return f"seed {seed}: {wrong}"
    return ""


@each_parser
@pytest.mark.timeout(600 * SIZE)
def test_a_hostile_text_ends_in_a_value_or_in_the_parsers_own_error(parser: Parser) -> None:
    assert fault_of(parser, TEXTS, SEED) == ""


@each_parser
@pytest.mark.timeout(600 * SIZE)
def test_the_work_grows_with_the_text_and_not_with_its_square(parser: Parser) -> None:
    assert growth_of(parser, PROVOCATIONS, SEED) == ""


@each_parser
@pytest.mark.timeout(600 * SIZE)
def test_the_longest_text_takes_bounded_time_and_memory(parser: Parser) -> None:
    assert takes_too_much(parser.read, "a" * 2 * MEGABYTE) == ""
    for provocation in provocations(parser.samples, LARGE, SEED):
        text = provocation.of(parser.longest)[: parser.longest]
        assert takes_too_much(parser.read, text) == "", f"seed {SEED}: {provocation!r}"


def squared(text: str) -> None:
    """From every space it looks to the end of the spaces: what a careless pattern does."""
    re.search(r"\s+$", text)


def numbered(text: str) -> int:
    return sum(int(digits) for digits in re.findall(r"\d+", text))


def kept_in_every_length(text: str) -> list[str]:
    return [text[:end] for end in range(0, len(text), 1000)]


def test_a_parser_with_squared_work_is_noticed() -> None:
    assert "times the work" in grows_too_fast(squared, Provocation("", " ", "!"))
    assert "times the work" in growth_of(Parser("planted", squared, []), 2_000, SEED)


def test_a_parser_that_raises_is_noticed_and_its_own_error_is_not() -> None:
    assert "ValueError" in fault_of(Parser("planted", numbered, RESULTS), 300, SEED)
    assert fault_of(Parser("planted", quiet(numbered, ValueError), RESULTS), 300, SEED) == ""


def test_a_parser_that_takes_too_much_memory_is_noticed() -> None:
    assert "MB of memory" in takes_too_much(kept_in_every_length, "a" * MEGABYTE)
