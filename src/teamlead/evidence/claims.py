"""What an agent says it changed, against what it changed.

Files are taken from the lists of its report, and from sentences that tell of a change in its last words. What
a list says, and a commit that is called one, is false for certain; sentences may mean something else.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import PurePosixPath
from typing import NamedTuple

from teamlead.core.evidence.values import Evidence, in_brief
from teamlead.core.model import Change
from teamlead.core.reports import Feedback, ImplementationFeedback, ImplementationFindings, Result
from teamlead.core.work.acceptance import listed
from teamlead.evidence.weakening.files_of_tests import Text, is_test
from teamlead.forms.citations.file_names import Likeness, likeness
from teamlead.ports.checking import Claim
from teamlead.system import untrusted_folder
from teamlead.system.git import Git

MOST_NAMED = 5
_BRANCH = re.compile(
    r"\b(?:commit\w*|push\w*|merg\w*|work|changes?|available|implement\w*)\b[^.\n]{0,60}?"
    r"\b(?:on|to|in|into)(?: the)? branch [`'\"]?([\w./-]*\w)"
)
_HASH = re.compile(r"(?<![\w#./-])(?=[0-9a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}(?![\w./-]*\w)")
_CALLED_COMMIT = re.compile(
    r"\bcommit(?:ted|s)?\b(?: (?:it|them|this|all|everything|the|work|changes?|as|in|is|to|id|hash|sha))*"
    rf"[ :=(]*[`'\"(]*(?P<hash>{_HASH.pattern})",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"\b(?:upstream|elsewhere|librar\w+|vendor\w*|submodule\w*|fork\w*|package|release\w*|version|issue|not|never|no)\b|://|#\d",
    re.IGNORECASE,
)
"""It may be a commit of another repository."""
CLAIM = "it did what it says it did"
MOST_FILES = 1000
MOST_LINES = 2000
LONGEST_LINE = 1000
_DID = re.compile(
    r"\b(?:add|chang|updat|modif|creat|edit|implement|fix|renam|remov|delet|rewr|refactor|mov|extend|patch)"
    r"(?:ed|ied|ote|itten)\b|\bwrote\b"
    r"|変更し|追加し|修正し|作成し|更新し|削除し|변경했|추가했|수정했|작성했|생성했|삭제했",
    re.IGNORECASE,
)
_LIST = re.compile(
    r"\W*(?:files? (?:changed|touched|modified)|changed files|変更(?:した)?ファイル|변경된? 파일)",
    re.IGNORECASE,
)
_NOT_DID = re.compile(
    r"\b(?:not|never|without|unchanged|untouched|nothing|should|could|would|must|needs?|todo|next|if|before"
    r"|already|earlier|previous(?:ly)?|suggest\w*|recommend\w*|left|like|as in|manner)\b|n't\b|ない|않",
    re.IGNORECASE,
)
"""It may tell of something else than of what the agent did."""
_WORD = re.compile(r"[\w@./+\-\[\]]+")
_CODE = re.compile(r"`([^`]{1,200})`")
_CALLED = re.compile(r"(?<![\w./-])[\w$]+(?:\.[\w$]+)+\(")
_PLAIN = re.compile(r"[A-Za-z0-9_@./+\-\[\]]+")
_PLAIN_ITEM = re.compile(r"[\s`*'\"-]*[\w./@+\[\]-]+\.\w+(?::\d+(?:-\d+)?)?[`*'\"]*(?:$|:| [^\w\s>]+ )")
"""A path, and perhaps a word on it behind."""
_METHOD = re.compile(r"[A-Za-z_]\w*\.(?:diff|patch|properties|feature|lock|less|liquid|env|po|map)")
"""More often what a program calls than a file, where no folder is named."""
_NAMED = re.compile(r"[^\W\d]\w{2,}")
_NAME = re.compile(r"[^\W\d]\w*_\w+|[a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w*|[^\W\d]\w{5,}(?=\()")
"""As programs have them: words of prose stand in any file."""
_PLAIN_STEMS = frozenset({"index", "main", "mod", "lib", "test", "tests", "init", "the"})
LONGEST_SAID = 50_000
_ADDED_TESTS = re.compile(
    r"\b(?:added|wrote|created|new)\b[^.\n]{0,40}\btests?\b"
    r"|テストを(?:追加|作成)し|테스트를? (?:추가|작성)했",
    re.IGNORECASE,
)
_NO_TESTS = re.compile(r"\b(?:no|not|never|without|neither|nor|zero|none|instead of)\b|n't\b", re.IGNORECASE)
_NO_TESTS_EAST = re.compile(r"テストを(?:追加|作成)し(?:てい?ない|ていません|ませんでした|なかった)")
_OF_TESTS = re.compile(r"\b(?:tests?|specs?|test[- ]cases?|suites?)\b|テスト|테스트", re.IGNORECASE)
_ALL_PASS = re.compile(
    r"\ball(?: of)?(?: the)?(?: \d+)?(?: unit)? tests? (?:now )?(?:pass|are passing|succeed)"
    r"|\btests? all pass|すべてのテスト(?:が|に)(?:通|成功|合格)|모든 테스트(?:가|를)? ?통과",
    re.IGNORECASE,
)
_NO_CHANGE = re.compile(
    r"\bnothing (?:had|needed|has|needs) to be changed"
    r"|\bno (?:code )?changes? (?:was|were|is|are) (?:made|needed|required|necessary)"
    r"|変更は(?:不要|ありません)|변경(?:할 필요가|은) 없",
    re.IGNORECASE,
)
_GENERATED = re.compile(
    r"(?:^|/)(?:dist|build|out|target|node_modules|vendor|__snapshots__|generated|__pycache__)/|"
    r"\.(?:lock|min\.js|min\.css|map|snap|pyc|pb\.go|g\.dart)$|(?:^|/)(?:package-lock\.json|go\.sum|pnpm-lock\.yaml)$|"
    r"_pb2\.pyi?$|\.generated\."
)
"""Made by tools: nobody names them one by one."""


class Said(NamedTuple):
    """What an agent told of its work."""

    text: str
    result: Result | None
    feedback: Feedback | None


def examine_claims(
    said: Said,
    changes: Sequence[Change],
    checks: Sequence[str],
    may_be_unseen: Callable[[str], bool],
    texts: Sequence[Text] = (),
) -> tuple[Evidence, ...]:
    """`may_be_unseen`: whether a file may have been changed and be in no commit. `texts`: of the change."""
    claimed = list(dict.fromkeys(_claimed(said)))[:MOST_FILES]
    touched = [change.path for change in changes[:MOST_FILES]]
    untouched = [path for path in claimed if not any(_same(path, other) for other in touched)]
    written = [change.path for change in changes if change.added or change.deleted][:MOST_FILES]
    false = [
        path
        for path in untouched
        if path in set(_listed(said)) and not may_be_unseen(path) and _tells_all(path, changes)
    ]
    doubts = [
        *_unmade([path for path in untouched if path not in false]),
        *_unnamed(said, claimed, written, texts),
        *_tests(said, touched, checks),
        *_contradictions(said, touched),
    ]
    found = [_false(sentence, (sentence,)) for sentence in _unmade(false)]
    if doubts:
        question = f"Is what it says of its work true nevertheless? {in_brief(doubts)}"
        found.append(
            Evidence("claims", "flagged", CLAIM, in_brief(doubts), details=tuple(doubts), question=question)
        )
    if found:
        return tuple(found)
    if claimed:
        told = f"all {len(claimed)} files that it names as changed are" if len(claimed) > 1 else "the file is"
        return (Evidence("claims", "proven", CLAIM, f"{told} changed: {listed(claimed)}"),)
    return ()


def _tells_all(path: str, changes: Sequence[Change]) -> bool:
    """Whether the changes can be compared with it: it may begin with the folder of the repository."""
    return len(changes) <= MOST_FILES and not any(path.endswith(f"/{change.path}") for change in changes)


def _unmade(untouched: list[str]) -> Iterator[str]:
    if untouched:
        yield f"said to be changed, and not changed: {listed(untouched)}"


def _unnamed(said: Said, claimed: list[str], touched: list[str], texts: Sequence[Text]) -> Iterator[str]:
    """Says which changed files it does not name, if it names any: a summary may be about something else.

    What it says of tests, of a module by its name, or of anything that was changed in a file, speaks of it.
    """
    if not any(_same(path, other) for path in claimed for other in touched):
        return
    words = _all_words(said)
    named = list(dict.fromkeys((*claimed, *_paths(words))))[:MOST_FILES]
    changed = {text.path: text for text in texts}
    spoken = frozenset(_NAMED.findall(words[:LONGEST_SAID]))
    missing = [
        path
        for path in touched
        if not _GENERATED.search(path)
        and not any(_same(name, path) for name in named)
        and PurePosixPath(path).stem not in spoken - _PLAIN_STEMS
        and not (_tests_something(path) and _OF_TESTS.search(words))
        and not (path in changed and spoken & _changed_names(changed[path]))
    ]
    if missing:
        yield f"changed, and not mentioned: {listed(missing)}"


def _changed_names(text: Text) -> frozenset[str]:
    """The longer words of the lines that the change brought into a file, or took out of it."""
    before, after = (Counter((each or "").splitlines()) for each in (text.before, text.after))
    lines = [*(before - after), *(after - before)]
    return frozenset(name for line in lines[:MOST_LINES] for name in _NAME.findall(line[:LONGEST_LINE]))


GOOD = ("success", "already_done")


def _contradictions(said: Said, touched: list[str]) -> Iterator[str]:
    if touched and _NO_CHANGE.search(_all_words(said)):
        yield "says that nothing had to be changed, and something was"
    succeeded = said.result is None or said.result.status == "SUCCESS"
    feedback = said.feedback
    if succeeded and isinstance(feedback, ImplementationFeedback) and feedback.result not in GOOD:
        yield f"its feedback says {feedback.result}, and nothing else does"


def _tests(said: Said, touched: list[str], checks: Sequence[str]) -> Iterator[str]:
    words = _all_words(said)
    details = said.result.details if said.result else None
    listed_tests = isinstance(details, ImplementationFindings) and bool(details.tests)
    added = any(
        (told := _ADDED_TESTS.search(each)) and not _denies(each, told)
        for line in words.splitlines()[:MOST_LINES]
        for each in re.split(r"(?<=[.;!?])\s|[。]", line[:LONGEST_LINE])
    )
    if (listed_tests or added) and not any(_tests_something(path) for path in touched):
        yield "says that tests were added, and no file of tests was changed"
    if _ALL_PASS.search(words) and not checks:
        yield "says that all tests pass, which no check has verified"


def _denies(sentence: str, told: re.Match[str]) -> bool:
    """Whether it says that they were not added: in front of it, or behind in the East."""
    return bool(_NO_TESTS.search(sentence, 0, told.end()) or _NO_TESTS_EAST.match(sentence, told.start()))


def _tests_something(path: str) -> bool:
    return is_test(path) or bool(re.search(r"test|spec", path, re.IGNORECASE))


def _all_words(said: Said) -> str:
    if said.result is None:
        return said.text
    return f"{said.text}\n{said.result.summary}\n{said.result.findings}"


def _listed(said: Said) -> Iterator[str]:
    """The files that each line of a list begins with."""
    details = said.result.details if said.result else None
    files = details.files if isinstance(details, ImplementationFindings) else ()
    changes = said.feedback.changes if isinstance(said.feedback, ImplementationFeedback) else ()
    for line in (*files, *changes):
        named = list(_paths(line))
        if named and _PLAIN_ITEM.match(line) and not _NOT_DID.search(line):
            yield named[0]


def _claimed(said: Said) -> Iterator[str]:
    details = said.result.details if said.result else None
    if isinstance(details, ImplementationFindings):
        for line in details.files:
            yield from _paths(line)
    if isinstance(said.feedback, ImplementationFeedback):
        for line in said.feedback.changes:
            yield from _paths(line)
    for sentence in _sentences(_all_words(said)):
        yield from _paths(sentence)


def _sentences(text: str) -> Iterator[str]:
    """Yields sentences that tell of a change by the agent, and what stands in a list of changed files."""
    in_list = False
    for line in text.splitlines()[:MOST_LINES]:
        short = line[:LONGEST_LINE]
        if _LIST.match(short):
            in_list = True
            yield short
        elif in_list and re.match(r"\s*[-*]\s", short):
            yield short
        else:
            in_list = in_list and not short.strip()
            for sentence in re.split(r"(?<=[.;!?])\s|[。]", short):
                if _DID.search(sentence) and not _NOT_DID.search(sentence):
                    yield sentence


def _paths(text: str) -> Iterator[str]:
    for line in text.splitlines()[:MOST_LINES]:
        short = line[:LONGEST_LINE]
        spaced = [name for name in _CODE.findall(short) if " " in name and _is_path(name)]
        yield from spaced
        for name in spaced:
            short = short.replace(name, "")
        # What is called is no file: `cart.diff(before, after)`.
        for found in _WORD.findall(_CALLED.sub(" ", short)):
            # Where words are not set apart by spaces, a path ends with its letters.
            candidates = [found] if found.isascii() else [found, *_PLAIN.findall(found)]
            words = (each.rstrip("./-+@[").removeprefix("./") for each in candidates)
            yield from islice(filter(_is_path, words), 1)


def _is_path(word: str) -> bool:
    # What begins with a slash is the rest of an address, or lies outside of the repository.
    if word.startswith("/") or _METHOD.fullmatch(word):
        return False
    return likeness(word) in {Likeness.KNOWN, Likeness.PATH}


def _same(name: str, path: str) -> bool:
    """Whether they mean the same: `name` may be the end of a path, or a folder that it lies in."""
    if path == name or path.endswith(f"/{name}") or path.startswith(f"{name}/"):
        return True
    # `README` is said of README.md.
    plain = "." not in name and "/" not in name
    return plain and PurePosixPath(path).stem.lower() == name.lower()


def examine_branches(git: Git, claim: Claim) -> Iterator[Evidence]:
    if not claim.task.needs_change:
        # What one only looked at may be anywhere.
        return
    for branch in list(dict.fromkeys(_BRANCH.findall(claim.text)))[:MOST_NAMED]:
        if not _holds(git, branch, claim.commit):
            yield _flag(f"it speaks of the branch {branch}, which does not hold its work")
    unknown = [
        name for name in list(dict.fromkeys(_HASH.findall(claim.text)))[:MOST_NAMED] if not git.commit(name)
    ]
    called = _called_commits(claim.text) if unknown and _knows_all(git, claim) else set()
    for commit in unknown:
        found = f"it speaks of the commit {commit}, which does not exist"
        if commit in called and not _was_made(claim, commit):
            yield _false(found)
        else:
            yield _flag(found)


def _called_commits(text: str) -> set[str]:
    """What sentences call a commit, and not one of another repository."""
    told = (each for each in re.split(r"(?<=[.;!?])\s|\n", text) if not _ELSEWHERE.search(each))
    return {found["hash"] for each in told for found in _CALLED_COMMIT.finditer(each)}


def _knows_all(git: Git, claim: Claim) -> bool:
    shallow = git.text("rev-parse", "--is-shallow-repository") != "false"
    return claim.own_git is not None and not shallow


def _was_made(claim: Claim, commit: str) -> bool:
    """In its copy, even if it was left behind there."""
    told = claim.own_git and untrusted_folder.read(claim.own_git, "logs/HEAD")
    return any(name.startswith(commit) for name in (told or b"").decode(errors="replace").split())


def _holds(git: Git, branch: str, commit: str) -> bool:
    tip = git.commit(f"refs/heads/{branch}")
    return bool(tip and commit) and git.contains(tip, commit)


def _false(found: str, details: tuple[str, ...] = ()) -> Evidence:
    return Evidence("claims", "objected", CLAIM, f"{found}: do it, or do not say so", details=details)


def _flag(found: str) -> Evidence:
    return Evidence("claims", "flagged", CLAIM, found, question=f"Where is what it speaks of? {found}")
