"""Settings of commands that read a file and nothing stored: no database, no people, no pages. They start at once.

The settings of the site begin with these; its head lists the environment's variables.
"""

from config import environment
from config.installation import BASE_DIR, cache_folder, data_folder

KEYWRIGHT_DATA = environment.folder("KEYWRIGHT_DATA", data_folder())
KEYWRIGHT_BOOKS = environment.folder("KEYWRIGHT_BOOKS", KEYWRIGHT_DATA / "books")
KEYWRIGHT_CACHE = environment.folder("KEYWRIGHT_CACHE", cache_folder())
KEYWRIGHT_MEMORY = environment.positive_integer("KEYWRIGHT_MEMORY", 96)
KEYWRIGHT_MOST_EVENTS = environment.positive_integer("KEYWRIGHT_MOST_EVENTS", 20_000_000_000)
KEYWRIGHT_RUN_MINUTES = environment.positive_integer("KEYWRIGHT_RUN_MINUTES", 60)
KEYWRIGHT_RUN_MEMORY_MB = environment.positive_integer("KEYWRIGHT_RUN_MEMORY_MB", 1000)

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("ja", "日本語")]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_TZ = True

INSTALLED_APPS: list[str] = []
LOGGING_CONFIG = None
SECRET_KEY = "files are not signed"
