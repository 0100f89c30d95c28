"""The prompt of every consultation of a session."""

from collections.abc import Callable

from teamlead.core.runs import Purpose, Run
from teamlead.core.state import TeamState
from teamlead.prompts.difficulty import analysis_prompt
from teamlead.prompts.judge import judge_prompt
from teamlead.prompts.material import Material, headed, time_of
from teamlead.prompts.planner import completion_prompt, replan_prompt, review_prompt

PROMPTS: dict[Purpose, Callable[[TeamState, Run, Material], str]] = {
    "judge": judge_prompt,
    "replan": replan_prompt,
    "review": review_prompt,
    "complete": completion_prompt,
    "validate": analysis_prompt,
    "advise": analysis_prompt,
}


def consultation_prompt(state: TeamState, consultation: Run, given: Material) -> str:
    text = PROMPTS[consultation.purpose](state, consultation, given)
    return headed(consultation.name, consultation.purpose, time_of(state, consultation), text)
