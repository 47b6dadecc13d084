"""Settings of commands that read a file and nothing stored: no database, no people, no pages. They start at once."""

from config.settings import KEYWRIGHT_BOOKS, USE_TZ  # all that such a command asks for

__all__ = ["INSTALLED_APPS", "KEYWRIGHT_BOOKS", "LOGGING_CONFIG", "SECRET_KEY", "USE_TZ"]

INSTALLED_APPS: list[str] = []
LOGGING_CONFIG = None
SECRET_KEY = "files are not signed"
