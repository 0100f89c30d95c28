"""A preset is read as people write it, here and for other tools; a problem has its line and a remedy."""

# ruff: noqa: E501, RUF001 - lines are shown as they are printed, and documents as they are written

import pytest
from tests.teams.presets import GOOD, HEAD, MEMBERS, WORKFLOW, member, only, read, shown, team

from teamlead.teams.preset import FindingCard, Member, Part, Preset, Reopening, Stage

WHOLE = """\
---
name: menders
description: Mends things.
trigger_keywords: [broken]
---
## Members

### code-explorer as analyst
- **Phase**: ANALYZING
- **Instructions**: Look
  closely.
- **Form**: exploration
- **Model**: large
- **Tools**: read

### codex as fixer
- **Phase**: Mending, Checking
- **Instructions** (Mending): Mend.
- **Instructions** (Checking): Look back.
- **Writes** (Mending): src/, `docs/**`
- **Writes** (Checking): nothing
- **Outputs** (Mending): src/a.py
- **Checks** (Mending): `make test`, `make lint`
- **Approved by**: you

Mind the time.

### qa-engineer
- **Phase**: Checking
- **After**: fixer

### engine:findings as summary
- **Phase**: Checking
- **After**: the others

## Workflow

1. **ANALYZING**: analyst
2. **Mending** (EXECUTING): fixer — depends on ANALYZING
3. **Checking** (REVIEWING): fixer, qa-engineer, summary (parallel) — depends on Mending
   - **Reopens**: Mending if a critical finding stands, at most 2 times

## Finding Card Sections

- **analysis**: cause, way
- **findings/review.md**: verdict
"""


def test_everything_that_a_preset_says_is_read() -> None:
    loaded = read(WHOLE)
    assert loaded.problems == []
    assert loaded.preset == Preset(
        name="menders",
        description="Mends things.",
        keywords=("broken",),
        members=(
            Member("analyst", "code-explorer", line=8),
            Member("fixer", "fixer", agent="codex", line=16),
            Member("qa-engineer", "qa-engineer", line=28),
            Member("summary", "worker", function="findings", line=32),
        ),
        stages=(
            Stage(
                "ANALYZING",
                "ANALYZING",
                (Part("analyst", "Look\nclosely.", "exploration", model="large", tools=("read",)),),
                line=38,
            ),
            Stage(
                "Mending",
                "EXECUTING",
                (
                    Part(
                        "fixer",
                        "Mend.\n\nMind the time.",
                        writes=("src/", "docs/**"),
                        outputs=("src/a.py",),
                        checks=("make test", "make lint"),
                        approved_by_user=True,
                    ),
                ),
                after=("ANALYZING",),
                line=39,
            ),
            Stage(
                "Checking",
                "REVIEWING",
                (
                    Part("fixer", "Look back.\n\nMind the time.", writes=(), approved_by_user=True),
                    Part("qa-engineer", after=("fixer",)),
                    Part("summary", after=("fixer", "qa-engineer")),
                ),
                parallel=True,
                after=("Mending",),
                reopens=Reopening(("Mending",), 2),
                line=40,
            ),
        ),
        cards=(FindingCard("analysis", ("cause", "way")), FindingCard("review", ("verdict",))),
        text=WHOLE,
        source="team.md",
    )


JAPANESE = """\
## メンバー

### code-explorer as 調査役
- **フェーズ**: 分析
- **指示**: 原因を探す。
- **様式**: 調査

### backend-specialist as 修理役
- **段階**：実行
- **指示**（実行）：直す。
- **書き込み**: src/
- **承認者**: あなた

## ワークフロー

1. **分析**：調査役（並列）
2. **実行**：修理役 — 分析に依存
"""

KOREAN = """\
## 구성원

### code-explorer as 조사자
- **단계**: 분석
- **지시**: 원인을 찾는다.
- **양식**: 탐색

### backend-specialist as 수리자
- **단계**: 실행
- **지시** (실행): 고친다.
- **쓰기**: src/
- **승인자**: 사용자

## 작업 흐름

1. **분석**: 조사자 병렬
2. **실행**: 수리자 — 의존: 분석
"""


