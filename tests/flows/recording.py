"""Records journals of real sessions for `tests/journal/recorded/`: `python tests/flows/recording.py NAME`.

A recording is made once and kept for ever. Nothing in it tells where it was made.
"""

import os
import signal
import socket
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.flows.real import RealTeam, refuse, team  # noqa: E402 - findable from here on
from tests.flows.support import (  # noqa: E402 - findable from here on
    HANG,
    Project,
    Step,
    answer,
    append,
    ask,
    done,
    fail,
    run,
    touch,
    until,
    wait_for,
    write,
)
from tests.flows.test_teams import FAULT, FAULTY, bugfix, handed_in  # noqa: E402 - as above
from tests.flows.test_terminal import Terminal  # noqa: E402 - as above

from teamlead.core.events import Recorded  # noqa: E402 - as above
from teamlead.core.reports import Checklist  # noqa: E402 - as above
from teamlead.journal.codec import dump_line, load_line  # noqa: E402 - as above
from teamlead.journal.reader import JournalReader  # noqa: E402 - as above
from teamlead.sessions.replay import fold, recorded_events  # noqa: E402 - as above
from teamlead.views.session_file import session_document  # noqa: E402 - as above

FOLDER = ROOT / "tests" / "journal" / "recorded"


def diamond(project: Project) -> None:
    """Four tasks, of which two meet; one does it wrong first. Ends where approval is asked."""
    project.task(1, [write("base.txt", "1\n")], checks=["test -f base.txt"])
    project.task(2, [run("cp base.txt left.txt")], after=[1], scope="left.txt")
    project.task(3, [done("nothing")], [run("cp base.txt right.txt")], after=[1])
    project.task(4, [run("cat left.txt right.txt > both.txt")], after=[2, 3])
    assert project.start("--jobs", "2").code == 3


def retry_and_question(project: Project) -> None:
    """Failures until a person is asked, a question of an agent, a held question, advice and a skip."""
    project.settings("retry_delay = 0\nattempts = 2\nquestions = 1\n")
    project.task(1, [fail("no idea")], [fail("still none")], [write("a.txt", "{answer}\n")])
    project.task(2, [ask("Which colour?", "red", "blue")], [write("b.txt", "{answer}\n")])
    project.task(3, [write("c.txt", "c\n")], checks=["echo broken; exit 1"])
    assert project.start("--jobs", "1").code == 3
    for number, text in ((1, "use the blue one"), (2, "blue"), (4, "more"), (3, "skip")):
        assert project.resolve(text, "--escalation-id", str(number)).code == 0
    assert project.teamlead("resume").code == 3


def conflict_and_cancel(project: Project) -> None:
    """Two conflicts of one task, then the session is cancelled while another one works."""
    project.settings("retry_delay = 0\ngrace = 0.2\n")
    first, again, third, hangs = (project.barrier(name) for name in ("first", "again", "third", "hangs"))
    project.task(1, [write("shared.txt", "one\nfirst\nthree\n")])
    project.task(
        2,
        [wait_for(first), write("shared.txt", "one\nsecond\nthree\n")],
        [touch(again), wait_for(third), write("shared.txt", "one\nsecond\nthree\n")],
    )
    project.task(3, [wait_for(again), run("sed -i 's/first/third/' shared.txt")], after=[1])
    project.task(4, [write("half.txt", "half\n"), touch(hangs), HANG], after=[3])
    leader = project.start_in_background("--jobs", "2")
    until(lambda: project.happened("TaskDone", task="task-1"), "task 1 is merged")
    first.touch()
    until(lambda: project.happened("TaskDone", task="task-3"), "task 3 is merged")
    third.touch()
    until(lambda: hangs.exists() and project.happened("TaskBlocked"), "task 2 is blocked and task 4 works")
    assert project.teamlead("cancel", "--now", "--reason", "wrong plan").code == 0
    assert leader.end().code == 1


def death_and_approval(project: Project) -> None:
    """A leader that dies, one that is interrupted, an approval that is refused, and one that is not."""
    project.settings("retry_delay = 0\ngrace = 0\n")
    marks = [project.barrier(name) for name in ("one", "two")]
    project.task(1, *([touch(mark), HANG] for mark in marks), [write("new.txt", "new\n")])
    project.task(2, [run("git log -1"), done("nothing is wrong")], kind="investigation", after=[1])
    leader = project.start_in_background()
    until(marks[0].exists, "the first attempt works")
    leader.send(signal.SIGKILL).end()
    leader = project.background("resume")
    until(marks[1].exists, "the second attempt works")
    leader.send(signal.SIGINT).end()
    assert project.teamlead("resume").code == 3
    project.commit("mine", {"new.txt": "mine\n"})
    assert project.teamlead("approve").code == 1
    project.git("rm", "--quiet", "new.txt")
    project.git("commit", "--quiet", "-m", "not mine")
    assert project.teamlead("approve", "--squash").code == 0


