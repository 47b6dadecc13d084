"""Settings of commands that read a file and nothing stored: no database, no people, no pages. They start at once."""

from config.settings import (  # all that such a command asks for
    KEYWRIGHT_BOOKS,
    KEYWRIGHT_MEMORY,
    KEYWRIGHT_MOST_EVENTS,
    KEYWRIGHT_RUN_MEMORY_MB,
    KEYWRIGHT_RUN_MINUTES,
    LANGUAGE_CODE,
    LANGUAGES,
    LOCALE_PATHS,
    USE_TZ,
)

__all__ = [
    "INSTALLED_APPS", "KEYWRIGHT_BOOKS", "KEYWRIGHT_MEMORY", "KEYWRIGHT_MOST_EVENTS", "KEYWRIGHT_RUN_MEMORY_MB",
    "KEYWRIGHT_RUN_MINUTES", "LANGUAGES", "LANGUAGE_CODE", "LOCALE_PATHS", "LOGGING_CONFIG", "SECRET_KEY", "USE_TZ",
]  # fmt: skip

INSTALLED_APPS: list[str] = []
LOGGING_CONFIG = None
SECRET_KEY = "files are not signed"
