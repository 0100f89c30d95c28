"""Words that people and agents write, compared by what they mean and not by how they are written."""

import re
import unicodedata

_ASIDE = re.compile(r"[(（][^()（）]*[)）]\s*$")  # noqa: RUF001
_IGNORED = re.compile(r"[\s_*`\-‐–]+")  # noqa: RUF001


def key(words: str) -> str:
    """Equal for spellings of the same word. Case, spaces, hyphens, markup and a last aside do not matter."""
    folded = unicodedata.normalize("NFKC", words).casefold()
    return _IGNORED.sub("", _ASIDE.sub("", folded)) or folded.strip()
