"""SARIF as its readers take it: the part of 2.1.0 that is written here, as types that forbid all else."""

import json
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teamlead.core.reports import Finding, Result, ReviewFindings
from teamlead.forms.aggregation import Report, aggregate
from teamlead.views.aggregate import LeftOut
from teamlead.views.sarif import sarif

Text = Annotated[str, msgspec.Meta(min_length=1)]


class Shape(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    pass


class Message(Shape):
    text: Text


class Artifact(Shape):
    uri: Text
    uri_base_id: Text = "none"


class Region(Shape):
    start_line: Annotated[int, msgspec.Meta(ge=1)]


class Physical(Shape):
    artifact_location: Artifact
    region: Region | None = None


class Location(Shape):
    physical_location: Physical


class Found(Shape):
    rule_id: Text
    rule_index: Annotated[int, msgspec.Meta(ge=0)]
    level: Literal["none", "note", "warning", "error"]
    message: Message
    locations: list[Location]
    rank: Annotated[float, msgspec.Meta(ge=0, le=100)]
    partial_fingerprints: dict[str, str]
    properties: dict[str, Any]


class Rule(Shape):
    id: Text
    short_description: Message


class Driver(Shape):
    name: Text
    version: Text
    rules: list[Rule]


class Tool(Shape):
    driver: Driver


class Notification(Shape):
    level: Literal["error"]
    message: Message


class Invocation(Shape):
    execution_successful: bool
    tool_execution_notifications: list[Notification]


class Run(Shape):
    tool: Tool
    invocations: list[Invocation]
    column_kind: Literal["utf16CodeUnits", "unicodeCodePoints"]
    results: list[Found]


class Log(Shape):
    schema: Text = msgspec.field(name="$schema")
    version: Literal["2.1.0"]
    runs: Annotated[list[Run], msgspec.Meta(min_length=1, max_length=1)]


def report(agent: str, *findings: Finding, status: Any = "SUCCESS") -> Report:
    return Report(
        f"{agent}.md",
        Result(
            status,
            summary="",
            findings="",
            references=(),
            confidence=80,
            confidence_reason="",
            agent=agent,
            details=ReviewFindings(findings),
        ),
    )


def run_of(*reports: Report, left_out: tuple[LeftOut, ...] = ()) -> Run:
    text = json.dumps(sarif(aggregate(reports), left_out))
    (run,) = msgspec.json.decode(text, type=Log).runs
    return run


INJECTION = Finding("SQL from input", "SQL Injection", "critical", "src/my db.py:10", confidence=95)


def test_an_issue_is_a_result_with_its_rule_place_level_and_rank() -> None:
    run = run_of(report("security-auditor", INJECTION), report("qa-engineer", INJECTION))
    (found,) = run.results
    assert (found.rule_id, found.level, found.rank) == ("sql-injection", "error", 100)
    assert found.message.text == "SQL from input"
    place = found.locations[0].physical_location
    assert (place.artifact_location.uri, place.artifact_location.uri_base_id) == (
        "src/my%20db.py",
        "%SRCROOT%",
    )
    assert place.region is not None
    assert place.region.start_line == 10
    assert found.properties["agents"] == ["qa-engineer", "security-auditor"]


def test_an_issue_keeps_its_fingerprint_whoever_reports_it() -> None:
    one, other = run_of(report("a", INJECTION)), run_of(report("b", INJECTION))
    assert one.results[0].partial_fingerprints == other.results[0].partial_fingerprints
    elsewhere = msgspec.structs.replace(INJECTION, place="src/my db.py:11")
    assert (
        run_of(report("a", elsewhere)).results[0].partial_fingerprints != one.results[0].partial_fingerprints
    )


@pytest.mark.parametrize(("place", "locations"), [("", 0), ("src/db.py", 1)])
def test_an_issue_without_a_line_names_none(place: str, locations: int) -> None:
    (found,) = run_of(report("a", msgspec.structs.replace(INJECTION, place=place))).results
    assert len(found.locations) == locations
    assert all(location.physical_location.region is None for location in found.locations)


def test_contested_issues_say_so() -> None:
    minor = msgspec.structs.replace(INJECTION, severity="minor")
    run = run_of(report("a", INJECTION), report("b", minor))
    assert [found.level for found in run.results] == ["error", "note"]
    assert all("a person has to decide" in found.message.text for found in run.results)


def test_what_was_left_out_and_what_failed_is_told_of_the_run() -> None:
    (invocation,) = run_of(
        report("a", status="FAILED"), left_out=(LeftOut("b.md", ("no status",)),)
    ).invocations
    assert not invocation.execution_successful
    assert invocation.tool_execution_notifications[0].message.text == "b.md was left out: no status"


@settings(deadline=None)
@given(
    st.lists(st.builds(Finding, st.text(), st.text(), st.just("minor"), st.text() | st.just("é:/ü?#.py:3")))
)
def test_whatever_agents_write_the_document_is_valid(findings: list[Finding]) -> None:
    run = run_of(report("a", *findings))
    rules = [rule.id for rule in run.tool.driver.rules]
    assert len(rules) == len(set(rules))
    for found in run.results:
        assert rules[found.rule_index] == found.rule_id
        for location in found.locations:
            uri = location.physical_location.artifact_location.uri
            assert uri.isascii()
            assert urlsplit(uri).scheme in {"", "file"}
