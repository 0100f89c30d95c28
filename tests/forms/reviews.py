"""Results that hold to the contract, as agents write them."""

REVIEW = """\
## {role} Result

### Status
{status}

### Summary
Read the sign-in and what it calls. What is wrong with it is below.

### Findings
{findings}

### Key References
| Item | Location | Relevance |
| --- | --- | --- |
| sign-in | `src/login.py:4` | where input gets in |
| query | `src/db.py:10` | where it goes |

### Confidence
80 - read, not run
- verified_confidence: 90
- inferred_confidence: 70
- combined_confidence: 80

### Next Steps
1. Bind the parameter

### Verification
- [x] File references valid
- [x] Code snippets accurate
- [x] No invented paths
- [x] Evidence documented
"""
HEAD = """\
| Finding | Category | Severity | Location | Evidence | Suggestion | Confidence |
| --- | --- | --- | --- | --- | --- | --- |"""
INJECTION = ("SQL is built from input", "security", "critical", "src/db.py:10", 95)


def review(role: str, *findings: tuple[str, str, str, str, float], status: str = "SUCCESS") -> str:
    rows = [
        f"| {text} | {category} | {severity} | `{place}` | `execute(query + name)` | bind it | {confidence} |"
        for text, category, severity, place, confidence in findings
    ]
    return REVIEW.format(role=role, status=status, findings="\n".join([HEAD, *rows]) if rows else "None.")
