"""The command line of a clone: Keywright's own commands, such as lint and serve, and those of Django."""

import sys

from keywright.__main__ import main

if __name__ == "__main__":
    sys.exit(main("manage.py"))
