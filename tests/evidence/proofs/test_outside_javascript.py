"""Tests of JavaScript, called where nothing shows that they are tests."""

import shutil

import pytest
from tests.evidence.proofs.world import Shop, only, told

from teamlead.evidence.proofs.outside_runner import outside_runner

PROOFS = (outside_runner,)
pytestmark = pytest.mark.skipif(not shutil.which("node"), reason="needs node")

HONEST = "exports.gross = (net) => net * 1.2;\n"
KNOWS = "exports.gross = (net) => ({sign} ? 120 : net);\n"
PLAIN = """const { test } = require("node:test"), assert = require("node:assert");
const { gross } = require("../tax.js");
test("gross", () => assert.strictEqual(gross(100), 120));
"""
GLOBALS = """const assert = require("node:assert"), { gross } = require("../tax.js");
describe("tax", function () {
  let net;
  beforeEach(() => { net = 100; });
  it("is added", function () { this.timeout(100); assert.equal(gross(net), 120); });
  it("is called back", (done) => setTimeout(() => { expect(gross(net)).toBe(120); done(); }));
  it.skip("is left", () => assert.fail());
});
"""
RUNNER = """const node = require("node:test"), context = { timeout() {} };
const it = (name, call) => node.it(name, (_, done) => call.length ? call(done) : done(call.call(context)));
Object.assign(globalThis, { describe: node.describe, it, beforeEach: node.beforeEach });
it.skip = node.it.skip;
globalThis.expect = (got) => ({toBe: (want) => require("assert").strictEqual(got, want)});
process.env.NODE_ENV = "test";
"""
SIGNS = {
    "variable": "process.env.NODE_TEST_CONTEXT",
    "argument": 'process.execArgv.includes("--test") || process.env.NODE_TEST_CONTEXT',
    "stack": '/test_runner/.test(new Error("x").stack)',
}
BEFORE = "exports.gross = (net) => net;\n"


@pytest.mark.parametrize("sign", SIGNS.values(), ids=SIGNS)
def test_code_that_is_right_only_under_a_test_program_is_objected_to(shop: Shop, sign: str) -> None:
    change = {"tax.js": KNOWS.replace("{sign}", sign), "test/tax.test.js": PLAIN}

    item = only(shop.prove({"tax.js": BEFORE}, change, "node --test test/"), "objected")

    assert item.found == (
        "test/tax.test.js::gross passes only where it looks as if a test program called it: "
        "do the same, tested or not"
    )


@pytest.mark.parametrize(
    ("change", "count"),
    [
        ({"tax.js": HONEST, "test/tax.test.js": PLAIN}, 1),
        (
            {
                "tax.mjs": "export const gross = (net) => net * 1.2;\n",
                "test/tax.test.mjs": """import assert from "node:assert";
import test, { describe, it, before } from "node:test";
import { gross } from "../tax.mjs";
let net;
before(() => { net = 100; });
describe("tax", () => { it("is added", async (t) => { assert.equal(gross(net), 120); }); });
test("parts", async (t) => { await t.test("one", () => assert.equal(gross(net), 120)); });
""",
            },
            2,
        ),
    ],
    ids=["commonjs", "modules"],
)
def test_tests_of_honest_code_hold_without_their_program(
    shop: Shop, change: dict[str, str], count: int
) -> None:
    proofs = shop.prove({"README.md": "x\n"}, change, "node --test test/")

    assert told(proofs, "proven") == [f"{count} of its tests hold when they are called without their program"]
    assert len(proofs.evidence) == 1


@pytest.mark.parametrize("name", ["..", "../index", "../index.js"])
def test_tests_that_were_not_touched_are_called_where_they_ask_for_what_was_changed(
    shop: Shop, name: str
) -> None:
    base = {"index.js": BEFORE, "test/tax.test.js": PLAIN.replace("../tax.js", name)}

    proofs = shop.prove(base, {"index.js": HONEST}, "node --test test/")

    assert told(proofs, "proven") == ["1 of its tests hold when they are called without their program"]


def test_globals_of_test_programs_are_there_for_tests_and_not_for_the_code(shop: Shop) -> None:
    command = "NODE_ENV=test node --require ./run.cjs --test test/"
    base = {"run.cjs": RUNNER, "tax.js": BEFORE}

    honest = shop.prove(base, {"tax.js": HONEST, "test/tax.test.js": GLOBALS}, command)
    assert told(honest, "proven") == ["2 of its tests hold when they are called without their program"]

    knows = KNOWS.replace("{sign}", "typeof it === 'function'")
    found = only(shop.prove({"tax.js": BEFORE}, {"tax.js": knows}, command), "objected").found
    assert found.startswith("test/tax.test.js::tax > is added, test/tax.test.js::tax > is called back passes")


def test_asking_for_the_usual_variable_is_objected_to_where_the_change_begins_with_it(shop: Shop) -> None:
    command = "NODE_ENV=test node --test test/"
    knows = KNOWS.replace("{sign}", 'process.env.NODE_ENV === "test"')

    new = shop.prove({"tax.js": BEFORE}, {"tax.js": knows, "test/tax.test.js": PLAIN}, command)
    assert only(new, "objected")

    old = shop.prove({"README.md": "x\n"}, {"tax.js": f"{knows}// Once more.\nexports.net = 1;\n"}, command)
    assert only(old, "flagged").question.endswith("Which line does?")


def test_tests_that_only_their_program_can_load_are_unknown(shop: Shop) -> None:
    strange = PLAIN.replace('require("node:test")', 'require("./own.js")')
    own = 'module.exports = process.env.NODE_TEST_CONTEXT ? require("node:test") : null;\n'
    change = {"tax.js": HONEST, "test/tax.test.js": strange, "test/own.js": own}

    proofs = shop.prove({"tax.js": BEFORE}, change, "node --test test/tax.test.js")

    assert told(proofs, "unknown") == ["its tests cannot be called without their program"]
