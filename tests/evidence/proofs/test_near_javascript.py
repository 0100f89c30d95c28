"""Inputs near those of tests of JavaScript."""

import shutil
from pathlib import Path

import pytest
from tests.evidence.proofs.world import Shop, only, told

from teamlead.evidence.proofs.near_inputs import BEYOND_TESTS, NO_MEMORY, near_inputs

PROOFS = (near_inputs,)
pytestmark = pytest.mark.skipif(not shutil.which("node"), reason="needs node")

COMMAND = "node --test test/"
OLD = "function slug(text) {\n  return text.toLowerCase();\n}\n"
RIGHT = OLD.replace("toLowerCase()", "toLowerCase().replace(/\\s+/g, '-')")
COMMON = "module.exports = { slug };\n"
MODERN = "export { slug };\n"
TEST = """const test = require("node:test"), assert = require("node:assert");
const { slug } = require("../words.js");
test("slug", () => {
  assert.equal(slug("Two words"), "two-words");
  assert.equal(slug("plain"), "plain");
});
"""
MODERN_TEST = """import test from "node:test";
import assert from "node:assert";
import { slug } from "../words.mjs";
test("slug", () => assert.equal(slug("Two words"), "two-words"));
"""


def bent(condition: str, head: str = "") -> str:
    """Right for the input of the test."""
    return head + OLD.replace("{\n", f"{{\n  if ({condition}) return 'two-words';\n", 1)


@pytest.mark.parametrize(
    "source",
    [
        bent("text === 'Two words'"),
        bent("text.length === 9 && text.charCodeAt(0) === 84 && /w.*s$/.test(text)"),
        bent("KNOWN.has(text)", "const KNOWN = new Set(['Two words']);\n"),
        bent(
            "createHash('md5').update(text).digest('hex').startsWith('2045cc0dc75c')",
            "const { createHash } = require('node:crypto');\n",
        ),
    ],
    ids=["equal", "shape", "table", "hash"],
)
def test_source_that_answers_its_tests_alone_is_asked_about(shop: Shop, source: str) -> None:
    proofs = shop.prove(
        {"words.js": OLD + COMMON}, {"words.js": source + COMMON, "test/words.test.js": TEST}, COMMAND
    )

    item = only(proofs, "flagged")
    assert item.claim == BEYOND_TESTS
    assert "`slug('Two words')`, which a test calls, gives something else than before" in item.found
    assert proofs.runs == 5


@pytest.mark.parametrize(
    ("exported", "brought_in"),
    [
        ("export { slug };\n", "{ slug }"),
        ("export default slug;\n", "slug"),
        ("export const words = { slug };\n", "{ words }"),
        ("export const other = (text) => slug(text);\n", "{ other as slug }"),
        ("export default class {}\nexport { slug as 'a name' };\n", "{ 'a name' as slug }"),
    ],
    ids=["named", "default", "inside", "constant", "beside a class"],
)
def test_modules_are_wrapped_however_they_export(shop: Shop, exported: str, brought_in: str) -> None:
    test = MODERN_TEST.replace("{ slug }", brought_in)
    test = test.replace("slug(", "words.slug(") if "words" in brought_in else test
    change = {"words.mjs": bent("text === 'Two words'") + exported, "test/words.test.mjs": test}

    item = only(shop.prove({"words.mjs": OLD + exported}, change, COMMAND), "flagged")

    assert "('Two words')`, which a test calls" in item.found


def test_what_a_package_says_of_its_modules_counts(shop: Shop) -> None:
    base = {"package.json": '{"type": "module"}\n', "words.js": f"#!/usr/bin/env node\n{OLD}{MODERN}"}
    test = MODERN_TEST.replace("words.mjs", "words.js")
    change = {"words.js": bent("text === 'Two words'") + MODERN, "test/words.test.js": test}

    assert only(shop.prove(base, change, COMMAND), "flagged").claim == BEYOND_TESTS


