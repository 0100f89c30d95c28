"""What a lead may read itself: a quick lookup, or what its context allows. More is for an agent.

How a lead searches is held likewise: one narrow search at a time, which looks into few files.
"""

from collections.abc import Sequence

from teamlead.core.policy.exemptions import Context, Portion, excess
from teamlead.guard.delegation import Verdict, refused, role_for

SECONDS = 10
"""A lookup takes less."""
SEARCHED = 3
"""Files that one search may look into."""
FALLBACK_WARNING = "an agent failed, so the lead reads itself; results may be incomplete"
"""For the user."""


MEASURED = ("files", "lines-per-file", "lines", "time")
"""The conditions that a size and a time can tell."""
EXEMPTION: dict[Context, str] = {
    "reference": "quick-lookup",
    "fallback": "fallback-read",
    "metadata": "metadata-read",
    "presentation": "",
}
"""To present is a lead's own task, and needs none."""


def judge_read(portions: Sequence[Portion], context: Context = "reference", *, seconds: float = 0) -> Verdict:
    """By its size and time. What it is for is judged in `purposes`, where it is told."""
    reason = excess(portions, context)
    if not reason and seconds >= SECONDS:
        reason = f"it took {seconds:.0f} seconds, and a lookup takes less than {SECONDS}"
    if reason:
        return refused("bulk-reading", reason, role_for("reading"))
    return Verdict(allowed=True, reason="within the limits", exemption=EXEMPTION[context], met=MEASURED)


def judge_search(files: int, earlier: int = 0) -> Verdict:
    """A search that looks into so many files, after so many searches of the same lookup."""
    if earlier:
        reason = "one narrow search is allowed in a lookup, and this would be another"
    elif files > SEARCHED:
        reason = f"a search may look into at most {SEARCHED} files, and this one would look into more"
    else:
        return Verdict(allowed=True, reason="one narrow search", exemption="quick-lookup", met=MEASURED)
    return refused("bulk-search", reason, role_for("reading"))
