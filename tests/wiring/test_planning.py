"""What the planner is told in each turn: what is new, where its program goes on with one conversation."""

import json
from pathlib import Path

import pytest
from tests.forms.answers.test_breakdown import LEAST

from teamlead.core.model import Budget, ToolPolicy
from teamlead.core.planning import Bounds
from teamlead.core.staffing import Staff
from teamlead.errors import Failed
from teamlead.prompts.library import Templates
from teamlead.wiring.planner_prompts import Terms
from teamlead.wiring.planner_runs import ConversationLost, Planner, Word
from teamlead.wiring.planner_sessions import PlannerFolder, PlannerSession
from teamlead.wiring.planning import Round, begin, reply

WHOLE = "## The instruction"
GOOD = json.dumps([{**LEAST, "id": "task-1", "summary": "Do it", "acceptance": ["a.txt holds the number 1"]}])
REVIEW = '{"critical": [{"criterion": "all of it", "met": true}]}'
TERMS = Terms(Bounds(), (), Templates())


class Rehearsed(Planner):
    """Says what it is to say; remembers what it was asked, and in which conversation."""

    def __init__(self, folder: PlannerFolder, *words: str, agent: str = "claude", commit: str = "c1") -> None:
        self.folder = folder
        self.commit = commit
        self.staff = Staff(agent, "", "", (), ToolPolicy(), Budget())
        self.asked: list[tuple[str, str]] = []
        self.failing: dict[str, Failed] = {}
        self._words = list(words)

    def ask(self, prompt: str, number: int, conversation: str = "") -> Word:
        self.asked.append((conversation, prompt))
        if conversation in self.failing:
            raise self.failing[conversation]
        return Word(self._words.pop(0), conversation or f"conversation-{number}")

    def plan(self, session: PlannerSession) -> PlannerSession:
        return Round(self, session, TERMS, lambda _: None).play()


@pytest.fixture
def folder(tmp_path: Path) -> PlannerFolder:
    return PlannerFolder(tmp_path)


@pytest.fixture
def proposed(folder: PlannerFolder) -> PlannerSession:
    return Rehearsed(folder, GOOD, REVIEW).plan(begin(folder, "Add logins"))


def test_a_refused_plan_goes_back_in_the_same_conversation_with_the_reasons_alone(
    folder: PlannerFolder,
) -> None:
    planner = Rehearsed(folder, "Well.", GOOD, REVIEW)
    planner.plan(begin(folder, "Add logins"))
    (first, told), (second, news), (third, _) = planner.asked
    assert (first, second, third) == ("", "conversation-1", ""), "the review knows nothing of it"
    assert WHOLE in told
    assert "Add logins" not in news
    assert "- > the answer cannot be used: there is no JSON" in news


@pytest.mark.usefixtures("proposed")
def test_the_users_next_word_is_all_that_is_new(folder: PlannerFolder) -> None:
    planner = Rehearsed(folder, GOOD, REVIEW)
    planner.plan(reply(folder, folder.load(), "without a reset"))
    conversation, news = planner.asked[0]
    assert conversation == "conversation-1"
    assert "From user:\n> without a reset" in news
    assert "From planner:" not in news


@pytest.mark.parametrize("changed", [{"agent": "codex"}, {"commit": "c2"}])
@pytest.mark.usefixtures("proposed")
def test_another_agent_or_commit_is_told_everything(folder: PlannerFolder, changed: dict[str, str]) -> None:
    planner = Rehearsed(folder, GOOD, REVIEW, **changed)
    planner.plan(reply(folder, folder.load(), "without a reset"))
    conversation, told = planner.asked[0]
    assert conversation == ""
    assert WHOLE in told
    assert "From planner:" in told


@pytest.mark.usefixtures("proposed")
def test_a_conversation_that_is_gone_is_told_again_whole(folder: PlannerFolder) -> None:
    planner = Rehearsed(folder, GOOD, REVIEW)
    planner.failing["conversation-1"] = ConversationLost("claude has forgotten what was said")
    session = planner.plan(reply(folder, folder.load(), "without a reset"))
    assert [conversation for conversation, _ in planner.asked[:2]] == ["conversation-1", ""]
    assert WHOLE in planner.asked[1][1]
    assert "> without a reset" in planner.asked[1][1]
    assert session.status == "proposed"
    assert session.conversation is not None
    assert session.conversation.id == "conversation-4"


@pytest.mark.usefixtures("proposed")
def test_after_a_conversation_in_which_nothing_came_the_next_begins_anew(folder: PlannerFolder) -> None:
    planner = Rehearsed(folder, GOOD, REVIEW)
    planner.failing["conversation-1"] = Failed("the prompt is too long")
    with pytest.raises(Failed, match="too long"):
        planner.plan(reply(folder, folder.load(), "without a reset"))
    planner.plan(reply(folder, folder.load(), "go on"))
    assert [conversation for conversation, _ in planner.asked[:2]] == ["conversation-1", ""]
    assert "> without a reset" in planner.asked[1][1]
