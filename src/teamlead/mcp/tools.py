"""The team's tools as agents see them: names, what they are for, and the shapes of their arguments.

Names avoid those that agents keep for themselves (one drops every `ask_user`). Each shape is one plain
object: services refuse a choice between several at the top.
"""

from typing import Any, Final, NamedTuple, get_args

from teamlead.core.reports import Category, ResultStatus
from teamlead.forms.results.kinds import KINDS

Schema = dict[str, Any]
"""A shape of arguments, as JSON Schema."""

TEXT: Final[Schema] = {"type": "string"}
INSTRUCTIONS: Final = (
    "These tools reach your team: its lead, the agents at work on other tasks, and the person who started "
    "it. Use report_progress early, and ask_human rather than guess. Messages for you come with the answers. "
    "Only one of type shutdown_request asks you to leave: call answer_shutdown, and end your turn."
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


def text(description: str) -> Schema:
    return {"type": "string", "description": description}


def one_of(description: str, *values: str) -> Schema:
    return {"type": "string", "enum": list(values), "description": description}


def several(description: str, items: Schema | None = None) -> Schema:
    return {"type": "array", "items": items or {"type": "string"}, "description": description}


def plain_object(required: str = "", /, **properties: Schema) -> Schema:
    shape = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**shape, "required": required.split()} if required else shape


def bare_object(description: str = "", /, **properties: str | Schema) -> Schema:
    """An object whose fields explain themselves: every request of an agent carries all shapes."""
    typed = {name: {"type": kind} if isinstance(kind, str) else kind for name, kind in properties.items()}
    described = {"description": description} if description else {}
    return {"type": "object", "properties": typed, **described}


RESULT: Final[Schema] = plain_object(
    "status summary findings references confidence confidence_reason checklist",
    status=one_of(
        "How it ended. ALREADY_DONE: it was there before. IMPOSSIBLE: not to be done honestly.",
        *get_args(ResultStatus),
    ),
    summary=text("Two or three sentences."),
    findings=text("What you found or did, as you are asked for it."),
    references=several(
        "The places that matter most.",
        plain_object(
            "item place relevance",
            item=TEXT,
            place=text("As path:line."),
            relevance=TEXT,
        ),
    ),
    confidence={
        "type": "number",
        "minimum": 0,
        "maximum": 100,
        "description": "How sure you are, in percent.",
    },
    confidence_reason=text("Why that sure, and not more."),
    breakdown=bare_object(
        "From confidence 75 on: what you saw, and what you concluded. Their mean is the confidence.",
        verified="number",
        inferred="number",
    ),
    justification=bare_object(
        "From confidence 85 on.",
        score="number",
        evidence_count="integer",
        method="string",
        blind_spots="string",
    ),
    uncertainty=text("Below confidence 70: what you are not sure of."),
    checklist=bare_object(
        "All have to be true.",
        references_valid="boolean",
        snippets_match="boolean",
        no_invented_paths="boolean",
        evidence_documented="boolean",
    ),
    details=bare_object(
        "The parts that your form asks for, an entry a line.",
        **dict.fromkeys(
            (part for kind in KINDS.values() for part in kind.parts if part != "findings"), "string"
        ),
        findings={
            "type": "array",
            "items": bare_object(
                **dict.fromkeys(
                    ("text", "category", "severity", "place", "evidence", "suggestion"), "string"
                ),
                confidence="number",
            ),
        },
    ),
    issues=several(
        "Problems you know of.",
        plain_object(
            "text severity",
            text=TEXT,
            severity={"type": "string", "enum": ["critical", "important", "minor"]},
        ),
    ),
    next_steps=several("What should be done next."),
    blockers=several(
        "What kept you from finishing, and what would remove it.",
        plain_object("text resolution", text=TEXT, resolution=TEXT),
    ),
    error=bare_object(
        "If it failed.",
        type="string",
        message="string",
        location="string",
        recoverable="boolean",
        attempted="string",
        root_cause="string",
        recovery="string",
    ),
    tried=several("If it is IMPOSSIBLE: what you tried."),
    overrides=several("Soft rules that you had to break.", bare_object(rule="string", reason="string")),
)
"""What `submit_result` takes: all parts of a result, in as few words as agents understand."""

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
            result=one_of(
                "implementation: how it went; already_done: `notes` say where.",
                "success",
                "partial",
                "failed",
                "already_done",
            ),
            changes=several("implementation: what you changed."),
            notes=text("implementation: what else the lead should know."),
            findings=text("exploration: what you found."),
            recommendations=several("exploration: what you would do."),
            confidence=one_of("exploration: how sure you are.", "high", "medium", "low"),
            issue=text("difficulty: what is in the way."),
            attempts=several("difficulty: what you have tried."),
            category=one_of(
                "difficulty: its kind, which decides who is asked.",
                *get_args(Category),
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
        "status but SUCCESS and ALREADY_DONE means: not done. If refused, mend it and call again.",
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
            summary=text("It in a few words."),
        ),
    ),
    Tool(
        "answer_shutdown",
        "Answer a shutdown_request, and end your turn. Your work is kept as it is.",
        plain_object(
            "request_id approve",
            request_id=text("Its id."),
            approve={"type": "boolean", "description": "You leave."},
            reason=text("Why not."),
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
