"""What test programs report, read from their output. One file a program."""

from teamlead.core.evidence import SuiteRun
from teamlead.evidence.suites import cargo, go, jest, junit, pytest, unittest, vitest
from teamlead.evidence.suites.tally import combined
from teamlead.system.text import printable

READERS = (pytest.read, unittest.read, jest.read, vitest.read, go.read, cargo.read)


def read_suite(output: str) -> SuiteRun | None:
    """What the output of a command says about tests; None where no known program speaks in it.

    A command that runs several suites has one result, with the tests of all.
    """
    text = printable(output.replace("\r\n", "\n").replace("\r", "\n"))
    rest = junit.without_reports(text)
    return combined(run for run in (junit.read(text), *(read(rest) for read in READERS)) if run)
