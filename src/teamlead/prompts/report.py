"""How an agent is told to report: what the contract asks for, and no more of it than its role needs."""

from teamlead.core.roles import FINDINGS, Format
from teamlead.core.rules import advice_for

PLAIN = """\
End with a short summary: what you changed, file by file, what you ran and how it ended, and what you did not
do. Cite code as `path:line` with the line's own text beside it. Each is looked up, so cite nothing that you
have not read."""

FINDINGS_ASKED: dict[Format, str] = {
    "exploration": "Entry points, flow, patterns and dependencies, a list each. Sum up; paste no raw output.",
    "design": "Decision, alternatives, trade-offs, interfaces and files to change, a list each.",
    "review": "A table with the columns finding, category, severity (critical, important, minor), "
    "`file:line`, evidence (the code itself), suggestion and confidence.",
    "implementation": "Files changed, behaviour changed, tests added, commands run with their results.",
}

FORM = """\
### Status
SUCCESS, PARTIAL or FAILED

### Summary
Two or three sentences, never more than about 500 tokens.

### Findings
{findings}

### Key References
| Item | Location | Relevance |
| --- | --- | --- |
| what it is | `path:line` | `the line's own text`: why it matters (confidence: 0 to 100) |

### Confidence
0 to 100 - why. From 75 on with its parts: verified_confidence (what you saw), inferred_confidence (what you
concluded), combined_confidence (their mean, which is the confidence itself). From 85 on with a section
`### Confidence Justification`: score, evidence count, verification method, blind spots. Below 70 with a
section `### Uncertainty`.

### Issues, ### Next Steps, ### Blockers
Where there are any. An issue ends with `| severity: critical`, `important` or `minor`; a blocker with
`| resolution: what would remove it`. Blockers are always told.

### Verification
- [x] every file:line reference exists
- [x] quoted code matches the files
- [x] no path is invented
- [x] each finding has its evidence"""

TOOL = """\
Hand your result in with `submit_result`, with these parts as its fields; if it is refused, mend what it names
and hand it in again. Then end your turn."""

TEXT = "End with a report in exactly this form, under the heading `## {role} Result`."


def reporting(role: str, *, team: bool, required: bool) -> str:
    form = FINDINGS.get(role)
    if form is None and not required:
        return PLAIN
    asked = FORM.format(findings=FINDINGS_ASKED[form or "implementation"])
    advice = "\n".join(f"- {text}" for text in advice_for(role))
    return f"{TOOL if team else TEXT.format(role=role)}\n\n{asked}\n\nWhat makes a report better:\n\n{advice}"
