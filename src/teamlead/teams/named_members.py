"""The members that somebody names for a team, as JSON: who of its preset they are, and what works as them."""

from collections.abc import Callable, Iterator, Sequence

import msgspec
from msgspec.structs import replace

from teamlead.core.roles import BUILT_IN
from teamlead.errors import PlanError, UsageError
from teamlead.teams.cards import ENGINE, PROGRAMS, nearest, program
from teamlead.teams.labels import begins_with_lead
from teamlead.teams.preset import Member, Preset

SAMPLE = '[{"name": "leader", "agent": "leader-agent", "role": "orchestrator"}, …]'
_LONGEST = 200
"""Characters of a field."""


class Named(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    agent: str
    role: str

    @property
    def leads(self) -> bool:
        """It stands for the lead, which is a program in every team."""
        words = (self.name, self.agent.casefold().removesuffix("-agent"), self.role)
        return any(map(begins_with_lead, words)) or self.role.strip().casefold() == "orchestrator"


def read(text: str) -> tuple[Named, ...]:
    """Raises UsageError."""
    try:
        named = msgspec.json.decode(text, type=tuple[Named, ...])
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError) as error:
        raise UsageError(
            f"the members cannot be read: {error}", remedy=f"give a JSON array: {SAMPLE}"
        ) from None
    for each in named:
        for field in (each.name, each.agent, each.role):
            if not field.strip() or len(field) > _LONGEST:
                raise UsageError(
                    f"a member cannot have {field[:60]!r} as its name, agent or role",
                    remedy=f"name all three: {SAMPLE}",
                )
    return named


def fitted(preset: Preset, named: Sequence[Named], located: Callable[[str], str] = str) -> Preset:
    """With the programs that these members name. Whom nobody names works as the preset says.

    `located`: an agent as it is meant everywhere. Raises PlanError, with all that does not fit.
    """
    fits = _Fits(preset, located)
    for each in named:
        if not each.leads:
            fits.take(each)
    if fits.problems:
        raise PlanError(f"the members do not fit the team {preset.name!r}", tuple(fits.problems))
    return replace(preset, members=tuple(fits.members.values()))


class _Fits:
    def __init__(self, preset: Preset, located: Callable[[str], str]) -> None:
        self._located = located
        self._taken: dict[str, str] = {}
        self.members = {member.name: member for member in preset.members}
        self.problems: list[str] = []

    def take(self, named: Named) -> None:
        member = next(self._meant(named), None)
        if member is None:
            known = ", ".join(self.members)
            near = nearest(named.role, self.members) or nearest(named.name, self.members)
            hint = f"did you mean {near!r}?" if near else f"its members: {known}"
            self.problems.append(f"{named.name!r} ({named.role!r}) is no member ({hint})")
        elif member.name in self._taken:
            self.problems.append(
                f"{member.name!r} is named twice: {self._taken[member.name]!r}, {named.name!r}"
            )
        else:
            self._taken[member.name] = named.name
            self._give(member, named.agent.strip())

    def _meant(self, named: Named) -> Iterator[Member]:
        """By its name, by its role, or by both, as in `codex-fixer`."""
        folded = {name.casefold(): member for name, member in self.members.items()}
        for word in (named.name, named.role, named.name.removeprefix(f"{named.agent}-")):
            if (member := folded.get(word.strip().casefold())) is not None:
                yield member

    def _give(self, member: Member, agent: str) -> None:
        """A program works as it; the card that it has in the preset changes nothing."""
        card = agent.casefold().removesuffix("-agent")
        own = {
            member.role,
            f"{ENGINE}:{member.function}" if member.function else "",
            ENGINE * bool(member.function),
        }
        works = program(agent) or (self._located(agent) if ":" in agent else "")
        if card in own:
            return
        if member.function:
            self.problems.append(f"{member.name!r} is `{ENGINE}:{member.function}`, not {agent!r}")
        elif card in BUILT_IN:
            self.problems.append(f"{member.name!r} is {member.role} in this team, not {agent!r}")
        elif not works or agent.startswith(f"{ENGINE}:"):
            hint = f"name a program ({', '.join(PROGRAMS)}) or its role, {member.role}"
            self.problems.append(f"{agent!r} cannot work as {member.name!r}: {hint}")
        else:
            self.members[member.name] = replace(member, agent=works)
