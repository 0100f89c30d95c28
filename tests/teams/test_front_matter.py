"""The head of a preset says what it is called and which words call for it, or what is wrong with it."""

import pytest
from tests.teams.presets import GOOD, only, shown

from teamlead.teams.front_matter import LARGEST, MOST_KEYWORDS, Head, ReadHead, read_head, split

GOOD_HEAD = "name: menders\ndescription: Mends things.\ntrigger_keywords: [broken, kaputt]\n"


def read(text: str) -> ReadHead:
    return read_head(text)


def test_a_head_is_read_whatever_ends_its_lines_and_stands_before_it() -> None:
    for text in (GOOD, "\ufeff" + GOOD, GOOD.replace("\n", "\r\n"), GOOD.replace("---\n", "---  \n")):
        apart = split(text)
        assert read_head(apart.head) == ReadHead(Head("menders", "Mends things.", ("broken", "kaputt")))
        assert apart.begins == 5


def test_keywords_may_be_one_text_with_commas() -> None:
    assert read("name: a\ndescription: b\ntrigger_keywords: error, 에러\n").head.keywords == ("error", "에러")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# No head\n", "team.md:1: error: there is no front matter"),
        ("---\nname: a\n", "team.md:1: error: the front matter does not end within 16 KiB"),
        ("---\nname: a\n" + "# x\n" * LARGEST + "---\n", "team.md:1: error: the front matter does not end"),
    ],
)
def test_a_missing_head_is_told_with_an_example(text: str, said: str) -> None:
    assert any(line.startswith(said) and "trigger_keywords: [bug, error]" in line for line in shown(text))


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (
            "description:",
            "trigger_keyword: [x]\ndescription:",
            "team.md:3: error: unknown key 'trigger_keyword' (did you mean 'trigger_keywords'?)",
        ),
        (
            "description:",
            "colour: red\ndescription:",
            "team.md:3: error: unknown key 'colour' (known: name, description, trigger_keywords)",
        ),
        (
            "description:",
            "name: other\ndescription:",
            "team.md:3: error: 'name' is there twice, first on line 2 (keep one of them)",
        ),
        ("name: menders", "name: ../menders", "team.md:2: error: '../menders' cannot be the name of a team"),
        ("name: menders", "name: a/b", "team.md:2: error: 'a/b' cannot be the name of a team"),
        ("name: menders", 'name: "a\\x1b[2J"', "team.md:2: error: 'a\\x1b[2J' cannot be the name of a team"),
        ("name: menders", "name: ''", "team.md:2: error: the team has no name"),
        ("name: menders", "name: [a, b]", "team.md:2: error: 'name' takes one text"),
        ("name: menders\n", "", "team.md:1: error: the team has no name"),
        ("description: Mends things.\n", "", "team.md:1: warning: the team has no description"),
        ("Mends things.", '"a\\u202eb"', "team.md:3: error: the description has more than 1000 characters"),
        ("Mends things.", "x" * 1001, "team.md:3: error: the description has more than 1000 characters"),
        ("trigger_keywords: [broken, kaputt]\n", "", "team.md:1: error: the team has no keywords"),
        ("[broken, kaputt]", "[]", "team.md:4: error: the team has no keywords"),
        ("[broken, kaputt]", "[broken, '']", "team.md:4: error: the keyword '' is empty"),
        ("[broken, kaputt]", "[broken, ' - ']", "team.md:4: error: the keyword '-' is empty"),
        ("[broken, kaputt]", '[broken, "a\\x07"]', "team.md:4: error: 'a\\x07' cannot be a keyword"),
        ("[broken, kaputt]", f"[broken, {'x' * 101}]", "team.md:4: error: 'xxxx"),
        (
            "[broken, kaputt]",
            "&x [broken]",
            "team.md:4: error: the front matter cannot be read: it holds an anchor",
        ),
        ("Mends things.", "*x", "team.md:3: error: the front matter cannot be read: it holds an alias"),
        ("Mends things.", "[1", "team.md:4: error: the front matter cannot be read: it is not YAML"),
    ],
)
def test_what_is_wrong_with_a_head_is_told_with_its_line_and_a_remedy(
    before: str, after: str, said: str
) -> None:
    assert before in GOOD
    assert only(GOOD.replace(before, after, 1)).startswith(said)


def test_more_keywords_than_tell_a_task_apart_are_refused() -> None:
    many = "".join(f"  - w{number}\n" for number in range(MOST_KEYWORDS + 1))
    found = read(f"name: a\ndescription: b\ntrigger_keywords:\n{many}")
    assert len(found.head.keywords) == MOST_KEYWORDS
    [problem] = found.problems
    assert "201 keywords are too many" in problem.message
    fewer = read(f"name: a\ndescription: b\ntrigger_keywords:\n{many.rpartition('  - ')[0]}")
    assert fewer.problems == ()
