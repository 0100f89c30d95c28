"""Examples of what a task asks for, on real copies of its work."""

import shutil
import subprocess
from typing import Any

import pytest
from tests.evidence.proofs.world import Files, Shop, only, told

from teamlead.core.answers import Example
from teamlead.core.evidence.values import Evidence
from teamlead.evidence.proofs.prover import Proof

PROOFS: tuple[Proof, ...] = ()
TAX = "def gross(net):\n    return round(net * 1.2)\n"
TRY = "from tax import gross\nprint(gross(99))"
RULE = "`gross(99)` is 119"


def example(command: str = "python3 try_it.py", **fields: Any) -> Example:
    given: dict[str, Any] = {"command": command, "file": "try_it.py", "text": TRY, "sentence": RULE}
    return Example(**given | fields)


def tried(shop: Shop, one: Example, work: Files | None = None) -> Evidence:
    (item,) = shop.try_out(work or {"tax.py": TAX}, one).evidence
    assert item.kind == "example"
    return item


def test_work_that_gives_what_was_expected_is_told_so(shop: Shop) -> None:
    item = tried(shop, example(output="119"))

    assert (item.verdict, item.question) == ("proven", "")
    assert item.found == "`python3 try_it.py`: it gives exit code 0 and '119'"
    assert item.details == (f"by the sentence: {RULE}", f"try_it.py is:\n{TRY}")


def test_what_differs_is_a_question_with_both_sides(shop: Shop) -> None:
    item = tried(shop, example(output="118"))

    assert item.verdict == "flagged"
    assert item.question.startswith("Before you saw the work, you expected something else of it.")
    assert "it gives exit code 0 and '119'" in item.found
    assert "expected exit code 0 and '118'" in item.found


@pytest.mark.parametrize(
    ("text", "fields", "verdict"),
    [
        ("print(1, end='')", {"output": "1"}, "proven"),
        ("print(1)\nprint(2)", {"output": "1  \n2"}, "proven"),
        ("print(1)\nprint(2)", {"output": "2"}, "flagged"),
        ("print(1)", {"output": ""}, "flagged"),
        ("print(1)", {}, "proven"),
        ("import sys\nsys.exit(3)", {"exit_code": 3}, "proven"),
        ("import sys\nsys.exit(3)", {}, "flagged"),
        ("import sys\nprint('old', file=sys.stderr)\nprint(1)", {"output": "1"}, "proven"),
        ("raise ValueError('no')", {"exit_code": 1, "output": ""}, "proven"),
    ],
)
def test_output_and_exit_code_count_but_not_what_is_said_of_errors(
    shop: Shop, text: str, fields: dict[str, Any], verdict: str
) -> None:
    assert tried(shop, example(text=text, **fields)).verdict == verdict


def test_where_it_ends_otherwise_its_errors_are_shown(shop: Shop) -> None:
    item = tried(shop, example(text="raise ValueError('much too large')", output="1"))

    assert "exit code 1" in item.found
    assert "much too large" in item.found


def test_what_does_not_end_in_time_differs(shop: Shop) -> None:
    proofs = shop.try_out({"tax.py": TAX}, example(text="while True:\n    pass"), limit=0.5)

    assert "it does not end in time" in only(proofs, "flagged").found


def test_a_program_that_is_not_there_says_nothing(shop: Shop) -> None:
    item = tried(shop, example("no-such-program", file="", text=""))

    assert (item.verdict, item.question) == ("unknown", "")
    assert "it cannot be run here" in item.found


@pytest.mark.parametrize("file", ["tax.py", "tax.py/try_it.py", "tax"])
def test_a_file_of_the_work_never_gives_way(shop: Shop, file: str) -> None:
    item = tried(shop, example(file=file, output="119"), {"tax.py": TAX, "tax/rates.py": "RATE = 1.2\n"})

    assert item.verdict == "unknown"
    assert item.found == f"`python3 try_it.py`: it was not run: the work has a file in the place of {file!r}"


def test_a_file_may_stand_beside_others_of_the_work(shop: Shop) -> None:
    one = example("python3 tax/try_it.py", file="tax/try_it.py", text="print(119)", output="119")
    assert tried(shop, one, {"tax/rates.py": "RATE = 1.2\n"}).verdict == "proven"


def test_a_person_can_run_it_again_on_what_it_ran_on(shop: Shop) -> None:
    item = tried(shop, example(output="118"))
    again = item.command.replace("DIR", str(shop.root.parent / "again"))
    ran = subprocess.run(again, shell=True, cwd=shop.root, check=True, capture_output=True)
    assert ran.stdout.endswith(b"\n119\n")


def test_each_runs_on_a_copy_of_its_own_and_the_checkout_stays_as_it_is(shop: Shop) -> None:
    writes = Example(command="echo 1 >mark.txt; cat mark.txt; rm tax.py", output="1", sentence=RULE)
    looks = Example(command="ls", output="tax.py", sentence=RULE)

    proofs = shop.try_out({"tax.py": TAX}, writes, looks, example(output="119"))

    assert told(proofs, "flagged") == []
    assert [path.name for path in shop.root.iterdir() if path.name != ".git"] == ["tax.py"]
    assert proofs.runs == 3


@pytest.mark.skipif(not shutil.which("go"), reason="no go here")
def test_a_program_in_go_is_an_example_too(shop: Shop) -> None:
    work = {
        "go.mod": "module shop\n\ngo 1.18\n",
        "tax/tax.go": "package tax\n\nfunc Gross(n int) int { return n * 6 / 5 }\n",
    }
    text = 'package main\n\nimport (\n\t"fmt"\n\t"shop/tax"\n)\n\nfunc main() { fmt.Println(tax.Gross(100)) }'

    assert (
        tried(shop, example("go run ./try_it.go", file="try_it.go", text=text, output="120"), work).verdict
        == "proven"
    )


@pytest.mark.skipif(not shutil.which("node"), reason="no node here")
def test_a_program_in_javascript_is_an_example_too(shop: Shop) -> None:
    work = {"tax.js": "exports.gross = (net) => Math.round(net * 1.2);\n"}
    text = "console.log(require('./tax.js').gross(100));"

    assert (
        tried(shop, example("node try_it.js", file="try_it.js", text=text, output="120"), work).verdict
        == "proven"
    )
