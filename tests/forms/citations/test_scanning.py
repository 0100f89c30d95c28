import os
import random
import re
import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teamlead.core.evidence.references import MOST
from teamlead.core.reports import Finding, ImplementationFindings, Reference, Result, ReviewFindings
from teamlead.forms.citations import places
from teamlead.forms.citations.blocks import Citation
from teamlead.forms.citations.scanning import citations, marked, scan
from teamlead.forms.results.report_citations import citations_of, cited_in

SIZE = int(os.environ.get("TEAMLEAD_TEST_SIZE", "1"))

FORMS = [
    ("src/auth/login.ts:45 is where", ["src/auth/login.ts:45"]),
    ("see x.ts:5-9.", ["x.ts:5-9"]),
    ("x.ts:5–9", ["x.ts:5-9"]),  # noqa: RUF001
    ("x.ts:L5-L9", ["x.ts:5-9"]),
    ("a.ts:1,b.ts:2", ["a.ts:1", "b.ts:2"]),
    ("a.ts:1, b.ts:2; c.ts:3", ["a.ts:1", "b.ts:2", "c.ts:3"]),
    ("a.ts:1,5,9", ["a.ts:1", "a.ts:5", "a.ts:9"]),
    ("a.ts:1-3,7-9", ["a.ts:1-3", "a.ts:7-9"]),
    ("Makefile:10 and Dockerfile:3", ["Makefile:10", "Dockerfile:3"]),
    ("docker/Dockerfile.dev:3", ["docker/Dockerfile.dev:3"]),
    (".gitignore:2 and .github/workflows/ci.yml:7", [".gitignore:2", ".github/workflows/ci.yml:7"]),
    ("(src/a.ts:4) [src/b.ts:5] <src/c.ts:6>", ["src/a.ts:4", "src/b.ts:5", "src/c.ts:6"]),
    (
        "`src/a.ts:4` \"src/b.ts:5\" 'src/c.ts:6' **src/d.ts:7**",
        ["src/a.ts:4", "src/b.ts:5", "src/c.ts:6", "src/d.ts:7"],
    ),
    ('`src/a.ts`:4 "src/b.ts":5 **src/c.ts**:6', ["src/a.ts:4", "src/b.ts:5", "src/c.ts:6"]),
    ("(src/a.ts):4 [src/b.ts]:5 [name](src/c.ts):6", ["src/a.ts:4", "src/b.ts:5", "src/c.ts:6"]),
    ("[login](src/a.ts:4) and [b.ts:2](b.ts#L2)", ["src/a.ts:4", "b.ts:2", "b.ts:2"]),
    ("app/[id]/page.tsx:3", ["app/[id]/page.tsx:3"]),
    ("(app/(auth)/[...slug]/page.tsx:3)", ["app/(auth)/[...slug]/page.tsx:3"]),
    ("src/日本語.ts:5、資料/設計.md:6", ["src/日本語.ts:5", "資料/設計.md:6"]),
    ("参照：src/a.ts:5（src/b.ts:6）「src/c.ts:7」で", ["src/a.ts:5", "src/b.ts:6", "src/c.ts:7"]),  # noqa: RUF001
    ("src/a.ts:45에서 찾음", ["src/a.ts:45"]),
    ("`my docs/read me.md:3`", ["my docs/read me.md:3"]),
    (r"src\auth\login.cs:12", ["src/auth/login.cs:12"]),
    (r"C:\repo\src\a.cs:12", ["C:/repo/src/a.cs:12"]),
    (r"src/\_\_init\_\_.py:3", ["src/__init__.py:3"]),
    ("src/a.ts#L10-L20 src/b.ts#L3", ["src/a.ts:10-20", "src/b.ts:3"]),
    ("src/a.ts(10) src/b.ts(10,5): error TS1", ["src/a.ts:10", "src/b.ts:10"]),
    ("line 10 of src/a.py, lines 3-5 in `b.py`", ["src/a.py:10", "b.py:3-5"]),
    ("src/a.py, line 12; `src/b.py` (lines 3 to 5)", ["src/a.py:12", "src/b.py:3-5"]),
    ("/copy/src/a.py:3 file:///copy/src/b.py:4", ["/copy/src/a.py:3", "/copy/src/b.py:4"]),
    ("| src/a.ts:4 | `x` |", ["src/a.ts:4"]),
    ("src/main.rs:10:5: error", ["src/main.rs:10"]),
    ("src/a.ts:3:const x = 1", ["src/a.ts:3"]),
    ("Location:src/a.ts:3 path=src/b.ts:4", ["src/a.ts:3", "src/b.ts:4"]),
    ("src/a.ts:0 and src/a.ts:-4", ["src/a.ts:0", "src/a.ts:-4"]),
    ("src/a.ts:99999999999999999999", ["src/a.ts:1000000000"]),
    ("src/unknown.ending:3", ["src/unknown.ending:3"]),
]


