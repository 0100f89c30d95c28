"""Which lines of JavaScript ran."""

import shutil
import subprocess
from pathlib import Path

import pytest

from teamlead.core.evidence.values import SuiteRun
from teamlead.evidence.proofs import javascript_coverage as javascript


@pytest.mark.skipif(not shutil.which("node"), reason="needs node")
@pytest.mark.parametrize(("program", "tells"), [("vitest", True), ("mocha", False)])
def test_a_process_that_vitest_ends_by_a_signal_tells_what_ran(
    tmp_path: Path, program: str, tells: bool
) -> None:
    (tmp_path / "vitest").mkdir()
    (tmp_path / "tax.cjs").write_text("exports.gross = (net) => net;\n")
    (tmp_path / "vitest" / "worker.cjs").write_text(
        'require("../tax.cjs"); setInterval(() => {}, 1000);\n'
        'require("child_process").execSync(`kill ${process.pid}`);\n'
    )
    asking = javascript.asking(SuiteRun(program, 1, 0, 0))

    call = f'{asking}export {javascript.VARIABLE}="$PWD/told"\nnode vitest/worker.cjs'
    subprocess.run(["sh", "-c", call], cwd=tmp_path, check=False)

    told = [path.read_text() for path in tmp_path.glob("told/*.json")]
    assert any("tax.cjs" in text for text in told) is tells