@pytest.mark.parametrize("body", [JAPANESE, KOREAN], ids=["Japanese", "Korean"])
def test_labels_and_phases_may_be_japanese_or_korean(body: str) -> None:
    loaded = read(HEAD + body)
    assert loaded.problems == []
    first, second = loaded.preset.stages
    assert (first.phase, second.phase, first.parallel, second.after) == (
        "ANALYZING",
        "EXECUTING",
        True,
        (first.name,),
    )
    assert first.parts[0].form == "exploration"
    assert second.parts[0].instructions
    assert second.parts[0].writes == ("src/",)
    assert second.parts[0].approved_by_user


FOREIGN = """\
---
name: audit
description: "다른 도구용 팀"
trigger_keywords:
  - audit
  - 감사
---

# Audit Team

소개.

## Members

### gemini-agent as scanner
- **Phase**: analyzing
- **Instructions**: 코드를 살펴보라. 결과를 `.party/findings/scan.md`에 저장하라.

### security-auditor-2
- **Phase**: analyzing, reviewing
- **Instructions**: 설정을 살펴보라.

### codex-agent as builder
- **Phase**: executing
- **Instructions**: 고쳐라.

## Workflow

1. **ANALYZING**: gemini-agent(scanner) + security-auditor-2 병렬 — 각자 살펴본다
2. **PLANNING**: Leader가 결과, 계획 종합
3. **EXECUTING**: codex-agent(builder) — depends on PLANNING, 수정 및 테스트
4. **REVIEWING**: security-auditor-2 — depends on EXECUTING
5. **APPROVAL**: Host가 결과 종합 → 사용자에게 승인 요청

## Finding Card Sections

- **scan**: 취약점, 위험도
- `.party/findings/implementation-2.md`: 변경 파일
"""


def test_a_preset_for_another_tool_is_read_as_it_is() -> None:
    loaded = read(FOREIGN)
    assert loaded.problems == []
    preset = loaded.preset
    assert [(each.name, each.role, each.agent) for each in preset.members] == [
        ("scanner", "scanner", "gemini"),
        ("security-auditor-2", "security-auditor", ""),
        ("builder", "builder", "codex"),
    ]
    assert [(s.name, s.parallel, s.after, [p.member for p in s.parts]) for s in preset.stages] == [
        ("ANALYZING", True, (), ["scanner", "security-auditor-2"]),
        ("EXECUTING", False, ("ANALYZING",), ["builder"]),
        ("REVIEWING", False, ("EXECUTING",), ["security-auditor-2"]),
    ]
    assert [card.name for card in preset.cards] == ["scan", "implementation-2"]


def test_phases_in_lower_case_are_the_same() -> None:
    loaded = read(
        GOOD.replace("**ANALYZING**", "**analyzing**").replace("depends on ANALYZING", "depends on analyzing")
    )
    assert loaded.problems == []
    assert loaded.preset.stages[0].name == "ANALYZING"


def test_a_member_may_be_named_by_its_program_where_that_is_clear() -> None:
    members = (member("codex-agent as one"), member("claude as two"), member("claude as three"))
    assert shown(team(*members, workflow="1. **EXECUTING**: codex, two, three")) == []
    found = only(team(*members, workflow="1. **EXECUTING**: claude, one, two, three"))
    assert found.startswith("team.md:17: error: 'claude' is no member")


def test_an_order_that_only_a_stage_of_the_lead_makes_wrong_is_none() -> None:
    by = member("worker as a"), member("worker as b")
    assert (
        shown(team(*by, workflow="1. **EXECUTING**: a\n2. **ANALYZING**: Leader\n3. **REVIEWING**: b")) == []
    )
    assert shown(team(*by, workflow="1. **EXECUTING**: a\n2. **REVIEWING**: Host\n3. **PLANNING**: b")) == []
    assert shown(team(*by, workflow="1. **ANALYZING**: Leader\n2. **REVIEWING**: a, b")) == []


