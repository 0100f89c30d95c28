"""The words that presets use, in English, Japanese and Korean. Case, spaces, hyphens and bold do not matter.

What a preset can say more is a further label here, and a reader of its values.
"""

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple

from teamlead.core.transitions import StagePhase
from teamlead.markup.words import SHARED
from teamlead.system.vocabulary import Vocabulary, key

Field = Literal[
    "phase",
    "instructions",
    "form",
    "writes",
    "outputs",
    "checks",
    "model",
    "tools",
    "after",
    "approved_by",
]
"""Of a member."""
Policy = Literal["reopens"]
"""Of a stage."""
Section = Literal["members", "workflow", "cards"]

LABELS: Mapping[Field, tuple[str, ...]] = {
    "phase": (
        *("Phase", "Phases", "Stage", "Stages"),
        *("フェーズ", "段階", "ステージ"),
        *("단계", "페이즈", "스테이지"),
    ),
    "instructions": (
        *("Instructions", "Instruction", "Prompt"),
        *("指示", "指示内容", "手順"),
        *("지시", "지시 사항", "지침"),
    ),
    "form": SHARED["form"],
    "writes": (
        *("Writes", "Write", "Scope", "May write"),
        *("書き込み", "変更範囲", "変更対象"),
        *("쓰기", "변경 범위", "작성 범위"),
    ),
    "outputs": SHARED["outputs"],
    "checks": SHARED["checks"],
    "model": SHARED["model"],
    "tools": ("Tools", "Tool", "ツール", "도구"),
    "after": ("After", "Waits for", "後", "待つ", "다음", "이후"),
    "approved_by": (*SHARED["approved_by"], "Approval", "承認", "승인"),
}

POLICIES: Mapping[Policy, tuple[str, ...]] = {
    "reopens": ("Reopens", "Reopen", "再開", "差し戻し", "재개", "되돌림"),
}

SECTIONS: Mapping[Section, tuple[str, ...]] = {
    "members": ("Members", "Team", "メンバー", "構成員", "구성원", "멤버", "팀원"),
    "workflow": (
        "Workflow",
        "Stages",
        "Pipeline",
        "ワークフロー",
        "流れ",
        "워크플로",
        "워크플로우",
        "작업 흐름",
    ),
    "cards": (
        *("Finding Card Sections", "Finding Cards", "Findings"),
        *("所見カードの節", "所見", "発見カード"),
        *("발견 카드 섹션", "발견 카드", "결과 카드"),
    ),
}

PHASES: Mapping[StagePhase, tuple[str, ...]] = {
    "ANALYZING": ("ANALYZING", "Analysing", "Analysis", "分析", "分析中", "분석", "분석 중"),
    "PLANNING": ("PLANNING", "Design", "計画", "設計", "계획", "설계"),
    "EXECUTING": ("EXECUTING", "Execution", "実行", "実装", "실행", "구현"),
    "REVIEWING": ("REVIEWING", "レビュー", "検証", "리뷰", "검토"),
}
GATE = ("APPROVAL", "AWAITING_APPROVAL", "AWAITING APPROVAL", "承認", "승인")
"""Where a person decides at the end: there in every session, whether a preset names it or not."""
LEADS = ("Leader", "Lead", "Host", "リーダー", "ホスト", "리더", "호스트")
"""Who leads, which is the engine, and who decides, which is the user: no members."""
OTHERS = (
    *("others", "the others", "all others", "the others of its phase", "the others of its stage"),
    *("他の全員", "他のメンバー", "나머지", "다른 구성원"),
)
CRITICAL = (
    *("a critical finding stands", "critical", "critical findings", "a critical finding"),
    *("重大な指摘が残る", "重大な指摘がある", "심각한 발견이 남아 있으면", "심각한 발견이 있으면"),
)

_LABEL = re.compile(
    r"\s*(?P<bold>\*\*|__)?(?P<name>[^:：`*(（\n]{1,60}?)\s*"  # noqa: RUF001
    r"(?:[(（](?P<inner>[^()（）\n]{1,80})[)）])?\s*(?:\*\*|__)?\s*"  # noqa: RUF001
    r"(?:[(（](?P<outer>[^()（）\n]{1,80})[)）])?\s*"  # noqa: RUF001
    r"[:：](?:\*\*|__)?(?P<value>.*)",  # noqa: RUF001
    re.DOTALL,
)

_FIELDS = Vocabulary(LABELS)
_POLICIES = Vocabulary(POLICIES)
_SECTIONS = Vocabulary(SECTIONS)
_PHASES = Vocabulary(PHASES)
_GATE, _OTHERS, _CRITICAL = (frozenset(map(key, each)) for each in (GATE, OTHERS, CRITICAL))


class Label(NamedTuple):
    name: str
    stage: str
    """That it is limited to, in brackets; empty: to none."""
    value: str
    bold: bool

    @property
    def certain(self) -> bool:
        """Whoever wrote it meant a label, known or not: no sentence, no address, no time of day."""
        return self.bold or (len(self.name.split()) <= 3 and not self.value.startswith("//"))


def label(text: str) -> Label | None:
    """The label that a bullet or a line begins with."""
    found = _LABEL.match(text)
    if found is None or not any(map(str.isalpha, found["name"])):
        return None
    stage = " ".join((found["inner"] or found["outer"] or "").split())
    return Label(found["name"].strip(" _"), stage, found["value"].strip(), bold=found["bold"] is not None)


def field_of(name: str) -> Field | None:
    return _FIELDS.meaning(name)


def nearest_field(name: str) -> str | None:
    return _FIELDS.nearest(name)


def policy_of(name: str) -> Policy | None:
    return _POLICIES.meaning(name)


def nearest_policy(name: str) -> str | None:
    return _POLICIES.nearest(name)


def section_of(heading: str) -> Section | None:
    return _SECTIONS.meaning(heading)


def nearest_section(heading: str) -> str | None:
    return _SECTIONS.nearest(heading)


def phase_of(name: str) -> StagePhase | None:
    return _PHASES.meaning(name)


def is_gate(name: str) -> bool:
    return key(name.replace("_", " ")) in _GATE or key(name) in _GATE


def means_others(text: str) -> bool:
    return key(text) in _OTHERS


def means_critical(text: str) -> bool:
    return key(text) in _CRITICAL


def begins_with_lead(text: str) -> bool:
    """As in "Leader", or in Korean with a particle. "leadership" is no lead."""
    folded = text.casefold()
    for word in map(str.casefold, LEADS):
        behind = folded[len(word) : len(word) + 1]
        if folded.startswith(word) and not (behind.isascii() and (behind.isalnum() or behind in {"-", "_"})):
            return True
    return False
