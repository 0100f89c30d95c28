import os
import subprocess
import sys
from pathlib import Path

import pytest

from teamlead.system import wardens
from teamlead.system.wardens import steps
from teamlead.system.wardens.messages import write_order


def test_a_step_that_nobody_knows_is_refused() -> None:
    with pytest.raises(OSError, match="no step into a room"):
        steps.take([b"dance"])


def test_an_order_can_be_carried_out_without_a_warden(tmp_path: Path) -> None:
    place = tmp_path.resolve()
    order = write_order(str(place), ["/bin/sh", "-c", 'pwd; echo "$WORD"; exit 3'], {"WORD": "heard"})
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", str(Path(wardens.__file__).parent), "enter", str(order)],
            pass_fds=[order],
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        os.close(order)
    assert (done.returncode, done.stdout) == (3, f"{place}\nheard\n")
