"""The counters of the shape count what their docstrings say, and nothing beside it."""

import json
from inspect import cleandoc
from pathlib import Path

import pytest
from benchmarks.shape import COUNTERS, Module, main

PHASES = 'Phase = Literal["IDLE", "DONE"]'
SIX = "1, 2, 3, 4, 5, 6"


def counted(figure: str, sources: dict[str, str]) -> list[str]:
    return list(COUNTERS[figure]([Module(path, cleandoc(text)) for path, text in sources.items()]))


CASES: dict[str, tuple[str, dict[str, str], list[str]]] = {
    "a builder under its own or another name": (
        "builders",
        {
            "engine/a.py": """
                from teamlead.ports import RunSpec as Spec
                def made(): return Spec(role="worker")
            """,
            "engine/b.py": """
                from teamlead import ports
                spec = ports.RunSpec()
                other = ports.RunEnd()
            """,
        },
        ["engine/a.py:2", "engine/b.py:2"],
    ),
    "the core's decide and evolve, once a module": (
        "deciders",
        {
            "wiring/a.py": """
                from teamlead.core.decide import decide
                from teamlead.core.evolve import evolve
                def tell():
                    decide(1)
                    evolve(2)
            """,
            "core/step.py": """
                from teamlead.core.decide import decide
                decide(1)
            """,
            "core/evolve/task.py": """
                from teamlead.core.evolve import evolve
                evolve(1)
            """,
            "wiring/folding.py": """
                from teamlead.core.evolve import evolve
                def fold(): evolve(1)
            """,
            "runners/dialect.py": "self.decide(1)",
        },
        ["wiring/a.py"],
    ),
    "phases by name": (
        "phase-comparisons",
        {
            "core/transitions.py": PHASES,
            "core/a.py": """
                state.phase == "IDLE"
                view["phase"] not in {"DONE"}
                phase != "IDLE"
                attempt.phase == "working"
                task.state == "DONE"
                state.phase in FINAL_PHASES
            """,
            "core/b.py": """
                match state.phase:
                    case "IDLE" | "DONE": pass
                    case _: pass
            """,
        },
        ["core/a.py:1", "core/a.py:2", "core/a.py:3", "core/b.py:2"],
    ),
    "long calls of ours": (
        "long-calls",
        {
            "core/a.py": f"""
                class Row: ...
                def plain(a, b, c, d, e, f): ...
                def words(*words): ...
                Row({SIX})
                plain({SIX})
                words({SIX})
                max({SIX})
                plain(1, 2, 3, 4, 5, f=6)
                TABLE: tuple[Row, ...] = (Row({SIX}), Row({SIX}))
            """,
        },
        ["core/a.py:4 Row, 6", "core/a.py:5 plain, 6"],
    ),
    "a name of a file in four folders": (
        "repeated-names",
        {f"{folder}/{name}.py": "" for name in ("whole", "__init__") for folder in "abcd"}
        | {f"{folder}/words.py": "" for folder in "abc"},
        ["whole.py: a, b, c, d"],
    ),
    "modules with one importer": (
        "single-importers",
        {
            "core/__init__.py": "",
            "core/a.py": "",
            "core/b.py": "",
            "core/c.py": "def late(): from teamlead.core import b",
            "cli/x.py": """
                import teamlead.core.a
                from teamlead.core import b
            """,
            "cli/y.py": "from teamlead.core.c import late",
            "cli/z.py": "from teamlead.core.c import late",
        },
        ["core/a.py: cli/x.py"],
    ),
    "own imports inside functions of cli": (
        "hidden-imports",
        {
            "cli/a.py": """
                from teamlead.core import model
                if TYPE_CHECKING:
                    from teamlead.core import state
                def run():
                    import json
                    from teamlead.core import one, two
            """,
            "engine/a.py": "def run(): from teamlead.core import one",
        },
        ["cli/a.py:6 from teamlead.core import one, two"],
    ),
    "tables of anything": (
        "loose-tables",
        {
            "cli/a.py": "Rows = list[dict[str, Any]]",
            "views/a.py": "def row(given: dict[str, str]) -> dict[str, Any]: ...",
            "core/a.py": "Row = dict[str, Any]",
        },
        ["cli/a.py:1", "views/a.py:1"],
    ),
    "keys in camelCase": (
        "camel-keys",
        {
            "views/rows.py": 'row = {"relatedTaskId": 1, "task_id": 2, "USER": 3, "task": 4, 5: 6, **other}',
            "views/documents.py": 'class Row(Struct, rename="camel"): ...',
            "views/session_file.py": 'row = {"createdAt": 1}',
            "runners/acp.py": 'call = {"sessionId": 1}',
        },
        ["views/rows.py:1 relatedTaskId", "views/documents.py:1 Row"],
    ),
    "modules of wiring": (
        "wiring",
        {"wiring/__init__.py": "", "wiring/leading.py": "", "cli/wiring.py": ""},
        ["wiring/__init__.py", "wiring/leading.py"],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_figure_counts_these_places_and_no_others(case: str) -> None:
    figure, sources, places = CASES[case]
    assert counted(figure, sources) == places


def test_every_figure_has_a_case() -> None:
    assert {figure for figure, _, _ in CASES.values()} == set(COUNTERS)


def test_phases_that_nobody_names_are_an_error_and_not_a_zero() -> None:
    with pytest.raises(SystemExit, match="Phase"):
        counted("phase-comparisons", {"core/a.py": 'state.phase == "IDLE"'})


def test_every_figure_is_printed_and_its_places_on_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path, text in {"core/transitions.py": PHASES, "wiring/leading.py": "", "wiring/room.py": ""}.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    here = ["--source", str(tmp_path)]
    main(here)
    lines = capsys.readouterr().out.splitlines()
    counts = {line.split()[0]: int(line.split()[1]) for line in lines}
    assert counts == dict.fromkeys(COUNTERS, 0) | {"modules": 3, "wiring": 2}
    main([*here, "--json"])
    document = json.loads(capsys.readouterr().out)
    assert document["modules"] == 3
    assert document["places"] == {name: [] for name in COUNTERS} | {
        "wiring": ["wiring/leading.py", "wiring/room.py"]
    }
    main([*here, "--places", "wiring"])
    assert capsys.readouterr().out.splitlines() == document["places"]["wiring"]
