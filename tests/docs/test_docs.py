"""The documentation holds: its examples run, its links lead somewhere, and what it names exists.

How an example is written:

- `<!-- file: NAME -->` before a block: the block is that file.
- A `console` block is run, command by command, in the order of the page. `# exit code N` at the end of a
  command is checked, 0 if there is none. Every line shown below it must appear in its output; `…` stands for
  lines left out. Ids, hashes, moments and times may differ.
- Each page starts as user `ada` in a repository with one commit, `/home/ada/shop`.

Commands that must not run here are in `sh` blocks.
"""

import importlib.util
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import click
import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token
from tests.zygote import zygote

from teamlead.cli.main import COMMANDS, cli
from teamlead.core.model import TASK_FORMS
from teamlead.core.roles import BUILT_IN
from teamlead.errors import TeamleadError
from teamlead.forms.results.contract import read_result
from teamlead.markup.words import form_named
from teamlead.plans.labels import field_of, type_of
from teamlead.settings.schema import KEYS
from teamlead.teams.labels import LABELS as MEMBER_LABELS
from teamlead.teams.labels import field_of as member_label

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
TESTED_ELSEWHERE = {"scripted-agent.md"}
"""tests/testing/test_agent.py runs it."""
GUIDES = sorted(page for page in (DOCS / "guides").glob("*.md") if page.name not in TESTED_ELSEWHERE)
CONCEPTS = [
    page for page in sorted((DOCS / "concepts").glob("*.md")) if "```console" in page.read_text("utf-8")
]
"""Those with an example."""
SHELL = re.compile(r"[][|&;<>(){}$`*?~#\\\n]")
"""What only a shell understands."""
OWNED_BY_ADA = ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "NO_COLOR", "TEAMLEAD_DEBUG", "PYTHONPATH")


class Command(NamedTuple):
    text: str
    exit_code: int
    shown: tuple[str, ...]


class File(NamedTuple):
    name: str
    content: str


def shown_path(page: Path) -> str:
    return str(page.relative_to(ROOT))


def blocks(page: Path) -> list[Token]:
    tokens: list[Token] = MarkdownIt("commonmark").enable("table").parse(page.read_text(encoding="utf-8"))
    return tokens


def steps(page: Path) -> Iterator[Command | File]:
    """What the page asks its reader to do, in order."""
    name = ""
    for token in blocks(page):
        if token.type == "html_block":
            found = re.fullmatch(r"<!-- file: (\S+) -->", token.content.strip())
            name = found[1] if found else ""
        elif token.type == "fence":
            if name:
                yield File(name, token.content)
            elif token.info == "console":
                yield from _commands(token.content)
            name = ""


def _commands(block: str) -> Iterator[Command]:
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        first, *output = part.splitlines()
        found = re.search(r"\s+# exit code (\d+)$", first)
        text = first[: found.start()] if found else first
        shown = tuple(line.rstrip() for line in output if line.strip() not in {"", "…"})
        yield Command(text, int(found[1]) if found else 0, shown)


class Ada:
    """A reader who does what a page says."""

    def __init__(self, place: Path) -> None:
        self._home = place / "home" / "ada"
        self._at = self._home / "shop"
        self._at.mkdir(parents=True)
        (self._home / "tmp").mkdir()
        kept = {name: value for name, value in os.environ.items() if name not in OWNED_BY_ADA}
        self._environment = kept | {
            "HOME": str(self._home),
            "TMPDIR": str(self._home / "tmp"),
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "GIT_CONFIG_GLOBAL": str(self._home / ".gitconfig"),
            "GIT_CONFIG_NOSYSTEM": "1",
        }
        (self._home / ".gitconfig").write_text("[user]\n\tname = Ada\n\temail = ada@example.com\n")
        (self._at / "README.md").write_text("# The shop\n")
        (self._at / ".gitignore").write_text("__pycache__/\n")
        for command in ("git init -q -b main", "git add -A", "git commit -q -m 'A shop'"):
            assert self.do(Command(command, 0, ())) == []

    def do(self, step: Command | File) -> list[str]:
        """What is not as the page says."""
        if isinstance(step, File):
            path = self._at / step.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(step.content, encoding="utf-8")
            return []
        done = self.run(step.text, merged=True)
        there = [plain(line) for line in done.stdout.replace(str(self._home), "/home/ada").splitlines()]
        wrong = [f"no line {line!r}" for line in step.shown if plain(line) not in there]
        if done.returncode != step.exit_code:
            wrong.append(f"exit code {done.returncode}, not {step.exit_code}")
        return [f"$ {step.text}", *wrong, done.stdout] if wrong else []

    def run(self, command: str, *, merged: bool = False) -> subprocess.CompletedProcess[str]:
        if command.startswith("teamlead ") and not SHELL.search(command):
            words = shlex.split(command)[1:]
            return zygote().run(words, cwd=self._at, environment=self._environment, merged=merged)
        return subprocess.run(
            ["/bin/sh", "-c", command],
            cwd=self._at,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if merged else subprocess.PIPE,
            text=True,
            check=False,
        )

    def json(self, command: str) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self.run(f"teamlead {command} --json").stdout)
        return document