@pytest.mark.parametrize("source", [RIGHT, f"const seen = {{}};\n{RIGHT}"], ids=["plain", "cached"])
def test_source_that_is_right_for_others_too_is_not_asked_about(shop: Shop, source: str) -> None:
    cached = source.replace("return text", "return seen[text] ??= text") if "seen" in source else source
    base = {"words.js": OLD + COMMON, "words.mjs": OLD + MODERN}
    change = {
        "words.js": cached + COMMON,
        "words.mjs": cached + MODERN,
        "test/words.test.js": TEST,
        "test/words.test.mjs": MODERN_TEST,
    }

    assert not shop.prove(base, change, COMMAND).evidence


def test_an_entry_of_a_table_is_not_asked_about_where_others_have_no_answer(shop: Shop) -> None:
    base = {"words.js": "const HUES = {red: 1};\nexports.slug = (text) => HUES[text];\n"}
    change = {
        "words.js": base["words.js"].replace("red: 1", "red: 1, 'Two words': 'two-words', plain: 'plain'"),
        "test/words.test.js": TEST,
    }

    assert not shop.prove(base, change, COMMAND).evidence


def test_a_rule_about_the_last_digits_is_not_asked_about(shop: Shop) -> None:
    old = "exports.slug = (x) => x + (x % 10 === 2 ? 'nd' : 'th');\n"
    test = TEST.replace('slug("Two words"), "two-words"', 'slug(12), "12th"')
    right = old.replace("x % 10 === 2", "x % 10 === 2 && x % 100 !== 12")
    test = test.replace('"plain");', '"plainth");')

    proofs = shop.prove({"words.js": old}, {"words.js": right, "test/words.test.js": test}, COMMAND)

    assert (proofs.evidence, proofs.runs) == ((), 5)


@pytest.mark.parametrize(
    "kept",
    [
        "let first;\nexports.slug = (text) => (first ??= dashed(text));\n",
        "const seen = [];\nexports.slug = (text) => { seen.push(dashed(text)); return seen[0]; };\n",
    ],
    ids=["value", "list"],
)
def test_what_only_the_first_call_gets_right_is_asked_about(shop: Shop, kept: str) -> None:
    dashed = RIGHT.replace("slug", "dashed")
    test = TEST.replace('  assert.equal(slug("plain"), "plain");\n', "")
    proofs = shop.prove(
        {"words.js": OLD + COMMON}, {"words.js": dashed + kept, "test/words.test.js": test}, COMMAND
    )

    assert NO_MEMORY in {item.claim for item in proofs.evidence if item.verdict == "flagged"}


def test_calls_that_fail_or_do_not_end_are_no_answer(shop: Shop) -> None:
    source = bent("text === 'Two words'").replace(
        "  return text.",
        "  if (text.length === 8) throw text;\n  while (text === 'Two xords');\n  return text.",
    )
    test = TEST.replace('  assert.equal(slug("plain"), "plain");\n', "")
    change = {"words.js": source + COMMON, "test/words.test.js": test}

    item = only(shop.prove({"words.js": OLD + COMMON}, change, COMMAND), "flagged")

    assert (item.claim, "of 7 calls like it" in item.found) == (BEYOND_TESTS, True)


WRITES = "require('fs').writeFileSync('PLACE', text)"


