"""Which language a file is in, by its name."""

from pathlib import PurePosixPath
from typing import Literal

Language = Literal["python", "javascript", "go", "rust", "java", "ruby", "csharp", ""]

_LANGUAGES: dict[str, Language] = {
    **dict.fromkeys((".py", ".pyi"), "python"),
    **dict.fromkeys((".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".cts"), "javascript"),
    ".go": "go",
    ".rs": "rust",
    **dict.fromkeys((".java", ".kt"), "java"),
    ".rb": "ruby",
    ".cs": "csharp",
}


def language(path: str) -> Language:
    return _LANGUAGES.get(PurePosixPath(path).suffix, "")
