"""What test programs say, in the log of a check and in the reports that it wrote, as one result."""

import os
import re
from pathlib import Path
from stat import S_ISREG

from teamlead.core.evidence.values import SuiteRun
from teamlead.evidence.suites import cargo, go, jest, junit, mocha, node, pytest, tap, unittest, vitest
from teamlead.evidence.suites.tally import CUT, combined
from teamlead.system.text import printable

READERS = (
    pytest.read,
    unittest.read,
    jest.read,
    vitest.read,
    mocha.read,
    node.read,
    tap.read,
    go.read,
    cargo.read,
)
PART = 4 * 1024 * 1024
"""Of a longer log so much of its beginning and of its end is read."""

_REPORT = re.compile(r"[\w./+-]+\.xml\b")


def read_suite(output: str) -> SuiteRun | None:
    """What the output of a command says about tests; None where no known program speaks in it.

    A command that runs several suites has one result, with the tests of all.
    """
    text = printable(output.replace("\r\n", "\n").replace("\r", "\n"))
    rest = junit.without_reports(text)
    return combined(run for run in (junit.read(text), *(read(rest) for read in READERS)) if run)


class Reports:
    """JUnit files that a command names, in its folder. This value is made before the command runs.

    What was there and is still the same was not written by this run, and says nothing about it.
    """

    def __init__(self, command: str, folder: Path) -> None:
        root = os.path.realpath(folder)
        named = (folder / name for name in dict.fromkeys(_REPORT.findall(command)))
        # A loop of links would make `resolve` raise.
        inside = (path for path in named if Path(os.path.realpath(path)).is_relative_to(root))
        self._before = {path: _state(path) for path in inside}

    def written(self) -> list[str]:
        return [_read(path) for path, before in self._before.items() if _state(path) not in (None, before)]


def read_results(log: Path, end: bytes, reports: Reports) -> SuiteRun | None:
    """`end` is the end of the output, which a full log does not have."""
    printed = read_suite(_whole(log, end))
    written = junit.read("\n".join(reports.written()))
    if written is None or printed is None:
        return written or printed
    # The command may have run more than what wrote the report.
    covered = written.failed >= printed.failed and written.ran >= printed.passed
    return written if covered else printed


def _whole(log: Path, end: bytes) -> str:
    text = _read(log)
    last = end.decode("utf-8", "replace").lstrip("\ufffd")
    return text if text.endswith(last) else f"{text}\n{CUT}\n{last}"


def _read(path: Path) -> str:
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size <= 2 * PART:
            return file.read().decode("utf-8", "replace")
        head = file.read(PART)
        file.seek(size - PART)
        return f"{head.decode('utf-8', 'replace')}\n{CUT}\n{file.read().decode('utf-8', 'replace')}"


def _state(path: Path) -> tuple[int, int, int] | None:
    """Returns None where there is no such file, or something else in its place."""
    try:
        found = path.lstat()
    except OSError:
        return None
    return (found.st_ino, found.st_mtime_ns, found.st_size) if S_ISREG(found.st_mode) else None
