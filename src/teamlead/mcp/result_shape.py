"""What `submit_result` takes: all parts of a result, in as few words as agents understand."""

from typing import Final

from teamlead.mcp.shapes import TEXT, Schema, bare_object, one_of, plain_object, several, text

RESULT: Final[Schema] = plain_object(
    "status summary findings references confidence confidence_reason checklist",
    status=one_of("How it ended.", "SUCCESS", "PARTIAL", "FAILED"),
    summary=text("Two or three sentences."),
    findings=text("What you found or did, as your role asks for it."),
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
        "Your role's form, an entry a line. Explorer: the first four. Architect: decision to files. "
        "Developer: files to commands. Reviewer: findings.",
        **dict.fromkeys(
            (
                *("entry_points", "flow", "patterns", "dependencies"),
                *("decision", "alternatives", "trade_offs", "interfaces", "files"),
                *("behaviour", "tests", "commands"),
            ),
            "string",
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
    overrides=several("Soft rules that you had to break.", bare_object(rule="string", reason="string")),
)
