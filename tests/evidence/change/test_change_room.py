"""The docstring of the room is its map."""

import re
from pathlib import Path

from teamlead.evidence import change


def test_the_docstring_names_every_module_of_the_room() -> None:
    (folder,) = change.__path__
    modules = {path.name for path in Path(folder).glob("*.py")} - {"__init__.py"}
    assert set(re.findall(r"\w+\.py", change.__doc__ or "")) == modules
