"""On which line each part of a JSON text stands, and which keys stand twice. Used only to say where an error is."""

import json
import re
from collections.abc import Collection
from dataclasses import dataclass, field

from .base import Path

_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+"|[\[\]{}:,\n]|[^\s\[\]{}:,"]+', re.DOTALL)
_BRACKET = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[\]{}]', re.DOTALL)

MOST_DOUBLED = 100
"""So many doubled keys are looked for."""


@dataclass
class LineIndex:
    """The line of each part by its path, and the paths of keys that are there twice."""

    by_path: dict[Path, int] = field(default_factory=dict)
    duplicates: list[tuple[Path, int]] = field(default_factory=list)

    def line(self, path: Path) -> int | None:
        """Return the line of the part, or of the nearest existing part around it."""
        while path and path not in self.by_path:
            path = path[:-1]
        return self.by_path.get(path)


@dataclass
class _OpenContainer:
    """A list or object that is being read: where we are in it."""

    path: Path
    is_list: bool
    leads: bool
    """Whether lines of what is inside are wanted."""
    step: str | int = 0
    wants_key: bool = True

    @property
    def current_path(self) -> Path:
        return (*self.path, self.step)


def index_lines(text: str, target_paths: Collection[Path] | None = None) -> LineIndex:
    """Return the lines of all parts of a JSON text.

    The text must be valid JSON, at least up to the first duplicate key. If `target_paths` parts are given, only the
    parts on the paths to them are read, and reading ends when all are found. Reading also ends after a limit of
    duplicate keys.
    """
    ways = {path[:steps] for path in target_paths or () for steps in range(1, len(path) + 1)}
    missing = set(ways)
    index, line, stack = LineIndex({(): 1}), 1, list[_OpenContainer]()
    for match in _TOKEN.finditer(text):
        token = match[0]
        top = stack[-1] if stack else None
        if token == "\n":
            line += 1
        elif token in ("]", "}"):
            # The text can be broken behind the first duplicate key: reading ends there.
            if not stack:
                break
            stack.pop()
        elif token in (",", ":"):
            if top is None:
                break
            if token == ",":
                top.step = top.step + 1 if isinstance(top.step, int) and top.is_list else ""
            top.wants_key = token == ","
        elif top is not None and not top.leads:
            if token in ("[", "{"):
                stack.append(_OpenContainer((), token == "[", False))
        elif top is not None and not top.is_list and top.wants_key:
            top.step = _unquote(token)
            if top.current_path in index.by_path:
                index.duplicates.append((top.current_path, line))
            # The first place wins: for a key that is there twice, the message names the first line.
            index.by_path.setdefault(top.current_path, line)
            missing.discard(top.current_path)
        else:
            path = top.current_path if top else ()
            leads = target_paths is None or path in ways or not path
            if leads:
                index.by_path.setdefault(path, line)
                missing.discard(path)
            if token in ("[", "{"):
                stack.append(_OpenContainer(path, token == "[", leads))
        # A hostile file of nothing but the same key would make as many problems as it has lines.
        if len(index.duplicates) == MOST_DOUBLED or (ways and not missing):
            break
    return index


def _unquote(token: str) -> str:
    try:
        return str(json.loads(token)) if "\\" in token else token[1:-1]
    except ValueError:  # behind a key that is there twice, anything may stand
        return token


def depth(text: str) -> int:
    """Return the maximum nesting depth of lists and objects, for valid and invalid text alike."""
    deepest = now = 0
    for match in _BRACKET.finditer(text):
        if match[0] in ("[", "{"):
            now += 1
            deepest = max(deepest, now)
        elif match[0] in ("]", "}"):
            # May fall below zero in an invalid text; only the maximum matters, and json.loads refuses the rest.
            now -= 1
    return deepest
