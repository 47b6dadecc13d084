"""`keywright`, or `python -m keywright`: the command line of an installed copy, in any folder."""

import atexit
import os
import sys
import threading
from pathlib import Path

_APP = Path(__file__).resolve().parent / "app"
"""Where the wheel has the program's packages; in a clone they stand beside this one."""


def main(program: str = "keywright") -> int:
    """Run the command and return its exit code."""
    sys.path.insert(0, str(_APP if _APP.is_dir() else _APP.parents[1]))
    from config.commandline import main as run

    code = run(program, sys.argv[1:])
    if "django" not in sys.modules and threading.active_count() == 1:
        _end(code)
    return code


def _end(code: int) -> None:
    """End a command of files without taking its memory apart first, which takes a twentieth of a lint."""
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:  # nobody reads it any more, which the code says already
            continue
    os._exit(code)


if __name__ == "__main__":
    sys.exit(main())
