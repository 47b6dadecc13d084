"""Appearance of a text that is of no known format, in words: what somebody sees who opens the file."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from designer.document.texts import N_, Text, build_text

MOST_NAMES = 6
LONGEST_NAME = 30
LONGEST_LINE = 60
_YAML = re.compile(r"(?:---\s*\n)?(?:- )?(?P<name>[A-Za-z_][\w.-]{0,60}):(?:\s|$)")
_DELIMITERS = ("\t", ",", ";")


def appearance(text: str) -> Text:
    """Return what a text looks like: JSON with its names, YAML, columns, or lines."""
    begun = text.lstrip("\ufeff \t\r\n")
    if begun[:1] in ("{", "["):
        try:
            return _json_appearance(json.loads(begun))
        except (ValueError, RecursionError):
            return build_text(N_("JSON that is damaged or cut"))
    first = begun.partition("\n")[0].strip()
    if _YAML.match(begun):
        names = dict.fromkeys(re.findall(r"(?m)^(?:- )?([A-Za-z_][\w.-]{0,60}):(?:\s|$)", begun[:20_000]))
        return build_text(N_("YAML with {names}"), names=_names(names))
    delimiter = next((one for one in _DELIMITERS if one in first), None)
    if delimiter is not None:
        cells = [cell.strip().strip('"') for cell in first.split(delimiter)]
        return build_text(N_("CSV whose first line is {names}"), names=_names(cells))
    shown = first if len(first) <= LONGEST_LINE else f"{first[: LONGEST_LINE - 1]}…"
    return build_text(N_("lines of text, the first “{line}”"), line=shown)


def _json_appearance(data: Any) -> Text:
    if isinstance(data, Mapping):
        return build_text(N_("a JSON object with {names}"), names=_names(data))
    if not isinstance(data, list):
        return build_text(N_("a single JSON value"))
    if not data:
        return build_text(N_("an empty JSON list"))
    if isinstance(data[0], Mapping):
        names = dict.fromkeys(str(name) for one in data[:100] if isinstance(one, Mapping) for name in one)
        return build_text(N_("a JSON list of objects with {names}"), names=_names(names))
    return build_text(N_("a JSON list of values that are no objects"))


def _names(names: Iterable[object]) -> str:
    shown = [str(name) for name in names]
    cut = [name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…" for name in shown[:MOST_NAMES]]
    return ", ".join(cut) + (", …" if len(shown) > MOST_NAMES else "") if shown else "–"
