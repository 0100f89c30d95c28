"""Which lines of JavaScript ran, by the coverage that node itself writes when its environment asks for it.

What is transformed before it runs (by a bundler, by jest) has other lines there: all that is known is that it
was loaded.
"""

import json
import re
from collections.abc import Collection, Mapping
from string import Template

from teamlead.core.evidence.asking_names import node_module
from teamlead.core.evidence.values import SuiteRun
from teamlead.evidence.proofs.python_statements import Statement

VARIABLE = "NODE_V8_COVERAGE"
TRANSFORMED = "transformed"
"""Stands in the place of a line."""
SUFFIXES = (".js", ".mjs", ".cjs")
_NO_CODE = re.compile(r"\s*(?://|/\*|\*|import\b|throw\b|export \{|[\W_]*$)")
_ASSERTS = re.compile(r"\b(?:assert|expect)\b|\.(?:equal|deepEqual|is|ok)\(")

_READER = Template("""
const fs = require("fs"), path = require("path"), {fileURLToPath} = require("url");
const files = $files, folder = process.env.NODE_V8_COVERAGE, ran = new Set();
delete process.env.NODE_V8_COVERAGE;
for (const name of fs.existsSync(folder) ? fs.readdirSync(folder) : []) {
  let told;
  try { told = JSON.parse(fs.readFileSync(path.join(folder, name), "utf8")).result; } catch { continue; }
  for (const {url, functions} of told) {
    const place = url.startsWith("file://") ? fileURLToPath(url) : url;
    const file = path.relative(fs.realpathSync("."), place);
    if (!Object.hasOwn(files, file)) continue;
    ran.add(files[file] + ":0");
    const text = fs.readFileSync(file, "utf8"), [whole] = functions[0].ranges;
    const plain = url !== place && whole.startOffset === 0 && whole.endOffset === text.length;
    const counts = new Uint8Array(text.length).fill(1);
    if (!plain) { ran.add(files[file] + ":$transformed"); continue; }
    const ranges = functions.flatMap((each) => each.ranges);
    ranges.sort((a, b) => (b.endOffset - b.startOffset) - (a.endOffset - a.startOffset));
    for (const {startOffset, endOffset, count} of ranges) counts.fill(count ? 1 : 0, startOffset, endOffset);
    let at = 0;
    text.split("\\n").forEach((line, number) => {
      const first = at + line.length - line.trimStart().length;
      const code = counts.subarray(first, at + line.trimEnd().length);
      if (code.includes(1)) ran.add(files[file] + ":" + (number + 1));
      at += line.length + 1;
    });
  }
}
console.log([...ran].join("\\n"));
""")

_AT_THE_END = """
    import v8 from "node:v8";
    const ended = () => { v8.takeCoverage(); process.reallyExit(143); };
    if (/[\\\\/](?:tinypool|vitest)[\\\\/]/.test(process.argv[1] || "")) process.once("SIGTERM", ended);
"""
"""vitest ends the processes that its tests are in by a signal, and node tells nothing of these."""


def asking(suite: SuiteRun | None) -> str:
    """The shell's words before a command that has vitest run tests."""
    if suite is None or "vitest" not in suite.programs:
        return ""
    return f'export NODE_OPTIONS="$NODE_OPTIONS --import={node_module(_AT_THE_END)}"\n'


def added_lines_of_code(text: str, added: Collection[int]) -> list[Statement]:
    """Line by line, and without those that only say that something is wrong."""
    return [
        Statement(number, 0, number, asserts=bool(_ASSERTS.search(line)), function="", function_is_new=False)
        for number, line in enumerate(text.split("\n"), 1)
        if number in added and not _NO_CODE.match(line)
    ]


def reader(files: Mapping[str, int]) -> str:
    """A program for node that tells what ran, as Python's notes do. `files`: what notes call each by."""
    return _READER.substitute(files=json.dumps(dict(files)), transformed=TRANSFORMED)
