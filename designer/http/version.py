"""The program's version, as pyproject.toml says it."""

import tomllib
from pathlib import Path

_PROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"
VERSION: str = tomllib.loads(_PROJECT.read_text(encoding="utf-8"))["project"]["version"]
