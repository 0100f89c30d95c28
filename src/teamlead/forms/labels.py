"""The words of a report in English, Japanese and Korean. Case, spaces, hyphens and bold do not matter."""

from collections.abc import Mapping
from typing import Final

from teamlead.system.vocabulary import Vocabulary

LONGEST: Final = 60
"""Characters of a heading or label; what is longer is a sentence."""

Table = Mapping[str, tuple[str, ...]]

SECTIONS: Table = {
    "status": ("Status", "ステータス", "状態", "상태"),
    "summary": ("Summary", "サマリー", "要約", "概要", "요약"),
    "findings": (
        *("Findings", "Finding", "Results of the investigation"),
        *("調査結果", "発見事項", "所見"),
        *("조사 결과", "발견 사항", "결과 상세"),
    ),
    "references": (
        *("Key References", "Key Reference", "References", "Main References"),
        *("主要な参照", "主要参照", "参照"),
        *("주요 참조", "주요 참고", "참조"),
    ),
    "confidence": ("Confidence", "Confidence Score", "信頼度", "信頼度スコア", "신뢰도", "신뢰도 점수"),
    "breakdown": ("Confidence Breakdown", "Breakdown", "信頼度の内訳", "신뢰도 내역", "신뢰도 세부"),
    "justification": (
        *("Confidence Justification", "Justification", "Confidence Rationale"),
        *("信頼度の根拠", "根拠"),
        *("신뢰도 근거", "신뢰도의 근거"),
    ),
    "uncertainty": ("Uncertainty", "Uncertainties", "不確実性", "不確実な点", "불확실성", "불확실한 점"),
    "issues": ("Issues", "Issue", "Problems", "問題", "問題点", "課題", "문제", "문제점", "이슈"),
    "next_steps": ("Next Steps", "Next Step", "次のステップ", "次の手順", "다음 단계", "다음 작업"),
    "blockers": ("Blockers", "Blocker", "ブロッカー", "阻害要因", "블로커", "차단 요인", "장애물"),
    "checklist": (
        *("Verification", "Verification Complete", "Verification Checklist", "Checklist"),
        *("Pre-submission Verification", "Pre-submission Checklist"),
        *("検証完了", "提出前検証", "検証チェックリスト", "チェックリスト"),
        *("검증 완료", "제출 전 검증", "검증 체크리스트", "체크리스트"),
    ),
    "error": ("Error", "Errors", "Error Details", "エラー", "エラー詳細", "오류", "에러", "오류 상세"),
    "tried": ("Tried", "What Was Tried", "What I Tried", "試したこと", "시도한 것"),
    "overrides": ("Overrides", "Override", "オーバーライド", "規則の例外", "재정의", "규칙 예외"),
}

PARTS: Mapping[str, Table] = {
    "exploration": {
        "entry_points": ("Entry Points", "Entry Point", "エントリポイント", "エントリーポイント", "진입점"),
        "flow": ("Flow", "Execution Flow", "Data Flow", "フロー", "処理フロー", "흐름", "처리 흐름"),
        "patterns": ("Patterns", "Patterns Found", "パターン", "見つかったパターン", "패턴", "발견된 패턴"),
        "dependencies": ("Dependencies", "Dependency", "依存関係", "依存", "의존성", "의존 관계"),
    },
    "design": {
        "decision": ("Decision", "Design Decision", "決定", "設計判断", "決定事項", "결정", "설계 결정"),
        "alternatives": ("Alternatives", "Alternatives Considered", "代替案", "検討した代替案", "대안"),
        "trade_offs": ("Trade-offs", "Tradeoffs", "トレードオフ", "트레이드오프", "절충"),
        "interfaces": ("Interfaces", "Interface", "インターフェース", "インタフェース", "인터페이스"),
        "files": ("Files to Change", "Files", "変更するファイル", "対象ファイル", "변경할 파일", "대상 파일"),
    },
    "implementation": {
        "files": (
            "Files Changed",
            "Changed Files",
            "Files",
            "変更したファイル",
            "変更ファイル",
            "변경된 파일",
        ),
        "behaviour": (
            *("Behaviour Changed", "Behavior Changed", "Behaviour", "Behavior", "Behaviour Changes"),
            *("変更された動作", "動作の変更", "挙動の変更"),
            *("변경된 동작", "동작 변경"),
        ),
        "tests": (
            "Tests Added",
            "Tests",
            "Added Tests",
            "追加したテスト",
            "テスト",
            "추가된 테스트",
            "테스트",
        ),
        "commands": (
            *("Commands Run", "Commands", "Commands Run with Results", "Commands Run with Their Results"),
            *("実行したコマンド", "コマンド"),
            *("실행한 명령", "명령"),
        ),
    },
    "error": {
        "type": ("Type", "Error Type", "種類", "種別", "エラー種別", "유형", "오류 유형"),
        "message": ("Message", "Error Message", "メッセージ", "메시지", "오류 메시지"),
        "location": ("Location", "Place", "場所", "発生箇所", "위치", "발생 위치"),
        "recoverable": ("Recoverable", "回復可能", "復旧可能", "복구 가능", "복구 가능 여부"),
        "attempted": (
            *("Actions Attempted", "Attempted Actions", "Attempted", "Attempts"),
            *("試みたアクション", "試した対応", "試行したアクション"),
            *("시도한 조치", "시도한 작업"),
        ),
        "root_cause": ("Root Cause", "Root Cause Analysis", "根本原因", "원인", "근본 원인"),
        "recovery": (
            *("Recovery Options", "Recovery", "Recovery Option"),
            *("回復オプション", "復旧オプション", "回復方法"),
            *("복구 옵션", "복구 방법"),
        ),
    },
    "breakdown": {
        "verified": (
            "verified_confidence",
            "verified",
            "検証済み信頼度",
            "検証済み",
            "검증된 신뢰도",
            "검증됨",
        ),
        "inferred": ("inferred_confidence", "inferred", "推論信頼度", "推論", "추론된 신뢰도", "추론됨"),
        "combined": ("combined_confidence", "combined", "統合信頼度", "統合", "통합 신뢰도", "통합"),
    },
    "justification": {
        "score": ("Score", "Confidence", "スコア", "점수"),
        "evidence_count": ("Evidence Count", "Evidence", "証拠数", "証拠の数", "증거 수", "증거 개수"),
        "method": ("Verification Method", "Method", "検証方法", "검증 방법"),
        "blind_spots": (
            *("Possible Blind Spots", "Potential Blind Spots", "Blind Spots", "Blind Spot"),
            *("潜在的な盲点", "盲点"),
            *("잠재적 사각지대", "사각지대", "맹점"),
        ),
    },
}

