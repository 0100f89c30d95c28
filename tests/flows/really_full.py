"""Called in a mount namespace of its own: a session on a disk of six megabytes that has FREE bytes left."""

import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.flows.conftest import user
from tests.flows.support import Project
from tests.flows.test_full_disk import finished, told, whole


def fill(disk: Path, free: int) -> None:
    with (disk / "filling").open("wb") as file:
        while (room := shutil.disk_usage(disk).free - free) > 0:
            file.write(bytes(min(room, 4096)))
            file.flush()


def play(project: Project, disk: Path, free: int) -> None:
    told(project).settings("retry_delay = 0\nmin_free_space = 0\n")
    plan, agent = project.plan, f"scripted:{project.script}"
    fill(disk, free)
    ended = project.teamlead("start", plan, "--agent", agent, "--jobs", "1", "--approve")
    assert "Traceback" not in ended.err, ended.err
    assert "fault of teamlead" not in ended.err, ended.err
    assert ended.code == 1, ended
    assert "free some space" in ended.err, ended.err
    project.require_nothing_runs()
    (disk / "filling").unlink()
    finished(project)
    whole(project)


def main() -> None:
    disk = Path(sys.argv[1])
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6m", "none", str(disk)], check=True)
    with user(disk) as project:
        play(project, disk, int(sys.argv[2]))


if __name__ == "__main__":
    main()