def talk_and_limits(project: Project) -> None:
    """Agents of Claude Code that report, ask, write to each other, and meet limits and a budget."""
    real = RealTeam(project, "claude").settings(question_wait=1)
    result = team(
        "submit_result",
        status="SUCCESS",
        summary="It is painted.",
        findings="The colour was missing.",
        references=[{"item": "colour", "place": "colour.txt:1", "relevance": "what was asked for"}],
        confidence=90,
        confidence_reason="I read it again.",
        breakdown={"verified": 95, "inferred": 85},
        checklist=dict.fromkeys(Checklist.__struct_fields__, True),
    )
    real.task(
        1,
        [
            team("report_progress", text="I have begun."),
            ask("Which colour?", "red", "blue"),
            done("I wait."),
        ],
        [write("colour.txt", "{answer}\n"), result, done("painted")],
        [done("painted")],
        fields=["Budget: 250 tokens"],
    )
    real.task(2, [refuse(429, reset_in=1)], [refuse(401)], [write("b.txt", "b\n"), done("b")], after=[1])
    real.task(
        3,
        [
            team("update_task", task="task-3", status="working", note="half of it"),
            team(
                "report_feedback", kind="exploration", findings="two", recommendations=[], confidence="high"
            ),
            team("send_message", recipient="task-2", text="Mind the header."),
            run("git log -1"),
            done("looked"),
        ],
        kind="investigation",
    )
    assert real.start("--jobs", "1").code == 3
    for _ in range(6):
        waiting = project.teamlead("escalations", "--json").json["questions"]
        for question in waiting:
            answer = {"question": "blue", "budget": "more", "agent": "retry"}[question["kind"]]
            assert project.resolve(answer, "--escalation-id", question["id"]).code == 0
        if not waiting:
            break
        assert project.teamlead("resume").code == 3
    assert set(project.states().values()) == {"DONE"}, project.teamlead("report").out
    real.close()


def gone_without(project: Project) -> None:
    """An agent that was to read for others fails for good, and so does one that is not critical."""
    project.settings("retry_delay = 0\nattempts = 2\n")
    project.commit("Rates", {"rates.py": "RATE = 20\n"})
    explorer = ["Role: code-explorer", "Context: rates.py:1"]
    project.task(1, [fail("the service hung up")], kind="investigation", fields=explorer)
    project.task(2, [write("b.txt", "20\n")], after=[1], scope="b.txt")
    project.task(3, [fail("no idea")], scope="c.txt", fields=["Critical: no"])
    assert project.start("--jobs", "1").code == 3


def broken_together(project: Project) -> None:
    """The merged work cannot be checked, then a task has broken it, twice; a person accepts it."""
    ready = project.barrier("ready")
    prepare = f"case $(cat .git) in *trial-*) test -f {ready};; esac"
    project.settings(f"retry_delay = 0\npost_create = ['{prepare}']\n")
    project.task(1, [write("a.txt", "a\n")], checks=["test ! -f bad.txt"])
    project.task(2, [write("bad.txt", "bad\n")], [write("more.txt", "no better\n")], after=[1])
    assert project.start().code == 3
    ready.touch()
    for text in ("retry", "accept"):
        assert project.resolve(text).code == 0
        assert project.teamlead("resume").code == 3


