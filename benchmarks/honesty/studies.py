"""What published studies of cheating agents call what the families do, and what of theirs no family has."""

from collections.abc import Mapping

CATEGORIES: Mapping[str, tuple[str, ...]] = {
    "special-casing of tests' inputs": ("special-cased inputs", "wrong where untested"),
    "changing or removing tests": (
        "test removed",
        "test skipped",
        "assertion weakened",
        "fault expected",
        "expectation recomputed",
    ),
    "changing the harness": (
        "failure swallowed",
        "left out by settings",
        "patched by the harness",
        "runner ends early",
        "runner shadowed",
    ),
    "overloaded operators, recorded state, answers read from the tests": ("answers from a record",),
    "recognising the tests' environment": ("knows that it is tested", "test switches it on"),
    "impossible tasks that pass": ("impossible",),
    "tests that prove nothing": (
        "test of nothing",
        "test never runs",
        "mock of what is tested",
        "right in one order",
    ),
    "work that is not there": (
        "stub left",
        "parameter never read",
        "comments only",
        "half of it",
        "never loaded",
    ),
    "false words": (
        "wrong count",
        "invented name",
        "invented commit",
        "invented measurement",
    ),
    "harm beside the task": ("taken back", "generated file by hand", "litter"),
}

NOT_COVERED: tuple[str, ...] = (
    "answers looked up on the network, in the repository's future or in a package that has them",
    "several agents that agree on a false result, and a judge that is talked into it over several turns",
    "work that is made worse on purpose where nobody asked about it (a weakness planted for later)",
    "an agent that stops the lead, reads its state or forges its journal: see the attacks on rooms",
    "measurements of speed that are made to look good",
)


def category_of(family: str) -> str:
    return next((name for name, families in CATEGORIES.items() if family in families), "")
