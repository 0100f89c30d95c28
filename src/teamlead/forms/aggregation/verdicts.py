"""Whether a sentence clears what it speaks of. Words alone decide: they raise a flag, and drop nothing."""

import re

_CLEARS = re.compile(
    r"""
    (?<![\w-])(?:
        no\ (?:known\ |real\ |security\ |further\ )?
            (?:issues?|problems?|vulnerabilit(?:y|ies)|defects?|bugs?|concerns?|findings?)(?![\w-]|\ track)
      | not\ (?:vulnerable|exploitable|affected|an?\ (?:issue|problem|bug|vulnerability|defect))
      | false\ positive
      | (?:is|are|was|were|looks?|seems?|appears?)\ (?:\w+ly\ )?(?:to\ be\ )?
            (?:safe|secure|fine|correct|ok|okay|sound|harmless)(?!\ only)
      | works?\ as\ (?:intended|expected|designed)
    )(?!\w)
    | ^\W*(?:safe|secure|fine|correct|ok|okay|harmless)(?:\W|$)
    | 問題(?:は|が)?(?:なし|無し|ない|無い|ありません|見つかりません)
    | 脆弱性(?:は|が)?(?:なし|無し|ない|無い|ありません)
    | 安全(?:です|である|だ|と判断)
    | 誤検知
    | (?:문제|취약점)(?:가|는|은|이)?\ ?없
    | 안전(?:함|합니다|하다)
    | 오탐
    """,
    re.IGNORECASE | re.VERBOSE,
)


def clears(text: str) -> bool:
    """It says that nothing is wrong."""
    return _CLEARS.search(text) is not None