@pytest.mark.parametrize(
    ("first", "second"), [("EXECUTING", "PLANNING"), ("EXECUTING", "ANALYZING"), ("PLANNING", "ANALYZING")]
)
def test_an_order_that_the_phases_do_not_allow_is_an_error(first: str, second: str) -> None:
    text = team(
        member("worker as a"), member("worker as b"), workflow=f"1. **{first}**: a\n2. **{second}**: b"
    )
    assert only(text).startswith(
        f"team.md:16: error: '{second}' ({second}) cannot come after '{first}' ({first})"
    )


@pytest.mark.parametrize(
    ("first", "second"), [("REVIEWING", "EXECUTING"), ("ANALYZING", "EXECUTING"), ("ANALYZING", "REVIEWING")]
)
def test_an_order_that_they_allow_or_that_passes_a_phase_is_none(first: str, second: str) -> None:
    text = team(
        member("worker as a"), member("worker as b"), workflow=f"1. **{first}**: a\n2. **{second}**: b"
    )
    assert shown(text) == []


def test_stages_come_in_the_order_of_their_dependencies() -> None:
    workflow = "1. **EXECUTING**: a — depends on PLANNING\n2. **PLANNING**: b — depends on ANALYZING\n"
    text = team(
        member("worker as a"),
        member("worker as b"),
        workflow=f"{workflow}3. **ANALYZING**: a, b — after none",
    )
    assert "wait for each other" not in "".join(shown(text))
    first = team(
        member("worker as a"),
        workflow="1. **REVIEWING**: a — depends on EXECUTING\n2. **EXECUTING**: a — after",
    )
    assert [stage.name for stage in read(first).preset.stages] == ["EXECUTING", "REVIEWING"]


