"""The report as a page that people read."""

from collections.abc import Iterator, Sequence

from teamlead.core.work.acceptance import listed
from teamlead.views.documents.reports import (
    DonePart,
    FlagPart,
    HeldAttemptPart,
    NotDonePart,
    ReadPart,
    ReportDocument,
    ReportedDifficultyPart,
    ReportedSessionPart,
    ReportedStagePart,
    UnacceptedAttemptPart,
    UnverifiedPart,
    ViolationPart,
)
from teamlead.views.documents.sessions import (
    ConsultationPart,
    EvidencePart,
    MessagePart,
    QuestionPart,
    RunsSpentPart,
    TrespassPart,
)
from teamlead.views.leaving import told_leaving
from teamlead.views.moments import counted, span
from teamlead.views.words import (
    TARGETS,
    further,
    headline,
    told_budget,
    told_conflict,
    told_cost,
    told_difficulty,
    told_person,
    told_scope,
    told_stage,
    told_suspects,
)


def report_markdown(document: ReportDocument) -> str:
    session = document["session"]
    lines = [
        f"# {session['title']}",
        "",
        _session_line(session),
        "",
        *_part("Stages", [_stage_line(item) for item in document["stages"] if item["name"]]),
        *_found_lines(document["stages"]),
        *_part("Done", [_done_line(item) for item in document["done"]], "Nothing."),
        *_part("Verified, and how", list(_verified_lines(document)), "Nothing."),
        *_part("The plan as a whole", [_whole_line(item) for item in document["plan_checks"]]),
        *_part("Worth a look", [_flag_line(item) for item in document["flagged"]]),
        *_part(
            "Not verified by a command",
            [_unverified_line(item) for item in document["not_verified"]],
            "Nothing: every criterion was a command." if document["done"] else "Nothing was finished.",
        ),
        *_part("Waiting for you", [_failed_line(item) for item in document["awaiting_answer"]]),
        *_part("Failed or cancelled", [_failed_line(item) for item in document["failed"]], "Nothing."),
        *_part("Skipped or replaced", [_failed_line(item) for item in document["skipped"]]),
        *_part("May be incomplete", list(document["warnings"])),
        *_part(
            "Conflicts ahead",
            [told_conflict(i["task"], i["other"], i["paths"]) for i in document["conflicts_ahead"]],
        ),
        *_part("Read by the lead itself", [_lent_line(item) for item in document["read_by_lead"]]),
        *_part("Not finished", [_failed_line(item) for item in document["unfinished"]]),
        *_part("Attempts that brought nothing", [_refused_line(i) for i in document["unaccepted_attempts"]]),
        *_part("Put on hold", [_held_line(item) for item in document["held_attempts"]]),
        *_part(
            f"Changed in your repository, and open (teamlead mend {document['session']['id']})",
            [_trespass_line(item) for item in document["trespasses"]],
        ),
        *_part("Not allowed, and what came of it", [_violation_line(i) for i in document["violations"]]),
        *_part("Difficulties that agents reported", [_difficulty_line(i) for i in document["difficulties"]]),
        *_part("Questions", [_question_line(item) for item in document["questions"]]),
        *_part("Models that were asked", [_consultation_line(item) for item in document["consultations"]]),
        *_part("You could not be notified", [_one_line(item) for item in document["not_notified"]]),
        *_part("Messages", [_message_line(item) for item in document["messages"]]),
        *_part("Work kept aside", [f"{item['task']}: {item['place']}" for item in document["kept"]]),
        *_part("Spent", list(_spent_lines(document))),
        *_part("Approval", [_approval_line(document)]),
        *_part(
            "The team, at its end", list(told_leaving(document["leaving"])) if document["leaving"] else []
        ),
        *_part("Time line", [f"{i['entered_at']} {i['phase']}: {i['reason']}" for i in document["phases"]]),
        "## Asked",
        "",
        *(f"> {line}".rstrip() for line in document["plan_text"].splitlines()),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _lent_line(item: ReadPart) -> str:
    return f"for {item['task']}, attempt {item['attempt']} ({item['exemption']}): {', '.join(item['read'])}"


def _session_line(session: ReportedSessionPart) -> str:
    where = f"**{session['state']}** ({session['phase']}: {session['phase_reason']})"
    when = f"started {session['created_at']}, {span(session['seconds'])} until the last event"
    return f"Session `{session['id']}`: {where}, {when}."


def _stage_line(item: ReportedStagePart) -> str:
    members = (f"{each['name']} ({each['task']}, {each['state']})" for each in item["members"])
    return f"{told_stage(item)}: {', '.join(members) or ', '.join(item['tasks'])}"


def _found_lines(stages: Sequence[ReportedStagePart]) -> Iterator[str]:
    """What each stage found, whole and as it was handed in."""
    told = [stage for stage in stages if stage["findings"]]
    if told:
        yield from ("## Found", "")
    for stage in told:
        for each in stage["findings"]:
            yield from (f"### {stage['name']}: {each['member']} ({each['task']})", "")
            yield from (f"> {line}".rstrip() for line in each["text"].splitlines())
            yield ""


def _part(title: str, items: list[str], empty: str = "") -> list[str]:
    if not items and not empty:
        return []
    return [f"## {title}", "", *(f"- {item}" for item in items or [empty]), ""]


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _done_line(item: DonePart) -> str:
    change = (
        f"{counted(item['files_total'], 'file')}, +{item['lines_added']} -{item['lines_deleted']}"
        if item["commit"]
        else "no change"
    )
    tries = "" if item["attempts_total"] == 1 else f", {item['attempts_total']} attempts"
    told = f": {_one_line(item['summary'])}" if item["summary"] else ""
    return f"{item['task']} ({item['title']}), {change}{tries}{told}"


def _verified_lines(document: ReportDocument) -> Iterator[str]:
    yield from (_verified_line(item) for item in document["done"])
    for item in document["without_full_room"]:
        yield f"the checks of {listed(item['checks_of'])} ran {item['ran']}"


def _verified_line(item: DonePart) -> str:
    verified = item["verified"]
    proofs = []
    if verified["changed"]:
        proofs.append(f"changed only {listed(verified['in_scope'])}")
    proofs += [f"`{check['command']}` {check['found']}" for check in verified["checks"]]
    for each in item["evidence"]:
        if (each["kind"], each["verdict"]) == ("report", "proven"):
            proofs.append(each["found"])
        if each["kind"] == "references" and each["verdict"] in {"proven", "flagged"}:
            proofs.append(f"references: {_one_line(each['found'])}")
    if verified["merged"]:
        proofs.append(f"merged as {item['commit'][:10]}")
    return f"{item['task']}: {'; '.join(proofs) or 'nothing to verify'}"


def _whole_line(item: EvidencePart) -> str:
    return f"{item['claim']}: {_one_line(item['found'])}"


def _flag_line(item: FlagPart) -> str:
    details = "".join(f"; {_one_line(detail)}" for detail in further(item["found"], item["details"]))
    waived = " (accepted by a person nevertheless)" if item["accepted_by_a_person"] else ""
    return f"{item['task']}, {item['kind']}: {_one_line(item['found'])}{details}{waived}"


def _unverified_line(item: UnverifiedPart) -> str:
    judged = f" (fulfilled, says the judge: {_one_line(item['judged'])})" if item["judged"] else ""
    return f"{item['task']} ({item['title']}): {'; '.join(item['acceptance'])}{judged}"


def _consultation_line(item: ConsultationPart) -> str:
    about = f" about {item['task']}" if item["task"] else ""
    return f"{item['id']}: the {item['role']}{about} {_one_line(item['answer'] or _unanswered(item))}"


def _unanswered(item: ConsultationPart) -> str:
    if not item["end"]:
        return "has not answered yet"
    how = "that can be read" if item["end"] == "ok" else f"({item['end']})"
    return f"gave no answer {how}{': ' * bool(item['problem'])}{item['problem']}"


def _failed_line(item: NotDonePart) -> str:
    reason = f": {headline(item['reason'])}" if item["reason"] else ""
    return f"{item['task']} ({item['title']}) {item['state']}{reason}"


def _refused_line(item: UnacceptedAttemptPart) -> str:
    reasons = "; ".join(headline(reason) for reason in item["reasons"])
    return f"{item['task']} attempt {item['attempt']} {item['outcome']}: {reasons}"


def _question_line(item: QuestionPart) -> str:
    by = f"{item['by']}{told_person(item['person'])}"
    answer = f"answered by {by}: {item['answer']}" if item["state"] == "answered" else item["state"]
    target = "" if item["to"] == "user" else f" for {TARGETS[item['to']]}"
    about = (
        " ".join((item["id"], *(each["id"] for each in item["tasks"])))
        + " while it worked" * item["while_working"]
        + target
    )
    # What an agent asks is told whole; of what failed, the reasons stand above.
    asked = _one_line(item["text"]) if item["kind"] == "question" else headline(item["text"])
    return f"{about}: {asked} → {_one_line(answer)}"


def _held_line(item: HeldAttemptPart) -> str:
    who = f"{item['task']} attempt {item['attempt']} ({item['agent']})"
    return f"{who}, {item['ended_at']}: {_one_line(item['reason'])}"


def _trespass_line(item: TrespassPart) -> str:
    return _one_line(f"{item['what']}{told_suspects(item)}")


def _violation_line(item: ViolationPart) -> str:
    return f"{item['task']} attempt {item['attempt']}, {item['kind']}: {_one_line(item['what'])}"


def _difficulty_line(item: ReportedDifficultyPart) -> str:
    told = [_one_line(item["issue"]), *(f"tried: {_one_line(each)}" for each in item["tried"])]
    told += [f"suggested: {_one_line(item['suggestion'])}"] if item["suggestion"] else []
    return f"{item['task']} attempt {item['attempt']}, {told_difficulty(item)}: {'; '.join(told)}"


def _message_line(item: MessagePart) -> str:
    kind = "" if item["type"] == "message" else f", {item['type']}"
    told = _one_line(item["text"]) or item["summary"]
    return f"{item['sent_at']} {item['sender']} to {item['to']}{kind}: {told}"


def _spent_lines(document: ReportDocument) -> Iterator[str]:
    spent = document["spent"]
    yield _spent_line(spent)
    for groups, word in ((spent["by_agent"], "agent"), (spent["by_role"], "role")):
        if len(groups) > 1:
            yield from (f"{word} {name}: {_spent_line(group)}" for name, group in groups.items())
    for view in document["budgets"]:
        yield f"budget of {told_scope(view['scope'])}: {told_budget(view)}"


def _spent_line(spent: RunsSpentPart) -> str:
    tokens = " and ".join(
        f"{'unknown' if number is None else number} tokens {way}"
        for number, way in ((spent["input_tokens"], "in"), (spent["output_tokens"], "out"))
    )
    runs = f"{counted(spent['runs'], 'agent run')}, {span(spent['agent_seconds'])} in total"
    turns = f"; {counted(spent['turns'], 'turn')}" if spent["turns"] else ""
    return f"{runs}; {tokens}{turns}; {told_cost(spent['cost_usd'], spent['unpriced'])}"


def _approval_line(document: ReportDocument) -> str:
    approval = document["approval"]
    if document["rejected"]:
        return f"Rejected: {_one_line(document['rejected'])}. Nothing was applied."
    if approval is None or not approval["commit"]:
        tip = document["session"]["integration_commit"]
        waits = f"The work is at {tip[:10]}. " if tip else ""
        return f"{waits}Nothing was applied to `{document['session']['target_branch']}`."
    where = f"`{approval['branch']}` is at {approval['commit'][:10]}"
    undo = f"; undo: `{approval['undo']}`" if approval["undo"] else ""
    return f"{where}, by {approval['by']}{told_person(approval['person'])}{undo}"