def judged_and_replanned(project: Project) -> None:
    """All whom the lead may consult: content, not content, unreadable; other tasks, advice, what is left."""
    project.settings(
        "retry_delay = 0\nattempts = 2\n" + f'[roles.advisor]\nagent = "scripted:{project.script}"\n'
    )
    more = answer(success=False, reason="no tests", missingRequirements=["a test"], shouldContinue=True)
    yes = answer(success=True, reason="it is all there")
    project.plays("default", [write("steps/{task}.txt", "made\n")])
    project.plays("task-1-judge", [more], [done("It is fine!")], [yes])
    project.plays("judge", [yes])
    step = {"id": "task-1", "description": "A step", "scopePaths": ["steps/"], "acceptance": "It is done"}
    project.plays("planner", [answer(reason="smaller", tasks=[step])], purpose="replan")
    missing = answer(fulfilled=False, reason="no page", missing=["a page"], tasks=[step])
    project.plays("planner", [missing], [answer(fulfilled=True, reason="all is there")], purpose="complete")
    analysis = {"rootCause": "a race", "reasoning": "seen", "requiresUserDecision": False}
    unsure = answer(**analysis, recommendation="try again", confidence="low")
    project.plays("validator", [unsure])
    project.plays("advisor", [answer(**analysis, recommendation="take the lock", confidence="high")])
    project.task(1, [write("1.txt", "{attempt}\n")])
    project.task(2, [fail("no idea")], [fail("still none")])
    project.task(3, [_stuck("technical")], [write("3.txt", "3\n")], after=[2])
    wider = [write("4.txt", "4\n"), write("extra.txt", "4\n")]
    project.task(4, [_stuck("scope", paths=["extra.txt"])], wider, scope="4.txt")
    project.task(5, [done("nothing to do")], scope="shared.txt")
    project.plays("task-5-judge", [answer(success=False, reason="it was there", alreadySatisfied=True)])
    assert project.start("--jobs", "1").code == 3
    assert project.resolve("allow").code == 0
    assert project.teamlead("resume").code == 3
    assert project.status()["session"]["state"] == "COMPLETED"


def _stuck(category: str, **more: object) -> Step:
    impediment = {"category": category, "requestedAction": "escalate"}
    return {"feedback": {"type": "difficulty", "issue": "no way", "impediment": impediment, **more}}


def failing_plan(project: Project) -> None:
    """Three tasks fail in a row; the planner looks at the plan, and the user takes what it proposes."""
    project.settings("retry_delay = 0\nattempts = 1\n")
    for number in (1, 2, 3):
        project.task(number, [fail(f"no way {number}")])
    project.plays("default", [write("other.txt", "other\n")])
    project.plays("planner", [answer(reason="", tasks=[], questions=["Why?"])], purpose="replan")
    other = {
        "id": "task-1",
        "description": "Another way",
        "scopePaths": ["other.txt"],
        "acceptance": "It works",
    }
    project.plays("planner", [answer(reason="it cannot work so", tasks=[other])], purpose="review")
    missing = answer(fulfilled=False, reason="no page", missing=["a page"])
    project.plays("planner", [missing], purpose="complete")
    assert project.start("--jobs", "1").code == 3
    asked = project.teamlead("escalations", "--json").json["questions"]
    (plan,) = (record["id"] for record in asked if record["kind"] == "plan")
    assert project.resolve("replan", "--escalation-id", plan).code == 0
    assert project.teamlead("resume").code == 3
    assert project.resolve("accept").code == 0
    assert project.teamlead("resume").code == 3


def steered(project: Project) -> None:
    """A conflict ahead; a task is paused, given to another agent and wanted again; another one is put in."""
    project.settings("retry_delay = 0\ngrace = 0.2\nradar = 0.05\nnotify = ['true']\n")
    go = project.barrier("go")
    project.task(1, [write("shared.txt", "one\n1\nthree\n"), HANG], [write("1.txt", "1\n")])
    project.task(2, [write("shared.txt", "one\n2\nthree\n"), wait_for(go)], [write("2.txt", "2\n")])
    project.task(3, [_stuck("technical")], [write("3.txt", "3\n")], after=[2])
    project.plays("planner", [answer(fulfilled=True, reason="all is there")], purpose="complete")
    other = project.place / "other.toml"
    other.write_text('[[default]]\nsteps = [{write = "{task}.txt", text = "other\\n"}]\n')
    leader = project.start_in_background("--jobs", "2")
    until(lambda: project.happened("ConflictForeseen"), "the conflict is foreseen")
    assert project.teamlead("pause", "1").code == 0
    until(lambda: project.happened("AttemptEnded", task="task-1"), "task 1 is paused")
    assert project.teamlead("reassign", "1", "--agent", f"scripted:{other}").code == 0
    assert project.teamlead("retry", "1", "--advice", "elsewhere").code == 0
    assert project.teamlead("plan", "add", "The fourth", "--agent", f"scripted:{other}").code == 0
    go.touch()
    assert leader.end().code == 3
    assert project.resolve("take the lock").code == 0
    assert project.teamlead("resume").code == 3
    assert project.status()["session"]["state"] == "COMPLETED"