@pytest.mark.parametrize(("text", "expected"), FORMS)
def test_a_citation_is_found_in_every_form(text: str, expected: list[str]) -> None:
    found = list(scan(text))
    assert [each.place for each in found] == expected
    assert all(each.sure for each in found)


OTHERS = """
example.com:443
www.example.co.jp:80
localhost:8080
http://localhost:8080/x.ts:3
https://example.com/src/a.ts:3
https://example.com:8080/src/a.ts:3
[a](https://example.com/a.ts#L3)
git+ssh://git@github.com:22/o/r.ts:5
127.0.0.1:80
10.0.0.1:5432
[::1]:80
node:18
python:3.12
postgres:16-alpine
ghcr.io/org/image:1
registry.example.com/team/app:12
v1.2.3:4
1.2.3:4
12:30
12:30:45.123
2026-11-16T05:57:12Z
dict: 3
{"port": 8080}
{a: 1, b:2}
x[1:3]
ratio 3:2
std::vector<int>:3
foo(10)
math.sqrt(10)
TODO:3
step:4
see lines 3-5
line 10 of the file
src/a.ts:10px
src/a.ts:3.12
1/2:30
src/a.ts
:45
""".strip().splitlines()


@pytest.mark.parametrize("text", OTHERS)
def test_what_is_no_citation_is_not_taken_for_one(text: str) -> None:
    assert list(scan(text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "server.port:8080",
        "bin/tool:10",
        "bitnami/redis:7",
        "library/node@sha256:12",
        "github.com/o/r/a.ts#L3",
        "Node.js:18",
    ],
)
def test_what_may_be_something_else_is_not_sure(text: str) -> None:
    assert [each.sure for each in scan(text)] == [False]


def test_what_a_program_printed_is_not_the_agents_own_word() -> None:
    text = "```\nat foo (node_modules/x/y.js:3:5)\n```\nsrc/a.ts:1\n"
    assert [(each.place, each.sure) for each in scan(text)] == [
        ("node_modules/x/y.js:3", False),
        ("src/a.ts:1", True),
    ]


def test_a_report_may_come_as_a_block_of_markdown() -> None:
    text = "```markdown\nsrc/a.ts:1\n```ts\nconst first = 1\n```\n```\nsrc/b.ts:2\n"
    assert [(each.place, each.sure) for each in scan(text)] == [("src/a.ts:1", True), ("src/b.ts:2", True)]


def only(text: str) -> Citation:
    (found,) = scan(text)
    return found


CODE = "export async function authenticate()"
CLAIMED = [
    f"src/a.ts:45 で認証を発見\n- 確認済み: Read\n- コード一致: `{CODE}`\n- 信頼度: 95",
    f"src/a.ts:45\n  - Code: `{CODE}`",
    f"src/a.ts:45\n- **Code**: {CODE}",
    f"src/a.ts:45: `{CODE}`",
    f"`src/a.ts:45` — `{CODE}`",
    f"**src/a.ts:45** (`{CODE}`)",
    f"`{CODE}` (src/a.ts:45)",
    f"`{CODE}` at `src/a.ts:45`",
    f"src/a.ts:45 contains `{CODE}`",
    f"src/a.ts:45\n`{CODE}`",
    f"src/a.ts:45\n```ts\n{CODE}\n```",
    f"### src/a.ts:45\n\n```ts\n{CODE}\n```",
    f"```ts\n// src/a.ts:45\n{CODE}\n```",
    f"```ts src/a.ts:45\n{CODE}\n```",
    f"| File | Code |\n| --- | --- |\n| src/a.ts:45 | `{CODE}` |",
    f"- 1. ``{CODE}`` (src/a.ts:45)",
]


@pytest.mark.parametrize("text", CLAIMED)
def test_code_that_stands_with_a_citation_is_its_quotation(text: str) -> None:
    assert only(text).quotes == ((CODE, True),)


