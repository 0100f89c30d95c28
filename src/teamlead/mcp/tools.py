"""The team's tools as agents see them: names, what they are for, and the shapes of their arguments.

Names avoid those that agents keep for themselves (one drops every `ask_user`). Each shape is one plain
object: services refuse a choice between several at the top.
"""

from typing import Any, Final, NamedTuple

Schema = dict[str, Any]

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


def _text(description: str) -> Schema:
    return {"type": "string", "description": description}


def _one_of(description: str, *values: str) -> Schema:
    return {"type": "string", "enum": list(values), "description": description}


def _list(description: str, items: Schema | None = None) -> Schema:
    return {"type": "array", "items": items or {"type": "string"}, "description": description}


def _object(required: str = "", /, **properties: Schema) -> Schema:
    shape = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**shape, "required": required.split()} if required else shape


TOOLS: Final = (
    Tool(
        "report_progress",
        "Tell the lead how far you are: once when you have started and know the main facts, and again "
        "whenever something important changes.",
        _object("text", text=_text("What you have done and found, in a few sentences.")),
    ),
    Tool(
        "report_feedback",
        "Tell the lead how the work went. `kind` says which of the other fields belong to it: "
        "implementation (result, changes, notes), exploration (findings, recommendations, confidence), or "
        "difficulty (issue, attempts, category, requested_action, suggestion) if something is in your way.",
        _object(
            "kind",
            kind=_one_of("What this is about.", "implementation", "exploration", "difficulty"),
            result=_one_of("implementation: how it went.", "success", "partial", "failed"),
            changes=_list("implementation: what you changed."),
            notes=_text("implementation: what else the lead should know."),
            findings=_text("exploration: what you found."),
            recommendations=_list("exploration: what you would do."),
            confidence=_one_of("exploration: how sure you are.", "high", "medium", "low"),
            issue=_text("difficulty: what is in the way."),
            attempts=_list("difficulty: what you have tried."),
            category=_one_of(
                "difficulty: of which kind it is.", "technical", "ambiguity", "scope", "dependency"
            ),
            requested_action=_one_of(
                "difficulty: what you need.", "clarification", "replan", "escalate", "continue"
            ),
            suggestion=_text("difficulty: what you would do about it."),
        ),
    ),
    Tool(
        "submit_result",
        "Hand in your result, once, when you have finished. The lead checks it against the repository; a "
        "status other than SUCCESS means that the task is not done.",
        _object(
            "status summary findings references confidence confidence_reason",
            status=_one_of("How it ended.", "SUCCESS", "PARTIAL", "FAILED"),
            summary=_text("Two or three sentences."),
            findings=_text("What you found or did, as your role asks for it."),
            references=_list(
                "The places that matter most.",
                _object(
                    "item place relevance",
                    item=_text("What is there."),
                    place=_text("As path:line."),
                    relevance=_text("Why it matters."),
                ),
            ),
            confidence={
                "type": "number",
                "minimum": 0,
                "maximum": 100,
                "description": "How sure you are, in percent.",
            },
            confidence_reason=_text("Why that sure, and not more."),
            issues=_list(
                "Problems you know of.",
                _object(
                    "text severity",
                    text=_text("What is wrong."),
                    severity=_one_of("How bad it is.", "critical", "important", "minor"),
                ),
            ),
            next_steps=_list("What should be done next."),
            blockers=_list(
                "What kept you from finishing.",
                _object(
                    "text resolution",
                    text=_text("What it is."),
                    resolution=_text("What would remove it."),
                ),
            ),
        ),
    ),
    Tool(
        "ask_human",
        "Ask the person a question that you cannot decide, and wait a little for the answer. If none comes "
        "in time you are told to end your turn, and are resumed with the answer. There is no other way to "
        "reach them.",
        _object(
            "question",
            question=_text("With all they need to decide; they do not see your conversation."),
            options=_list("Answers to choose from, if there are some."),
        ),
    ),
    Tool(
        "send_message",
        "Send a message to another member of the team.",
        _object(
            "recipient text",
            recipient=_text("A task's id such as task-2, a role, `all`, or `lead`."),
            text=_text("The message."),
        ),
    ),
    Tool("read_messages", "Read the messages for you that you have not seen yet.", _object()),
    Tool("list_tasks", "List the tasks of the team, with their states.", _object()),
    Tool(
        "update_task",
        "Say how your own task stands. Other tasks are not yours to change.",
        _object(
            "task status",
            task=_text("Your task's id, such as task-1."),
            status=_one_of("How it stands, by your own judgement.", "working", "blocked", "done"),
            note=_text("Why, in a sentence."),
        ),
    ),
)
