"""Where a text stands in the program of a work."""

from teamlead.evidence.sources.languages import language
from teamlead.evidence.weakening.files_of_tests import is_test
from teamlead.system.git import Git


def in_source(git: Git, commit: str, text: str, *options: str) -> bool:
    """In some source that is no test. `options`: of `git grep`."""
    told = git.run("grep", "-l", "-z", "-I", "-F", *options, "-e", text, commit, ok=(0, 1)).text
    paths = (path.removeprefix(f"{commit}:") for path in told.split("\0") if path)
    return any(language(path) and not is_test(path) for path in paths)
