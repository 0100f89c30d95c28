"""A program of its own that runs the blocks of Python of documentation, page by page.

It is put into a copy, and run by the Python that the project's own tests are run by: it imports nothing of
ours, and needs no newer one than 3.8.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import os
import sys
import traceback
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

MARKER = "what the blocks came to: "


def main(pages: list[list[str]], places: list[str]) -> None:
    """Prints for each block of each page what speaks against it, if anything.

    `places`: folders that modules are imported from.
    """
    sys.path[:0] = [os.path.abspath(place) for place in places]
    print("\n" + MARKER + json.dumps([list(_told(page)) for page in pages]), flush=True)


def _told(blocks: list[str]) -> Iterator[str | None]:
    """None: it cannot be run by itself. A block may need what those above it have set up."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks:
        try:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                exec(compile(block, "block", "exec"), names)
        except BaseException as error:
            yield None if _is_about_its_place(error) else f"{type(error).__name__}: {error}"
        else:
            yield ""


def _is_about_its_place(error: BaseException) -> bool:
    """What is set up elsewhere, is not installed, is not whole, or needs input, files or a network."""
    if isinstance(error, ModuleNotFoundError):
        return importlib.util.find_spec((error.name or "-").partition(".")[0]) is None
    about = (NameError, SyntaxError, OSError, EOFError)
    if not isinstance(error, Exception) or isinstance(error, about):
        return True
    frames = traceback.extract_tb(error.__traceback__)
    before = error.__cause__ or error.__context__
    # What os.environ does not have is asked for in os.py.
    return frames[-1].filename in (os.__file__, "<frozen os>") or (
        before is not None and _is_about_its_place(before)
    )
