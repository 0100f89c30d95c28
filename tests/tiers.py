"""What runs when: `./check` leaves out what is named here, `./check --all` runs everything.

A new test runs with every check, unless it is a flow. Name it here if it takes seconds of processor time, or
if it needs a program that does not come with Python, pip and git. Whoever names a file or a folder on the
command line gets all of it.

A name is a folder or a file; or a file, `::` and a part of the names of tests in it.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath

FLOWS = ("tests/flows", "tests/rehearsal/test_rehearse.py")
"""Whole sessions through the command line. Of each file the first test runs with every check, and shows its
feature; the others are left to `--all`, but for FURTHER_FLOWS."""

FURTHER_FLOWS: Mapping[str, Sequence[str]] = {
    "a file that shows several commands": (
        "tests/flows/test_approvals.py::moved_into_conflict",
        "tests/flows/test_approvals.py::rejected_work",
        "tests/flows/test_commands.py::the_demo_runs",
        "tests/flows/test_interruptions.py::after_the_death_of_a_leader_its_agents",
        "tests/flows/test_interruptions.py::cancelling_a_running_session",
        "tests/flows/test_kept_work.py::nothing_of_an_approved_session_is_left",
        "tests/flows/test_kept_work.py::shown_made_a_branch_and_dropped",
        "tests/flows/test_mending.py::once_everything_is_put_back",
        "tests/flows/test_own_prompts.py::ones_own_words",
        "tests/flows/test_questions.py::waits_for_the_next_one",
        "tests/flows/test_shared_questions.py::a_release_tries_it_again",
        "tests/flows/test_started_plannings.py::can_be_started_at_once",
        "tests/flows/test_steering.py::failed_for_good_is_tried_again",
        "tests/flows/test_steering.py::another_agent_goes_on",
        "tests/flows/test_steering.py::a_running_task_is_skipped",
        "tests/flows/test_steering.py::put_into_a_session_at_work",
        "tests/flows/test_terminal.py::answers_and_approves",
        "tests/flows/test_watching.py::one_unbroken_order",
    ),
    "what others read and parse": (
        "tests/flows/test_documents.py::schema_says",
        "tests/flows/test_golden.py::tells_what_it_told_before",
    ),
}
"""By the reason."""

LEFT_TO_ALL: Mapping[str, Sequence[str]] = {
    "faults that are planted, to show that they are noticed": (
        "tests/core/test_mutants.py",
        "tests/simulation/test_mutants.py",
    ),
    "sweeps: every step is disturbed once, or very many inputs are tried": (
        "tests/core/test_properties.py::scenarios_reach_every_kind",
        "tests/engine/test_killed.py",
        "tests/evidence/proofs/test_order.py::in_any_order",
        "tests/evidence/proofs/test_outside_program.py::looks_for",
        "tests/flows/test_exhausted_machine.py",
        "tests/forms/test_hostile_texts.py",
        "tests/forms/citations/test_scanning.py::of_a_million_characters",
        "tests/mcp/test_server_arrivals.py::in_the_midst_of_a_crowd",
        "tests/plans/test_preview.py::fifty_thousand_tasks",
        "tests/simulation/test_simulation.py::further",
        "tests/simulation/test_simulation.py::reach_every_end",
        "tests/sweep",
        "tests/system/wardens/test_nasty_trees.py",
        "tests/workspaces/test_copy_pool.py::nothing_of_a_tenant_reaches",
        "tests/workspaces/test_dirty_copies.py",
        "tests/workspaces/test_many_at_once.py",
        "tests/workspaces/test_repository_mending.py::stays_open_until_it_is_put_back",
        "tests/workspaces/test_repository_mending.py::killed_at_any_step",
        "tests/workspaces/test_repository_mending.py::takes_as_it_is_is_not_open",
    ),
    "rooms, which need bubblewrap, and the toolchains in them": (
        "tests/attacks",
        "tests/flows/test_blind_checks.py::elsewhere",
        "tests/flows/test_rooms.py",
        "tests/flows/test_rooms_and_toolchains.py",
        "tests/system/rooms/test_attacks.py",
        "tests/system/rooms/test_entering.py",
        "tests/system/rooms/test_landlock.py",
        "tests/system/rooms/test_mounts.py",
        "tests/system/rooms/test_nasty_trees.py",
        "tests/system/rooms/test_private_layers.py",
    ),
    "real programs and official libraries, which the extra `agents` brings": (
        "tests/flows/test_guarded_lead.py",
        "tests/flows/test_real_agents.py",
        "tests/flows/test_real_leader.py",
        "tests/flows/test_real_planner.py",
        "tests/flows/test_rooms_of_real_agents.py",
        "tests/mcp/test_contract.py",
        "tests/mcp/test_real_programs.py",
        "tests/rehearsal/test_real_programs.py",
        "tests/runners/acp/test_known_agents.py",
        "tests/runners/acp/test_runner.py",
        "tests/runners/test_claude.py",
        "tests/runners/test_claude_cancelling.py",
        "tests/runners/test_claude_errors.py",
        "tests/runners/test_claude_limits.py",
        "tests/runners/test_claude_permits.py",
        "tests/runners/test_claude_team.py",
        "tests/runners/test_codex.py",
        "tests/runners/test_codex_limits.py",
        "tests/runners/test_codex_sandbox.py",
        "tests/runners/test_codex_service.py",
        "tests/runners/test_contract.py::acp",
        "tests/runners/test_contract.py::claude",
        "tests/runners/test_contract.py::codex",
        "tests/runners/test_gemini.py",
    ),
    "other languages, whose compilers take their time and whose runners npm brings": (
        "tests/evidence/proofs/test_go_faults.py::go_compiles",
        "tests/evidence/proofs/test_order.py::test_go_asks",
        "tests/evidence/proofs/test_planted_faults.py::of_go_look",
        "tests/flows/test_other_languages.py",
    ),
    "programs beside teamlead: they measure it": (
        "tests/benchmarks/test_benchmarks_run.py::prints_each_figure",
        "tests/benchmarks/test_honesty.py",
        "tests/benchmarks/test_projects.py",
    ),
}
"""By the reason."""

NAMES = [name for names in LEFT_TO_ALL.values() for name in names]
SHOWN = [name for names in FURTHER_FLOWS.values() for name in names]


def _by_file(names: Iterable[str]) -> dict[str, list[str]]:
    """The parts of names of tests, "" for all."""
    parts: dict[str, list[str]] = {}
    for name in names:
        file, _, part = name.partition("::")
        parts.setdefault(file, []).append(part)
    return parts


_LEFT_OUT = _by_file(NAMES)
_SHOWN = _by_file(SHOWN)


def leaves_out_path(path: PurePath) -> bool:
    """`path`: a file or a folder, from the root of the repository."""
    return "" in _LEFT_OUT.get(path.as_posix(), ())


def leaves_out(tests: Iterable[str]) -> set[str]:
    """Those of `tests` that only `--all` runs; their names and their order are pytest's."""
    left_out = set()
    begun = set()
    for test in tests:
        file, _, name = test.partition("::")
        if any(part in name for part in _LEFT_OUT.get(file, ())):
            left_out.add(test)
        elif any(file == flows or file.startswith(f"{flows}/") for flows in FLOWS):
            if file in begun and not any(part in name for part in _SHOWN.get(file, ())):
                left_out.add(test)
            begun.add(file)
    return left_out
