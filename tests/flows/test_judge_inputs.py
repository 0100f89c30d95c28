"""A judge thinks of inputs before it sees the work: what it finds by them, and what it was wrong about."""

import signal
import sys
from typing import Any

import pytest
from tests.flows.support import Project, answer, done, until, write

CHECK = f"{sys.executable} -B -m unittest -v test_tax"
WRONG = "def gross(net):\n    return net\n"
ONLY_FOR_ITS_TEST = "def gross(net):\n    return net + 20\n"
RIGHT = "def gross(net):\n    return round(net * 1.2)\n"
TEST = """\
import unittest
from tax import gross


class Tax(unittest.TestCase):
    def test_gross(self):
        self.assertEqual(gross(100), 120)
"""
RULE = "`gross` adds a fifth to a price, and rounds it."
PLAN = f"""\
# Prices

### 1. Gross prices
{RULE}
- Scope: tax.py
- Acceptance: `gross(100)` is 120
- Checks: `{CHECK}`
"""
YES = answer(success=True, reason="it is all there")


def expects(output: str, command: str = "", **fields: Any) -> dict[str, Any]:
    return {
        "sentence": RULE,
        "file": "try_it.py",
        "text": "from tax import gross\nprint(gross(250))",
        "command": command or f"{sys.executable} -B try_it.py",
        "output": output,
    } | fields


def mended(*sentences: str) -> Any:
    """Content, but for what these say of the questions."""
    said = [{"number": number, "sentence": each} for number, each in enumerate(sentences, 1)]
    return answer(success=True, reason="it is all there", answers=said)


@pytest.fixture
def shop(project: Project) -> Project:
    project.commit("a shop", {"tax.py": WRONG, "test_tax.py": TEST})
    (project.place / "prices.md").write_text(PLAN)
    return project


def start(project: Project, *options: str) -> int:
    return project.teamlead(
        "start", project.place / "prices.md", "--agent", f"scripted:{project.script}", *options
    ).code


def thinks_of(project: Project, *examples: dict[str, Any]) -> None:
    project.plays("task-1-judge", [answer(examples=list(examples))], purpose="examples")


def runs(project: Project) -> list[str]:
    """For what a judge was asked, in order."""
    return [
        event["body"]["purpose"]
        for event in project.events()
        if event["kind"] == "RunWanted" and event["body"]["task"] == "task-1"
    ]


def prompt(project: Project, name: str) -> str:
    return (project.sessions[-1] / "attempts" / name / "prompt.md").read_text()


def test_work_that_is_right_for_its_tests_and_wrong_elsewhere_goes_back(shop: Project) -> None:
    shop.plays("task-1", [write("tax.py", ONLY_FOR_ITS_TEST)], [write("tax.py", RIGHT)])
    thinks_of(shop, expects("300"))
    shop.plays("task-1-judge", [mended("none")], [YES], purpose="judge")

    assert start(shop) == 3

    assert shop.state_of(1) == "DONE"
    assert shop.outcomes(1) == ["returned", "accepted"]
    # Its agent was told of the input: others are thought of.
    assert runs(shop) == ["examples", "judge", "examples", "judge"]
    told = prompt(shop, "task-1-2")
    assert "it gives exit code 0 and '270'" in told
    assert "expected exit code 0 and '300'" in told
    first, second = (shop.teamlead("evidence", "1", "--attempt", number).out for number in "12")
    assert "⚑ flagged   example: it gives what its judge expected before it saw the work" in first
    assert "✓ proven    example: it gives what its judge expected before it saw the work" in second


def test_who_thinks_of_inputs_sees_what_the_work_started_from_and_nothing_of_it(shop: Project) -> None:
    shop.plays("task-1", [write("tax.py", RIGHT), done("Rounded, as it was asked for.")])
    looks = {"run": "cat tax.py > seen.txt; grep -q 1.2 tax.py && exit 3; true", "must_pass": True}
    shop.plays("task-1-judge", [looks, answer(examples=[expects("300")])], purpose="examples")

    assert start(shop) == 3

    asked = prompt(shop, "task-1-judge-1")
    assert asked.startswith("# task-1-judge: examples\n")
    assert RULE in asked
    assert "Rounded" not in asked
    assert "1.2" not in asked
    assert shop.outcomes(1) == ["accepted"]


