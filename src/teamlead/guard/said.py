"""What reaches a lead as a prompt: words of the user, or Claude Code's note that an agent has ended."""

import re
from typing import NamedTuple

_NOTE = "<task-notification>"
_TASK = re.compile(r"<task-id>([^<]*)</task-id>")
_STATUS = re.compile(r"<status>([^<]*)</status>")
_DIRECTLY = re.compile(
    r"\b(?:edit|fix|change|correct|update|do)\b[^.!?\n]{0,80}\b(?:directly|yourself)\b"
    r"|\bwithout (?:an agent|a subagent|delegat\w+)|\bno need to delegate"
    r"|直接(?:編集|修正|直|変更|更新)|직접 (?:편집|수정|고쳐|변경)",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"\b(?:not|never|no one|nobody|don't|avoid|instead of)\b|ない|禁止|마|않|금지", re.IGNORECASE
)


class AgentEnded(NamedTuple):
    agent: str
    failed: bool


def ended_agent(prompt: str) -> AgentEnded | None:
    """None: the user speaks. What the agent itself says comes after the status, and is not looked at."""
    if not prompt.startswith(_NOTE):
        return None
    head = prompt.partition("<result>")[0].partition("<summary>")[0]
    task, status = _TASK.search(head), _STATUS.search(head)
    return AgentEnded(task[1] if task else "", failed=status is not None and status[1] == "failed")


def asks_for_speed(prompt: str) -> bool:
    """Whether the user plainly asks the lead to edit by itself. In doubt: no."""
    # Notes of programs come in tags.
    if prompt.lstrip().startswith("<"):
        return False
    sentences = re.split(r"[.!?。\n]", prompt)
    return any(_DIRECTLY.search(sentence) and not _NOT.search(sentence) for sentence in sentences)