def mended(project: Project) -> None:
    """An agent reaches beyond its copy: one change is put back, one taken as it is, one undone by hand."""
    project.settings("room = false\n")
    hooks = f"{project.root}/.git/hooks"
    config = f"git -C {project.root} config"
    settings = run(f"{config} core.pager more; {config} core.editor more")
    project.task(1, [write("a.txt", "a\n"), settings, run(f"echo true >{hooks}/post-checkout")], [])
    assert project.start_in_background("--approve").end().code == 3
    (project.root / ".git/hooks/post-checkout").unlink()
    wishes = ("--put-back", "config:core.pager", "--accept", "config:core.editor")
    assert project.background("mend", *wishes).end().code == 0
    assert project.status()["session"]["phase"] == "DONE"


def shared_question(project: Project) -> None:
    """No copy can be made: one question about three tasks, which leave it one by one."""
    mended = project.barrier("mended")
    project.settings(f"retry_delay = 0\nattempts = 1\npost_create = ['test -e {mended}']\n")
    for number in (1, 2, 3):
        project.task(number, [write(f"{number}.txt", "made\n")])
    assert project.start("--jobs", "3").code == 3
    mended.touch()
    assert project.resolve("skip", "--task", "1").code == 0
    assert project.teamlead("retry", "2").code == 0
    assert project.resolve("it is mended").code == 0
    assert project.teamlead("resume").code == 3


def planned(project: Project) -> None:
    """A planner asks first; its plan is refused, scored, discussed in a terminal and accepted."""
    task = {
        "id": "task-1",
        "summary": "Write it",
        "description": "All of it.",
        "scopePaths": ["a.txt"],
        "acceptance": "a.txt holds 1",
    }
    asks = [answer(questions=["How many?"])]
    wrong = [answer(tasks=[{**task, "acceptance": "it works"}])]
    project.plays("planner", asks, wrong, [answer(tasks=[task])], purpose="plan")
    player = f"scripted:{project.script}"
    output = str(project.place / "made.md")
    assert project.teamlead("plan", "write a file", "--agent", player).code == 3
    (folder,) = project.plannings
    with Terminal(
        project, "plan", "new", "one", "--session", folder.name, "--interactive", "--output", output
    ) as terminal:
        terminal.reads("accept, quit")
        terminal.types("accept\n")
        assert terminal.end() == 0


def staged(project: Project) -> None:
    """Two stages; the first is opened again by a task that is done anew, and takes the second along."""
    project.task(1, [write("a.txt", "a\n")], [write("a.txt", "A\n")], fields=["Stage: Build"])
    project.task(2, [run("cp a.txt copy.txt")], fields=["Stage: Join"])
    assert project.start().code == 3
    assert project.background("retry", "1", "--followers").end().code == 0
    assert project.background("resume").end().code == 3


def proved(project: Project) -> None:
    """Work that passes only by its own version of a test, which further runs show; then it is mended."""
    test = "from tax import gross\nassert gross(100) == 120\nprint('1..1\\nok 1 - gross')\n"
    wrong, right = (f"def gross(net):\n    return net{by}\n" for by in ("", " * 1.2"))
    project.commit("a test", {"tax.py": wrong, "test_tax.py": test})
    own = [write("test_tax.py", test.replace("120", "100")), write("tax.py", f"{wrong}\n\nTAX = 1\n")]
    project.task(
        1, own, [write("tax.py", right), write("test_tax.py", test)], checks=["python3 -B test_tax.py"]
    )
    assert project.start().code == 3


def corrected(project: Project) -> None:
    """A check that cannot be run is corrected, another tried again; a judge that is of no use is left out."""
    project.commit("ignore it", {".gitignore": "generated/\n", "use.sh": ". generated/settings.sh\n"})
    place = project.root / "generated"
    place.mkdir()
    (place / "settings.sh").write_text("true\n")
    project.task(1, [write("1.txt", "1\n")], checks=["nosuchrunner --all"])
    project.task(2, [write("2.txt", "2\n")], checks=["sh ./use.sh"])
    project.task(3, [write("3.txt", "3\n")])
    project.plays("task-3-judge", [done("no idea")], [done("none")], [done("still none")])
    assert project.start().code == 3
    project.settings('link = ["generated"]\n')
    for question in project.teamlead("escalations", "--json").json["questions"]:
        answer = "without"
        if question["kind"] == "preflight":
            answer = "check: test -f 1.txt" if "nosuchrunner" in str(question) else "retry"
        assert project.resolve(answer, "--escalation-id", question["id"]).code == 0
    project.teamlead("resume")


