"""Which tests a task lets go by its sentences: those that it names as what is removed or replaced.

"Remove it, and its test `test_old`" says as much as a label; so does "Skip `test_old`". What is removed
*from* a test or a file lets no test go, nor does a sentence that says something else of it. Where a
task has something removed and names none of its tests, those that go are a question.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from teamlead.core.model import TaskSpec

MOST = 20_000
"""Characters of a task that are read."""
_ENDINGS = r"py|js|ts|tsx|jsx|mjs|cjs|go|rs|rb|java|cs|kt|php|swift|snap"
_NAME = (
    r"(?:`(?P<quoted>[^`\n]{2,120})`|\"(?P<titled>[^\"\n]{2,120})\"|(?<!\w)'(?P<single>[^'\n]{2,120})'(?!\w)"
    rf"|(?P<plain>(?:[\w*.@-]+/)+[\w*.-]*\w\b\*?|[\w*-]+\.(?:{_ENDINGS})\b|\btest_[\w*]*\w\b\*?|\b(?-i:(?:Test|Benchmark|Example)[A-Z_]\w*)"
    r"|\b[A-Z]\w+Tests?\b|\b(?-i:[a-z]+[A-Z]\w*|[a-z]+_\w+)\b))"
)
_TOKEN = re.compile(
    rf"(?P<name>{_NAME})"
    r"|(?P<not>\b(?:not|nothing|none|never|keep|keeps|leave|leaves|stays?|unchanged|untouched|except|without)\b|n't\b)"
    r"|(?P<verb>\b(?:remov(?:e|es|ed|ing)|delet(?:e|es|ed|ing)|drop(?:s|ped|ping)?|replac(?:e|es|ed|ing)"
    r"|retir(?:e|es|ed|ing)|discard(?:s|ed)?|get rid of|take out|throw (?:away|out)|obsolete|no longer"
    r"|skip|quarantine|disable|deselect|exclude|leave out|mute"
    r"|(?-i:go(?:es)?)(?=\s*,?\s*(?:and|together|along|with)\b))\b)"
    r"|(?P<break>[,;:\u2013\u2014]|\b(?:and|or|as well as|along with|together with|including|but)\b)"
    r"|(?P<by>\b(?:by|with|for|to|into)\b)"
    r"|(?P<place>\b(?:in|from|inside|within|at|under|of|on|between|across|through)\b)"
    r"|(?P<word>\w+(?:'\w+)?)",
    re.IGNORECASE,
)
_SAME_CLAUSE = re.compile(
    r"(?:its|their|the|that|this|these|those|an?|all|both|also|then|too|it|them|any|every|each|old|legacy|obsolete|unit"
    r"|own|tests?|files?|class(?:es)?|cases?|suites?|functions?|methods?|helpers?|options?|modules?|whole|arguments?|parameters?|flags?|aliases|fields?|constants?|settings?"
    r"|documentation|docs?|comments?|examples?|entries|lines?|sections?|imports?|fixtures?|code)",
    re.IGNORECASE,
)
"""Words that go on with what is removed: another word may say something else of what follows."""
_BEHIND = re.compile(
    r"\s*(?:$|[.,;:)!?]|\((?!s)|(?:tests?|files?|class(?:es)?|cases?|suites?|and|or|with|which|that|because|too|as|in|from"
    r"|since|once|when|entirely|altogether|completely|is|are|if|for|by|now|then|also|but|along|together|there)\b)",
    re.IGNORECASE,
)
"""What may stand behind a name that is itself removed: not what else is removed there."""
_GOES = re.compile(
    r"(?: (?:tests?|files?|class(?:es)?|cases?|suites?|is|are|was|were|can|may|should|must|will"
    r"|be|has|have|to|then|now|too|also|become|becomes|and all its))* "
    r"(?:remov|delet|dropp|obsolete|goes\b|go\b(?! on)|goes away|replaced|retired|superfluous"
    r"|no longer (?:need|valid|make|appl)|not needed|unneeded)",
    re.IGNORECASE,
)
_THEIR_TESTS = re.compile(
    r"(?:\band|\bwith|,|\balong with|\btogether with|\bincluding)\s+(?:(?:all|also)\s+)?(?:of\s+)?"
    r"(?:(?:its|their|the|related|corresponding|own|unit)\s+)*tests?\b(?!\s*[`\"\w]*_)",
    re.IGNORECASE,
)
_BEHIND_EAST = (
    r"[`\"」』]?\s*(?:という|の(?=テスト)|テスト|クラス|ファイル|関数"
    r"|(?:이라는|라는)?\s*(?:테스트|파일|클래스|함수))*\s*"
)
_AND_EAST = rf"(?:\s*(?:と|、|や|および|,|와|과|및)\s*{_NAME.replace('?P<', '?P<other_')})*"
_EAST = re.compile(
    rf"{_NAME}(?={_AND_EAST}{_BEHIND_EAST}(?:も|を|は|が|すべて|을|를|은|는|이|가|도|전부|모두"
    r"|テストも(?:含めて|一緒に|共に)?"
    r"|テスト(?:と|を)(?:一緒に|含めて)|테스트(?:도|와 함께|까지)(?: 함께)?|\s)*"
    r"(?:削除|廃止|撤去|取り除|除去|消し|消す|不要|置き換え"
    r"|삭제|제거|폐기|없애|없앤|지우|지운|대체|불필요)(?!しない|せず|하지 않|하지 말))"
)
_STAYING = re.compile(
    r"\btests?\s+(?:stay|remain|keep|pass|still|must|should|have to|are to)\b", re.IGNORECASE
)
_THEIR_TESTS_EAST = re.compile(r"テストも|(?:その|関連する?)テスト|테스트도|(?:그|관련) 테스트")
_REMOVAL_EAST = re.compile(r"削除|廃止|撤去|取り除|除去|삭제|제거|폐기|없애")
_TESTS_EAST = re.compile(
    r"テスト(?:も|を|は)?(?:すべて|全て|一緒に)?(?:削除|廃止|撤去|スキップ|無効)(?!しない|せず)"
    r"|테스트(?:도|를|는)? ?(?:모두 |함께 )?(?:삭제|제거|폐기|건너뛰|비활성)(?!하지 않|하지 말)"
)
_NO_TESTS = re.compile(
    r"(?:\b(?:not|never|without|no)\b|n't\b)[^.;]{0,40}\btests?\b|テスト[^。]{0,20}(?:しない|せず|残)"
    r"|테스트[^.]{0,20}(?:하지 않|하지 말|남)",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"remove|delete|drop|retire|discard|get rid of|take out|throw (?:away|out)|go(?:es)?"
    r"|skip|quarantine|disable|deselect|exclude|leave out|mute",
    re.IGNORECASE,
)
"""To do it. Other forms may tell of what a program does."""
_TOO_WIDE = frozenset({"tests", "test", "spec", "specs", "src", "__tests__", "*", "**", "test_*", "tests/*"})


_BELOW = r"::|\s[>›]\s|#"
_CALLED_A_TEST = re.compile(
    rf"(?:^|[/.])test_\w+$|(?:^|[/.])(?:Test|Benchmark|Example|Fuzz)(?:[A-Z_]\w*)?$|Tests?$|_test$|{_BELOW}"
)


def may_go(task: TaskSpec) -> tuple[str, ...]:
    """Tests, patterns of them, and files: what its label names, and its sentences."""
    return tuple(dict.fromkeys((*task.removes_tests, *_by_sentences(_told(task)))))


def named_one_by_one(task: TaskSpec) -> tuple[str, ...]:
    """Tests of `may_go`, each by a name of its own: no pattern, no file, no guess at how it is called."""
    labelled = (name for name in task.removes_tests if _is_one(name))
    told = (
        name for name in _named_by_sentences(_told(task)) if _is_one(name) and _CALLED_A_TEST.search(name)
    )
    names = tuple(dict.fromkeys((*labelled, *told)))
    ends = {other[below.end() :] for other in names for below in re.finditer(rf"{_BELOW}|[./]", other)}
    return tuple(name for name in names if name not in ends)


def _is_one(name: str) -> bool:
    if (
        re.search(r"[*?\[]", name)
        or name.strip("/").lower() in _TOO_WIDE
        or re.search(rf"/$|\.(?:{_ENDINGS})$", name)
    ):
        return False
    return "/" not in name or bool(re.search(r"\s", name) or _CALLED_A_TEST.search(name))


def lets_some_go(task: TaskSpec) -> bool:
    """It speaks of something that goes and names none of its tests: nobody knows which of them go with it."""
    if named_one_by_one(task):
        return False
    sentences = list(_sentences(_told(task)))
    if any(_STAYING.search(each) or _NO_TESTS.search(each) for each in sentences):
        return False
    return any(_removes(each) or _TESTS_EAST.search(each) for each in sentences)


def _removes(sentence: str) -> bool:
    """It asks for that, wherever the clauses lead. What is replaced keeps its tests."""
    blocked = False
    for token in _TOKEN.finditer(sentence):
        if token.lastgroup == "verb" and not blocked and _ASKS.fullmatch(token[0]):
            return True
        blocked = token.lastgroup == "not" or (blocked and token.lastgroup != "break")
    return False


def _told(task: TaskSpec) -> str:
    return "\n\n".join((task.title, task.description, *task.acceptance))[:MOST]


@lru_cache(maxsize=256)
def _by_sentences(told: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    before: list[str] = []
    for sentence in _sentences(told):
        removed = [*_removed(sentence), *_removed_east(sentence)]
        found |= dict.fromkeys(removed)
        if _takes_tests(sentence):
            # "Remove the function and its tests": the sentence before says which.
            things = [name for name in removed if name.lower() not in _TOO_WIDE] or before
            found |= dict.fromkeys(each for name in things for each in _tests_of(name))
        before = removed or before
    return tuple(name for name in found if name.strip("/") not in _TOO_WIDE)


def _named_by_sentences(told: str) -> Iterator[str]:
    for sentence in _sentences(told):
        yield from (*_removed(sentence), *_removed_east(sentence))


def _sentences(told: str) -> Iterator[str]:
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*[-*] )", told):
        yield from re.split(r"(?<=[.!?])\s|(?<=。)", " ".join(paragraph.split()))


def _takes_tests(sentence: str) -> bool:
    east = _REMOVAL_EAST.search(sentence) and _THEIR_TESTS_EAST.search(sentence)
    return bool(east or _THEIR_TESTS.search(sentence))


def _removed(sentence: str) -> Iterator[str]:
    return (_named(token) for token in _governed(sentence))


def _governed(sentence: str) -> Iterator[re.Match[str]]:
    """Names that a word of removal governs."""
    clause = _Clause()
    for token in _TOKEN.finditer(sentence):
        if token.lastgroup == "name":
            governed = clause.governs and bool(_BEHIND.match(sentence, token.end()))
            if governed or (not clause.blocked and _GOES.match(sentence, token.end())):
                yield token
            clause.fresh = False
        else:
            clause.hear(token.lastgroup or "", token[0].lower())


@dataclass
class _Clause:
    """What the words so far say of the next one."""

    active: bool = False
    """Something is removed."""
    blocked: bool = False
    placed: bool = False
    """From somewhere."""
    fresh: bool = False
    verb: str = ""

    @property
    def governs(self) -> bool:
        return self.active and not self.placed

    def hear(self, kind: str, word: str) -> None:
        if kind == "not":
            self.active, self.blocked = False, True
        elif kind == "verb" and not self.blocked:
            self.active, self.placed, self.fresh, self.verb = True, False, False, word
        elif kind == "break":
            self.fresh, self.blocked = True, False
            self.active = self.active and word != ";"
        elif kind == "by":
            # What something is replaced by stays.
            self.active = self.active and not self.verb.startswith("replac") and word == "with"
            self.fresh = True
        elif kind == "place":
            self.placed, self.fresh = True, False
        elif kind == "word" and self.fresh:
            self.placed = False
            self.active = self.active and bool(_SAME_CLAUSE.fullmatch(word))


def _removed_east(sentence: str) -> Iterator[str]:
    for found in _EAST.finditer(sentence):
        yield _named(found)


def _named(found: re.Match[str]) -> str:
    return (found["quoted"] or found["titled"] or found["single"] or found["plain"]).strip()


def _tests_of(name: str) -> Iterator[str]:
    """How tests of a function, an option or a class are called."""
    plain = re.split(r"[.:/]", name.removesuffix("()"))[-1]
    if not re.fullmatch(r"[^\W\d]\w{2,}", plain):
        return
    parts = [part for part in re.split(r"_|(?<=[a-z0-9])(?=[A-Z])", plain) if part]
    snake, camel = "_".join(parts).lower(), "".join(part[:1].upper() + part[1:] for part in parts)
    for each in dict.fromkeys((snake, plain)):
        yield from (f"test_{each}", f"test_{each}_*", f"test_*_{each}", f"test_*_{each}_*")
        yield from (f"**/{each}.test.*", f"**/{each}.spec.*", f"**/{each}_test.*", f"**/test_{each}.*")
    for each in dict.fromkeys((camel, plain)):
        yield from (f"Test{each}", f"Test{each}[A-Z_]*", f"Test_{each}", f"{each}Test", f"{each}Tests")
    yield from (plain, f"{plain} *", f"* {plain}", f"* {plain} *", f"*{plain}()*")
