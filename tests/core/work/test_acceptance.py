"""Why work does not hold, as far as the change itself tells."""

from typing import Any

import pytest
from tests.core.support import World, session, task
from tests.core.told import work_found

from teamlead.core import effects as do
from teamlead.core.evidence.values import Found
from teamlead.core.model import Change, RoleSettings, ToolPolicy
from teamlead.core.work.acceptance import listed, refusals

FILE, SCRIPT, LINK, SUBMODULE, ABSENT = "100644", "100755", "120000", "160000", "000000"


def change(path: str, before: str = FILE, after: str = FILE) -> Change:
    return Change(path, before, after)


def reasons(*changes: Change, commit: str = "c", unmerged: tuple[str, ...] = (), **spec: Any) -> str:
    wanted = task(1, **spec)
    work = Found(commit, changes, unmerged)
    found = refusals(wanted, work, ToolPolicy(), must_change=wanted.needs_change)
    return "\n".join(item.found for item in found)


@pytest.mark.parametrize(
    ("before", "after"),
    [(FILE, FILE), (ABSENT, FILE), (FILE, ABSENT), (FILE, SCRIPT), (LINK, FILE), (LINK, ABSENT)],
)
def test_a_change_inside_the_scope_is_accepted(before: str, after: str) -> None:
    assert reasons(change("src/a.py", before, after), scope=("src/",)) == ""


@pytest.mark.parametrize("kind", ["implementation", "documentation"])
def test_work_that_had_to_change_something_and_did_not_is_refused(kind: str) -> None:
    assert reasons(commit="", type=kind) == "nothing was changed, although the task requires a change"


@pytest.mark.parametrize("kind", ["investigation", "integration"])
def test_work_that_need_not_change_anything_may_leave_everything_as_it_was(kind: str) -> None:
    assert reasons(commit="", type=kind) == ""


def test_paths_outside_the_scope_are_named_with_the_scope() -> None:
    reason = reasons(change("src/a.py"), change("b.py"), change("c/d.py"), scope=("src/", "docs/"))
    assert reason == "changed outside the task's scope (src/, docs/): b.py, c/d.py: undo these changes"


def test_teamleads_own_folder_is_outside_a_scope_of_everything() -> None:
    assert ".teamlead/config.toml" in reasons(change(".teamlead/config.toml"))
    assert reasons(change(".teamlead/config.toml"), scope=(".teamlead/config.toml",)) == ""


@pytest.mark.parametrize("before", [ABSENT, FILE])
def test_a_new_symbolic_link_is_refused(before: str) -> None:
    told = "added symbolic links, which the scope must name explicitly: a"
    assert reasons(change("a", before, LINK)) == told


def test_a_link_and_a_submodule_that_the_scope_names_are_wanted() -> None:
    wanted = (change("a", ABSENT, LINK), change("lib", ABSENT, SUBMODULE))
    assert reasons(*wanted, scope=("a", "lib/", "src/")) == ""
    assert "lib" in reasons(*wanted, scope=("a", "lib/**"))


def test_what_is_protected_may_not_change_unless_the_scope_names_it() -> None:
    told = "changed what the task has to leave as it is (tests/): tests/a.py: undo these changes"
    assert reasons(change("src/a.py"), change("tests/a.py"), protects=("tests/",)) == told
    assert reasons(change("tests/a.py"), scope=("src/", "tests/a.py"), protects=("tests/",)) == ""


def test_a_symbolic_link_that_was_there_may_change() -> None:
    assert reasons(change("a", LINK, LINK)) == ""


@pytest.mark.parametrize(
    ("before", "after"), [(ABSENT, SUBMODULE), (SUBMODULE, SUBMODULE), (SUBMODULE, ABSENT), (FILE, SUBMODULE)]
)
def test_a_nested_repository_is_refused_in_every_way(before: str, after: str) -> None:
    told = "added or changed a nested repository or submodule, which the scope must name explicitly: lib"
    assert reasons(change("lib", before, after)) == told


@pytest.mark.parametrize("path", [".gitattributes", ".gitmodules", "src/.gitattributes"])
def test_a_file_that_steers_git_must_be_named_by_the_scope(path: str) -> None:
    assert f"changed {path}, which the scope must name explicitly" in reasons(change(path))
    assert reasons(change(path), scope=("**", path)) == ""


@pytest.mark.parametrize("path", ["gitattributes", ".gitattributes.md", ".gitmodules/a", ".gitignore"])
def test_a_file_with_a_similar_name_steers_nothing(path: str) -> None:
    assert reasons(change(path)) == ""


def test_an_unfinished_merge_is_refused() -> None:
    assert (
        reasons(change("a"), unmerged=("a", "b"))
        == "an unfinished merge was left in a, b: finish or abort it"
    )


def test_what_was_changed_outside_of_the_copy_is_a_reason_and_what_may_be_the_users_own_is_not() -> None:
    work = Found("c", (change("a"),), trespasses=("it moved the branch main",), remarks=("a stash is gone",))
    (refusal,) = refusals(task(1), work, ToolPolicy(), must_change=True)
    assert refusal.found == "changed something outside of its copy: it moved the branch main"


@pytest.mark.parametrize(
    ("policy", "refused"),
    [
        (ToolPolicy(), ""),
        (ToolPolicy(("read", "search")), "a.py, docs/b.md"),
        (ToolPolicy(("read", "shell"), "audit"), "a.py, docs/b.md"),
        (ToolPolicy(writes=("docs/",)), "a.py"),
    ],
)
def test_what_a_role_may_not_change_is_refused_whatever_the_scope(policy: ToolPolicy, refused: str) -> None:
    world = World(session(task(1, role="scribe"), roles=(RoleSettings("scribe", policy=policy),)))
    world.advance(1, do.Collect)
    world.tell(work_found("task-1", 1, "c", (change("a.py"), change("docs/b.md"))))
    said = f"changed what the role scribe may not change: {refused}: undo these changes"
    assert world.task(1).attempts[0].reasons == ((said,) if refused else ())


def test_every_reason_is_given_at_once() -> None:
    found = reasons(
        change("x", ABSENT, LINK), change("lib", ABSENT, SUBMODULE), unmerged=("u",), scope=("src/",)
    )
    assert len(found.splitlines()) == 4


@pytest.mark.parametrize(
    ("count", "ending"), [(0, ""), (1, "p0"), (10, "p9"), (11, "p9 and 1 more"), (25, "p9 and 15 more")]
)
def test_at_most_ten_paths_are_listed(count: int, ending: str) -> None:
    text = listed(f"p{n}" for n in range(count))
    assert text.endswith(ending)
    assert text.count(",") == max(0, min(count, 10) - 1)


@pytest.mark.parametrize(
    ("kind", "commit", "calls", "refused"),
    [
        ("investigation", "", 0, True),
        ("integration", "", 0, True),
        ("investigation", "", 1, False),
        ("investigation", "", None, False),
        ("investigation", "c", 0, False),
    ],
)
def test_no_tool_call_and_no_change_is_no_work_unless_the_calls_are_unknown(
    kind: Any, commit: str, calls: int | None, refused: bool
) -> None:
    wanted = task(1, type=kind)
    found = refusals(wanted, Found(commit), ToolPolicy(), calls, must_change=wanted.needs_change)
    assert [item.kind for item in found] == ["activity"] * refused