def plain(line: str) -> str:
    """Without what differs from run to run."""
    for pattern, word in (
        (r"\b\d{8}-\d{6}-[a-z0-9]{4}\b", "SESSION"),
        (r"\d{4}-\d\d-\d\dT[\d:.]+Z", "MOMENT"),
        (r"\b\d\d:\d\d:\d\d\b", "CLOCK"),
        (r"^ +\d+\.\d\ds", "TIME"),
        (r"\b\d+s until", "SPAN until"),
        (r"\bpid \d+ on \S+\b", "PROCESS"),
        (r"\(\S+, pid \d+, [^)]+\)", "PERSON"),
        (r"\b[0-9a-f]{7,64}\b", "HASH"),
    ):
        line = re.sub(pattern, word, line)
    return " ".join(line.split())


@pytest.mark.parametrize("page", [ROOT / "README.md", *GUIDES, *CONCEPTS], ids=shown_path)
def test_what_a_reader_does_after_a_page_comes_out_as_it_says(page: Path, tmp_path: Path) -> None:
    todo = list(steps(page))
    assert any(isinstance(step, Command) for step in todo), "the page has no example"
    ada = Ada(tmp_path.resolve())
    for step in todo:
        wrong = ada.do(step)
        assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("text", "exit_code", "shown"),
    [("echo yes", 0, ("no",)), ("exit 3", 0, ()), ("true", 1, ())],
    ids=["a line that is not printed", "an exit code that is not told", "a failure that does not happen"],
)
def test_an_example_that_does_not_hold_is_noticed(
    text: str, exit_code: int, shown: tuple[str, ...], tmp_path: Path
) -> None:
    assert Ada(tmp_path.resolve()).do(Command(text, exit_code, shown)) != []


@pytest.fixture(scope="module", name="asked")
def ada_is_asked(tmp_path_factory: pytest.TempPathFactory) -> Ada:
    """For those who only look."""
    return _asked(tmp_path_factory.mktemp("asked").resolve())


def _asked(home: Path) -> Ada:
    """In the middle of the first plan: a task is done, and a question is open."""
    ada = Ada(home)
    for step in steps(DOCS / "guides" / "first-plan.md"):
        if isinstance(step, Command) and step.text.startswith("teamlead escalations"):
            return ada
        assert ada.do(step) == []
    raise AssertionError("the first plan asks nothing")


def _documents() -> list[dict[str, Any]]:
    """The objects that the page about JSON shows; one of JSON Lines is not among them."""
    fences = [t.content for t in blocks(DOCS / "reference" / "json.md") if t.info == "json"]
    return [json.loads(text) for text in fences if '"seq": 18' not in text]


def _shape(value: Any) -> Any:
    """Keys, at every depth that the page shows."""
    if isinstance(value, dict):
        return {key: _shape(item) for key, item in value.items()}
    return [_shape(value[0])] if isinstance(value, list) and value and isinstance(value[0], dict) else None


def test_status_has_the_shape_that_the_page_shows(asked: Ada) -> None:
    shown, real = _documents()[0], asked.json("status")
    real["session"]["questions"] = []
    assert _shape(real) == _shape(shown)


def test_a_question_has_the_shape_that_the_page_shows(asked: Ada) -> None:
    assert _shape(asked.json("escalations")["questions"][0]) == _shape(_documents()[1])


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("report", ""),
        ("diff", ""),
        ("logs", "1"),
        ("evidence", "1"),
        ("refs verify", "plan.md"),
        ("plan check", "plan.md"),
        ("plan graph", "plan.md"),
        ("config show", ""),
        ("doctor", ""),
        ("init", ""),
    ],
)
def test_the_page_names_the_fields_of_every_other_object(name: str, arguments: str, asked: Ada) -> None:
    assert _fields(name) == set(asked.json(f"{name} {arguments}"))


