"""What is remembered of runs of checks: one folder a session and kind, a file each.

It only saves time: a file that cannot be read counts as none.
"""

from hashlib import sha256
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from teamlead.system.atomic_files import write_atomically
from teamlead.system.disk import storing

Kind = TypeVar("Kind", bound=msgspec.Struct)


class Memory(Generic[Kind]):
    def __init__(self, folder: Path, kind: type[Kind]) -> None:
        self._folder = folder
        self._kind = kind

    def recall(self, key: str) -> Kind | None:
        try:
            return msgspec.json.decode(self._place(key).read_bytes(), type=self._kind)
        except (OSError, msgspec.DecodeError):
            return None

    def remember(self, key: str, value: Kind) -> None:
        with storing(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
        write_atomically(self._place(key), msgspec.json.encode(value))

    def _place(self, key: str) -> Path:
        return self._folder / f"{key}.json"


def digest(*parts: str) -> str:
    return sha256(msgspec.json.encode(parts)).hexdigest()[:32]
