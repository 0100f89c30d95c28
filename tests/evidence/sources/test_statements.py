"""Source code as its parser sees it, also where several threads ask."""

import gc
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from teamlead.evidence.sources.statements import parsed

SOURCE = "\n".join(
    f"def f{number}(a, b):\n    return [a + b * {number} for c in (1, 2, 3) if c > a]\n"
    for number in range(60)
)


@pytest.fixture
def _switches_amid_parsing() -> Iterator[None]:
    """Between threads, wherever the parser makes anything."""

    def switch(*_: object) -> None:
        time.sleep(0)

    before = gc.get_threshold()
    gc.freeze()
    gc.callbacks.append(switch)
    gc.set_threshold(20)
    yield
    gc.set_threshold(*before)
    gc.callbacks.remove(switch)
    gc.unfreeze()


@pytest.mark.usefixtures("_switches_amid_parsing")
def test_threads_that_parse_at_the_same_time_all_get_what_they_asked_for() -> None:
    with ThreadPoolExecutor(4) as threads:
        trees = list(threads.map(parsed, [SOURCE] * 40))

    assert [len(tree.body) if tree else None for tree in trees] == [60] * 40


@pytest.mark.parametrize("text", ["def", "a\0b", "(" * 1000, "-" * 100_000 + "1"])
def test_what_no_parser_can_read_is_nothing(text: str) -> None:
    assert parsed(text) is None
