"""The rules that leads, agents and their reports are held to, each with its level. The only list of them."""

import re
from typing import Final, Literal, NamedTuple

Level = Literal["L1", "L2", "L3"]
"""L1: hard, code enforces it, nothing overrides it. L2: soft, a recorded reason overrides it. L3: advice."""

Holds = Literal["lead", "agent", "report"]
"""Whom a rule is for. report: an agent, in what it hands in."""


class Rule(NamedTuple):
    id: str
    level: Level
    holds: Holds
    text: str
    enforced_by: str = ""
    """`module:function`, below `teamlead`. Advice has none: it reaches agents through their prompts."""
    tested_by: str = ""
    """A test's file and name, below `tests`."""
    open_because: str = ""
    """Why nothing enforces it yet, though it is no advice."""

    @property
    def told(self) -> str:
        return f"{self.text} Not enforced yet: {self.open_because}." if self.open_because else self.text


_EDIT = "guard.trivial:judge_edit"
_TRIVIAL = "guard/test_trivial.py::"
_TEAMS = "flows/test_teams.py::"
_CONTRACT = "forms/results/test_contract.py::test_a_result_that_breaks_one_rule_is_told_this_one"

RULES: tuple[Rule, ...] = (
    Rule(
        "bulk-search",
        "L1",
        "lead",
        "Searches go to code-explorer; a lead makes one narrow search at a time, into at most 3 files.",
        "guard.lookup:judge_search",
        "guard/test_lookup.py::test_a_search_looks_into_at_most_three_files",
    ),
    Rule(
        "bulk-reading",
        "L1",
        "lead",
        "A lead reads at most 3 files in a lookup, 200 lines of each and 300 in total, to see one value.",
        "guard.lookup:judge_read",
        "guard/test_lookup.py::test_a_lookup_one_step_over_a_limit_goes_to_the_explorer",
    ),
    Rule(
        "own-code",
        "L1",
        "lead",
        "A lead writes no code: that is for frontend-specialist and backend-specialist.",
        _EDIT,
        f"{_TRIVIAL}test_code_and_tests_have_no_trivial_edits",
    ),
    Rule(
        "own-tests",
        "L1",
        "lead",
        "A lead writes no tests: that is for qa-engineer.",
        _EDIT,
        f"{_TRIVIAL}test_code_and_tests_have_no_trivial_edits",
    ),
    Rule(
        "own-security",
        "L1",
        "lead",
        "A lead does no analysis of security: that is for security-auditor.",
        "guard.purposes:judge_purpose",
        "guard/test_purposes.py::test_security_is_for_the_auditor",
    ),
    Rule(
        "spec-edit",
        "L1",
        "lead",
        "Specifications and designs are edited by product-manager, but for TRIVIAL edits.",
        _EDIT,
        f"{_TRIVIAL}test_what_changes_the_meaning_or_might_is_not_trivial",
    ),
    Rule(
        "trivial-edit",
        "L1",
        "lead",
        "An edit is TRIVIAL with at most 2 lines, the same meaning before and after, and nothing to decide.",
        "guard.trivial:classify",
        f"{_TRIVIAL}test_an_obvious_correction_is_trivial",
    ),
    Rule(
        "agent-first",
        "L1",
        "lead",
        "An agent comes first, also for what is clear or TRIVIAL. That a task is clear is no reason.",
        _EDIT,
        f"{_TRIVIAL}test_pure_form_is_the_only_edit_that_needs_no_occasion",
    ),
    Rule(
        "edit-verified",
        "L1",
        "lead",
        "After an edit of its own a lead looks at the diff; if more changed, the user is warned.",
        "guard.edits:unintended",
        "guard/test_edits.py::test_lines_that_were_not_to_be_touched_are_found",
    ),
    Rule(
        "exemption-complete",
        "L1",
        "lead",
        "An exemption needs all of its conditions: a partial match is none.",
        "core.policy.exemptions:check_conditions",
        "core/policy/test_exemptions.py::test_a_partial_match_is_an_error",
    ),
    Rule(
        "exemption-logged",
        "L1",
        "lead",
        "Every use of an exemption is logged before it is made.",
        "guard.log:record",
        "guard/test_hook.py::test_what_cannot_be_logged_is_not_allowed",
    ),
    Rule(
        "fallback",
        "L1",
        "lead",
        "If an agent fails: use what it left, retry it smaller, then read a little, go on, or ask the user.",
        "core.recovery:recover",
        "core/test_recovery.py::test_the_lead_reads_itself_only_after_the_reading_agent_failed_twice",
    ),
    Rule(
        "wait-for-agents",
        "L1",
        "lead",
        "A lead waits until every agent has ended before it sums up.",
        "core.step:consequence",
        "core/test_step.py::test_a_task_starts_when_the_last_of_its_dependencies_is_done",
    ),
    Rule(
        "re-reading",
        "L1",
        "lead",
        "A lead works with what agents report, and does not read again what they have read.",
        "guard.calls:judge_call",
        "guard/test_hook.py::test_what_an_agent_has_read_is_not_read_again",
    ),
    Rule(
        "lead-leaves-first",
        "L1",
        "lead",
        "No team is deleted before its lead has left: nothing that it asked a model is alive.",
        "core.team.leaving:lead_alive",
        "engine/test_leaving.py::test_the_team_is_deleted_only_when_what_its_lead_asked_is_over",
    ),
    Rule(
        "members-left",
        "L1",
        "lead",
        "No team is deleted before all of its members have left, or were asked twice and ended.",
        "core.team.leaving:members_alive",
        "core/team/test_leaving.py::test_a_team_is_not_deleted_while_something_of_a_member_is_alive",
    ),
    Rule(
        "asked-by-request",
        "L1",
        "lead",
        "Only a shutdown_request asks a member to leave: a message that asks it to stop is a message.",
        "core.team.leaving:left_unasked",
        "core/team/test_leaving.py::test_a_message_that_asks_somebody_to_stop_is_a_message",
    ),
    Rule(
        "asked-again-once",
        "L1",
        "lead",
        "A member that is silent is asked exactly once more before it is ended.",
        "core.team.leaving:overdue",
        "engine/test_leaving.py::test_one_who_never_answers_is_asked_twice_and_ended_after_70_seconds",
    ),
    Rule(
        "own-task",
        "L1",
        "agent",
        "An agent says how its own task stands, and no other.",
        "core.team.talk:task_updated",
        "engine/test_talk.py::test_a_refusal_reaches_the_caller_and_the_leader_goes_on",
    ),
    Rule(
        "guarded",
        "L1",
        "lead",
        "Who is held by the guard changes neither its set-up nor what a repository may run.",
        "guard.shell:judge_command",
        "guard/test_shell.py::test_the_guard_is_not_set_up_by_whom_it_holds",
    ),
    Rule(
        "parallel-agents",
        "L2",
        "lead",
        "Agents whose tasks do not depend on each other work at the same time.",
        "core.attempts.starting:start",
        "core/test_step.py::test_as_many_tasks_start_as_there_are_jobs_in_the_order_of_the_plan",
    ),
    Rule(
        "model-by-task",
        "L2",
        "lead",
        "A task gets a model able enough: small for patterns, medium for work, large for requirements.",
        "core.roles:role_named",
        "core/test_roles.py::test_the_kind_of_task_says_how_able_a_model_it_needs",
    ),
    Rule(
        "results-first",
        "L2",
        "lead",
        "Results are shown to the user before the next phase begins.",
        "core.people.notices:show_findings",
        f"{_TEAMS}test_what_a_stage_found_is_shown_when_it_closes_and_lies_there_before_the_next_begins",
    ),
    Rule(
        "progress-kept",
        "L2",
        "lead",
        "The progress file is up to date at the end of each phase.",
        "sessions.projections:written_at_once",
        f"{_TEAMS}test_what_a_stage_found_is_shown_when_it_closes_and_lies_there_before_the_next_begins",
    ),
    Rule(
        "led-by-code",
        "L1",
        "lead",
        "A session of a team is opened by code before anybody leads it, and its lead is a program.",
        "sessions.opening:create",
        "flows/test_initialised_sessions.py::test_a_session_is_there_with_its_team_and_nobody_leads_it",
    ),
    Rule(
        "order-of-start",
        "L1",
        "lead",
        "The team is formed first, then its session, then the lead comes, and then members begin.",
        "core.decide:_open",
        f"{_TEAMS}test_the_team_is_formed_then_the_session_then_the_leader_comes_then_members_begin",
    ),
    Rule(
        "phase-table",
        "L1",
        "lead",
        "A session moves only to a phase that the table of phases has after its own.",
        "core.transitions:check_move",
        "core/test_transitions.py::test_a_move_that_is_not_in_its_table_is_refused_and_names_both_states",
    ),
    Rule(
        "stage-complete",
        "L1",
        "lead",
        "A stage closes when all of its tasks are settled, and none that matters was left out unasked.",
        "core.pipeline.guard:misses",
        f"{_TEAMS}test_a_stage_with_something_missing_does_not_close_without_the_users_word",
    ),
    Rule(
        "artifact-delivered",
        "L1",
        "lead",
        "A stage closes when its artifact is there: something that was handed in and accepted.",
        "core.pipeline.guard:delivers",
        f"{_TEAMS}test_a_stage_in_which_nobody_handed_in_anything_does_not_close_without_the_users_word",
    ),
    Rule(
        "moved-by-hand",
        "L1",
        "lead",
        "Who moves a session by hand is held by the same table and the same guard.",
        "core.people.moving:move",
        "flows/test_phases.py::test_a_transition_at_a_running_leader_meets_the_table_and_the_guard",
    ),
    Rule(
        "findings-unmodified",
        "L1",
        "lead",
        "What members found is passed on as they handed it in.",
        "views.findings:findings_files",
        f"{_TEAMS}test_what_each_stage_found_is_joined_by_its_cards_as_it_was_handed_in",
    ),
    Rule(
        "approval-bound",
        "L1",
        "lead",
        "Nothing reaches the user's branch before they approve, and then only what they were shown.",
        "core.people.approval:approve",
        "core/test_phases.py::"
        "test_an_approval_of_what_was_shown_before_more_was_merged_is_refused_and_says_what_came_in",
    ),
    Rule(
        "revisions-limited",
        "L1",
        "lead",
        "Finished work is revised three times; a session of which a fourth is wanted has failed.",
        "core.people.revising:revise",
        f"{_TEAMS}test_what_a_fourth_revision_is_wanted_of_has_failed",
    ),
    Rule("split-tasks", "L3", "lead", "Consider splitting a large task among several agents."),
    Rule("ask-not-guess", "L3", "lead", "Ask the user rather than guess what is meant."),
    Rule("failures-noted", "L3", "lead", "Consider noting agents' failures in the progress file."),
    Rule(
        "tool-policy",
        "L1",
        "agent",
        "An agent uses only the tools that its role has.",
        "core.policy.calls:refusal",
        "core/policy/test_calls.py::test_a_tool_that_is_not_in_the_policy_is_refused_with_what_is",
    ),
    Rule(
        "starts-nobody",
        "L1",
        "agent",
        "No member starts another one, and none decides in a person's place.",
        "system.process_owner:require_person",
        "flows/test_persons_word.py::test_every_command_that_decides_or_steers_is_refused_to_an_agent",
    ),
    Rule(
        "findings-not-merged",
        "L1",
        "agent",
        "A file of findings that a member leaves is told to its lead, and is no work.",
        "workspaces.left_findings:take_out",
        "workspaces/test_collecting.py::test_files_of_findings_are_told_as_they_are_and_are_no_work",
    ),
    Rule(
        "audit-shell",
        "L1",
        "agent",
        "An agent that audits runs only commands that read.",
        "core.policy.audit:refusal",
        "core/policy/test_audit.py::test_a_command_that_might_do_more_is_refused_in_one_line",
    ),
    Rule(
        "task-scope",
        "L1",
        "agent",
        "An agent changes only what its task and its role allow.",
        "core.work.acceptance:refusals",
        "core/work/test_acceptance.py::test_paths_outside_the_scope_are_named_with_the_scope",
    ),
    Rule(
        "required-sections",
        "L1",
        "report",
        "A report has the sections of the contract.",
        "forms.results.part_rules:sections",
        _CONTRACT,
    ),
    Rule(
        "known-status",
        "L1",
        "report",
        "Its status is SUCCESS, PARTIAL, FAILED, IMPOSSIBLE or ALREADY_DONE.",
        "forms.results.conversion:converted",
        _CONTRACT,
    ),
    Rule(
        "confidence-range",
        "L1",
        "report",
        "Its confidence is a number from 0 to 100.",
        "forms.results.conversion:converted",
        _CONTRACT,
    ),
    Rule(
        "summary-length",
        "L1",
        "report",
        "Its summary has at most about 500 tokens.",
        "forms.results.part_rules:length",
        _CONTRACT,
    ),
    Rule(
        "blockers-reported",
        "L1",
        "report",
        "Whatever keeps the work from being completed is reported.",
        "forms.results.part_rules:blockers",
        _CONTRACT,
    ),
    Rule(
        "checklist-complete",
        "L1",
        "report",
        "The checklist before handing in is completed.",
        "forms.results.part_rules:checklist",
        _CONTRACT,
    ),
    Rule(
        "references-exist",
        "L1",
        "report",
        "Every file and line that is named exists; none is invented.",
        "evidence.references:check_references",
        "evidence/test_references.py::test_a_place_that_is_not_there_is_invalid",
    ),
    Rule(
        "confidence-breakdown",
        "L1",
        "report",
        "A confidence of 75 or more says what was verified and what inferred.",
        "forms.results.proof_rules:breakdown",
        _CONTRACT,
    ),
    Rule(
        "confidence-formula",
        "L1",
        "report",
        "The combined confidence is the mean of the verified and the inferred one.",
        "forms.results.proof_rules:formula",
        _CONTRACT,
    ),
    Rule(
        "finding-place",
        "L2",
        "report",
        "Every finding names its file and line.",
        "forms.results.proof_rules:cited",
        _CONTRACT,
    ),
    Rule(
        "confidence-justification",
        "L2",
        "report",
        "A confidence has a reason; from 85 on with evidence, method and blind spots.",
        "forms.results.proof_rules:justification",
        _CONTRACT,
    ),
    Rule(
        "summary-not-raw",
        "L2",
        "report",
        "Findings are summed up, not pasted.",
        "forms.results.part_rules:not_raw",
        _CONTRACT,
    ),
    Rule(
        "issue-severity",
        "L2",
        "report",
        "An issue is critical, important or minor.",
        "forms.results.conversion:filled_in",
        _CONTRACT,
    ),
    Rule(
        "uncertainty-section",
        "L2",
        "report",
        "Below a confidence of 70 it says what is uncertain.",
        "forms.results.proof_rules:uncertainty",
        _CONTRACT,
    ),
    Rule(
        "security-evidence",
        "L2",
        "report",
        "A finding about security shows the code.",
        "forms.results.proof_rules:secure",
        _CONTRACT,
    ),
    Rule(
        "single-source",
        "L2",
        "report",
        "What rests on one source needs corroboration.",
        "forms.results.proof_rules:corroborated",
        "forms/results/test_contract.py::test_what_somebody_should_look_at_is_flagged",
    ),
    Rule(
        "contradiction",
        "L2",
        "report",
        "Findings that contradict each other are for the lead.",
        "forms.results.proof_rules:consistent",
        _CONTRACT,
    ),
    Rule("next-steps", "L3", "report", "Name next steps, where there are any."),
    Rule("recovery-options", "L3", "report", "Propose ways out of an error."),
    Rule("trade-offs", "L3", "report", "Name the trade-offs that a design decision weighed."),
    Rule(
        "patterns-found", "L3", "report", "Refer to patterns you found, so that the architecture stays one."
    ),
    Rule("paths-checked", "L3", "agent", "Never invent a path: look it up where you are not sure."),
    Rule("read-then-quote", "L3", "agent", "Quote no code that you have not read."),
    Rule("details-checked", "L3", "agent", "Do not guess how something is implemented: look at the code."),
    Rule("doubt-labelled", "L3", "agent", "Label what is uncertain or assumed as such."),
)


SECURITY: Final = re.compile(
    r"secur|vulnerab|injection|\bxss\b|\bcsrf\b|\bssrf\b|owasp|\bcve-|exploit|pentest"
    r"|セキュリティ|脆弱|보안|취약",
    re.IGNORECASE,
)
"""What a text says of security. A lead leaves it to the auditor, and a report shows its code."""


def advice_for(role: str) -> tuple[str, ...]:
    """What a prompt for this role recommends."""
    others = role != "leader"
    return tuple(rule.text for rule in RULES if rule.level == "L3" and (rule.holds != "lead") is others)
