"""The program's door. A hook, for which Claude Code waits at every call, does not wait for the commands."""

import sys
from typing import NoReturn


def main() -> NoReturn:
    if sys.argv[1:] == ["guard", "hook"]:
        from teamlead.guard.hook import main as hook  # noqa: PLC0415 - the reason for this module

        sys.exit(hook())
    from teamlead.cli.main import main as front  # noqa: PLC0415 - as above

    front()


if __name__ == "__main__":
    main()
