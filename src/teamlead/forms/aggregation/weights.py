"""How much an agent's word counts, by its role and by what it speaks of."""

import re
from collections.abc import Mapping
from unicodedata import normalize

import msgspec

from teamlead.core.model import Value

_BETWEEN = re.compile(r"[\W_]+")

EXPERTISE: Mapping[str, tuple[str, ...]] = {
    "security-auditor": ("security", "privacy", "secrets", "authentication", "authorization", "injection"),
    "qa-engineer": ("testing", "tests", "test", "coverage", "regression", "correctness", "reliability"),
    "system-architect": ("architecture", "design", "performance", "scalability", "dependencies"),
    "code-architect": ("architecture", "design", "maintainability"),
    "frontend-specialist": ("frontend", "accessibility", "usability", "ui"),
    "backend-specialist": ("backend", "api", "database", "concurrency", "performance"),
}
"""Words of the categories that a role knows better than others do."""

EXPERT = 2.0


def normalised(name: str) -> str:
    """One spelling for `SQL-Injection`, `sql_injection` and `Sql injection`."""
    return _BETWEEN.sub(" ", normalize("NFKC", name).casefold()).strip()


class Weights(Value, frozen=True):
    """Every agent counts 1, unless something more special is said."""

    given: dict[tuple[str, str], float] = msgspec.field(default_factory=dict)
    """By role and category, as `normalised`; of the empty category where nothing is given for another."""
    expertise: bool = False
    """Those who know a category count `EXPERT`."""

    def of(self, role: str, category: str) -> float:
        role, category = normalised(role), normalised(category)
        for key in ((role, category), (role, "")):
            if key in self.given:
                return self.given[key]
        return EXPERT if self.expertise and _expert(role, category) else 1.0


def _expert(role: str, category: str) -> bool:
    known = EXPERTISE.get(role.replace(" ", "-"), ())
    return any(word in known for word in category.split())
