"""Modules that touch nothing but what they are given: their functions can be called at will."""

from teamlead.evidence.proofs import pure_go, pure_javascript, pure_python
from teamlead.evidence.proofs.bench import Bench
from teamlead.evidence.proofs.harness import is_of_tests
from teamlead.evidence.proofs.variants import entries
from teamlead.evidence.weakening.files_of_tests import Text, read_texts
from teamlead.system.git import Git

_MOST = 30
"""Modules of a project that one of them may need."""


def pure_modules(git: Git, bench: Bench, suffixes: tuple[str, ...]) -> tuple[Text, ...]:
    """The changed source that was there before, if all that it reaches is its arguments, then and now."""
    known = set(bench.was_there())
    paths = [
        path
        for path in bench.is_there()
        if path in known and path.endswith(suffixes) and not is_of_tests(path)
    ]
    texts = read_texts(git, bench.base, bench.work, paths) if paths else []
    return tuple(
        text
        for text in texts
        if is_pure(git, bench.work, text.path, text.after or "")
        and is_pure(git, bench.base, text.path, text.before or "")
    )


def is_pure(git: Git, commit: str, path: str, text: str) -> bool:
    """So are the modules of its own project that it imports."""
    if path.endswith(".go"):
        return pure_go.is_pure(git, commit, path)
    needs = pure_python.needs if path.endswith(".py") else pure_javascript.needs
    asked, known = [(path, text)], {path}
    while asked:
        wanted = needs(*asked.pop())
        if wanted is None:
            return False
        there = entries(git, commit, [place for places in wanted for place in places])
        found = [[place for place in places if there[place]] for places in wanted]
        if not all(found):
            return False
        new = [place for places in found for place in places if place not in known]
        known.update(new)
        if len(known) > _MOST:
            return False
        asked += [(each.path, each.after or "") for each in read_texts(git, commit, commit, new)]
    return True