CASES = {
    "an unknown member": (
        "fixer — depends",
        "fixr — depends",
        "team.md:23: error: 'fixr' is no member (did you mean 'fixer'?)",
    ),
    "an unknown stage to wait for": (
        "depends on ANALYZING",
        "depends on ANALYSING2",
        "team.md:23: error: 'EXECUTING' depends on 'ANALYSING2', which is no stage (did you mean 'ANALYZING'?)",
    ),
    "a stage that waits for itself": (
        "depends on ANALYZING",
        "depends on EXECUTING",
        "team.md:23: error: stages wait for each other: EXECUTING → EXECUTING",
    ),
    "an unknown stage of a member": (
        "- **Phase**: EXECUTING",
        "- **Phase**: EXECUTING, EXECUTNG",
        "team.md:16: error: 'fixer' works in 'EXECUTNG', which is no stage of the workflow (did you mean 'EXECUTING'?)",
    ),
    "a label for an unknown stage": (
        "**Instructions**: Mend",
        "**Instructions** (REVIEWING): Mend",
        "team.md:17: error: 'Instructions' is limited to 'REVIEWING', which is no stage",
    ),
    "a name of a phase that is none": (
        "**EXECUTING**: fixer",
        "**EXECUTING**: fixer\n3. **Mending**: Leader",
        "team.md:24: error: 'Mending' does not say as which phase it counts",
    ),
    "a phase that is none": (
        "**EXECUTING**:",
        "**EXECUTING** (EXECUTNG):",
        "team.md:23: error: 'EXECUTNG' is no phase (did you mean 'EXECUTING'?",
    ),
    "an unknown label": (
        "**Writes**",
        "**Writs**",
        "team.md:18: error: unknown label 'Writs' (did you mean 'Write'?)",
    ),
    "an unknown label like none": (
        "**Writes**",
        "**Zebra**",
        "team.md:18: error: unknown label 'Zebra' (known: Phase, Instructions,",
    ),
    "a label twice": (
        "- **Writes**",
        "- **Phase**: EXECUTING\n- **Writes**",
        "team.md:18: error: 'Phase' is given twice for 'fixer', first on line 16",
    ),
    "an unknown function": (
        "### code-explorer as analyst",
        "### engine:finding as analyst",
        "team.md:11: error: the engine has no function 'finding' (did you mean 'findings'?)",
    ),
    "a program with words": (
        "### code-explorer as analyst",
        "### command:rm as analyst",
        "team.md:11: error: 'command' cannot work as a member",
    ),
    "a name with a path": (
        "### code-explorer as analyst",
        "### worker as ../x\n\n### code-explorer as analyst",
        "team.md:11: error: 'worker as ../x' names no member",
    ),
    "a form that is none": (
        "**Writes**: src/",
        "**Form**: implementaton",
        "team.md:18: error: unknown form 'implementaton' (did you mean 'implementation'?)",
    ),
    "a path that leaves": (
        "**Writes**: src/",
        "**Writes**: ../src",
        "team.md:18: error: '../src' leaves the repository with `..`",
    ),
    "an output that it may not write": (
        "**Writes**: src/",
        "**Writes**: src/\n- **Outputs**: docs/a.md",
        "team.md:15: error: 'fixer' is to write 'docs/a.md' in 'EXECUTING', and may not (add it to `Writes`)",
    ),
    "a role that may write nothing": (
        "### backend-specialist as fixer",
        "### system-architect as fixer",
        "team.md:18: error: the role 'system-architect' may not change 'src/'",
    ),
    "a tool that the role has not": (
        "- **Phase**: ANALYZING",
        "- **Phase**: ANALYZING\n- **Tools**: read, edit",
        "team.md:13: error: the role 'code-explorer' may not use 'edit' (a preset gives a role no more than it has: read, search, shell)",
    ),
    "a tool that is none": (
        "- **Phase**: ANALYZING",
        "- **Phase**: ANALYZING\n- **Tools**: shel",
        "team.md:13: error: unknown tool 'shel' (did you mean 'shell'?)",
    ),
    "somebody else who approves": (
        "**Writes**: src/",
        "**Approved by**: the boss",
        "team.md:18: error: nobody is called 'the boss' who could approve (write `Approved by: you`)",
    ),
    "a wait for nobody": (
        "**Writes**: src/",
        "**After**: analist",
        "team.md:15: error: 'fixer' waits for 'analist', who is no member (did you mean 'analyst'?)",
    ),
    "an approval in the middle": (
        "2. **EXECUTING**",
        "2. **APPROVAL**: Host\n3. **EXECUTING**",
        "team.md:23: error: the approval stands before 'EXECUTING'",
    ),
    "a stage that nobody works in": (
        "2. **EXECUTING**",
        "2. **PLANNING**:\n3. **EXECUTING**",
        "team.md:23: error: nobody works in 'PLANNING'",
    ),
    "a stage twice": (
        "2. **EXECUTING**",
        "2. **ANALYZING**: analyst\n3. **EXECUTING**",
        "team.md:23: error: the stage 'ANALYZING' is there twice, first on line 22",
    ),
    "a member twice in a stage": (
        "**ANALYZING**: analyst",
        "**ANALYZING**: analyst, analyst",
        "team.md:22: error: 'analyst' is named twice in 'ANALYZING'",
    ),
    "a role that is nearly one": (
        "### code-explorer as",
        "### code-explorr as",
        "team.md:11: warning: 'code-explorr' is no role that is known, and has a worker's rights (did you mean 'code-explorer'?)",
    ),
    "a section that is nearly one": (
        "## Members",
        "## Notes\n\n## Members",
        "team.md:9: warning: the section 'Notes' is not read",
    ),
    "a hidden character": (
        "Mend.",
        "Mend\u202e.",
        "team.md:17: error: invisible control characters: U+202E RIGHT-TO-LEFT OVERRIDE",
    ),
    "a phase that the workflow does not know of": (
        "**Phase**: ANALYZING",
        "**Phase**: ANALYZING, EXECUTING",
        "team.md:11: warning: 'analyst' names 'EXECUTING' as its phase, and the workflow does not name it there",
    ),
    "work in a stage that is not its phase": (
        "**EXECUTING**: fixer",
        "**EXECUTING**: fixer, analyst",
        "team.md:23: warning: 'analyst' works in 'EXECUTING', which its own phases do not name",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_problem_is_told_with_its_line_and_a_remedy(name: str) -> None:
    before, after, said = CASES[name]
    assert before in GOOD
    assert shown(GOOD) == []
    # A member that is not known works nowhere, which is said as well.
    found = [line for line in shown(GOOD.replace(before, after, 1)) if "works in no stage" not in line]
    assert len(found) == 1, found
    assert found[0].startswith(said)


def test_a_member_without_a_stage_is_an_error() -> None:
    assert only(GOOD.replace("## Workflow", "### worker as idler\n\n## Workflow")).startswith(
        "team.md:20: error: 'idler' works in no stage"
    )


def test_a_member_that_is_there_twice_is_an_error() -> None:
    doubled = GOOD.replace("## Workflow", "### codex as Fixer\n\n## Workflow")
    assert only(doubled).startswith("team.md:20: error: the member 'Fixer' is there twice, first on line 15")


def test_a_circle_of_stages_is_named() -> None:
    text = GOOD.replace("**ANALYZING**: analyst", "**ANALYZING**: analyst — depends on EXECUTING")
    assert only(text).startswith(
        "team.md:22: error: stages wait for each other: ANALYZING → EXECUTING → ANALYZING"
    )


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("docs/a.md", "docs/a.md", "docs/a.md"),
        ("docs/", "docs/a.md", "docs/a.md"),
        ("docs/a.md", "docs/*", "docs/a.md"),
    ],
)
def test_two_writers_of_one_output_in_one_stage_are_an_error(one: str, other: str, same: str) -> None:
    by = member("worker as a", f"**Outputs**: {one}"), member("worker as b", f"**Outputs**: {other}")
    found = only(team(*by, workflow="1. **EXECUTING**: a, b (parallel)"))
    assert f"error: 'a' and 'b' both write '{same}' in 'EXECUTING'" in found
    assert shown(team(*by, workflow="1. **EXECUTING**: a\n2. **REVIEWING**: b")) == []


