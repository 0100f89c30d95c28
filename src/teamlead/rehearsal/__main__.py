"""The scripted model as a program: `python -m teamlead.rehearsal SCRIPT --port-file FILE`."""

import argparse
import signal
import sys
import threading
from pathlib import Path
from typing import NoReturn

from teamlead.errors import ConfigError
from teamlead.rehearsal.server import ScriptedModel
from teamlead.runners.script import check_script


def main() -> NoReturn:
    parser = argparse.ArgumentParser(prog="python -m teamlead.rehearsal", description=__doc__)
    parser.add_argument("script", type=Path)
    parser.add_argument("--port-file", type=Path, help="where to write the port, once it listens")
    options = parser.parse_args()
    try:
        script = check_script(options.script.read_text(encoding="utf-8"), str(options.script), "model")
    except (OSError, UnicodeDecodeError, ConfigError) as error:
        sys.exit(str(error))
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    with ScriptedModel(script) as model:
        if options.port_file:
            # Whoever waits for the file must not read half a number.
            beside = options.port_file.with_suffix(".new")
            beside.write_text(f"{model.url.rpartition(':')[2]}\n", encoding="ascii")
            beside.replace(options.port_file)
        sys.stdout.write(f"{model.url}\n")
        sys.stdout.flush()
        ended.wait()
    sys.exit(0)


if __name__ == "__main__":
    main()