def test_the_page_names_the_fields_of_what_commands_that_steer_print(tmp_path: Path) -> None:
    ada = _asked(tmp_path.resolve())
    assert _fields("plan add") == set(ada.json("plan add More --scope more/"))
    assert _fields("tell") == set(ada.json("tell 2 hello"))
    assert _fields("reassign") == set(ada.json("reassign 2 --agent scripted:team.toml"))
    assert _fields("pause") == set(ada.json("pause 2"))
    assert _fields("retry") == set(ada.json("retry 2"))
    assert _fields("skip") == set(ada.json("skip 2"))


def _fields(name: str) -> set[str]:
    """That the row of a command names."""
    page = (DOCS / "reference" / "json.md").read_text(encoding="utf-8")
    row = next(line for line in page.splitlines() if line.startswith(f"| `{name}` |"))
    return {"schema_version", *re.findall(r"`(\w+)`", row.split("|")[-2])}


def _rows(page: Path, heading: str) -> Iterator[list[str]]:
    """The cells of the table below a heading."""
    section = page.read_text(encoding="utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    for line in lines[2:]:
        yield [cell.strip() for cell in line.strip("|").split("|")]


def test_every_label_in_the_plan_format_is_one() -> None:
    rows = list(_rows(DOCS / "reference" / "plan-format.md", "Labels"))
    wrong = [
        label
        for name, *others, _ in rows
        for label in [name, *(part.strip() for cell in others for part in cell.split(",") if part)]
        if label and field_of(label) != field_of(name)
    ]
    assert wrong == []
    assert None not in {field_of(row[0]) for row in rows}


def test_every_label_in_the_preset_format_is_one_and_none_is_missing() -> None:
    rows = list(_rows(DOCS / "reference" / "preset-format.md", "Members"))
    labels = [row for row in rows if len(row) == 4 and row[0] not in {"label", "---"}]
    assert {member_label(row[0]) for row in labels} == set(MEMBER_LABELS)
    wrong = [
        word
        for name, *others, _ in labels
        for cell in others
        for word in cell.split(", ")
        if member_label(word) != member_label(name)
    ]
    assert wrong == []


def test_every_type_in_the_plan_format_is_one() -> None:
    rows = _rows(DOCS / "reference" / "plan-format.md", "Types")
    words = [word for row in rows for word in re.findall(r"[a-z]+", row[0])]
    assert [word for word in words if type_of(word) is None] == []


def test_every_form_in_the_plan_format_is_one_with_the_roles_that_it_is_the_default_of() -> None:
    rows = list(_rows(DOCS / "reference" / "plan-format.md", "Forms"))
    assert [row[0] for row in rows] == list(TASK_FORMS)
    for name, words, roles in rows:
        assert {form_named(word) for word in words.split(", ")} == {name}
        assert set(re.findall(r"`([^`]+)`", roles)) == {
            role.name for role in BUILT_IN.values() if role.reports and role.form == name
        }


def test_every_reference_to_a_file_or_heading_leads_there() -> None:
    broken = []
    for page in PAGES:
        for target in _links(page):
            name, _, anchor = target.partition("#")
            path = (page.parent / name).resolve() if name else page
            if not path.exists() or (anchor and anchor not in _anchors(path)):
                broken.append(f"{shown_path(page)}: {target}")
    assert broken == []


def _links(page: Path) -> Iterator[str]:
    for token in blocks(page):
        for child in token.children or ():
            target = str(child.attrs.get("href") or child.attrs.get("src") or "")
            if target and "://" not in target and not target.startswith("mailto:"):
                yield target


def _anchors(page: Path) -> set[str]:
    """As GitHub makes them."""
    tokens = blocks(page)
    headings = [tokens[at + 1].content for at, token in enumerate(tokens) if token.type == "heading_open"]
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("folder", ["guides", "concepts", "reference"])
def test_the_index_names_every_page(folder: str) -> None:
    listed = {(DOCS / target).resolve() for target in _links(DOCS / "README.md")}
    assert [page.name for page in (DOCS / folder).glob("*.md") if page.resolve() not in listed] == []


@pytest.fixture(name="generator")
def load_generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate_reference", DOCS / "generate_reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["cli.md", "config.md", "json.md", "result-contract.md", "roles.md"])
def test_the_reference_is_what_the_code_says(generator: ModuleType, name: str) -> None:
    page = (DOCS / "reference" / name).read_text(encoding="utf-8")
    assert generator.render(name, page) == page, "run `python docs/generate_reference.py`"


