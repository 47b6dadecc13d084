"""Markdown from people as safe HTML: no HTML of their own, no images, links only to the web."""

from markdown_it import MarkdownIt

_MARKDOWN = MarkdownIt("commonmark", {"html": False, "breaks": False}).disable(["image", "heading", "lheading"])


def prose(text: str) -> str:
    """HTML of a Markdown text. Everything that is not Markdown is escaped."""
    return str(_MARKDOWN.render(text))
