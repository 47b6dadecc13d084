"""Template tags and filters of reviews."""

from typing import TYPE_CHECKING, Protocol

from django import template

from reviews.discussion import anchors

if TYPE_CHECKING:
    from reviews.discussion.threads import Discussion, Spot, ThreadView
    from reviews.verdicts.section_contents import Setting
    from reviews.verdicts.sections import Section

register = template.Library()


class HasComparisons(Protocol):
    """A view of a design that knows the addresses of its comparisons."""

    def comparison(self, number: int) -> str:
        """Return the address of the changes since a revision."""


@register.filter
def on_section(talk: "Discussion", name: "Section") -> "Spot":
    """Return the spot for the discussion of a whole section."""
    return talk.spot(anchors.section(name))


@register.filter
def on_setting(talk: "Discussion", one: "Setting") -> "Spot":
    """Return the spot for the discussion of a single value."""
    return talk.spot(anchors.element(one.at, one.name))


@register.filter
def spot_of(talk: "Discussion", thread: "ThreadView") -> "Spot":
    """Return the spot on which a thread is displayed."""
    return talk.spot(thread.anchor)


@register.filter
def compared(desk: HasComparisons, number: int) -> str:
    """Return the address of the changes from an earlier revision to the displayed one.

    Return "" if the link does not show them.
    """
    return desk.comparison(number)
