"""Tools that newer models of Codex reach only by a program, which they hand to one tool called exec."""

import json
import re

from teamlead.rehearsal.conversation import Call, Tool

EXEC = Tool("exec", "functions", free_form=True)
PROGRAM = """\
// @exec: {{"yield_time_ms": 600000}}
let result = await tools.{name}({input});
while (result?.session_id !== undefined) {{
  result = await tools.write_stdin({{session_id: result.session_id, yield_time_ms: 30000}});
}}
text(result?.content ? result.content.map((part) => part.text).join("\\n") : result);
"""
"""A command that takes long is waited for; of a server's tool only its words are of interest."""


def nested(description: str) -> dict[str, Tool]:
    """The tools that a program may call, as exec's description declares them."""
    declared = re.findall(r"declare const tools: \{ (\w+)\((\w+)", description)
    return {name: Tool(name, free_form=argument == "input", by_code=True) for name, argument in declared}


def wrapped(call: Call) -> Call:
    given = call.input.get("input", "") if call.tool.free_form else call.input
    return Call(EXEC, {"input": PROGRAM.format(name=call.tool.name, input=json.dumps(given))})
