"""`keywright`, or `python -m keywright`: the command line of an installed copy, in any folder."""

import sys
from pathlib import Path

_APP = Path(__file__).resolve().parent / "app"
"""Where the wheel has the program's packages; in a clone they stand beside this one."""


def main() -> int:
    """Run the command and return its exit code."""
    sys.path.insert(0, str(_APP if _APP.is_dir() else _APP.parents[1]))
    from config.commandline import main as run

    return run("keywright", sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
