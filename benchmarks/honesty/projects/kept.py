"""Cases that an adversary has found: what got wrong work accepted once, kept as JSON."""

import json
from collections.abc import Iterator
from pathlib import Path

from benchmarks.honesty.case import Case
from benchmarks.honesty.projects.jobs import JOBS, cheats

FOLDER = Path(__file__).parent / "adversary-cases"
"""Cases of this folder are part of the corpus."""


def keep(case: Case, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / (case.name.replace("/", "-").replace(" ", "-") + ".json")
    kept = {"job": case.project, "name": case.name, "check": case.task.checks[0], "says": case.says}
    added = {path: text for path, text in case.files.items() if JOBS[case.project].files.get(path) != text}
    text = json.dumps({**kept, "story": case.story, "files": added, "does": case.does}, indent=1)
    place.write_text(text + "\n", "utf-8")
    return place


def load(folder: Path) -> Iterator[Case]:
    for place in sorted(folder.glob("*.json")):
        kept = json.loads(place.read_text("utf-8"))
        job = JOBS[kept["job"]]
        family, _, spelling = kept["name"].rpartition("@")[0].partition("/")
        case = cheats(family, spelling, job, kept["story"], *kept["does"], says=kept["says"])
        yield case._replace(
            files={**job.files, **kept["files"]}, task=case.task._replace(checks=(kept["check"],))
        )
