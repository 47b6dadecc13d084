"""What is said of reviews, for templates."""

from typing import TYPE_CHECKING, Protocol

from django import template

from reviews.discussion import anchors

if TYPE_CHECKING:
    from reviews.discussion.threads import Spot, Talk, Talked
    from reviews.verdicts.section_contents import Setting
    from reviews.verdicts.sections import Section

register = template.Library()


class HasComparisons(Protocol):
    """A view of a design that knows the addresses of its comparisons."""

    def comparison(self, number: int) -> str:
        """Return the address of the changes since a revision."""


@register.filter
def on_section(talk: "Talk", name: "Section") -> "Spot":
    """Where one talks about a section as a whole."""
    return talk.spot(anchors.section(name))


@register.filter
def on_setting(talk: "Talk", one: "Setting") -> "Spot":
    """Where one talks about a single value that is set."""
    return talk.spot(anchors.element(one.at, one.name))


@register.filter
def spot_of(talk: "Talk", thread: "Talked") -> "Spot":
    """Where a thread is read."""
    return talk.spot(thread.anchor)


@register.filter
def compared(desk: HasComparisons, number: int) -> str:
    """The address of what changed between an earlier revision and the one that is shown; empty where it is not told."""
    return desk.comparison(number)
