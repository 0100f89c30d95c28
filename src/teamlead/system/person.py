"""Who is at the command line: what a journal keeps of whoever decides."""

import os
import pwd
from contextlib import suppress

from teamlead.core.model import Person


def this_person() -> Person:
    """Names the person by their uid, whatever the environment says."""
    return Person(_user(), os.getpid(), _terminal())


def _user() -> str:
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid())


def _terminal() -> str:
    for stream in range(3):
        with suppress(OSError):
            return os.ttyname(stream)
    return ""
