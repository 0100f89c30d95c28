"""The guide tells of all there is; tests/docs runs its examples."""

from pathlib import Path

from teamlead.rehearsal.fault_kinds import KINDS
from teamlead.runners.script_steps import STEPS, steps_of

GUIDE = (Path(__file__).parents[2] / "docs/guides/rehearsing.md").read_text(encoding="utf-8")


def test_the_guide_shows_every_fault() -> None:
    assert [kind for kind in KINDS if f"| `{kind}` |" not in GUIDE] == []


def test_the_guide_shows_every_step_that_only_a_model_has() -> None:
    only = set(steps_of("model")) - set(steps_of("agent")) | {"http"}
    for kind in only:
        assert f"`{{{kind} = " in GUIDE
        for option in STEPS[kind][1]:
            assert f"{option} = " in GUIDE
    for kind in set(steps_of("agent")) - set(steps_of("model")):
        assert f"`{kind}`" in GUIDE
