"""Building blocks of a page as plain data for the template.

The template reads them as JSON, so that no text in them is ever code.
"""

from collections.abc import Iterable, Sequence
from typing import Any

Block = dict[str, Any]
Run = dict[str, Any]
Cell = str | Run | Sequence[Run]
"""A piece of a line is a text, or a text with what marks it; a cell holds one or several."""


def code(text: str) -> Run:
    """Keys, names and qualifiers, as they are in the database."""
    return {"t": text, "c": True}


def strong(text: str) -> Run:
    """Return a text run with strong emphasis, for the most important part of a line."""
    return {"t": text, "b": True}


def quiet(text: str) -> Run:
    """Return a text run in a quiet style, for a qualifier of the text beside it."""
    return {"t": text, "q": True}


def link(text: str, address: str) -> Run:
    """Return a text run that links to a web address."""
    return {"t": text, "a": address}


def sign(severity: str, word: str) -> Run:
    """Return the severity of a finding as a text run: a word with a colour."""
    return {"t": word, "s": severity}


def runs(cell: Cell) -> list[Run]:
    """Return the text runs of a cell."""
    if isinstance(cell, str):
        return [{"t": cell}] if cell else []
    return [cell] if isinstance(cell, dict) else list(cell)


def heading(text: Cell, level: int = 2) -> Block:
    """Return a heading, which is also a bookmark; the title of a section has level 1."""
    return {"is": "heading", "level": level, "runs": runs(text)}


def text(*cells: Cell, muted: bool = False) -> Block:
    """Return a paragraph."""
    return {"is": "text", "runs": [run for cell in cells for run in runs(cell)], "muted": muted}


def verdict(text: str) -> Block:
    """Return the sentence that the first page begins with."""
    return {"is": "verdict", "runs": runs(text)}


def items(lines: Iterable[Cell], columns: int = 1) -> Block:
    """Points."""
    return {"is": "items", "items": [runs(line) for line in lines], "columns": columns}


def keys(lines: Iterable[str]) -> Block:
    """Row keys below each other."""
    return {"is": "keys", "keys": list(lines)}


WHOLE_ROWS, WHOLE_LETTERS = 8, 1_000
"""A table of so few rows and letters stands on one page."""
SHORT, LONGEST = 26, 90
"""A column of up to so many letters is as wide as they are; others are in proportion to theirs, up to so many."""


def table(
    head: Sequence[str], rows: Iterable[Sequence[Cell]], *, numbers: Iterable[int] = (), foot: Sequence[Cell] = (),
    wide: Iterable[int] = (0,),
) -> Block:  # fmt: skip
    """Return a table.

    `numbers` are the right-aligned columns, `wide` those that share the remaining width.
    """
    right, spread = set(numbers), set(wide)
    cells = [[runs(cell) for cell in row] for row in rows]
    longest = [max((_letters(row[column]) for row in cells), default=0) for column in range(len(head))]
    return {
        "is": "table",
        "whole": len(cells) <= WHOLE_ROWS and sum(map(_letters, [c for row in cells for c in row])) <= WHOLE_LETTERS,
        "head": list(head),
        "rows": cells,
        "foot": [runs(cell) for cell in foot],
        "right": [column in right for column in range(len(head))],
        "widths": [
            min(max(length, SHORT), LONGEST) if column in spread or (length > SHORT and column not in right) else 0
            for column, length in enumerate(longest)
        ],
    }


def _letters(cell: list[Run]) -> int:
    """Return the length of a cell; East Asian letters are twice as wide."""
    # From Hangul Jamo on, nearly all letters are East Asian.
    return sum(2 if ord(letter) >= 0x1100 else 1 for run in cell for letter in run["t"])


def facts(pairs: Iterable[tuple[str, Cell, Cell]]) -> Block:
    """Return a row of figures in large letters: name, figure and qualifier."""
    return {"is": "facts", "facts": [{"name": n, "value": runs(v), "more": runs(m)} for n, v, m in pairs]}


def pictures(charts: Iterable[Run | None], columns: int = 1) -> Block:
    """Charts beside each other."""
    return {"is": "pictures", "pictures": [chart for chart in charts if chart], "columns": columns}


def finding(word: Run, rule: str, sentence: str, place: str) -> Block:
    """One finding in a list."""
    return {"is": "finding", "sign": word, "rule": rule, "sentence": sentence, "place": place}


def risk(word: Run, title: str, sentence: str, rule: str, figure: tuple[str, str], when: str) -> Block:
    """One of the largest risks: what it is, the figure at stake with what it is of, and when."""
    value, what = figure
    fields = {"title": title, "sentence": sentence, "rule": rule, "figure": value, "what": what, "when": when}
    return {"is": "risk", "sign": word, **fields}


def legend(text: str, marks: Iterable[tuple[float, str]], colours: Sequence[str]) -> Block:
    """Return the scale of pictures of load, with what they show; each mark has its place on it, 0 to 1."""
    return {"is": "legend", "text": text, "marks": [list(mark) for mark in marks], "colours": list(colours)}


def sign_off(title: str, choices: Iterable[str], lines: Iterable[str]) -> Block:
    """Return a box to sign: choices to tick, and lines to write on."""
    return {"is": "sign-off", "title": title, "choices": list(choices), "lines": list(lines)}