@pytest.mark.parametrize(
    "text",
    [
        f"src/a.ts:45 should be `{CODE}`",
        f"use `{CODE}` in src/a.ts:45",
        f"src/a.ts:45, which is called by `{CODE}`",
        f"src/a.ts:45 should be:\n```ts\n{CODE}\n```",
        f"src/a.ts:45\n- Suggested code: `{CODE}`",
        f"src/a.ts:45\n```console\n{CODE}\n```",
        f"| File | Remark |\n| --- | --- |\n| src/a.ts:45 | `{CODE}` |",
    ],
)
def test_code_that_may_be_something_else_speaks_for_a_citation_only(text: str) -> None:
    assert [quote.claimed for quote in only(text).quotes] in ([False], [])


@pytest.mark.parametrize(
    "text",
    [
        f"src/a.ts:45\n\nLater: `{CODE}`",
        f"src/a.ts:45\n## Code\n`{CODE}`",
        f"src/a.ts:45\n\ntext\n```ts\n{CODE}\n```",
        "src/a.ts:45",
    ],
)
def test_code_elsewhere_is_no_quotation(text: str) -> None:
    assert only(text).quotes == ()


def test_a_quotation_goes_to_the_citation_it_stands_next_to() -> None:
    found = list(scan("src/a.ts:1: `first(one)` and src/b.ts:2: `second(two)`"))
    assert [[quote.text for quote in each.quotes if quote.claimed] for each in found] == [
        ["first(one)"],
        ["second(two)"],
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("src/a.ts:45\n- Confidence: 95", True),
        ("src/a.ts:45 (confidence 80)", True),
        ("src/a.ts:45\n- 信頼度: 95", True),
        ("src/a.ts:45\n- **신뢰도**: 95", True),
        ("| File | Confidence |\n| --- | --- |\n| src/a.ts:45 | 90 |", True),
        ("src/a.ts:45", False),
        ("src/a.ts:45\n### Confidence\n95", False),
        ("| File | Confidence |\n| --- | --- |\n| src/a.ts:45 | high |", False),
    ],
)
def test_a_confidence_counts_where_it_is_said_of_the_citation(text: str, told: bool) -> None:
    assert only(text).confident is told


def test_a_place_that_is_cited_twice_counts_once_with_all_that_is_quoted_for_it() -> None:
    found = citations("src/a.ts:1\n\nsrc/a.ts:1: `first(one)`\n\nsrc/a.ts:1 confidence 90").found
    assert [(each.place, len(each.quotes), each.confident) for each in found] == [("src/a.ts:1", 1, True)]


def test_of_more_citations_than_that_the_first_count() -> None:
    text = "\n".join(f"src/a.ts:{number}" for number in range(1, MOST + 2))
    assert (len(citations(text).found), citations(text).more) == (MOST, True)
    shorter = text.rpartition("\n")[0]
    assert (len(citations(shorter).found), citations(shorter).more) == (MOST, False)


def test_what_is_no_citation_takes_no_place_of_one() -> None:
    noise = "\n".join(f"a/b{number}:1" for number in range(MOST * 2))
    assert "src/real.ts:1" in [each.place for each in citations(f"{noise}\nsrc/real.ts:1").found]


def test_labels_stand_behind_what_they_speak_of() -> None:
    text = "`src/a.ts:1`, (src/b.ts:2) and **src/c.ts:3**.\n```\nsrc/d.ts:4\n```\n"
    assert marked(text, lambda place: f"[{place[4]}]") == (
        "`src/a.ts:1` [a], (src/b.ts:2) [b] and **src/c.ts:3** [c].\n```\nsrc/d.ts:4 [d]\n```\n"
    )


def result(**changes: Any) -> Result:
    fields: dict[str, Any] = {
        "status": "SUCCESS",
        "summary": "",
        "findings": "",
        "references": (),
        "confidence": 90,
        "confidence_reason": "",
    }
    return Result(**fields | changes)


def test_a_results_references_and_findings_are_citations() -> None:
    handed_in = result(
        summary="It is in src/s.ts:1.",
        references=(Reference("login", "bin/tool:3", "has `run(everything)`"), Reference("x", "nowhere")),
        details=ReviewFindings(
            (
                Finding(
                    "bad",
                    category="security",
                    severity="critical",
                    place="src/f.ts:4",
                    evidence="eval(input)",
                    suggestion="",
                    confidence=90,
                ),
            )
        ),
    )
    assert [(each.place, each.sure, each.confident) for each in cited_in(handed_in)] == [
        ("bin/tool:3", True, False),
        ("src/f.ts:4", True, True),
        ("src/s.ts:1", True, False),
    ]


def test_every_text_of_a_result_is_read() -> None:
    handed_in = result(
        findings="src/a.ts:1",
        next_steps=("src/b.ts:2",),
        details=ImplementationFindings(files=("src/c.ts:3",), behaviour="src/d.ts:4"),
    )
    assert {each.place[4] for each in cited_in(handed_in)} == set("abcd")


