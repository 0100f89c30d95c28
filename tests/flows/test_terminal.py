"""A person at a terminal is asked on the spot, and may leave at any moment."""

import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Self

import pytest
from tests.flows.support import HANG, PATIENCE, Project, ask, touch, until, write
from tests.zygote import interruptible


class Terminal:
    """A command with a terminal of its own, at which somebody types."""

    def __init__(self, project: Project, *arguments: str) -> None:
        self._screen, inner = pty.openpty()
        with interruptible():
            self.process = subprocess.Popen(
                [sys.executable, "-m", "teamlead", *arguments],
                cwd=project.root,
                env={**project.environment, "TERM": "xterm", "COLUMNS": "100"},
                stdin=inner,
                stdout=inner,
                stderr=inner,
                start_new_session=True,
                # Ctrl-C comes as a signal only from the terminal that controls the session.
                preexec_fn=lambda: os.login_tty(0),  # noqa: PLW1509 - this process has one thread
            )
        os.close(inner)
        self.seen = ""

    def reads(self, text: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while text not in self.seen:
            assert time.monotonic() < deadline, f"{text!r} did not appear in {self.seen}"
            if not select.select([self._screen], [], [], 0.1)[0]:
                continue
            try:
                self.seen += os.read(self._screen, 65536).decode(errors="replace")
            except OSError:
                raise AssertionError(f"it ended without {text!r}: {self.seen}") from None

    def types(self, text: str) -> None:
        self.seen = ""
        os.write(self._screen, text.encode())

    def end(self) -> int:
        """Reads on, so that nobody waits for room on the screen."""
        deadline = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < deadline:
            if select.select([self._screen], [], [], 0.05)[0]:
                try:
                    self.seen += os.read(self._screen, 65536).decode(errors="replace")
                except OSError:
                    break
        return self.process.wait(PATIENCE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._screen)


def test_clean_asks_before_anything_goes(project: Project) -> None:
    project.task(1, [write("half.txt", "half"), ask("And now?")])
    assert project.start().code == 3
    (copy,) = project.copies()
    with Terminal(project, "clean", project.session) as shown:
        shown.reads("Remove what goes? [y/N]")
        assert copy in shown.seen
        shown.types("n\n")
        assert shown.end() == 1
    assert project.copies() == [copy]
    with Terminal(project, "clean", project.session) as shown:
        shown.reads("Remove what goes? [y/N]")
        shown.types("y\n")
        assert shown.end() == 0
    assert project.copies() == []


@pytest.fixture
def terminal(project: Project) -> Iterator[Terminal]:
    """A team at work for a person who watches; its agent asks for a colour."""
    project.task(1, [ask("Which colour?", "red", "blue")], [write("colour.txt", "{answer}\n")])
    with started(project) as shown:
        yield shown


def started(project: Project, *options: str) -> Terminal:
    return Terminal(project, "start", str(project.plan), "--agent", f"scripted:{project.script}", *options)


def test_a_person_answers_and_approves_without_another_command(project: Project, terminal: Terminal) -> None:
    terminal.reads("Your answer")
    assert "Which colour?" in terminal.seen
    assert "1) red" in terminal.seen
    terminal.types("blue\r")
    terminal.reads("[l]ater")
    terminal.types("y\r")

    assert terminal.end() == 0
    assert project.content("main", "colour.txt") == "blue"
    project.require_nothing_runs()


def test_a_person_may_decide_later(project: Project, terminal: Terminal) -> None:
    terminal.reads("Your answer")
    terminal.types("\r")

    assert terminal.end() == 3
    assert "teamlead resolve" in terminal.seen
    assert project.states() == {"task-1": "BLOCKED"}


def test_ctrl_c_at_the_prompt_leaves_a_session_that_can_go_on(project: Project, terminal: Terminal) -> None:
    terminal.reads("Your answer")
    terminal.types("\x03")

    assert terminal.end() == 130
    assert project.resolve("red").code == 0
    assert project.teamlead("resume").code == 3
    assert project.content(project.integration, "colour.txt") == "red"


def test_an_answer_from_elsewhere_takes_the_prompt_away(project: Project, terminal: Terminal) -> None:
    terminal.reads("Your answer")

    assert project.resolve("red").code == 0

    terminal.reads("[l]ater")
    terminal.types("r\r")
    assert terminal.end() == 0
    assert project.content(project.integration, "colour.txt") == "red"
    assert "colour.txt" not in project.files("main")


def test_a_terminal_that_is_closed_stops_the_leader_in_order(project: Project, terminal: Terminal) -> None:
    terminal.reads("Your answer")

    terminal.process.send_signal(signal.SIGHUP)

    assert terminal.end() == 130
    until(lambda: not project.processes(), "everything has ended")
    assert project.happened("LeaderStopped", reason="it was interrupted")


def test_a_person_whose_approval_was_refused_is_told_why_and_not_asked_again_at_once(
    project: Project,
) -> None:
    project.task(1, [write("a.txt", "a\n")])
    with started(project) as terminal:
        terminal.reads("[l]ater")
        (project.root / "a.txt").write_text("my own\n")
        terminal.types("y\r")

        assert terminal.end() == 3

    assert "Approval was not possible" in terminal.seen
    assert "[l]ater" not in terminal.seen
    assert (project.root / "a.txt").read_text() == "my own\n"
    assert "a.txt" not in project.files("main")


def test_an_answer_that_is_none_is_asked_for_again(project: Project) -> None:
    project.task(1, [write("a.txt", "a\n")])
    with started(project) as terminal:
        terminal.reads("[l]ater")
        terminal.types("perhaps\r")
        terminal.reads("Please answer y, r or l.")
        terminal.reads("[l]ater")
        terminal.types("l\r")

        assert terminal.end() == 3

    assert "a.txt" not in project.files("main")


def test_who_waits_at_a_terminal_is_not_asked_there(project: Project) -> None:
    project.task(1, [ask("Which colour?", "red", "blue")], [write("colour.txt", "{answer}\n")])
    with started(project, "--wait", "--approve") as terminal:
        until(lambda: project.happened("EscalationRaised"), "the question is asked")
        # The table shows the question; typing does not answer it.
        terminal.reads("blocked")
        terminal.types("blue\r")
        assert project.resolve("red").code == 0

        assert terminal.end() == 0

    assert "Your answer" not in terminal.seen
    assert project.content("main", "colour.txt") == "red"


@pytest.fixture
def interrupted(project: Project) -> str:
    """The id of a session whose leader was killed at work; another plan is ready."""
    project.task(1, [touch(project.barrier("hangs")), HANG], [write("one.txt", "1\n")])
    leader = project.start_in_background()
    until(project.barrier("hangs").exists, "the agent hangs")
    leader.send(signal.SIGKILL).end()
    project.new_plan().task(1, [write("two.txt", "2\n")])
    return project.session


@pytest.mark.parametrize("answer", ["r", "s", "", "q"])
def test_who_starts_another_session_may_resume_the_interrupted_one_instead(
    project: Project, interrupted: str, answer: str
) -> None:
    with started(project) as shown:
        shown.reads(f"[r]esume {interrupted}, [s]tart the new one, [q]uit [s]: ")
        shown.types(f"{answer}\r")
        if answer != "q":
            shown.reads("[l]ater")
            shown.types("l\r")
        assert shown.end() == (130 if answer == "q" else 3)
    assert len(project.sessions) == (2 if answer in {"s", ""} else 1)
    assert ("AttemptEnded" in {e["kind"] for e in project.events(interrupted)}) == (answer == "r")


def test_resolve_lets_a_person_pick_a_question_and_an_option_by_number(project: Project) -> None:
    project.task(1, [ask("Which rate?", "20 %", "7 %")], [write("rate.txt", "{answer}\n")])
    project.task(2, [ask("Which colour?", "red", "blue")], [write("colour.txt", "{answer}\n")])
    assert project.start("--jobs", "1").code == 3
    with Terminal(project, "resolve") as shown:
        shown.reads("Which one")
        assert "1) esc-1 about task-1: Which rate?" in shown.seen
        shown.types("2\n")
        shown.reads("or an option's number")
        assert "2) blue" in shown.seen
        shown.types("2\n")
        shown.reads("esc-2 is answered\r\n")
        shown.reads("still open: esc-1")
        assert shown.end() == 0
    with Terminal(project, "resolve") as shown:
        shown.reads("or an option's number")
        shown.types("12 %\n")
        shown.reads("esc-1 is answered in your own words")
        assert shown.end() == 0
    with Terminal(project, "resolve", "--escalation-id", "1") as shown:
        shown.reads("esc-1 is not open")
        assert shown.end() == 4
    assert project.teamlead("resume").code == 3
    made = project.files(project.integration)
    assert (made["rate.txt"], made["colour.txt"]) == ("12 %", "blue")


def test_the_prompt_of_a_leader_takes_the_number_of_an_option(project: Project) -> None:
    project.task(1, [ask("Which rate?", "20 %", "7 %")], [write("rate.txt", "{answer}\n")])
    with started(project) as shown:
        shown.reads("or an option's number")
        assert "1) 20 %" in shown.seen
        shown.types("1\n")
        shown.reads("[y]es, [r]eject, [l]ater")
        shown.types("l\n")
        assert shown.end() == 3
    assert project.content(project.integration, "rate.txt") == "20 %"
