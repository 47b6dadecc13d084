"""The command line: commands in groups, exit codes, and errors that say their place."""

from .main import main

__all__ = ["main"]
