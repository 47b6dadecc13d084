"""Appearance of a text that is of no known format, in words: what somebody sees who opens the file."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from designer.document.texts import N_, Text, TextList, build_text

MOST_NAMES = 6
LONGEST_NAME = 30
LONGEST_LINE = 60
_YAML = re.compile(r"(?:---\s*\n)?(?:- )?(?P<name>[A-Za-z_][\w.-]{0,60}):(?:\s|$)")
_DELIMITERS = ("\t", ",", ";")
_PAGE = re.compile(r"(?:<!--.*?-->\s*)?<(?:!doctype html|html|head|body)\b", re.IGNORECASE | re.DOTALL)
_TRACE = re.compile(r"Traceback \(most recent call last\):|\s+at [\w.$<>]+\(.*\)")
_LOGGED = re.compile(r"(?:.*[\s\[(])?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL)[\]):]?\s+\S+\s+\S.*")
_WORD = re.compile(r"[(\"'“‘*_`]*[^\W\d_]+(?:['’-][^\W\d_]+)*[)\"'”’*_`]*[.,;:!?]*[)\"'”’]*")
SENTENCE_WORDS = 4
MOST_LINES = 200
"""So many of a text are looked at."""


def appearance(text: str) -> Text:
    """Return what a text looks like: a page, a log, prose, JSON with its names, YAML, columns, or lines."""
    begun = text.lstrip("\ufeff \t\r\n")
    if (foreign := foreign_text(text)) is not None:
        return foreign
    if begun[:1] in ("{", "["):
        try:
            return _json_appearance(json.loads(begun))
        except (ValueError, RecursionError):
            return build_text(N_("JSON that is damaged or cut"))
    first = begun.partition("\n")[0].strip()
    if _YAML.match(begun):
        names = dict.fromkeys(re.findall(r"(?m)^(?:- )?([A-Za-z_][\w.-]{0,60}):(?:\s|$)", begun[:20_000]))
        return build_text(N_("YAML with {names}"), names=_names(names))
    delimiter = next((candidate for candidate in _DELIMITERS if candidate in first), None)
    if delimiter is not None:
        cells = [cell.strip().strip('"') for cell in first.split(delimiter)]
        return build_text(N_("CSV whose first line is {names}"), names=_names(cells))
    line = first if len(first) <= LONGEST_LINE else f"{first[: LONGEST_LINE - 1]}…"
    return build_text(N_("lines of text, the first “{line}”"), line=line)


def foreign_text(text: str) -> Text | None:
    """Return what a text is that no tool of a database prints: a page, XML, a program's log or prose; None: none."""
    begun = text[:100_000].lstrip("\ufeff \t\r\n")
    lines = [line for line in begun.splitlines()[:MOST_LINES] if line.strip()]
    if _PAGE.match(begun):
        return build_text(N_("a web page (HTML)"))
    if begun.startswith("<?xml") or sum(line.lstrip()[:1] == "<" and ">" in line for line in lines) * 2 > len(lines):
        return build_text(N_("XML or HTML"))
    if any(map(_TRACE.fullmatch, lines)) or _is_most(lines, _LOGGED.fullmatch):
        return build_text(N_("the log of a program"))
    if _is_most(lines, _is_sentence):
        return build_text(N_("prose: words in sentences"))
    return None


def _is_most(lines: Sequence[str], is_one: Callable[[str], object]) -> bool:
    # Cut, as the patterns take time by the length of a line, and a minified file is one line.
    return bool(lines) and sum(bool(is_one(line[:1_000])) for line in lines) * 2 > len(lines)


def _is_sentence(line: str) -> bool:
    """Return whether a line is mostly words with one space between them; or Chinese or Japanese with a full stop."""
    words = line.split(" ")
    return "。" in line or (
        len(words) >= SENTENCE_WORDS and sum(bool(_WORD.fullmatch(word)) for word in words) >= 0.8 * len(words)
    )


def _json_appearance(data: Any) -> Text:
    if isinstance(data, Mapping):
        return build_text(N_("a JSON object with {names}"), names=_names(data))
    if not isinstance(data, list):
        return build_text(N_("a single JSON value"))
    if not data:
        return build_text(N_("an empty JSON list"))
    if isinstance(data[0], Mapping):
        names = dict.fromkeys(str(name) for entry in data[:100] if isinstance(entry, Mapping) for name in entry)
        return build_text(N_("a JSON list of objects with {names}"), names=_names(names))
    return build_text(N_("a JSON list of values that are no objects"))


def _names(names: Iterable[object]) -> TextList | str:
    texts = [str(name) for name in names]
    short_names = [name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…" for name in texts[:MOST_NAMES]]
    return TextList((*short_names, *("…" for _ in texts[MOST_NAMES : MOST_NAMES + 1]))) or "–"
