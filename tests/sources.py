"""The program's Python files: each is read and parsed once in a process, for all tests that look through them.

Such tests carry the mark OF_SOURCES, so that one process runs them.
"""

import ast
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("config", "designer", "estimator", "reviews")
OF_SOURCES = pytest.mark.xdist_group("sources")


@cache
def modules() -> tuple[str, ...]:
    """Return the paths of all modules of the program, from the project's folder, in order."""
    return tuple(path.relative_to(ROOT).as_posix() for room in PACKAGES for path in sorted((ROOT / room).rglob("*.py")))


@cache
def tree(name: str) -> ast.Module:
    """Return the syntax tree of a module, which nobody may change."""
    return ast.parse((ROOT / name).read_text(encoding="utf-8"))


@cache
def nodes(name: str) -> tuple[ast.AST, ...]:
    """Return all nodes of a module's syntax tree, as `ast.walk` yields them."""
    return tuple(ast.walk(tree(name)))
