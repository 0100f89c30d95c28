"""Whatever a preset holds, reading it ends with problems and never with a fault of ours."""

# ruff: noqa: RUF001 - fragments are written as documents have them

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.teams.presets import GOOD, HEAD, read

PARTS = (
    *(
        "## Members",
        "## Workflow",
        "## Finding Card Sections",
        "### codex as a",
        "### a",
        "### engine:findings",
        "### ",
    ),
    *(
        "- **Phase**: ANALYZING",
        "- **After**: the others",
        "- **Writes**: **",
        "- **Instructions** (X): y",
        "- **Checks**:",
    ),
    *(
        "1. **ANALYZING**: a (parallel)",
        "2. **X** (REVIEWING): a + codex(b) — depends on X, Y",
        "3. **APPROVAL**",
        "4. :",
    ),
    *(
        "   - **Reopens**: X, at most 999 times",
        "   - **Reopens**",
        "- **analysis**: a, b",
        "```",
        "(",
        "（",
        "—",
        "\x1b[2J",
    ),
)


@settings(max_examples=300)
@given(st.lists(st.one_of(st.sampled_from(PARTS), st.text(max_size=20)), max_size=15))
def test_any_lines_are_read(lines: list[str]) -> None:
    read(HEAD + "\n".join(lines))


@given(st.text(), st.integers(0, len(GOOD)))
def test_a_good_preset_with_anything_in_it_is_read(text: str, at: int) -> None:
    read(GOOD[:at] + text + GOOD[at:])


@given(st.text())
def test_any_head_is_read(text: str) -> None:
    read(f"---\n{text}\n---\n")


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "body",
    [
        "## Workflow\n\n1. **A**: " + "(a," * 200_000,
        "## Workflow\n\n1. **EXECUTING**: a — depends on " + "x, " * 200_000,
        "## Members\n\n### " + "a as " * 100_000,
        "## Members\n\n### " + "(" * 500_000,
        "## Members\n\n### a\n- " + "(" * 500_000,
        "## Members\n\n### a\n- " + "**a " * 200_000,
        "## Members\n\n### a\n- **Writes**: " + "`" * 500_000,
        "## Members\n\n### a\n- **Instructions**: " + "a " * 300_000,
    ],
    ids=["brackets", "stages", "names", "heading", "bullet", "bold", "ticks", "words"],
)
def test_a_megabyte_of_one_thing_is_read_as_well(body: str) -> None:
    """The time-out is of a hang: each takes a second or two."""
    assert read(HEAD + body).problems
