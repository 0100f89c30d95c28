"""Whether a lead reads to see one value or section. To understand, to compare or to sum up is for an agent.

Told in English, Japanese or Korean. What is not plainly one value goes to an agent. It is apart from `lookup`
because a hook, which is told no purpose, must start fast.
"""

import re

from teamlead.core.rules import SECURITY
from teamlead.guard.delegation import Verdict, refused, role_for

_ANALYSIS = re.compile(
    r"(?:\bunderst|\banaly|architect|trade-?off|design decision|integration point|\bsummar|\breview|\bexplain"
    r"|\bcompar|\binvestigat|\boverview|\brefactor|\bassess|\bevaluat|\bwhy\b|\bhow\b.{0,200}\b(works?|implemented)\b"
    r"|\bcontext\b|\brelated\b|\boverall\b|\bwhole\b|\bentire|\ball\b|\bevery\b|\beach\b|\brelationship"
    r"|\bfigure out|\bget to know|\bfamiliar|\bstudy|\bexplore|\bdebug|\broot cause|\bflow\b|\bpatterns?\b"
    r"|理解|分析|アーキテクチャ|トレードオフ|設計判断|統合ポイント|要約|全体|すべて|レビュー|説明|比較|調査|把握|なぜ"
    r"|関連|コンテキスト|評価|検討|複数"
    r"|이해|분석|아키텍처|트레이드오프|설계 결정|통합 지점|요약|전체|모든|검토|설명|비교|조사|파악"
    r"|왜|관련|맥락|평가|여러)[a-z]*",
    re.IGNORECASE,
)
_ONE = re.compile(
    r"\bvalue|\bset to\b|\bsetting|\bwhat is\b|\bwhat's\b|\bwhich\b|\bdefined\b|\bexists?\b|\bversion"
    r"|\bname\b|\bsection|\bcriteri(a|on)\b|\bline\b|\bflag\b|\bport\b|\bdefault\b|\bconstant|\btimeout|\blimit\b"
    r"|値|設定|定義|存在|基準|セクション|バージョン|名前|定数"
    r"|값|설정|정의|존재|기준|섹션|버전|이름|상수",
    re.IGNORECASE,
)


def judge_purpose(purpose: str, *, shown: bool = False) -> Verdict:
    """`shown`: it is only presented to the user, so it may be more than one value."""
    if SECURITY.search(purpose):
        return refused("own-security", "a lead does no analysis of security", role_for("security"))
    if found := _ANALYSIS.search(purpose):
        reason = f"{found[0].strip()!r} says that this is more than to see one value or section"
    elif not shown and not _ONE.search(purpose):
        reason = "the purpose does not name one value or section to be seen"
    else:
        return Verdict(allowed=True, reason="to see one value or section", met=("purpose",))
    return refused("bulk-reading", reason, role_for("reading"))
