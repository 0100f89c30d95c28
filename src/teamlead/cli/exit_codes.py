"""Exit codes that no error of the tree in `errors.py` stands for."""

NEEDS_PERSON = 3
INTERRUPTED = 130
BROKEN_PIPE = 141