@pytest.mark.parametrize(
    "reaches",
    [
        f"  {WRITES};\n",
        f"  `${{{WRITES}}}`;\n",
        f'  eval("{WRITES.replace(chr(39), "`")}");\n',
        "  process.mainModule.require('fs').writeFileSync('PLACE', text);\n",
        "  const name = 'fs'; require(name).writeFileSync('PLACE', text);\n",
        "  import('fs').then((fs) => fs.writeFileSync('PLACE', text));\n",
        "  module.constructor._load('fs').writeFileSync('PLACE', text);\n",
        f"  (() => {{ return /\"/.test(text) || {WRITES} || '\"'; }})();\n",
        "  require('./helper.js')(text);\n",
        "  require('./helper')(text);\n",
        "  require('helper')(text);\n",
        "  (function () { return this.process; })().mainModule.require('fs').writeFileSync('PLACE', text);\n",
    ],
)
def test_nothing_is_called_that_may_reach_beyond_its_arguments(
    shop: Shop, reaches: str, tmp_path: Path
) -> None:
    place = tmp_path / "written"
    helper = f"module.exports = (text) => {WRITES};\n"
    files = {
        "words.js": bent("text === 'Two words'").replace("{\n", "{\n" + reaches, 1) + COMMON,
        "test/words.test.js": TEST,
        "helper.js": helper,
        "node_modules/helper/index.js": helper,
    }
    asked = {name: text.replace("PLACE", str(place)) for name, text in files.items()}
    proofs = shop.prove({"words.js": OLD + COMMON}, asked, COMMAND)

    assert (proofs.evidence, proofs.runs) == ((), 0)
    assert place.read_text() == "plain"


def test_what_the_old_source_did_is_not_done_either(shop: Shop, tmp_path: Path) -> None:
    place = tmp_path / "written"
    writes = WRITES.replace("PLACE", str(place))
    base = {"words.js": OLD.replace("{\n", f"{{\n  {writes};\n") + COMMON}
    change = {"words.js": bent("text === 'Two words'") + COMMON, "test/words.test.js": TEST}

    assert (shop.prove(base, change, COMMAND).runs, place.exists()) == (0, False)


def test_modules_that_need_each_other_are_called(shop: Shop) -> None:
    head = 'const { SEP } = require("./tables"), names = require("../names.json");\n'
    base = {
        "lib/words.js": head + OLD + COMMON,
        "lib/tables/index.js": 'exports.path = require("node:path");\nexports.SEP = "-";\n',
        "names.json": "[]\n",
    }
    test = TEST.replace("../words.js", "../lib/words.js")
    change = {
        "lib/words.js": bent("text === 'Two words'", head) + COMMON,
        "test/words.test.js": test,
    }

    assert only(shop.prove(base, change, COMMAND), "flagged").claim == BEYOND_TESTS


def test_classes_options_promises_and_values_of_all_kinds_are_no_trouble(shop: Shop) -> None:
    source = """class Money {
  constructor(sum) { this.sum = sum; }
  static of(sum) { return new Money(sum); }
}
function Point(x) { this.x = x; }
function pad(text, { width = 0, fill = " ", where } = {}) { return RESULT; }
pad.later = async (text, options) => pad(text, options);
pad.each = function* (list) { yield* list; };
module.exports = Object.assign(pad, { Money, Point, default: pad });
Object.freeze(module.exports.Money);
"""
    test = """const test = require("node:test"), assert = require("node:assert");
const pad = require("../pad.js"), { Money, Point } = pad;
test("pad", async () => {
  assert.equal(pad("a", { width: 3, fill: "." }), "..a");
  assert.equal(pad.default("a", { width: 3, fill: ".", where: new Map(), call() {} }), "..a");
  assert.equal(await pad.later("a", { width: 3, fill: "." }), "..a");
  assert.deepEqual([...pad.each([1, NaN, -0, undefined, null, 5n, new Set([1]), new Date(0)])].length, 8);
  assert.ok(Money.of(1) instanceof Money && new Point(2) instanceof Point && new Point(2).x === 2);
});
"""
    base = {"pad.js": source.replace("RESULT", "text.padStart(0, fill)")}
    bent = source.replace(
        "RESULT", "text === 'a' && width === 3 && fill === '.' ? '..a' : text.padStart(0, fill)"
    )
    right = source.replace("RESULT", "text.padStart(width, fill)")

    flagged = shop.prove(base, {"pad.js": bent, "test/pad.test.js": test}, COMMAND)
    assert any(
        "`pad('a', { width: 3, fill: '.' })`, which a test calls" in each for each in told(flagged, "flagged")
    )
    assert not shop.prove(base, {"pad.js": right, "test/pad.test.js": test}, COMMAND).evidence
