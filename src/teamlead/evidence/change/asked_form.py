"""Whether a task asks for another form alone: another layout, other places, other names."""

import re
from typing import Literal

from teamlead.core.model import TaskSpec
from teamlead.evidence.change import asked

Form = Literal["text", "hints", "place", ""]
"""Layout and comments; types that are noted; moves and new names; more than that, or something else."""

_TEXT = re.compile(
    r"(?:re-?)?format(?:ting)?\b|(?:re-?)?indent\b"
    r"|(?:run|apply) (?:black|prettier|gofmt|rustfmt|ruff format|isort)\b"
    r"|(?:use )?(?:double|single) quotes\b"
    r"|(?:add|write|mend|fix|correct|improve|complete|update) (?:the |missing |some |all )*"
    r"(?:docstrings?|comments?|indentation|formatting|white ?space|layout|code style|style|quotes)\b",
    re.IGNORECASE,
)
_HINTS = re.compile(
    r"(?:add|write|mend|fix|complete) (?:the |missing |some |all )*(?:type )?(?:hints|annotations)\b"
    r"|annotate\b",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"renam(?:e|ing)\b|move\b(?! (?:over |on )?(?:to|from)\b)|.* moves? to\b"
    r"|(?:give|put) .*\b(?:of|in(?:to)?) (?:its|their|an?) own\b"
    r"|split .* (?:in|into) (?:several |two |three )?(?:files|modules)\b",
    re.IGNORECASE,
)
_ALONE = re.compile(
    r"\bno (?:other |further )?changes?\b|\bnothing else\b|\bonly the form\b|\bformatting only\b"
    r"|\bbehaviou?r (?:stays|does not|is kept)"
    r"|\bwithout (?:a )?chang\w+"
    r"|\bpep ?8\b|\b(?:double|single) quotes\b|\bprettier\b|\bblack\b|\bgofmt\b|\brustfmt\b"
    r"|\bdocstrings?\b|\b(?:type )?(?:hints|annotations)\b|\bwhite ?space\b|\bindentation\b|\bcode style\b",
    re.IGNORECASE,
)
_PLACES = re.compile(r"\b\w+/|\w\.\w{1,4}\b|\b(?:modules?|files?|packages?|folders?)\b", re.IGNORECASE)
_SETTINGS = re.compile(r"\b(?:settings?|config\w*|options)\b", re.IGNORECASE)
"""They go to another language with their place."""
_MORE = re.compile(
    r"\b(?:add|adds|mend|fix|change|implement|make|support|handle|raise|return|reject|accept|replace|remove|drop"
    r"|delete|speed|simplif\w+|rewrite|clean|convert|validate|refactor)\b",
    re.IGNORECASE,
)
_MORE_AT_START = re.compile(
    rf"(?:^|[.;:]\s+|\b(?:also|and|then) ){_MORE.pattern}", re.IGNORECASE | re.MULTILINE
)
_RENAMED = re.compile(
    r"\brenam(?:e|ed|ing) (?:the )?(?:\w+ )??[`'\"]?([\w.-]+)[`'\"]?(?: in [\w./-]+)?"
    r" (?:to|as|into) [`'\"]?([\w-]+)",
    re.IGNORECASE,
)


def form_alone(task: TaskSpec) -> Form:
    """The title decides; a word of it or of the description that asks for more switches it off."""
    title = task.title.strip()
    told = "\n".join((title, task.description, *task.acceptance))
    kinds: tuple[tuple[Form, re.Pattern[str], re.Pattern[str]], ...] = (
        ("hints", _HINTS, _ALONE),
        ("text", _TEXT, _ALONE),
        ("place", _PLACE, _PLACES),
    )
    for kind, pattern, support in kinds:
        found = pattern.match(title)
        if found:
            # That a name is changed needs no place.
            if kind == "place" and _SETTINGS.search(title):
                return ""
            supported = support.search(told) or (kind == "place" and _RENAMED.search(told))
            more = _MORE.search(_ALONE.sub("", title[found.end() :])) or _MORE_AT_START.search(
                task.description
            )
            return kind if supported and not more else ""
    return ""


def renamed(task: TaskSpec) -> dict[str, str]:
    return dict(_RENAMED.findall(asked.words(task)))