COLUMNS: Mapping[str, Table] = {
    "references": {
        "item": ("Item", "Name", "項目", "名前", "항목", "이름"),
        "place": ("Location", "Place", "File", "file:line", "場所", "위치"),
        "relevance": ("Relevance", "Why", "関連性", "理由", "관련성", "이유"),
    },
    "review": {
        "text": ("Finding", "Text", "Description", "Title", "発見", "調査結果", "説明", "발견", "설명"),
        "category": ("Category", "カテゴリ", "カテゴリー", "分類", "분류", "범주", "카테고리"),
        "severity": ("Severity", "重大度", "深刻度", "심각도"),
        "place": ("Location", "Place", "file:line", "File", "場所", "위치"),
        "evidence": ("Evidence", "Code Evidence", "Code", "証拠", "コード証拠", "증거", "코드 증거"),
        "suggestion": ("Suggestion", "Fix", "Recommendation", "提案", "修正案", "推奨", "제안", "권고"),
        "confidence": ("Confidence", "信頼度", "신뢰도"),
    },
    "commands": {
        "command": ("Command", "コマンド", "명령"),
        "outcome": ("Result", "Outcome", "結果", "결과"),
    },
    "issues": {"severity": ("Severity", "重大度", "深刻度", "심각도")},
    "blockers": {"resolution": ("Resolution", "Solution", "解決策", "対応", "해결책", "해결 방법")},
}

VALUES: Mapping[str, Table] = {
    "status": {
        "SUCCESS": ("SUCCESS", "成功", "성공"),
        "PARTIAL": ("PARTIAL", "部分的", "一部成功", "부분", "부분 성공"),
        "FAILED": ("FAILED", "失敗", "실패"),
        "IMPOSSIBLE": ("IMPOSSIBLE", "NOT POSSIBLE", "不可能", "実施不可", "불가능"),
        "ALREADY_DONE": ("ALREADY_DONE", "ALREADY DONE", "DONE BEFORE", "実施済み", "対応済み", "이미 완료"),
    },
    "severity": {
        "critical": ("critical", "致命的", "重大", "치명적", "심각"),
        "important": ("important", "重要", "중요"),
        "minor": ("minor", "軽微", "경미"),
    },
    "switch": {
        "true": ("true", "yes", "はい", "可能", "예", "네", "가능"),
        "false": ("false", "no", "いいえ", "不可", "不可能", "아니오", "아니요", "불가", "불가능"),
    },
    "none": {
        "none": (
            *(
                "none",
                "nothing",
                "n/a",
                "-",
                "—",
                "no issues",
                "no findings",
                "no blockers",
                "not applicable",
            ),
            *("なし", "無し", "特になし", "該当なし", "問題なし"),
            *("없음", "해당 없음", "문제 없음"),
        )
    },
}

CHECKLIST: Final[Mapping[str, tuple[str, ...]]] = {
    "no_invented_paths": ("invent", "hallucinat", "捏造", "ハルシネーション", "지어낸", "환각", "날조"),
    "evidence_documented": ("evidence", "証拠", "증거", "근거"),
    "snippets_match": ("snippet", "quote", "スニペット", "引用", "스니펫", "인용"),
    "references_valid": ("reference", "参照", "참조"),
}
"""Words by which the four boxes are known, wherever they stand; the first that matches counts."""

RESULT_WORDS: Final = ("Result", "Results", "Report", "結果", "結果報告", "결과", "보고")
"""The end of a report's heading, behind the name of its agent."""


_SECTIONS = Vocabulary(SECTIONS)
_TABLES = {name: Vocabulary(table) for tables in (PARTS, COLUMNS, VALUES) for name, table in tables.items()}


def section_of(heading: str) -> str:
    """Its name in a `Result`; "" if it is none."""
    return (_SECTIONS.meaning(heading) or "") if len(heading) <= LONGEST else ""


def meaning(table: str, word: str) -> str:
    """What the word means in one of the tables; "" if it is not there."""
    return (_TABLES[table].meaning(word) or "") if len(word) <= LONGEST else ""


def is_none(text: str) -> bool:
    return bool(meaning("none", text.strip(" .。[]*_")))