def test_a_report_that_is_json_is_read_by_its_values() -> None:
    found = citations_of('{"a": "one\\nsrc/a.ts:1", "b": [{"c": "src/b.ts:2"}], "d": 3}').found
    assert [each.place for each in found] == ["src/a.ts:1", "src/b.ts:2"]
    for text in ("{ src/a.ts:1\n```json\n{}\n```", '{"a": "src/a.ts:1"', "{" * 100_000 + " src/a.ts:1"):
        assert [each.place for each in citations_of(text).found] == ["src/a.ts:1"], text[:40]


@settings(max_examples=200 * SIZE)
@given(st.text(alphabet="ab/.:,-#L()[]`|*\n 0159\"'\\文", max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    for each in scan(text):
        assert 0 < each.stop <= len(text)
        assert each.path
    assert marked(text, lambda _: "") == text


@settings(max_examples=100 * SIZE)
@given(
    st.lists(st.from_regex(r"[a-z_][a-z0-9_-]{0,8}", fullmatch=True), min_size=1, max_size=4),
    st.sampled_from(["py", "ts", "md", "go"]),
    st.integers(1, 99999),
    st.sampled_from(["{}", "({})", "`{}`", "[{}]", "see {}.", "| {} |", "「{}」", "**{}**", "{}:"]),
)
def test_any_path_is_found_in_any_surrounding(names: list[str], ending: str, line: int, around: str) -> None:
    place = f"{'/'.join(names)}.{ending}:{line}"
    assert [each.place for each in scan(around.format(place))] == [place]


HOSTILE: list[Callable[[int], str]] = [
    lambda size: "a" * size,
    lambda size: ":" * size,
    lambda size: ":1" * size,
    lambda size: "a.ts:1," * size,
    lambda size: "a.ts:1" + ",1" * size,
    lambda size: "(" * size + ":1",
    lambda size: "[(" * size + "a.ts" + ")]" * size + ":1",
    lambda size: "`" * size,
    lambda size: "`a" * size,
    lambda size: "``a`" * size,
    lambda size: "`a(b)` a.ts:1 " * size,
    lambda size: "line 1 " * size,
    lambda size: "a.ts line 1 of " * size,
    lambda size: "9" * size + ".ts:" + "9" * size,
    lambda size: "| a " * size + "\n" + "| `a` " * size + "a.ts:1",
    lambda size: "a.ts:1\n" + "- Code: `x`\n" * size,
    lambda size: "```\n" * size,
    lambda size: "```" + " " * size + "`",
    lambda size: "code" * size + "`x` a.ts:1",
    lambda size: "a.ts:1 " + "should " * size + "\n" + "confidence" * size,
    lambda size: "\\|" * size + "|a.ts:1",
    lambda size: " " * size + "x",
]


class Counting:
    """A tracer: how many lines of Python are executed is the measure of work."""

    def __init__(self) -> None:
        self.lines = 0

    def __call__(self, frame: Any, event: str, argument: Any) -> "Counting":
        self.lines += 1
        return self


def steps(text: str) -> int:
    counting = Counting()
    before = sys.gettrace()
    sys.settrace(counting)
    try:
        for _ in scan(text):
            pass
    finally:
        sys.settrace(before)
    return counting.lines


@pytest.mark.parametrize("hostile", HOSTILE)
def test_the_work_grows_no_faster_than_the_text(hostile: Callable[[int], str]) -> None:
    small, large = steps(hostile(100)), steps(hostile(800))
    assert large <= 12 * small


def test_hostile_texts_of_a_million_characters_are_read() -> None:
    for hostile in HOSTILE:
        unit = len(hostile(1000)) / 1000
        for _ in scan(hostile(int(200_000 * SIZE / unit))):
            pass


def test_random_pieces_of_reports_are_read() -> None:
    chance = random.Random(5)
    parts = [text for text, _ in FORMS] + CLAIMED + OTHERS + ["```", "\n", "|", "`", "    ", "#", "> "]
    for _ in range(300 * SIZE):
        text = "".join(chance.choice(parts) for _ in range(chance.randrange(12)))
        cut = text[: chance.randrange(len(text) + 1)]
        labelled = marked(cut, lambda _: "[X]")
        assert re.sub(r" \[X\]", "", labelled) == cut


def test_paths_have_a_limit() -> None:
    assert list(scan("a" * places.LONGEST + "/b.ts:1")) != []
    assert all(len(each.path) <= places.LONGEST for each in scan("a/" * 5000 + "b.ts:1"))
