"""Markdown from people as blocks. What is no paragraph, list or code is its text; addresses only of the web."""

from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token

from .blocks import Block, Cell, Run, items, keys, text

# Headings would mix with the document's own, and pictures would be fetched or be missing.
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).disable(["image", "heading", "lheading"])
_MARKS = {"strong_open": "b", "em_open": "i"}


def blocks(source: str) -> Iterator[Block]:
    """Yield the paragraphs, lists and code of a text."""
    cells: list[Cell] = []
    depth = 0
    for token in _MARKDOWN.parse(source):
        if token.type.endswith("list_open"):
            depth += 1
        elif token.type.endswith("list_close"):
            depth -= 1
            if not depth:
                yield items(cells)
                cells = []
        elif token.type == "inline" and depth:
            cells.append(_runs(token.children or ()))
        elif token.type == "inline":
            yield text(_runs(token.children or ()))
        elif token.type in ("fence", "code_block"):
            yield keys(token.content.rstrip("\n").split("\n"))


def _runs(tokens: Sequence[Token]) -> list[Run]:
    runs: list[Run] = []
    marks: dict[str, object] = {}
    for token in tokens:
        if token.type in _MARKS:
            marks[_MARKS[token.type]] = True
        elif token.type.endswith("_close"):
            marks.pop({"strong_close": "b", "em_close": "i", "link_close": "a"}.get(token.type, ""), None)
        elif token.type == "link_open":
            address = str(token.attrs.get("href", ""))
            # A PDF reader also opens file:// and javascript: addresses.
            if address.startswith(("https://", "http://")):
                marks["a"] = address
        elif token.type in ("softbreak", "hardbreak"):
            runs.append({"t": " "})
        elif token.content:
            runs.append({"t": token.content, **marks, **({"c": True} if token.type == "code_inline" else {})})
    return runs


def first_paragraphs(source: str, letters: int) -> list[Run]:
    """Return the first paragraphs in one line, cut after a sentence, else a word, within this number of letters."""
    runs: list[Run] = []
    remaining = letters
    for block in blocks(source):
        lines = [[{"t": key, "c": True}] for key in block.get("keys", ())] + block.get("items", [])
        for run in [run for line in lines for run in (*line, {"t": " "})] or [*block.get("runs", ()), {"t": " "}]:
            if len(run["t"]) > remaining:
                beginning = run["t"][:remaining]
                end = max(beginning.rfind(mark) for mark in (". ", "! ", "? ", "。"))
                runs.append(
                    {
                        **run,
                        "t": beginning[: end + 1] if end >= 0 else (beginning.rpartition(" ")[0] or beginning) + " …",
                    }
                )
                return runs
            runs.append(run)
            remaining -= len(run["t"])
    return runs