def test_the_schemas_are_what_the_code_says(generator: ModuleType) -> None:
    for name, content in generator.FILES.items():
        page = (DOCS / "reference" / name).read_text(encoding="utf-8")
        assert content() == page, "run `python docs/generate_reference.py`"


def test_the_example_of_a_result_keeps_the_contract() -> None:
    tokens = blocks(DOCS / "reference" / "result-contract.md")
    [example] = [token.content for token in tokens if token.info == "markdown"]
    reading = read_result(example)
    assert reading.problems == ()
    assert reading.flags == ()


def test_a_reference_without_a_place_for_what_is_generated_is_refused(generator: ModuleType) -> None:
    with pytest.raises(ValueError, match="has no place"):
        generator.render("cli.md", "# Commands\n")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_heading_in_the_reference(name: str) -> None:
    page = (DOCS / "reference" / "cli.md").read_text(encoding="utf-8")
    assert f"\n### teamlead {name}\n" in page


def test_every_command_that_prints_json_is_on_the_page_about_it() -> None:
    page = (DOCS / "reference" / "json.md").read_text(encoding="utf-8")
    printing = [
        " ".join(words) for words in _words_of_all(cli, click.Context(cli)) if _exists([*words, "--json"])
    ]
    assert "status" in printing
    assert [name for name in printing if not re.search(rf"^(## |.*`){name}\b", page, re.MULTILINE)] == []


def _words_of_all(command: click.Command, context: click.Context) -> Iterator[list[str]]:
    if not isinstance(command, click.Group):
        yield []
        return
    for name in command.list_commands(context):
        child = command.get_command(context, name)
        assert child is not None
        yield from ([name, *words] for words in _words_of_all(child, context))


@pytest.mark.parametrize("name", [key.name for key in KEYS])
def test_every_setting_has_a_row_in_the_reference(name: str) -> None:
    page = (DOCS / "reference" / "config.md").read_text(encoding="utf-8")
    assert f"\n| `{name}` |" in page


def _errors(error: type[TeamleadError]) -> Iterator[type[TeamleadError]]:
    yield error
    for child in error.__subclasses__():
        yield from _errors(child)


@pytest.mark.parametrize("code", sorted({0, 3, 130, *(error.exit_code for error in _errors(TeamleadError))}))
def test_every_exit_code_has_a_row_in_the_reference(code: int) -> None:
    page = (DOCS / "reference" / "exit-codes.md").read_text(encoding="utf-8")
    assert f"\n| {code} |" in page


def test_every_command_that_is_named_exists() -> None:
    unknown = [
        f"{shown_path(page)}: teamlead {' '.join(words)}"
        for page in PAGES
        for words in _named(page)
        if not _exists(words)
    ]
    assert unknown == []


def test_a_command_that_does_not_exist_is_noticed() -> None:
    assert not _exists(["dance"])
    assert not _exists(["plan", "dance"])
    assert not _exists(["status", "--dance"])
    assert _exists(["plan", "check", "plan.md", "--json"])


def _named(page: Path) -> Iterator[list[str]]:
    """What follows the program's name where it stands as code."""
    for token in blocks(page):
        code = [token.content] if token.type == "fence" else []
        code += [child.content for child in token.children or () if child.type == "code_inline"]
        for text in code:
            for found in re.finditer(r"(?:^|[\s(;])teamlead ((?:[\w./:=-]+ ?)+)", text, re.MULTILINE):
                yield shlex.split(found[1])


def _exists(words: list[str]) -> bool:
    """A known command with known options; a plan's file stands for `start`."""
    if words[0].startswith("-"):
        return words[0] in {"--help", "-h", "--version"}
    if words[0].endswith(".md"):
        words = ["start", *words]
    command: click.Command = cli
    context = click.Context(cli)
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        found = command.get_command(context, words[0])
        if found is None:
            return False
        command, words = found, words[1:]
    every = (option for each in command.params for option in (*each.opts, *each.secondary_opts))
    known = {*every, "--help", "-h", "-"}
    return all(word in known for word in words if word.startswith("-"))