def unjudged(project: Project) -> None:
    """A judge gives nothing usable, nor does another that is named; the session goes on without one."""
    for number in (1, 2):
        project.task(number, [write(f"{number}.txt", "made\n")])
    project.plays("judge", [done("Well.")])
    assert project.start().code == 3
    other = project.place / "other.toml"
    other.write_text('[[judge]]\nsteps = [{done = "Who knows?"}]\n')
    assert project.background("resolve", "--resolution", f"judge: scripted:{other}").end().code == 0
    assert project.background("resume").end().code == 3
    assert project.background("resolve", "--resolution", "without").end().code == 0
    assert project.background("resume").end().code == 3


def leaving(project: Project) -> None:
    """The team of a cancelled session leaves: one agrees, one ends its turn, one never answers."""
    project.settings('leaving = "3s"\nleaving_again = "1s"\ngrace = 0.2\n')
    marks = [project.barrier(name) for name in ("one", "two", "three", "go on")]
    agrees = {"team": "answer_shutdown", "input": {"request_id": "msg-1", "approve": True}}
    project.task(1, [touch(marks[0]), wait_for(marks[3]), write("one.txt", "half\n"), agrees, HANG])
    project.task(2, [touch(marks[1]), wait_for(marks[3]), done("half of it")])
    project.task(3, [touch(marks[2]), {**HANG, "stubborn": True}])
    leader = project.start_in_background("--jobs", "3")
    until(lambda: all(mark.exists() for mark in marks[:3]), "all are at work")
    assert project.teamlead("cancel", "--reason", "wrong plan").code == 0
    marks[3].touch()
    assert leader.end().code == 1


def team_at_work(project: Project) -> None:
    """A team whose review sends work back too often; then the work is revised, and goes with its branches."""
    look = run("cat README.md")
    first = [look, write("shared.txt", "one\n2\nthree\n"), handed_in(4)]
    again = [look, append("shared.txt", "more\n"), handed_in(4)]
    bugfix(project, task_4=[first, again], task_6=[[look, handed_in(6, FAULTY)]])
    assert project.start_team(FAULT).code == 3
    assert project.resolve("go on").code == 0
    assert project.teamlead("resume").code == 3
    assert project.teamlead("revise", "take the other way", "--from", "REVIEWING").code == 0
    assert project.teamlead("resume").code == 3
    assert project.teamlead("reject", "--rollback").code == 0


FLOWS: Mapping[str, Callable[[Project], None]] = {
    "diamond": diamond,
    "unjudged": unjudged,
    "retry-and-question": retry_and_question,
    "conflict-and-cancel": conflict_and_cancel,
    "death-and-approval": death_and_approval,
    "talk-and-limits": talk_and_limits,
    "broken-together": broken_together,
    "gone-without": gone_without,
    "judged-and-replanned": judged_and_replanned,
    "failing-plan": failing_plan,
    "steered": steered,
    "mended": mended,
    "shared-question": shared_question,
    "planned": planned,
    "staged": staged,
    "proved": proved,
    "corrected": corrected,
    "leaving": leaving,
    "team-at-work": team_at_work,
}


def record(name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder).resolve()
        (place / "home").mkdir()
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(place / "home"),
            "XDG_STATE_HOME": str(place / "state"),
            "XDG_CONFIG_HOME": str(place / "config"),
        }
        project = Project(place, environment).has_repository()
        FLOWS[name](project)
        project.close()
        with JournalReader((project.sessions or project.plannings)[-1] / "journal.db") as reader:
            lines = [_elsewhere(recorded, place) for recorded in recorded_events(reader)]
    state = fold((load_line(line, name) for line in lines), name)
    (FOLDER / f"{name}.ndjson").write_bytes(b"\n".join(lines) + b"\n")
    document = msgspec.json.format(msgspec.json.encode(session_document(state)), indent=1)
    (FOLDER / f"{name}.session.json").write_bytes(document + b"\n")


def _elsewhere(recorded: Recorded, place: Path) -> bytes:
    """The event, as if this had happened at the home of Ada."""
    line = dump_line(recorded).replace(os.fsencode(place), b"/home/ada")
    return line.replace(f' on {socket.gethostname()}"'.encode(), b' on workstation"')


if __name__ == "__main__":
    for wanted in sys.argv[1:] or FLOWS:
        record(wanted)
