"""The level of each rule of the contract."""

from teamlead.core.rules import Level

LEVELS: dict[str, Level] = {
    "required-sections": "L1",
    "known-status": "L1",
    "confidence-range": "L1",
    "summary-length": "L1",
    "blockers-reported": "L1",
    "checklist-complete": "L1",
    "references-exist": "L1",
    "confidence-breakdown": "L1",
    "confidence-formula": "L1",
    "finding-place": "L2",
    "confidence-justification": "L2",
    "summary-not-raw": "L2",
    "issue-severity": "L2",
    "uncertainty-section": "L2",
    "security-evidence": "L2",
    "single-source": "L2",
    "contradiction": "L2",
    "next-steps": "L3",
    "recovery-options": "L3",
    "trade-offs": "L3",
    "patterns-found": "L3",
}
