"""`teamlead prove`: changes that no session made, examined as those of agents."""

import json
import signal
import sys

import pytest
from tests.flows.support import Project, until

CHECK = f"{sys.executable} -B -m unittest -v test_tax"
WRONG = "def gross(net):\n    return net\n"
RIGHT = "def gross(net):\n    return net * 1.2\n"
TEST = """\
import unittest
from tax import gross


class Tax(unittest.TestCase):
    def test_gross(self):
        self.assertEqual(gross(100), 120)
"""


@pytest.fixture
def shop(project: Project) -> Project:
    project.commit("a shop", {"tax.py": WRONG, "test_tax.py": TEST})
    return project


def put(project: Project, name: str, text: str) -> None:
    (project.root / name).write_text(text)


def test_a_change_that_only_bends_its_test_is_objected_to_with_the_command_that_shows_it(
    shop: Project,
) -> None:
    put(shop, "test_tax.py", TEST.replace("120", "100"))
    before = shop.users_things()

    ended = shop.teamlead("prove", "--check", CHECK)

    assert ended.code == 1
    assert "! objected  proof: the tests as they were before hold on the new source" in ended.out
    assert "test_gross failed before, and still fails without the changes of test_tax.py" in ended.out
    assert shop.users_things() == before
    assert (shop.copies(), shop.sessions) == ([], [])


def test_a_change_that_holds_says_so_also_in_what_others_read(shop: Project) -> None:
    put(shop, "tax.py", RIGHT)
    put(shop, "new.md", "Taxes\n")

    plain = shop.teamlead("prove", "--check", CHECK)
    document = shop.teamlead("prove", "--check", CHECK, "--json").json
    markdown = shop.teamlead("prove", "--check", CHECK, "--markdown")

    assert (plain.code, plain.out.splitlines()[0]) == (0, "what is not committed: nothing speaks against it")
    assert (document["holds"], document["change"]) == (True, "what is not committed")
    assert {item["kind"] for item in document["evidence"]} == {"change", "scope", "check", "proof"}
    assert markdown.out.startswith("## what is not committed: nothing speaks against it\n\n- ✓ **change**")


def test_files_of_teamlead_are_beyond_no_scope_until_they_are_tracked(shop: Project) -> None:
    put(shop, "tax.py", RIGHT)
    (shop.root / ".teamlead").mkdir(exist_ok=True)
    put(shop, ".teamlead/plan.md", "# A plan\n")
    put(shop, ".teamlead/config.toml", "")
    arguments = ("prove", "--check", CHECK, "--scope", "tax.py")

    untracked = shop.teamlead(*arguments)
    shop.git("add", "--force", ".teamlead/plan.md")
    tracked = shop.teamlead(*arguments)

    assert (untracked.code, ".teamlead" in untracked.out) == (0, False)
    assert (tracked.code, ".teamlead/plan.md" in tracked.out) == (1, True)


@pytest.mark.parametrize("name", ["README.md", "test_more.py"])
def test_what_nobody_asked_for_is_not_held_against_words(shop: Project, name: str) -> None:
    shop.commit("right", {"tax.py": RIGHT})
    put(shop, name, TEST.replace("class Tax", "class More"))

    nobody = shop.teamlead("prove", "--check", CHECK)
    somebody = shop.teamlead("prove", "--check", CHECK, "--task", "Round prices")
    for told in (nobody, somebody):
        assert "could not be examined" not in told.out

    assert "it changes what the program does" not in nobody.out
    assert "it changes what the program does" in somebody.out


def test_a_branch_is_held_against_where_it_left_and_its_findings_are_sarif(shop: Project) -> None:
    shop.git("switch", "-q", "-c", "feature")
    put(shop, "test_tax.py", TEST.replace("Equal(gross(100), 120)", "True(gross(100))"))
    shop.git("commit", "-qam", "weaker")
    shop.git("switch", "-q", "main")

    ended = shop.teamlead("prove", "feature", "--check", CHECK, "--sarif")

    assert ended.code == 1
    (run,) = json.loads(ended.out)["runs"]
    levels = {(found["ruleId"], found["level"]) for found in run["results"]}
    assert ("proof", "error") in levels
    places = [found["locations"] for found in run["results"] if found["ruleId"] == "tests"]
    assert places[0][0]["physicalLocation"]["artifactLocation"]["uri"] == "test_tax.py"


def test_what_is_staged_is_looked_at_alone(shop: Project) -> None:
    put(shop, "tax.py", RIGHT)
    shop.git("add", "tax.py")
    put(shop, "tax.py", "broken(")

    assert shop.teamlead("prove", "--staged", "--check", CHECK).code == 0
    broken = shop.teamlead("prove", "--check", CHECK)
    assert (broken.code, "SyntaxError" in broken.out) == (1, True)


def test_what_is_said_of_a_change_is_looked_up(shop: Project) -> None:
    put(shop, "tax.py", RIGHT)
    put(shop, "said.md", "Done as in tax.py:99 `def net`.\n")
    shop.git("config", "core.excludesFile", "said.md")

    ended = shop.teamlead(
        "prove", "--check", CHECK, "--said", "said.md", "--scope", "tax.py", "--scope", "said.md"
    )

    assert "references: what it cites is there" in ended.out


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["nowhere"], 4, "there is no commit 'nowhere'"),
        ([], 4, "nothing differs from HEAD"),
        (["--staged"], 4, "nothing is staged"),
        (["HEAD", "--staged"], 2, "--staged is not about a RANGE"),
        (["HEAD..HEAD"], 4, "changes nothing"),
    ],
)
def test_where_there_is_nothing_to_prove_it_says_what_to_name(
    shop: Project, arguments: list[str], code: int, said: str
) -> None:
    ended = shop.teamlead("prove", *arguments)

    assert ended.code == code
    assert said in ended.err


def test_commands_that_a_repository_brings_run_only_once_they_are_allowed(shop: Project) -> None:
    ran = shop.barrier("ran")
    shop.commit("settings", {".teamlead/config.toml": f"checks = ['touch {ran}']\n"})
    put(shop, "tax.py", RIGHT)

    refused = shop.teamlead("prove")
    assert (refused.code, ran.exists()) == (5, False)
    assert "teamlead config allow" in refused.err

    assert shop.teamlead("config", "allow", "--yes").code == 0
    assert shop.teamlead("prove").code == 0
    assert ran.exists()


def test_what_a_killed_prove_left_behind_is_put_away_by_the_next_one(shop: Project) -> None:
    put(shop, "tax.py", RIGHT)
    begun = shop.barrier("begun")
    killed = shop.background("prove", "--check", f"touch {begun}; sleep 600")
    until(begun.exists, "the check runs")
    killed.send(signal.SIGKILL)
    killed.end()
    assert shop.copies() != []

    assert shop.teamlead("prove", "--check", "true").code == 0

    assert shop.copies() == []
    assert sorted(path.name for path in shop.state_home.glob("*/checks/*/*")) == ["alone.lock", "copies"]


def test_two_at_once_do_not_disturb_each_other(shop: Project) -> None:
    put(shop, "tax.py", RIGHT)
    begun, go_on = shop.barrier("begun"), shop.barrier("go on")
    check = f"touch '{begun}'; until test -e '{go_on}'; do sleep 0.05; done"
    first = shop.background("prove", "--check", check)
    until(begun.exists, "the check runs")

    assert shop.teamlead("prove", "--check", "true").code == 0

    go_on.touch()
    assert first.end().code == 0
