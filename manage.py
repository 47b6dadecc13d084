"""The command line of a clone: Keywright's own commands, such as lint and serve, and those of Django."""

import sys

from config.commandline import main

if __name__ == "__main__":
    sys.exit(main("manage.py", sys.argv[1:]))
