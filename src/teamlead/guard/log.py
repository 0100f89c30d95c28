"""What a lead did itself or was kept from, one JSON object a line. What is not logged is not allowed."""

import json
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from teamlead.core.policy.exemptions import check_conditions
from teamlead.guard.delegation import Verdict
from teamlead.system.disk import storing
from teamlead.system.user_folders import state_home

Action = Literal["read", "search", "edit", "write", "shell", "verify"]
LARGEST = 5_000_000
"""Bytes; then it is put aside as `log.jsonl.1`, and a new one begun."""


def log_file() -> Path:
    return state_home() / "guard" / "log.jsonl"


def record(
    action: Action,
    what: Sequence[str],
    verdict: Verdict,
    *,
    log: Path | None = None,
    session: str = "",
    folder: str = "",
    **more: Any,
) -> None:
    """Before it is done. Raises Refused if the exemption's conditions do not all hold, or StorageFailed."""
    if verdict.allowed and verdict.exemption:
        check_conditions(verdict.exemption, verdict.met)
    entry = {
        "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "action": action,
        "what": list(what),
        "allowed": verdict.allowed,
        "reason": verdict.reason,
        **{key: value for key in ("role", "rule", "exemption") if (value := getattr(verdict, key))},
        **({"session": session} if session else {}),
        **({"folder": folder} if folder else {}),
        **more,
    }
    _append(log or log_file(), json.dumps(entry).encode() + b"\n")


def _append(path: Path, line: bytes) -> None:
    with storing(path):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if path.exists() and path.stat().st_size > LARGEST:
            path.replace(path.with_name(f"{path.name}.1"))
        # One write at the end of the file: lines of several processes do not mix.
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            os.write(descriptor, line)
        finally:
            os.close(descriptor)


def entries(path: Path) -> list[dict[str, Any]]:
    """Oldest first. A line that is none is left out: it was cut off by a crash."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return []
    found = []
    for line in lines:
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if isinstance(entry, dict):
            found.append(entry)
    return found
