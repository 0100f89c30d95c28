"""Counts how often SQLite waits for the disk."""

import apsw


class CountingFile(apsw.VFSFile):
    def __init__(self, vfs: "Counting", name: "apsw.URIFilename | str | None", flags: list[int]) -> None:
        self._counter = vfs
        super().__init__("", name, flags)

    def xSync(self, flags: int) -> None:  # noqa: N802 - apsw's name
        self._counter.syncs += 1
        super().xSync(flags)


class Counting(apsw.VFS):
    """SQLite's own file layer, with a counter of the times it waits for the disk."""

    def __init__(self, name: str) -> None:
        self.syncs = 0
        super().__init__(name, "")

    def xOpen(self, name: "apsw.URIFilename | str | None", flags: list[int]) -> CountingFile:  # noqa: N802
        return CountingFile(self, name, flags)
