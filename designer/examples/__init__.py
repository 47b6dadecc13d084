"""Built-in designs, a JSON file each: its name is the title, its description the story."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from designer.document import Spec
from designer.document.load import load_file

from .index import GROUPS

__all__ = ["GROUPS", "Example", "example", "examples"]

_GROUP_OF = {slug: group for group, slugs in GROUPS.items() for slug in slugs}
"""In the order of the gallery."""


@dataclass(frozen=True)
class Example:
    """A built-in design; `title`, `group` and `story` (Markdown) are messages to be translated when shown."""

    slug: str
    group: str
    order: int
    """Place in the gallery, from 0."""
    spec: Spec

    @property
    def title(self) -> str:
        """The design's name."""
        return self.spec.name

    @property
    def story(self) -> str:
        """The design's description."""
        return self.spec.description


def path(slug: str) -> Path:
    """Return the path of the example's document."""
    return Path(__file__).with_name(f"{slug}.json")


@cache
def example(slug: str) -> Example:
    """Return the example with this name.

    Raises
    ------
    KeyError
        If there is none.
    """
    return Example(slug, _GROUP_OF[slug], list(_GROUP_OF).index(slug), load_file(path(slug)))


def examples() -> tuple[Example, ...]:
    """All built-in designs in the order of the gallery."""
    return tuple(example(slug) for slug in _GROUP_OF)
