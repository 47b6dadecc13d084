"""The program's version, as pyproject.toml says it."""

from pathlib import Path

_PROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"


def _version() -> str:
    if _PROJECT.is_file():
        import tomllib

        return str(tomllib.loads(_PROJECT.read_text(encoding="utf-8"))["project"]["version"])
    from importlib.metadata import version  # an installed copy has the same text there

    return version("keywright")


VERSION = _version()
