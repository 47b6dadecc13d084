"""Built-in designs, a JSON file each."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from designer.document import Spec
from designer.document.load import load_file

from .stories import GROUPS, STORIES

__all__ = ["GROUPS", "Example", "example", "examples"]


@dataclass(frozen=True)
class Example:
    """A built-in design; `title`, `group` and `story` (Markdown) are messages to be translated when shown."""

    slug: str
    title: str
    story: str
    group: str
    order: int
    """Place in the gallery, from 0."""
    spec: Spec


def path(slug: str) -> Path:
    """Where the example's document lies."""
    return Path(__file__).with_name(f"{slug}.json")


@cache
def example(slug: str) -> Example:
    """The example with this name; KeyError if there is none."""
    story = STORIES[slug]
    spec = load_file(path(slug))
    return Example(slug, story.title, story.story, story.group, list(STORIES).index(slug), spec)


def examples() -> tuple[Example, ...]:
    """All built-in designs in the order of the gallery."""
    return tuple(example(slug) for slug in STORIES)
