"""Tests that stand in the file that they test, as Rust's do: left out, or as they were before a change."""

import re

_MODULE = re.compile(r"^[ \t]*#\[cfg\(test\)\]\s*(?:#\[[^\]]*\]\s*)*(?:pub\s+)?mod\s+\w+\s*\{", re.MULTILINE)


def holds_unit_tests(path: str) -> bool:
    return path.endswith(".rs")


def without_unit_tests(path: str, text: str) -> str:
    """With as many lines."""
    if not holds_unit_tests(path):
        return text
    for start, end in modules_of_tests(text):
        text = text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]
    return text


def frozen_unit_tests(_: str, before: str, after: str) -> str:
    """The code as it is now, and its modules of tests as they were before."""
    had, has = modules_of_tests(before), modules_of_tests(after)
    if [before[slice(*span)] for span in had] == [after[slice(*span)] for span in has]:
        return after
    code, at = "", 0
    for start, end in has:
        code, at = code + after[at:start], end
    tests = "\n\n".join(before[slice(*span)] for span in had)
    return f"{(code + after[at:]).rstrip()}\n\n{tests}\n".lstrip("\n")


def modules_of_tests(text: str) -> list[tuple[int, int]]:
    found = []
    for start in _MODULE.finditer(text):
        depth, at = 1, start.end()
        while at < len(text) and depth:
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            at += 1
        found.append((start.start(), at))
    return found
