"""Results that keep the contract, to be broken in one place each."""

from typing import Any

from teamlead.core.reports import Checklist

CHECKLIST: dict[str, Any] = dict.fromkeys(Checklist.__struct_fields__, True)

RESULT: dict[str, Any] = {
    "status": "SUCCESS",
    "summary": "The parser reads empty files.",
    "findings": "`src/parse.py:12` returned before the header was read.",
    "references": [
        {"item": "parse", "place": "src/parse.py:12", "relevance": "the mistake"},
        {"item": "test", "place": "tests/test_parse.py:3", "relevance": "shows it"},
    ],
    "confidence": 72,
    "confidence_reason": "one of three ways was tried",
    "checklist": CHECKLIST,
}

SURE: dict[str, Any] = {
    **RESULT,
    "confidence": 90,
    "breakdown": {"verified": 95, "inferred": 85},
    "justification": {
        "score": 90,
        "evidence_count": 2,
        "method": "the tests were run",
        "blind_spots": "other encodings",
    },
}

FINDING: dict[str, Any] = {
    "text": "The query is put together from input",
    "category": "security",
    "severity": "critical",
    "place": "src/login.py:12",
    "evidence": 'execute(f"select {name}")',
    "suggestion": "bind the name",
    "confidence": 95,
}

DETAILS: dict[str, dict[str, Any]] = {
    "exploration": {
        "entry_points": ["`src/main.py:3` main()"],
        "flow": ["main, then parse"],
        "patterns": ["x"],
    },
    "design": {"decision": "one parser", "trade_offs": ["slower"]},
    "review": {"findings": [FINDING]},
    "implementation": {
        "files": ["src/parse.py"],
        "commands": [{"command": "make test", "outcome": "12 passed"}],
    },
}

ERROR: dict[str, Any] = {
    "type": "timeout",
    "message": "the server does not answer",
    "recovery": ["start it"],
}

FAILED: dict[str, Any] = {
    **RESULT,
    "status": "FAILED",
    "error": ERROR,
    "blockers": [{"text": "no server", "resolution": "start one"}],
    "next_steps": ["start the server"],
}
