"""Modules of JavaScript whose functions can be called at will."""

import pytest

from teamlead.evidence.proofs.pure_javascript import needs


@pytest.mark.parametrize(
    "text",
    [
        "const { createHash } = require('node:crypto'), path = require(\"path\");\n",
        "import assert from 'assert/strict';\nexport { parse } from 'querystring';\n",
        "exports.run = (job) => job.process(job.window, /local/.global);\n",
        "module.exports = function fetched(text) { return 'the process' + text; };\n",
        "if (typeof module !== 'undefined') module.exports = 1;\n",
        "class Money { constructor(sum) { this.sum = sum; } }\n",
    ],
)
def test_what_touches_only_what_it_is_given_needs_nothing_of_its_project(text: str) -> None:
    assert needs("lib/words.js", text) == []


@pytest.mark.parametrize(
    "text",
    [
        "process.exit(1);\n",
        "const run = eval;\n",
        "new Function('return 1')();\n",
        "setTimeout(() => {}, 1);\n",
        "fetch('http://example.org');\n",
        "globalThis.x = 1;\n",
        "const take = require;\n",
        "require('f' + 's');\n",
        "require(`fs`);\n",
        "import(name);\n",
        "import.meta.url;\n",
        "module.parent;\n",
        "module['constructor'];\n",
        "this.process.exit();\n",
        "`${process.exit()}`;\n",
        "f(a) /process.exit()/ 1;\n",
        "function (:\n",
    ],
)
def test_what_reaches_beyond_it_is_told(text: str) -> None:
    assert needs("lib/words.js", text) is None


@pytest.mark.parametrize("text", ["require('fs');\n", "import 'lodash';\n", "export * from '../../up.js';\n"])
def test_a_module_that_is_nowhere_in_the_project_has_no_place(text: str) -> None:
    assert needs("lib/words.js", text) == [[]]


def test_modules_of_the_project_are_found_as_node_finds_them() -> None:
    (places,) = needs("lib/words.js", "require('./tables');\n") or ()

    assert places[:2] == ["lib/tables.js", "lib/tables.cjs"]
    assert {"lib/tables.json", "lib/tables/index.js"} < {*places}
    assert needs("lib/words.js", "import '../a.mjs';\n")[0][0] == "a.mjs"  # type: ignore[index]
    assert needs("lib/words.js", "import '..';\n") == [["index.js", "index.cjs", "index.mjs"]]
    assert needs("lib/names.json", "[]\n") == ()
    assert needs("lib/words.ts", "export {};\n") is None
