"""What the task names, and the work has nowhere, or in its tests alone: an error, a function, an option."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from teamlead.core.evidence.values import Evidence, in_brief
from teamlead.core.model import TaskSpec
from teamlead.evidence.change.asked import words
from teamlead.evidence.change.searching import in_source
from teamlead.evidence.sources.functions import functions
from teamlead.evidence.sources.languages import language
from teamlead.evidence.weakening.files_of_tests import Text, is_test
from teamlead.ports.checking import Claim
from teamlead.system.git import Git

CLAIM = "what the task names is there"
MOST_NAMES = 40
_RAISED = re.compile(
    r"\b(?:rais(?:es?|ed|ing)|throw(?:s|n|ing)?|is an?|gives? an?|with an?)\s+(?:an? |the )?`?"
    r"((?:[\w.]*\.)?[A-Z]\w*(?:Error|Exception|Warning))\b"
)
_NAMED = re.compile(r"`(?:[\w.]+\.)?([^\W\d]\w{2,})(?:\([^`]*\))?`")
_NEGATED = re.compile(
    r"\b(?:no longer|not|never|instead|without|stops?|rather|at the moment|currently|until now)\b|n't\b",
    re.IGNORECASE,
)
_GIVEN = re.compile(
    r"\b(?:gives?|returns?|prints?|shows?|says?|yields?|writes?|logs?|reads?|equals?|becomes?)"
    r"\s+(?:an? |the )?$"
    r"|[=→>]\s*$",
    re.IGNORECASE,
)
_CODE_WORD = re.compile(r"_|[a-z][A-Z]|[A-Z]\w*[a-z]")
_IS_TEST = re.compile(r"test|Test|Benchmark|Example|Fuzz|setUp|tearDown|set_?up|tear_?down")
_OF_PARAMETERS = ("import typer", "import fire", "import cyclopts", "from typer", "from cyclopts")
_COMMAND_LINE = re.compile(r"`(?:\$ )?(?P<line>[\w.-]+ [^`\n]*--[a-z][^`\n]*)`")
_REPLACED = re.compile(r"\b(?:in place of|instead of) (?:it|that|this|them|these)\b", re.IGNORECASE)
"""What the sentence before it names is to go."""
_MENDS = re.compile(r"\b(?:fix\w*|mend\w*|bug|crash\w*|repair\w*)\b", re.IGNORECASE)


def examine_named_things(git: Git, claim: Claim, texts: Sequence[Text]) -> Iterator[Evidence]:
    task = claim.task
    code = [text for text in texts if language(text.path)]
    if task.type != "implementation" or not code:
        return
    errors = [name for name in _errors(task) if not any(name in _new_words(text) for text in code)]
    found = [f"{name}: no new line of the source or of the tests has it" for name in errors]
    found += [f"{name}: no file has it" for name in _names(task) if not _stands(git, claim, name)]
    found += [f"{name}: nothing but tests has it" for name in _of_tests(git, claim, code)]
    found += [f"{name}: no source has it" for name in _options(git, claim)]
    if found:
        yield Evidence(
            "change",
            "flagged",
            claim=CLAIM,
            found=f"named by the task, and nowhere in the work: {in_brief(found)}",
            details=tuple(found),
            question=f"The task names this. What in the work is it? {in_brief(found)}",
        )


def _errors(task: TaskSpec) -> list[str]:
    """Those that are to be raised. What is to be mended may raise one that is to go."""
    told = task.acceptance if _MENDS.search(task.title) else (task.description, *task.acceptance)
    names = [found[1].rpartition(".")[2] for each in _sentences(told) for found in _RAISED.finditer(each)]
    return list(dict.fromkeys(names))


def _names(task: TaskSpec) -> list[str]:
    told = (task.title, task.description, *task.acceptance)
    found = [
        name[1] for each in _sentences(told) for name in _NAMED.finditer(each) if not _is_value(each, name)
    ]
    # A single small word in quotes may be a value, or a program.
    return [name for name in dict.fromkeys(found) if re.search(r"_|[a-z][A-Z]", name)][:MOST_NAMES]


def _is_value(sentence: str, name: re.Match[str]) -> bool:
    """What something gives need not stand anywhere: it may be put together."""
    return bool(_GIVEN.search(sentence[: name.start()]))


def _sentences(texts: Sequence[str]) -> Iterator[str]:
    for text in texts:
        split = [each for each in re.split(r"[.;:](?:\s|$)|\n\s*\n", text) if each.strip()]
        for each, after in zip(split, [*split[1:], ""], strict=False):
            if not _NEGATED.search(each) and not _REPLACED.search(after):
                yield each


def _of_tests(git: Git, claim: Claim, code: Sequence[Text]) -> Iterator[str]:
    """Functions that new lines of tests define, though it is the program that is to have them."""
    told = words(claim.task)
    for text in code:
        if not is_test(text.path):
            continue
        had = {each.own_name for each in functions(text.before or "", language(text.path))}
        for name in dict.fromkeys(each.own_name for each in functions(text.after or "", language(text.path))):
            is_named = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", told) and _CODE_WORD.search(name)
            if (
                name not in had
                and is_named
                and not _IS_TEST.match(name)
                and not in_source(git, claim.commit, name, "-w")
            ):
                yield name


def _options(git: Git, claim: Claim) -> Iterator[str]:
    """Options of a command line that belongs to the repository."""
    told = "\n".join((claim.task.title, claim.task.description, *claim.task.acceptance))
    lines = [found["line"] for found in _COMMAND_LINE.finditer(told)]
    if not lines:
        return
    listed = git.run("ls-tree", "-r", "-z", "--name-only", claim.commit).fields
    own = {part for path in listed for part in re.split(r"[/.]", path.decode("utf-8", "replace"))}
    for line in lines:
        for option in re.findall(r"(?<=\s)--([a-z][\w-]+)", line):
            # Some libraries make options of the names of parameters.
            spellings = (f"--{option}", f'"{option}"', f"'{option}'", f"-{option}", *_OF_PARAMETERS)
            if line.split()[0] in own and not any(in_source(git, claim.commit, each) for each in spellings):
                yield f"--{option}"


def _new_words(text: Text) -> set[str]:
    known = Counter((text.before or "").split("\n"))
    added = Counter((text.after or "").split("\n")) - known
    return {word for line in added for word in re.findall(r"\w+", line)}


def _stands(git: Git, claim: Claim, name: str) -> bool:
    """Before or after: what is to go was there."""
    given = ("grep", "-q", "-I", "-w", "-F", "-e", name)
    return any(git.run(*given, commit, ok=(0, 1)).code == 0 for commit in (claim.commit, claim.base))
