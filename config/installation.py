"""Places of the program's files and of its data."""

from pathlib import Path

BASE_DIR = Path(__file__).resolve().parent.parent
IS_INSTALLED = not (BASE_DIR / "manage.py").is_file()
"""Whether this is an installed package and not a clone."""
PROGRAM = "keywright" if IS_INSTALLED else "python3 run.py"
"""What a person types before a command."""


def data_folder() -> Path:
    """Return the default of KEYWRIGHT_DATA: var/ in a clone, else the system's folder for a person's data."""
    if not IS_INSTALLED:
        return BASE_DIR / "var"
    from platformdirs import user_data_path

    return user_data_path("keywright", appauthor=False)


def cache_folder() -> Path:
    """Return the default of KEYWRIGHT_CACHE: in var/ of a clone, else in the system's folder for a person's caches."""
    if not IS_INSTALLED:
        return BASE_DIR / "var" / "cache"
    from platformdirs import user_cache_path

    return user_cache_path("keywright", appauthor=False)