def test_a_judge_that_was_wrong_about_an_input_says_so_and_the_work_is_accepted(shop: Project) -> None:
    shop.plays("task-1", [write("tax.py", RIGHT)])
    thinks_of(shop, expects("299"), expects("300"))
    shop.plays("task-1-judge", [mended(RULE)], purpose="judge")

    assert start(shop) == 3

    assert shop.outcomes(1) == ["accepted"]
    asked = prompt(shop, "task-1-judge-2")
    assert "Is your expectation right, or the work?" in asked
    assert "expected exit code 0 and '299'" in asked
    evidence = shop.teamlead("evidence", "1").out
    assert "⚑ flagged   example:" in evidence
    assert "✓ proven    example:" in evidence


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"examples": []}, "it thought of none that a program could run"),
        (
            {"examples": [expects("300", sentence="Whatever I like best.")]},
            "no `sentence` stands in the plan",
        ),
        ({"examples": "none"}, "nothing was tried: "),
    ],
    ids=["none", "of its own liking", "no answer"],
)
def test_work_is_judged_without_inputs_where_none_can_be_used(
    shop: Project, said: dict[str, Any], told: str
) -> None:
    shop.plays("task-1", [write("tax.py", RIGHT)])
    shop.plays("task-1-judge", [answer(**said)], purpose="examples")

    assert start(shop) == 3

    assert shop.outcomes(1) == ["accepted"]
    assert told in shop.teamlead("evidence", "1").out


@pytest.mark.parametrize("off", ["judge_inputs = false\n", "judge = false\n"])
def test_nobody_is_asked_for_inputs_where_that_is_switched_off(shop: Project, off: str) -> None:
    shop.settings(f"retry_delay = 0\n{off}")
    shop.plays("task-1", [write("tax.py", RIGHT)])
    thinks_of(shop, expects("300"))
    shop.plays("task-1-judge", [YES], purpose="judge")

    assert start(shop) == 3

    assert "examples" not in runs(shop)
    assert shop.outcomes(1) == ["accepted"]


def test_inputs_run_on_a_copy_of_the_work_and_nothing_of_them_stays(shop: Project) -> None:
    shop.plays("task-1", [write("tax.py", RIGHT)])
    harmful = expects("1", "rm -rf tax.py .git; touch ../mine.txt left.txt; echo 1")
    thinks_of(shop, harmful, expects("300"))
    shop.plays("task-1-judge", [YES], purpose="judge")
    before = shop.users_things()

    assert start(shop) == 3

    assert shop.users_things() == before
    assert sorted(shop.files(shop.integration)) == ["README.md", "shared.txt", "tax.py", "test_tax.py"]
    assert shop.teamlead("evidence", "1").out.count("✓ proven    example:") == 2


def test_a_leader_killed_while_they_run_is_followed_by_one_that_asks_no_model_again(shop: Project) -> None:
    begun, go = shop.barrier("begun"), shop.barrier("go")
    waits = f"touch {begun}; while [ ! -e {go} ]; do sleep 0.05; done; {sys.executable} -B try_it.py"
    shop.plays("task-1", [write("tax.py", RIGHT)])
    thinks_of(shop, expects("300", waits))
    leader = shop.background("start", shop.place / "prices.md", "--agent", f"scripted:{shop.script}")
    until(begun.exists, "an input runs")
    leader.send(signal.SIGKILL).end()
    go.touch()

    shop.teamlead("resume")

    assert shop.outcomes(1) == ["accepted"]
    assert runs(shop) == ["examples", "judge"]
    assert "✓ proven    example:" in shop.teamlead("evidence", "1").out
