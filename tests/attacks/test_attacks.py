"""What agents that attack get done: nothing in rooms, and without them what can be put right afterwards."""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from tests.attacks import pictures
from tests.attacks.arsenal import ATTACKS
from tests.attacks.attack import Aftermath, Attack
from tests.attacks.persons import Person, ourselves, stranger
from tests.attacks.world import HONEST, SETTINGS, World, world
from tests.flows.other_user import python_for_all

PAGE = Path(__file__).parents[2] / "docs" / "concepts" / "rooms.md"
PERSONS: dict[str, Callable[[Path], Person]] = {"own": ourselves}
if os.getuid() == 0 and python_for_all():
    PERSONS["other"] = stranger

pytestmark = pytest.mark.usefixtures("rooms")


@pytest.fixture(params=PERSONS)
def attacked(request: pytest.FixtureRequest) -> Iterator[World]:
    with world(PERSONS[request.param]) as found:
        yield found


def possible(place: World) -> list[Attack]:
    return [attack for attack in ATTACKS if place.person.uid == 0 or not attack.root_only]


def play(place: World, attacks: Sequence[Attack], mutant: str = "none") -> Aftermath:
    before = pictures.take(place)
    ended = place.attack(attacks, mutant=mutant)
    return place.aftermath(before, ended)


def succeeded(attacks: Sequence[Attack], aftermath: Aftermath) -> set[str]:
    return {attack.name for attack in attacks if attack.succeeded(aftermath)}


def test_there_are_at_least_sixty_of_all_kinds() -> None:
    assert len({attack.slug for attack in ATTACKS}) == len(ATTACKS) >= 60
    assert {attack.damage.kind for attack in ATTACKS} == {
        *("changes", "reads", "speaks", "kills", "decides", "escapes"),
    }


def test_in_a_room_no_attack_does_damage_and_honest_work_beside_it_is_merged(attacked: World) -> None:
    attacks = possible(attacked)
    aftermath = play(attacked, attacks)
    assert succeeded(attacks, aftermath) == set()
    assert aftermath.changed == frozenset()
    assert HONEST in aftermath.merged


BROKEN_ROOMS = {
    "keeps capabilities": {"unmounts what hides the state", "makes the disk writable"},
    "shows the state": {"reads another agent's prompt", "reads the journal"},
    "shares the git directory": {"moves a branch", "sets another folder of hooks", "drops a stash"},
}


@pytest.mark.parametrize(
    "mutant",
    [
        pytest.param("keeps capabilities", marks=pytest.mark.root),
        "shows the state",
        "shares the git directory",
    ],
)
def test_a_room_that_is_broken_on_purpose_is_noticed(mutant: str) -> None:
    wanted = BROKEN_ROOMS[mutant]
    attacks = [attack for attack in ATTACKS if attack.name in wanted]
    with world(ourselves) as place:
        assert succeeded(attacks, play(place, attacks, mutant)) == wanted


def test_without_a_room_they_succeed_and_what_they_change_in_the_repository_can_be_put_right(
    attacked: World,
) -> None:
    attacked.settings(f"room = false\n{SETTINGS}")
    attacks = [attack for attack in possible(attacked) if attack.control == "together"]
    before = pictures.take(attacked)
    aftermath = attacked.aftermath(before, attacked.attack(attacks))
    assert succeeded(attacks, aftermath) == {attack.name for attack in attacks}
    assert len(attacks) >= 25
    assert HONEST in aftermath.merged
    require_mendable(attacked, attacks, before, aftermath)


def require_mendable(
    place: World, attacks: Sequence[Attack], before: pictures.Picture, aftermath: Aftermath
) -> None:
    """What they changed in the repository is told, and as before once it is put back."""
    mendable = [attack for attack in attacks if attack.mends]
    told = json.loads(place.teamlead("mend", "--json").out)
    levels = {item["item"]: item["level"] for item in told["changes"]}
    for attack in mendable:
        for name in attack.mends:
            expected = {"noticed"} if attack.likely else {"open"}
            assert {level for item, level in levels.items() if fnmatchcase(item, name)} == expected, name
    likely = [name for attack in mendable if attack.likely for name in attack.mends]
    assert place.teamlead("mend", *(f"--put-back={name}" for name in ("all", *likely))).code == 0
    still = pictures.differing(before, pictures.take(place))
    assert succeeded(mendable, aftermath._replace(changed=still)) == set()


ALONE = [attack for attack in ATTACKS if attack.control == "alone"]


@pytest.mark.parametrize("attack", ALONE, ids=lambda attack: attack.slug)
def test_without_a_room_one_that_ruins_its_session_succeeds(attack: Attack) -> None:
    with world(ourselves) as place:
        place.settings(f"room = false\n{SETTINGS}")
        before = pictures.take(place)
        aftermath = place.aftermath(before, place.attack([attack]))
        assert succeeded([attack], aftermath) == {attack.name}
        if attack.mends:
            require_mendable(place, [attack], before, aftermath)


HELD = [attack for attack in ATTACKS if attack.control == "held"]


def test_without_a_room_some_are_held_all_the_same() -> None:
    with world(ourselves) as place:
        place.settings(f"room = false\n{SETTINGS}")
        aftermath = play(place, HELD)
        assert succeeded(HELD, aftermath) == set()
        assert HONEST in aftermath.merged


def test_the_documentation_lists_what_cannot_be_put_right_without_a_room() -> None:
    page = " ".join(PAGE.read_text("utf-8").split())
    for attack in ATTACKS:
        if attack.control in ("together", "alone"):
            assert (attack.name in page) == (not attack.mends), attack.name
    assert f"{len(ATTACKS)} attacks" in page
