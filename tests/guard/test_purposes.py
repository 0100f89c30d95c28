"""A lead reads to see one value; whatever is more than that goes to an agent."""

import pytest

from teamlead.guard.purposes import judge_purpose

ONE_VALUE = [
    "What is CACHE_TTL set to?",
    "Is `validateEmail` defined here?",
    "check the acceptance criteria of one feature",
    "read a single section of the settings",
    "CACHE_TTL の設定は？",  # noqa: RUF001 - as it is written in Japanese
    "ここに `validateEmail` は定義されている？",  # noqa: RUF001 - as above
    "1 つの機能の受け入れ基準を確認",
    "単一の設定セクションを読む",
    "CACHE_TTL 값 확인",
]
"""Every example of what a lookup is, and their translations."""

ANALYSIS = [
    "understand the overall architecture",
    "analyse trade-offs and design decisions",
    "find the integration points between features",
    "read several related files for context",
    "summarise the document",
    "全体的なアーキテクチャの理解",
    "トレードオフや設計判断の分析",
    "機能間の統合ポイントの特定",
    "コンテキストのために複数の関連ファイルを読む",
    "ドキュメントの要約",
    "전체 아키텍처 이해",
    "문서 요약",
    # And what is not told, or not plainly.
    "",
    "have a look",
    "the task is clear, so I read it myself",
    "which values do all modules set",
    "how the default timeout works",
]
"""Every example of what it is not."""


@pytest.mark.parametrize("purpose", ONE_VALUE)
def test_to_see_one_value_or_section_is_a_lookup(purpose: str) -> None:
    assert judge_purpose(purpose).allowed


def test_the_word_that_tells_is_named_whole() -> None:
    assert judge_purpose("Understanding the cache").reason.startswith("'Understanding' says")


@pytest.mark.parametrize("purpose", ANALYSIS)
def test_to_understand_is_for_the_explorer(purpose: str) -> None:
    verdict = judge_purpose(purpose)
    assert (verdict.allowed, verdict.role) == (False, "code-explorer")


@pytest.mark.parametrize(
    "purpose", ["is this value open to SQL injection", "an insecure default value", "脆弱性の値", "보안 설정"]
)
def test_security_is_for_the_auditor(purpose: str) -> None:
    verdict = judge_purpose(purpose)
    assert (verdict.allowed, verdict.role) == (False, "security-auditor")


def test_what_is_only_shown_may_be_more_than_a_value_but_not_analysed() -> None:
    assert judge_purpose("show the plan to the user", shown=True).allowed
    assert not judge_purpose("summarise the plan for the user", shown=True).allowed
