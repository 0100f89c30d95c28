"""Words that mean the same in every document, in English, Japanese and Korean.

Case, spaces, hyphens and bold do not matter.
"""

from collections.abc import Mapping
from typing import Literal

from teamlead.core.model import TaskForm
from teamlead.system.vocabulary import Vocabulary, key

Shared = Literal["approved_by", "checks", "form", "model", "outputs"]

SHARED: Mapping[Shared, tuple[str, ...]] = {
    "approved_by": ("Approved by", "承認者", "승인자"),
    "checks": (
        *("Checks", "Check", "Check commands", "Verify", "Verification", "Commands"),
        *("チェック", "検証", "検証コマンド", "確認コマンド"),
        *("검사", "검증", "검증 명령", "확인 명령", "체크"),
    ),
    "form": (
        *("Form", "Report form", "Form of the report"),
        *("様式", "報告様式", "報告形式", "提出形式"),
        *("양식", "보고 양식", "보고 형식", "제출 형식"),
    ),
    "model": ("Model", "モデル", "모델"),
    "outputs": (
        *("Outputs", "Output", "Output files", "Deliverables", "Artifacts"),
        *("出力", "成果物", "出力ファイル"),
        *("출력", "산출물", "출력 파일"),
    ),
}
"""Labels of a task in a plan and of a member of a team."""

FORMS: Mapping[TaskForm, tuple[str, ...]] = {
    "summary": ("summary", "要約", "概要", "요약"),
    "exploration": ("exploration", "explore", "探索", "調査", "탐색", "조사"),
    "design": ("design", "設計", "설계"),
    "review": ("review", "レビュー", "리뷰", "검토"),
    "implementation": ("implementation", "implement", "実装", "구현"),
}

NONE = (
    "none",
    "nothing",
    "no",
    "n/a",
    "-",
    "—",
    "なし",
    "無し",
    "無",
    "特になし",
    "없음",
    "없다",
    "해당 없음",
)
YES = ("yes", "true", "はい", "必須", "예", "네", "필수")

USER = ("you", "me", "user", "the user", "a person", "person", "あなた", "ユーザー", "사용자", "당신")
"""Who approves."""

_FORMS = Vocabulary(FORMS)
_USER = frozenset(map(key, USER))
_NONE = frozenset(map(key, NONE))
_YES = frozenset(map(key, YES))
_NO = _NONE | frozenset(map(key, ("false", "いいえ", "任意", "아니오", "아니요", "선택")))


def form_named(word: str) -> TaskForm | None:
    return _FORMS.meaning(word)


def nearest_form(word: str) -> str | None:
    return _FORMS.nearest(word)


def is_none(text: str) -> bool:
    return len(text) < 20 and key(text) in _NONE


def yes_or_no(text: str) -> bool | None:
    word = key(text)
    return True if word in _YES else False if word in _NO else None


def means_user(word: str) -> bool:
    return key(word) in _USER
