"""Blocks of consoles and programs that a change adds to pages."""

import shutil

import pytest
from tests.evidence.proofs.test_frozen_harness import OTHER, RIGHT
from tests.evidence.proofs.world import UNITTEST, Shop, only, told

from teamlead.evidence.proofs.documented_blocks import blocks_of, documented_blocks, given, is_harmless
from teamlead.system.offline import why_not

PROOFS = (documented_blocks,)
needs_no_network = pytest.mark.skipif(bool(why_not()), reason=f"no run without network: {why_not()}")
COUNTS = "import sys\nfrom tax import gross\n\nprint(round(gross(int(sys.argv[1]))))\n"
SCRIPT = "import { gross } from './tax.mjs';\nif (gross(100) !== 120) throw new Error('no');\n"
BASE = {
    "tax.py": RIGHT,
    "count.py": COUNTS,
    "tax.mjs": "export const gross = (net) => net * 1.2;\n",
    "test_other.py": OTHER,
    "README.md": "# Shop\n",
}


def page(language: str, *blocks: str) -> dict[str, str]:
    return {"README.md": "# Shop\n" + "".join(f"\n```{language}\n{block}```\n" for block in blocks)}


WRONG = {
    "console": ("console", ["$ python3 count.py 100\n99\n"], "(`python3 count.py 100` gives 120)"),
    "code": ("sh", ["$ python3 count.py\n"], "(`python3 count.py` ends with 1)"),
    "python": (
        "python",
        ["from tax import net\n"],
        "(raises ImportError: cannot import name 'net' from 'tax'",
    ),
    "later": (
        "python",
        ["from tax import gross\n", "gross(1, 2)\n"],
        "README.md:8 (raises TypeError: gross() takes 1 positional argument",
    ),
}


@needs_no_network
@pytest.mark.parametrize(("language", "blocks", "place"), WRONG.values(), ids=WRONG)
def test_a_block_that_does_not_come_out_is_asked_about(
    shop: Shop, language: str, blocks: list[str], place: str
) -> None:
    flag = only(shop.prove(BASE, page(language, *blocks), UNITTEST), "flagged")

    assert place in flag.found
    assert "Is the block right, or the work?" in flag.question


@needs_no_network
@pytest.mark.skipif(not shutil.which("node"), reason="needs node")
def test_programs_of_javascript_run(shop: Shop) -> None:
    wrong = SCRIPT.replace("gross(", "net(").replace("{ gross", "{ net")

    assert told(shop.prove(BASE, page("js", SCRIPT), UNITTEST), "proven") == ["1 blocks of pages run"]
    flag = only(shop.prove({"README.md": "# Shop\n"}, page("js", wrong), UNITTEST), "flagged")
    assert "ends with SyntaxError: The requested module './tax.mjs' does not provide an export" in flag.found


@needs_no_network
def test_blocks_that_come_out_are_told(shop: Shop) -> None:
    blocks = ["$ python3 count.py 100\n12...\n$ python3 count.py 200 | head -n 1\n240\n"]

    assert told(shop.prove(BASE, page("console", *blocks), UNITTEST), "proven") == ["1 blocks of pages run"]


PASSED_OVER = {
    "not installed": ("python", "import nowhere_installed\n"),
    "cut": ("python", "gross = ...\ngross.nothing\n"),
    "set up elsewhere": ("python", "shop.open()\n"),
    "files": ("python", "open('nowhere.txt')\n"),
    "input": ("python", "input()\n"),
    "variables": ("python", "import os\nos.environ['NOWHERE']\n"),
    "network": ("python", "import urllib.request\nurllib.request.urlopen('http://192.0.2.1')\n"),
    "without end": ("console", "$ python3 -m wait\n1\n"),
    "another each time": ("console", "$ python3 -m clock\n1\n"),
    "not ours": ("console", "$ touch made\nyes\n"),
    "marked": ("python no-run", "1 / 0\n"),
}


@needs_no_network
@pytest.mark.parametrize(("language", "block"), PASSED_OVER.values(), ids=PASSED_OVER)
def test_what_no_run_can_tell_is_not_held_against_a_block(shop: Shop, language: str, block: str) -> None:
    base = {
        **BASE,
        "wait.py": "while True: pass\n",
        "clock.py": "import time\nprint(time.time_ns())\n",
    }

    assert told(shop.prove(base, page(language, block), UNITTEST), "flagged") == []


@needs_no_network
def test_old_blocks_are_left_alone(shop: Shop) -> None:
    before = {**BASE, **page("python", "1 / 0\n")}
    after = {"README.md": before["README.md"] + "\n```python\nassert True\n```\n"}

    proofs = shop.prove(before, after, UNITTEST)

    assert told(proofs, "proven") == ["1 blocks of pages run"]
    assert told(proofs, "flagged") == []


@pytest.mark.parametrize(
    ("command", "harmless"),
    [
        ("./bin/shop --all", True),
        ("python3 tools/count.py 1 | head -n 1", True),
        ("python -m shop.main", True),
        ("go run ./cmd/shop", True),
        ("cat README.md", True),
        ("python -m pip install shop", False),
        ("pip install shop", False),
        ("rm -rf build", False),
        ("./bin/shop > out.txt", False),
        ("./bin/shop && git push", False),
        ("go run example.org/shop@latest", False),
        ("python -c 'print(1)'", False),
        ("./bin/other", False),
    ],
)
def test_only_what_reads_or_belongs_to_the_repository_is_run(command: str, harmless: bool) -> None:
    there = {"bin/shop", "tools/count.py", "src/shop/main.py"}

    assert is_harmless(command, there) is harmless


def test_a_command_goes_on_in_the_next_line_and_shows_what_follows() -> None:
    (first, second) = given("$ shop \\\n    --all\n1\n2\n$ shop\n")

    assert (first.command, first.shown) == ("shop \\\n    --all", "1\n2\n")
    assert (second.command, second.shown.strip()) == ("shop", "")


def test_blocks_are_found_with_their_lines() -> None:
    (block,) = blocks_of("a.md", "x\n\n- y\n\n  ```py\n  a = 1\n  b = 2\n  ```\n\n```text\nno\n```\n")

    assert (block.first, block.last, block.text) == (6, 7, "a = 1\nb = 2\n")
