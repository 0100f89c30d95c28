"""Functions that are there in name: a parameter that is never read, a body that only says it is to come."""

import re
from collections.abc import Iterator, Sequence

from teamlead.core.evidence.values import Evidence, in_brief
from teamlead.evidence.sources.functions import EMPTY, Function, functions
from teamlead.evidence.sources.languages import language
from teamlead.evidence.weakening.files_of_tests import Text, sources

UNREAD = "what a function is given, it reads"
UNDONE = "nothing of it is left to do"
_TODO = re.compile(r"(?:#|//|/\*|<!--)\s*(?:TODO|FIXME|XXX)\b.*")


def examine_unfinished(texts: Sequence[Text]) -> Iterator[Evidence]:
    code = [text for text in sources(texts) if text.after]
    unread = [found for text in code for found in _unread(text)]
    if unread:
        question = f"Which sentence of the plan asks for a parameter that nothing reads: {in_brief(unread)}?"
        yield _item(UNREAD, unread, question)
    undone = [found for text in code for found in (*_stubs(text), *_todos(text))]
    if undone:
        question = f"Which sentence of the plan lets this be left to do: {in_brief(undone)}?"
        yield _item(UNDONE, undone, question)


def _item(claim: str, found: list[str], question: str) -> Evidence:
    return Evidence("change", "flagged", claim, in_brief(found), details=tuple(found), question=question)


def _unread(text: Text) -> Iterator[str]:
    source = text.after or ""
    before = {each.name: each for each in functions(text.before or "", language(text.path))}
    for function in functions(source, language(text.path)):
        known = before.get(function.name)
        if function.bound or function.stub or (known is None and _is_handed_on(function, source)):
            continue
        had = {*known.parameters} if known else set[str]()
        for name in function.parameters:
            lost = known is not None and name in had and name in known.read
            if name not in function.read and (name not in had or lost):
                how = "does not read any more" if lost else "is given and does not read"
                yield f"{text.path}:{function.line}: {function.name!r} {how} {name!r}"


def _is_handed_on(function: Function, source: str) -> bool:
    """Somebody else calls it, and says what it is given: it stands somewhere without being called."""
    name = rf"(?<!def )(?<!function )(?<!fn )(?<!func )\b{re.escape(function.own_name)}\b"
    return bool(re.search(rf"{name}(?!\s*(?:[(<]|=[^=]))", source))


def _stubs(text: Text) -> Iterator[str]:
    if text.path.endswith(".pyi"):
        # It has no bodies: they stand elsewhere.
        return
    spoken = language(text.path)
    before = {each.name: each for each in functions(text.before or "", spoken)}
    now = functions(text.after or "", spoken)
    own_names = [each.own_name for each in now]
    for function in now:
        known = before.get(function.name)
        if not function.stub or (known and known.stub):
            continue
        # Who derives from a class may fill it; a method that has to be there may be empty.
        if function.bound and (spoken == "python" or function.stub == EMPTY):
            continue
        # A class that others of the file derive from may leave it to them.
        if "." in function.name and own_names.count(function.own_name) > 1:
            continue
        yield f"{text.path}:{function.line}: {function.name!r} is left to do: `{function.stub}`"


def _in_string(line: str, column: int) -> bool:
    return any(line[:column].count(quote) % 2 for quote in "\"'`")


def _todos(text: Text) -> Iterator[str]:
    known = {found[0] for found in _TODO.finditer(text.before or "")}
    for number, line in enumerate((text.after or "").split("\n"), 1):
        found = _TODO.search(line)
        if found and found[0] not in known and not _in_string(line, found.start()):
            yield f"{text.path}:{number}: {found[0][:120]}"
