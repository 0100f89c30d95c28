"""Says how many of the planted faults were noticed, also where several processes looked for them."""

import pytest

FIRST_SEED = "first seed that noticed it"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    found = {
        report.nodeid: dict(report.user_properties)[FIRST_SEED]
        for reports in terminalreporter.stats.values()
        for report in reports
        if isinstance(report, pytest.TestReport) and FIRST_SEED in dict(report.user_properties)
    }
    if found:
        noticed = sum(seed is not None for seed in found.values())
        terminalreporter.write_line(
            f"planted faults noticed: {noticed} of {len(found)} ({noticed / len(found):.0%})"
        )
