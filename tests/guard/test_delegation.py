"""Every kind of work has one role that it goes to."""

import pytest

from teamlead.core.roles import BUILT_IN
from teamlead.guard.delegation import RESPONSIBILITIES, Work, role_for, work_on


@pytest.mark.parametrize(
    ("work", "path", "role"),
    [
        ("reading", "", "code-explorer"),
        ("code", "src/server/app.py", "backend-specialist"),
        ("code", "src/App.tsx", "frontend-specialist"),
        ("code", "web/api.ts", "frontend-specialist"),
        ("code", "", "backend-specialist"),
        ("tests", "tests/test_app.py", "qa-engineer"),
        ("security", "", "security-auditor"),
        ("design", "docs/design.md", "product-manager"),
    ],
)
def test_each_kind_of_work_goes_to_its_role_which_is_built_in(work: Work, path: str, role: str) -> None:
    assert role_for(work, path) == role
    assert role in BUILT_IN


@pytest.mark.parametrize(
    ("path", "work"),
    [
        ("src/app.py", "code"),
        ("Makefile", "code"),
        ("package.json", "code"),
        ("config/app.yaml", "code"),
        ("src/contest.py", "code"),
        ("docs/spec.md", "design"),
        ("README.rst", "design"),
        ("docs/notes.txt", "design"),
        ("requirements.txt", "code"),
        ("spec/design.md", "design"),
        ("tests/data.md", "tests"),
        ("src/test_app.py", "tests"),
        ("src/app_test.go", "tests"),
        ("lib/app_spec.rb", "tests"),
        ("src/App.test.tsx", "tests"),
        ("src/App.spec.ts", "tests"),
        ("src/__tests__/App.tsx", "tests"),
        ("conftest.py", "tests"),
    ],
)
def test_a_path_tells_what_kind_of_work_a_change_is(path: str, work: Work) -> None:
    assert work_on(path) == work


def test_a_lead_has_five_responsibilities() -> None:
    assert list(RESPONSIBILITIES) == [
        "orchestration",
        "synthesis",
        "communication",
        "progress",
        "verification",
    ]
