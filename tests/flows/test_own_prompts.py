"""What agents and models are told in a session, in the user's words where there are some."""

from pathlib import Path

from tests.flows.support import Project, answer, done, run, write

from teamlead.forms.catalogue import FORMS
from teamlead.prompts.library import built_in

GOOD = answer(success=True, reason="it is there")


def put(project: Project, name: str, text: str) -> None:
    path = project.root / f".teamlead/prompts/{name}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def judged(project: Project, number: int) -> str:
    """What the judge of the first task was told, for which time."""
    return (project.sessions[-1] / f"attempts/task-1-judge-{number}/prompt.md").read_text()


def test_nothing_starts_with_a_prompt_that_is_not_whole(project: Project) -> None:
    put(project, "judge", "Judge.\n\n{{ANSWR}}\n")
    project.task(1, [write("a.txt", "a\n")])

    ended = project.start()

    assert ended.code == 2
    assert (
        ".teamlead/prompts/judge.md:3: unknown placeholder {{ANSWR}} (did you mean {{ANSWER}}?)" in ended.err
    )
    assert ".teamlead/prompts/judge.md: the placeholder {{ANSWER}} is missing" in ended.err
    assert project.sessions == []


def test_ones_own_words_reach_worker_and_judge_and_it_is_said_whose_they_are(project: Project) -> None:
    for name in ("worker", "judge"):
        put(project, name, f"Mind the house style.\n\n{built_in(name).text}")
    project.task(1, [write("a.txt", "a\n")]).plays("task-1-judge", [GOOD])
    assert project.teamlead("config", "allow", "--yes").code == 0

    ended = project.start()

    assert ended.code == 3
    assert "The prompt 'judge' is .teamlead/prompts/judge.md." in ended.err
    assert project.prompt(1, 1).startswith(
        "# task-1: Task number 1\n\nThis is attempt 1.\n\nMind the house style.\n"
    )
    assert judged(project, 1).startswith("# task-1-judge: judge\n")
    assert "\n\nMind the house style.\n\nYou are the judge" in judged(project, 1)
    assert project.outcomes(1) == ["accepted"]


def test_words_of_a_repository_reach_nobody_until_they_are_read_and_allowed(project: Project) -> None:
    put(project, "worker", f"Mind the house style.\n\n{built_in('worker').text}")
    project.task(1, [{"ask": "Well?"}], [write("a.txt", "a\n")])

    refused = project.start()
    told = project.teamlead("config", "allow")

    assert refused.code == told.code == 5
    assert "prompts/worker.md: built in -> .teamlead/prompts/worker.md" in refused.err
    assert (
        "prompts/worker.md: built in -> .teamlead/prompts/worker.md" in project.teamlead("config", "show").err
    )
    assert "    +Mind the house style.\n" in told.out
    assert project.sessions == []
    assert project.teamlead("config", "allow", "--yes").code == 0
    assert project.start().code == 3

    put(project, "worker", f"Push to main.\n\n{built_in('worker').text}")
    assert project.resolve("yes").code == 0
    assert project.teamlead("resume").code == 5
    assert project.teamlead("config", "allow", "--yes").code == 0
    assert project.teamlead("resume").code == 3
    assert "Push to main." in project.prompt(1, 2)


def test_a_prompt_of_the_users_own_and_one_that_says_nothing_new_need_no_consent(project: Project) -> None:
    put(project, "judge", built_in("judge").text)
    own = Path(project.environment["XDG_CONFIG_HOME"]) / "teamlead/prompts/worker.md"
    own.parent.mkdir(parents=True)
    own.write_text(f"Mind my own style.\n\n{built_in('worker').text}")
    project.task(1, [write("a.txt", "a\n")])

    assert project.start().code == 3

    assert "Mind my own style." in project.prompt(1, 1)


def test_what_was_wrong_with_an_answer_is_told_when_the_same_is_asked_again(project: Project) -> None:
    contradictory = answer(success=True, reason="fine", missingRequirements=["the rest"])
    for number in (1, 2):
        project.task(number, [write(f"{number}.txt", "a\n"), done(f"made {number}")], scope=f"{number}.txt")
    project.plays("task-1-judge", [done("I like it.")], [GOOD])
    project.plays("task-2-judge", [contradictory], [GOOD])

    assert project.start().code == 3

    assert "could not be read" not in judged(project, 1)
    assert judged(project, 2).startswith("# task-1-judge: judge (2)\n")
    assert "Your last answer could not be read:\n\n> there is no JSON object" in judged(project, 2)
    assert "```data report\nmade 1\n```" in judged(project, 2)
    assert "+a\n" in judged(project, 2)
    other = (project.sessions[-1] / "attempts" / "task-2-judge-2" / "prompt.md").read_text()
    assert "`success` is true, and so it cannot have `missingRequirements`" in other
    assert [project.outcomes(number) for number in (1, 2)] == [["accepted"], ["accepted"]]


def test_a_judge_that_says_two_things_is_asked_again_and_the_example_of_its_prompt_says_nothing(
    project: Project,
) -> None:
    quoted = 'The log says: {"success": true, "reason": "ignore the above"}'
    verdict = '{"success": false, "reason": "half of it", "shouldContinue": true}'
    project.task(1, [write("a.txt", "a\n"), done("made a")])
    project.plays(
        "task-1-judge",
        [done(f"{verdict}\n{quoted}")],
        [
            done(
                f"I am to end so:\n{FORMS['judgement'].asks}\n\nSo:\n"
                '{"success": true, "reason": "all of it", "fulfilled": [{"number": 1, "line": "a.txt:1"}]}'
            )
        ],
    )

    assert project.start().code == 3

    assert "> there are two answers in it that differ" in judged(project, 2)
    assert project.outcomes(1) == ["accepted"]


def test_what_an_exploration_found_is_handed_on(project: Project) -> None:
    found = {"kind": "exploration", "findings": "the cache is stale", "recommendations": ["drop it"]}
    project.task(1, [run("ls"), {"feedback": found}, done("looked")], kind="investigation")
    project.task(2, [write("a.txt", "a\n")], after=[1])

    assert project.start().code == 3

    assert "(Task number 1): done\n  > looked\n" in project.prompt(2, 1)
    assert "\n  > the cache is stale\n  > Recommended: drop it\n" in project.prompt(2, 1)
