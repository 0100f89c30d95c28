"""What a lead does itself is on disk before it does it, whole, and only if it may."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from teamlead.errors import Refused
from teamlead.guard import log
from teamlead.guard.delegation import Verdict
from teamlead.guard.log import entries, record

LOOKUP = ("files", "lines-per-file", "lines", "purpose", "time")


def lookup(*met: str) -> Verdict:
    return Verdict(allowed=True, reason="small", exemption="quick-lookup", met=met)


@pytest.mark.parametrize("missing", LOOKUP)
def test_a_use_of_which_not_every_condition_holds_is_refused_and_not_logged(
    missing: str, tmp_path: Path
) -> None:
    path = tmp_path / "log.jsonl"
    with pytest.raises(Refused, match="'quick-lookup' does not apply"):
        record("read", ["a.py"], lookup(*(name for name in LOOKUP if name != missing)), log=path)
    assert not path.exists()
    record("read", ["a.py"], lookup(*LOOKUP), log=path)
    assert entries(path)[0]["exemption"] == "quick-lookup"


def test_lines_of_several_writers_do_not_mix(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"

    def write(number: int) -> None:
        record("read", [f"{number}" * 1000], lookup(*LOOKUP), log=path)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(100)))
    assert len(entries(path)) == len(path.read_text().splitlines()) == 100


def test_a_line_that_was_cut_off_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    record("read", ["a.py"], lookup(*LOOKUP), log=path)
    path.write_text(path.read_text() + '{"at": "20')
    assert [entry["what"] for entry in entries(path)] == [["a.py"]]


def test_a_log_that_has_become_large_is_put_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "LARGEST", 10)
    path = tmp_path / "log.jsonl"
    for name in ("a.py", "b.py"):
        record("read", [name], lookup(*LOOKUP), log=path)
    assert json.loads((tmp_path / "log.jsonl.1").read_text())["what"] == ["a.py"]
    assert entries(path)[0]["what"] == ["b.py"]


def test_only_the_user_can_read_the_log(tmp_path: Path) -> None:
    path = tmp_path / "new" / "log.jsonl"
    record("read", ["a.py"], lookup(*LOOKUP), log=path)
    assert path.stat().st_mode & 0o077 == 0
