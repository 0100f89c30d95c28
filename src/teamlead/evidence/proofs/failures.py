"""Why a test failed, by what its program printed: an assertion did, or a name is not there."""

import re

ASSERTED = re.compile(
    r"AssertionError|assert(?:ion)? (?:failed|error)|^E\s+assert |--- FAIL|panicked at|ERR_ASSERTION"
    r"|DID NOT RAISE|^\s*expect\(.*(?:received|expected)",
    re.IGNORECASE | re.MULTILINE,
)
MISSED = re.compile(
    r"\b(?:ImportError|ModuleNotFoundError|AttributeError|NameError|ReferenceError|SyntaxError)\b"
    r"|\bTypeError: .*(?:is not a function|argument|is not a constructor)"
    r"|\[build failed\]|\bundefined: |^error\[E\d+\]|Cannot find module|does not provide an export",
    re.MULTILINE,
)