@pytest.mark.parametrize(
    "instructions",
    [
        "Sum up what was found.",
        "Summarise the results of the others.",
        "두 결과를 종합하라.",
        "結果をまとめる。",
        "Design it from the findings of a.",
    ],
)
def test_who_sums_up_others_at_the_same_time_is_warned_of_unless_it_waits(instructions: str) -> None:
    by = member("worker as a"), member("worker as b", f"**Instructions**: {instructions}")
    workflow = "1. **ANALYZING**: a, b (parallel)"
    assert "warning: 'b' seems to build on what others of 'ANALYZING' find" in only(
        team(*by, workflow=workflow)
    )
    waiting = member("worker as b", f"**Instructions**: {instructions}", "**After**: a")
    assert shown(team(by[0], waiting, workflow=workflow)) == []
    assert shown(team(*by, workflow="1. **ANALYZING**: a\n2. **REVIEWING**: b")) == []


def test_who_speaks_of_what_others_found_before_is_not_warned_of() -> None:
    by = (
        member("worker as a"),
        member("worker as b", "**Instructions**: Say of each finding of a whether it holds."),
    )
    assert (
        shown(
            team(
                *by,
                workflow="1. **ANALYZING**: a, b (parallel)".replace("a, b", "a, b")
                + "\n2. **Cross** (REVIEWING): a, b (parallel)",
            )
        )[1:]
        == []
    )


def test_members_that_wait_for_each_other_are_an_error() -> None:
    by = member("worker as a", "**After**: b"), member("worker as b", "**After**: the others")
    assert "in 'ANALYZING', members wait for each other: a, b" in only(
        team(*by, workflow="1. **ANALYZING**: a, b (parallel)")
    )


REOPENS = "1. **EXECUTING**: a\n2. **REVIEWING**: a\n   - {}\n"


