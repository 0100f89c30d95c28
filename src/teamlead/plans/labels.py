"""The words plans use, in English, Japanese and Korean. Case, spaces, hyphens and bold do not matter."""

import re
from collections.abc import Mapping
from typing import Literal

from teamlead.core.model import TaskType
from teamlead.markup.words import SHARED
from teamlead.system.vocabulary import Vocabulary, key

Field = Literal[
    "branch",
    "scope",
    "protects",
    "acceptance",
    "checks",
    "hidden_checks",
    "removes_tests",
    "depends_on",
    "type",
    "role",
    "form",
    "agent",
    "model",
    "effort",
    "arguments",
    "budget",
    "context",
    "hours",
    "outputs",
    "critical",
    "stage",
    "approved_by",
    "description",
]

LABELS: Mapping[Field, tuple[str, ...]] = {
    "branch": ("Branch", "Branch name", "ブランチ", "ブランチ名", "브랜치", "브랜치 이름"),
    "scope": (
        *("Scope", "Scopes", "Scope paths", "Paths", "Files"),
        *("スコープ", "対象", "対象範囲", "対象ファイル", "範囲", "変更範囲"),
        *("범위", "작업 범위", "대상", "대상 파일", "스코프"),
    ),
    "protects": (
        *("Protect", "Protects", "Protected", "Protected paths"),
        *("保護", "保護対象", "変更禁止"),
        *("보호", "보호 대상", "변경 금지"),
    ),
    "acceptance": (
        *("Acceptance", "Acceptance criteria", "Acceptance criterion", "Done when", "Definition of done"),
        *("受け入れ条件", "受入条件", "受け入れ基準", "受入基準", "完了条件", "完了基準"),
        *("수용 기준", "수락 기준", "인수 조건", "인수 기준", "완료 조건", "완료 기준"),
    ),
    "checks": SHARED["checks"],
    "hidden_checks": (
        *("Hidden checks", "Hidden check", "Hidden check commands"),
        *("非公開チェック", "隠しチェック", "非公開の検証"),
        *("숨은 검사", "숨김 검사", "비공개 검사"),
    ),
    "removes_tests": (
        *("Removes tests", "Removes test", "Remove tests", "Removed tests"),
        *("削除するテスト", "テストの削除"),
        *("삭제할 테스트", "제거할 테스트"),
    ),
    "depends_on": (
        *("Depends on", "Depends", "Dependencies", "Dependency", "Deps", "Blocked by"),
        *("依存", "依存関係", "依存タスク", "前提タスク"),
        *("의존성", "의존", "의존 관계", "의존 작업", "선행 작업"),
    ),
    "type": ("Type", "Task type", "Kind", "種別", "種類", "タイプ", "유형", "종류", "타입"),
    "role": ("Role", "役割", "ロール", "担当", "역할", "담당"),
    "form": SHARED["form"],
    "agent": ("Agent", "エージェント", "에이전트"),
    "model": SHARED["model"],
    "effort": ("Effort", "Reasoning effort", "推論レベル", "思考レベル", "추론 수준", "사고 수준"),
    "arguments": ("Arguments", "Agent arguments", "引数", "追加引数", "인수", "추가 인수"),
    "budget": ("Budget", "Spending limit", "予算", "上限", "예산", "한도"),
    "context": (
        *("Context", "Background", "Notes", "Note"),
        *("コンテキスト", "背景", "文脈", "備考"),
        *("컨텍스트", "배경", "맥락", "참고"),
    ),
    "hours": (
        *("Estimate", "Estimated duration", "Estimated time", "Duration", "Hours"),
        *("見積", "見積もり", "見積り", "見積時間", "所要時間", "推定時間"),
        *("예상 시간", "소요 시간", "예상 소요 시간", "견적"),
    ),
    "outputs": SHARED["outputs"],
    "critical": ("Critical", "Essential", "必須", "重要", "필수", "중요"),
    "stage": ("Stage", "段階", "ステージ", "단계", "스테이지"),
    "approved_by": SHARED["approved_by"],
    "description": ("Description", "Details", "説明", "詳細", "概要", "설명", "상세", "개요"),
}

TASK_MARKS: frozenset[Field] = frozenset(
    {
        *("branch", "scope", "acceptance", "checks", "depends_on"),
        *("protects", "hidden_checks", "removes_tests"),
    }
)
"""Labels that tell a task from other text; "Type:" or "Notes:" stand in any document."""

TYPES: Mapping[TaskType, tuple[str, ...]] = {
    "implementation": (
        *("implementation", "implement", "impl", "feature", "feat", "code", "fix", "bugfix", "bug", "chore"),
        *("refactoring", "refactor", "performance", "perf", "test", "tests"),
        *("実装", "機能", "修正", "開発", "リファクタリング", "テスト"),
        *("구현", "기능", "수정", "개발", "리팩터링", "테스트"),
    ),
    "documentation": (
        *("documentation", "document", "docs", "doc"),
        *("ドキュメント", "文書", "文書化", "ドキュメント作成"),
        *("문서", "문서화", "문서 작성"),
    ),
    "investigation": (
        *("investigation", "investigate", "exploration", "research", "analysis", "spike"),
        *("調査", "探索", "分析"),
        *("조사", "탐색", "분석"),
    ),
    "integration": ("integration", "integrate", "merge", "統合", "結合", "통합", "결합"),
}

TASK_WORDS = ("task", "タスク", "태스크", "작업")
SECTIONS = (
    "tasks",
    "task list",
    "todo",
    "to do",
    "タスク",
    "タスク一覧",
    "작업",
    "작업 목록",
    "태스크",
    "할 일",
)

_LABELS = Vocabulary(LABELS)
_TYPES = Vocabulary(TYPES)
_SECTIONS = frozenset(map(key, SECTIONS))


def field_of(label: str) -> Field | None:
    return _LABELS.meaning(label)


def type_of(word: str) -> TaskType | None:
    return _TYPES.meaning(word)


def is_section(heading: str) -> bool:
    """A heading such as "Tasks" that the tasks stand under."""
    return len(heading) < 40 and key(re.sub(r"^\d+[.)]\s*", "", heading.strip().rstrip(":："))) in _SECTIONS  # noqa: RUF001


def nearest_label(label: str) -> str | None:
    return _LABELS.nearest(label)
