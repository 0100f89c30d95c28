"""The team's tools as agents see them: names, what they are for, and the shapes of their arguments.

Names avoid those that agents keep for themselves (one drops every `ask_user`). Each shape is one plain
object: services refuse a choice between several at the top.
"""

from typing import Final, NamedTuple

from teamlead.mcp.result_shape import RESULT
from teamlead.mcp.shapes import Schema, one_of, plain_object, several, text

INSTRUCTIONS: Final = (
    "These tools reach your team: its lead, the agents at work on other tasks, and the person who started "
    "it. Use report_progress early, and ask_human rather than guess. Messages for you come with the answers."
)


class Tool(NamedTuple):
    name: str
    description: str
    shape: Schema

    def listed(self) -> Schema:
        # claude shows only names of tools until it looks for one, unless they say otherwise.
        always = {"anthropic/alwaysLoad": True}
        return {
            "name": self.name,
            "description": self.description,
            "inputSchema": self.shape,
            "_meta": always,
        }


TOOLS: Final = (
    Tool(
        "report_progress",
        "Tell the lead how far you are: once when you have started and know the main facts, and again "
        "whenever something important changes.",
        plain_object("text", text=text("What you have done and found, in a few sentences.")),
    ),
    Tool(
        "report_feedback",
        "Tell the lead how the work went. `kind` says which of the other fields belong to it: "
        "implementation (result, changes, notes), exploration (findings, recommendations, confidence), or "
        "difficulty (issue, attempts, category, requested_action, suggestion, paths) if something is in your "
        "way.",
        plain_object(
            "kind",
            kind=one_of("What this is about.", "implementation", "exploration", "difficulty"),
            result=one_of("implementation: how it went.", "success", "partial", "failed"),
            changes=several("implementation: what you changed."),
            notes=text("implementation: what else the lead should know."),
            findings=text("exploration: what you found."),
            recommendations=several("exploration: what you would do."),
            confidence=one_of("exploration: how sure you are.", "high", "medium", "low"),
            issue=text("difficulty: what is in the way."),
            attempts=several("difficulty: what you have tried."),
            category=one_of(
                "difficulty: of which kind it is, which decides who is asked.",
                "technical",
                "ambiguity",
                "scope",
                "dependency",
            ),
            requested_action=one_of(
                "difficulty: what you need; `continue` if it is only to be known.",
                "clarification",
                "replan",
                "escalate",
                "continue",
            ),
            suggestion=text("difficulty: what you would do about it."),
            paths=several("difficulty, scope: what you would have to change besides your scope."),
        ),
    ),
    Tool(
        "submit_result",
        "Hand in your result, once, when you have finished. The lead checks it against the repository; a "
        "status other than SUCCESS means that the task is not done. If refused, mend it and call again.",
        RESULT,
    ),
    Tool(
        "ask_human",
        "Ask the person a question that you cannot decide, and wait a little for the answer. If none comes "
        "in time you are told to end your turn, and are resumed with the answer. There is no other way to "
        "reach them.",
        plain_object(
            "question",
            question=text("With all they need to decide; they do not see your conversation."),
            options=several("Answers to choose from, if there are some."),
        ),
    ),
    Tool(
        "send_message",
        "Send a message to another member of the team.",
        plain_object(
            "recipient text",
            recipient=text("A task's id such as task-2, a role, `all`, or `lead`."),
            text=text("The message."),
        ),
    ),
    Tool("read_messages", "Read the messages for you that you have not seen yet.", plain_object()),
    Tool("list_tasks", "List the tasks of the team, with their states.", plain_object()),
    Tool(
        "update_task",
        "Say how your own task stands. Other tasks are not yours to change.",
        plain_object(
            "task status",
            task=text("Your task's id, such as task-1."),
            status=one_of("How it stands, by your own judgement.", "working", "blocked", "done"),
            note=text("Why, in a sentence."),
        ),
    ),
)
