import pytest

from teamlead.system.clock import SteadyClock

DAY = 86400.0


class Clocks:
    def __init__(self) -> None:
        self.wall = 1_000_000.0
        self.awake = 500.0

    def pass_by(self, seconds: float) -> None:
        self.wall += seconds
        self.awake += seconds

    def steady(self, after: float = 0.0) -> SteadyClock:
        return SteadyClock(after, lambda: self.wall, lambda: self.awake)


def test_it_tells_wall_time() -> None:
    clocks = Clocks()
    clock = clocks.steady()
    assert clock.now() == 1_000_000.0
    clocks.pass_by(60)
    assert clock.now() == 1_000_060.0


@pytest.mark.parametrize("jump", [3600.0, 30 * DAY])
def test_it_follows_a_clock_that_jumps_ahead_and_the_sleep_of_the_machine(jump: float) -> None:
    clocks = Clocks()
    clock = clocks.steady()
    clocks.wall += jump
    assert clock.now() == 1_000_000.0 + jump


@pytest.mark.parametrize("jump", [-1.0, -3600.0, -30 * DAY])
def test_a_clock_that_is_set_back_neither_stops_it_nor_turns_it_back(jump: float) -> None:
    clocks = Clocks()
    clock = clocks.steady()
    before = clock.now()
    clocks.wall += jump
    assert clock.now() == before
    clocks.pass_by(10)
    assert clock.now() == before + 10


def test_it_is_the_wall_clock_again_once_that_has_caught_up() -> None:
    clocks = Clocks()
    clock = clocks.steady()
    clock.now()
    clocks.wall -= 3600
    clock.now()
    clocks.wall += 7200
    assert clock.now() == clocks.wall


def test_it_starts_no_earlier_than_the_latest_moment_on_record() -> None:
    clocks = Clocks()
    clock = clocks.steady(after=2_000_000.0)
    assert clock.now() == 2_000_000.0
    clocks.pass_by(5)
    assert clock.now() == 2_000_005.0
