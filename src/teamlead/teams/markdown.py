"""The body of a preset → Draft. Never raises: what cannot be read becomes a problem with its line."""

import re
from collections.abc import Callable, Iterable
from typing import Final

from teamlead.markup.blocks import Block, read, written
from teamlead.markup.hidden_characters import hidden_characters
from teamlead.markup.values import Labelled, Value
from teamlead.teams import workflow
from teamlead.teams.cards import BadCard, Card, card
from teamlead.teams.draft import Draft, DraftCard, DraftMember, DraftStage
from teamlead.teams.labels import (
    LABELS,
    POLICIES,
    Label,
    Section,
    begins_with_lead,
    field_of,
    is_gate,
    label,
    nearest_field,
    nearest_policy,
    nearest_section,
    phase_of,
    policy_of,
    section_of,
)

MOST: Final = 64
"""Members of a team, and stages: far more than anybody can follow."""
_CARD_NAME = re.compile(r"[^\W_][\w.-]{0,63}")
_COMMAS = re.compile("[,、，]")  # noqa: RUF001


def parse(body: str, begins: int = 1) -> Draft:
    """`begins`: the line on which the body does."""
    return _Reader("\n" * (begins - 1) + body).read()


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = text.split("\n")
        self._draft = Draft()
        self._member: DraftMember | None = None
        self._heading: DraftCard | None = None

    def read(self) -> Draft:
        section: Section | None = None
        for block in read(self._text):
            if block.kind == "heading" and block.level <= 2:
                section = self._section(block) if block.level == 2 else None
            elif section is not None:
                self._into(section, block)
        self._draft.problems += hidden_characters(self._text)
        return self._draft

    def _section(self, block: Block) -> Section | None:
        found = section_of(block.text)
        self._member = self._heading = None
        if found is None:
            near = nearest_section(block.text)
            hint = f"did you mean {near!r}?" if near else "it is for readers, and no member is told it"
            self._draft.say(block.line, f"the section {block.text[:60]!r} is not read", hint, "warning")
        elif found in self._draft.sections:
            first = self._draft.sections[found]
            self._draft.say(
                block.line, f"{block.text[:60]!r} is there twice, first on line {first}", "join them"
            )
        self._draft.sections.setdefault(found or "", block.line)
        return found

    def _into(self, section: Section, block: Block) -> None:
        if section == "members":
            self._in_members(block)
        elif section == "workflow":
            self._in_workflow(block)
        else:
            self._in_cards(block)

    def _in_members(self, block: Block) -> None:
        if block.kind == "heading" and block.level == 3:
            self._begin(block)
        elif self._member is None:
            return
        elif block.kind == "list":
            for item in block.children:
                self._bullet(self._member, item)
        elif block.kind == "paragraph":
            self._paragraph(self._member, block)
        else:
            self._member.notes.append("\n".join(self._lines[block.start : block.end]))

    def _begin(self, block: Block) -> None:
        self._member = None
        try:
            self._member = DraftMember(card(block.text), block.line)
        except BadCard as fault:
            self._draft.say(block.line, fault.message, fault.remedy)
            if not fault.name:
                return
            self._member = DraftMember(Card(fault.name), block.line)
        self._draft.members.append(self._member)

    def _bullet(self, member: DraftMember, item: Block) -> None:
        text = _first_text(item)
        found = label(text)
        if found is not None and field_of(found.name) is not None:
            self._values(self._labelled(member, found, item.line), found.value, item)
        elif found is not None and found.certain:
            self._unknown(found, item.line, nearest_field, (words[0] for words in LABELS.values()))
        else:
            member.notes.append(written(item, self._lines))

    def _paragraph(self, member: DraftMember, block: Block) -> None:
        """Labels may stand in a paragraph, in bold, one a line."""
        entry: Labelled | None = None
        for number, line in enumerate(block.text.split("\n"), start=block.line):
            found = label(line)
            if found is not None and found.bold:
                entry = None
                if field_of(found.name) is None:
                    self._unknown(found, number, nearest_field, (words[0] for words in LABELS.values()))
                    continue
                entry = self._labelled(member, found, number)
                _add(entry, found.value, number)
            elif entry is not None:
                _add(entry, line.strip(), number)
            else:
                member.notes.append(line)

    def _labelled(self, member: DraftMember, found: Label, line: int) -> Labelled:
        field = field_of(found.name)
        assert field is not None
        where = (field, found.stage)
        if where in member.labels:
            of = f" for {found.stage[:60]!r}" if found.stage else ""
            first = member.labels[where].line
            self._draft.say(
                line,
                f"{LABELS[field][0]!r} is given twice{of} for {member.card.name!r}, first on line {first}",
                "keep one of them, or limit each to a stage: `**Instructions** (REVIEWING):`",
            )
            return Labelled(line)
        return member.labels.setdefault(where, Labelled(line))

    def _values(self, entry: Labelled, inline: str, item: Block) -> None:
        _add(entry, inline, item.line)
        for block in item.children[1:]:
            if block.kind == "code":
                entry.values.append(Value(block.text, block.line, code=True))
            elif block.kind == "list":
                for each in block.children:
                    _add(entry, written(each, self._lines), each.line)
            else:
                _add(entry, written(block, self._lines), block.line)

    def _unknown(
        self, found: Label, line: int, nearest: Callable[[str], str | None], known: Iterable[str]
    ) -> None:
        near = nearest(found.name)
        hint = f"did you mean {near!r}?" if near else f"known: {', '.join(known)}"
        self._draft.say(line, f"unknown label {found.name[:60]!r}", hint)

    def _in_workflow(self, block: Block) -> None:
        for item in block.children if block.kind == "list" else ():
            self._stage(item)

    def _stage(self, item: Block) -> None:
        found = workflow.item(_first_text(item))
        if found is None:
            self._draft.say(
                item.line,
                f"{_first_text(item)[:60]!r} is no stage",
                "write it as in `2. **PLANNING**: designer — depends on ANALYZING`",
            )
            return
        # In any case of letters, as other tools write it, a phase is called as ours is.
        name = found.name.upper() if phase_of(found.name) == found.name.upper() else found.name
        stage = DraftStage(
            name,
            found.phase,
            item.line,
            found.members,
            workflow.depends_on(found.words),
            found.parallel,
        )
        self._draft.stages.append(stage)
        for block in item.children[1:]:
            for bullet in block.children if block.kind == "list" and not is_gate(name) else ():
                self._policy(stage, bullet)

    def _policy(self, stage: DraftStage, bullet: Block) -> None:
        found = label(_first_text(bullet))
        if found is None or begins_with_lead(found.name):
            return
        policy = policy_of(found.name)
        if policy is None:
            if found.certain and not self._is_member(found.name):
                self._unknown(found, bullet.line, nearest_policy, (words[0] for words in POLICIES.values()))
        elif policy in stage.policies:
            self._draft.say(bullet.line, f"{POLICIES[policy][0]!r} is given twice", "keep one of them")
        else:
            entry = stage.policies.setdefault(policy, Labelled(bullet.line))
            self._values(entry, found.value, bullet)

    def _is_member(self, name: str) -> bool:
        return bool(workflow.known(name, [member.card.name for member in self._draft.members]))

    def _in_cards(self, block: Block) -> None:
        if block.kind == "heading":
            self._heading = self._card(block.text, "", block.line)
        elif block.kind == "list":
            for item in block.children:
                text = _first_text(item).replace("`", "")
                found = label(text)
                if self._heading is not None:
                    self._heading.sections.append(" ".join(text.split()))
                elif found is None:
                    self._card(text, "", item.line)
                else:
                    below = [_first_text(each) for child in item.children[1:] for each in child.children]
                    self._card(found.name, ", ".join([found.value, *below]), item.line)

    def _card(self, name: str, sections: str, line: int) -> DraftCard | None:
        plain = name.replace("`", "").strip(" *").removesuffix(".md").removeprefix(".party/")
        plain = plain.removeprefix("findings/")
        if not _CARD_NAME.fullmatch(plain):
            self._draft.say(
                line, f"{name[:60]!r} cannot be a file of findings", "name one, as in `- **analysis**: cause`"
            )
            return None
        parts = (" ".join(part.split()) for part in _COMMAS.split(sections))
        found = DraftCard(plain, line, list(filter(None, parts)))
        if any(each.name == plain for each in self._draft.cards):
            self._draft.say(line, f"the findings {plain!r} are there twice", "join them")
        else:
            self._draft.cards.append(found)
        return found


def _first_text(item: Block) -> str:
    return item.children[0].text if item.children and item.children[0].kind == "paragraph" else ""


def _add(entry: Labelled, text: str, line: int) -> None:
    if text.strip():
        entry.values.append(Value(text.strip(), line))