def reopened(policy: str) -> tuple[Reopening | None, list[str]]:
    text = team(member("worker as a"), workflow=REOPENS.format(policy))
    return read(text).preset.stages[1].reopens, shown(text)


@pytest.mark.parametrize(
    ("policy", "means"),
    [
        (
            "**Reopens**: EXECUTING if a critical finding stands, at most 3 times",
            Reopening(("EXECUTING",), 3),
        ),
        ("**Reopens**: EXECUTING", Reopening(("EXECUTING",), 3)),
        ("**Reopens**: executing, REVIEWING, at most 1 time", Reopening(("EXECUTING", "REVIEWING"), 1)),
        ("**再開**: EXECUTING、最大10回", Reopening(("EXECUTING",), 10)),
        ("**재개**: EXECUTING, 최대 2번", Reopening(("EXECUTING",), 2)),
    ],
)
def test_a_stage_says_what_is_done_again(policy: str, means: Reopening) -> None:
    assert reopened(policy) == (means, [])


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        (
            "**Reopens**: EXECUTNG",
            "'EXECUTNG', which is to be done again, is no stage (did you mean 'EXECUTING'?)",
        ),
        ("**Reopens**: EXECUTING, at most 0 times", "0 times cannot be"),
        ("**Reopens**: EXECUTING, at most 11 times", "11 times cannot be"),
        ("**Reopens**: EXECUTING if the moon is full", "nobody can tell when 'the moon is full' holds"),
        ("**Reopens**:", "does not say what is done again"),
        ("**Reopen it**: EXECUTING", "unknown label 'Reopen it'"),
        ("**Repens**: EXECUTING", "unknown label 'Repens' (did you mean 'Reopen'?)"),
    ],
)
def test_what_cannot_be_done_again_is_an_error(policy: str, said: str) -> None:
    found, problems = reopened(policy)
    assert found is None
    assert len(problems) == 1
    assert said in problems[0]


def test_a_stage_does_not_do_a_later_one_again() -> None:
    text = team(
        member("worker as a"),
        workflow="1. **EXECUTING**: a\n   - **Reopens**: REVIEWING\n2. **REVIEWING**: a",
    )
    assert "'REVIEWING' comes after 'EXECUTING'" in only(text)


@pytest.mark.parametrize("section", ["members", "workflow"])
def test_a_missing_section_is_told_with_an_example(section: str) -> None:
    left = {"members": WORKFLOW, "workflow": MEMBERS}[section]
    found = next(
        line for line in shown(HEAD + left) if line.startswith("team.md:1: error: there is no section")
    )
    assert "## Workflow" in found


def test_bullets_and_text_without_a_label_belong_to_the_instructions() -> None:
    text = GOOD.replace("- **Writes**: src/", "- **Writes**: src/\n- Be careful.\n\nTake your time.")
    loaded = read(text)
    assert loaded.problems == []
    assert loaded.preset.stages[1].parts[0].instructions == "Mend.\n\nBe careful.\nTake your time."


def test_the_lead_as_a_member_is_left_out_and_said_so() -> None:
    text = GOOD.replace("## Workflow", "### leader-agent as orchestrator\n\n## Workflow")
    assert "warning: 'orchestrator' is the lead, which is there by itself" in only(text)
    assert len(read(text).preset.members) == 2


def test_ten_thousand_members_are_one_problem() -> None:
    many = "\n".join(f"### worker as m{number}\n" for number in range(10_000))
    assert only(HEAD + "## Members\n\n" + many + WORKFLOW).endswith(
        "10000 members are too many (a team has at most 64)"
    )


def test_as_many_members_as_may_be_are_read() -> None:
    names = [f"m{number}" for number in range(64)]
    text = team(
        *(member(f"worker as {name}") for name in names), workflow=f"1. **EXECUTING**: {', '.join(names)}"
    )
    assert shown(text) == []
    more = team(*(member(f"worker as {name}") for name in [*names, "z"]), workflow="1. **EXECUTING**: z")
    assert "65 members are too many" in only(more)
