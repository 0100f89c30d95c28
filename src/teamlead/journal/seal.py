"""A checksum for each event and each row of a view.

SQLite keeps none in its main file, where a disk may change what is stored.
"""

import struct
import zlib

_HEAD = struct.Struct("<qd")


def seal(seq: int, at: float, body: bytes) -> int:
    """Seals a body. Its kind is in it, and an unknown version is refused: both need no seal."""
    return zlib.crc32(_HEAD.pack(seq, at) + body)


def is_sealed(seq: int, at: float, body: bytes, stored: int) -> bool:
    try:
        return zlib.crc32(_HEAD.pack(seq, at) + body) == stored
    except (TypeError, struct.error):
        # Not even of its type any more.
        return False


def seal_of_row(order: int, task: str, state: str, waiting: int, body: bytes) -> int:
    return zlib.crc32(f"{order} {task} {state} {waiting:d} ".encode() + body)


def seal_of_session(body: bytes) -> int:
    return zlib.crc32(body)
