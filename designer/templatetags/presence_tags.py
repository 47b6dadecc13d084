"""People as small round marks: initials and a colour that stays theirs."""

from django import template

from designer.models import Person

register = template.Library()
TINTS = 6


@register.filter
def initials(person: Person) -> str:
    """One or two letters that stand for somebody."""
    words = str(person).replace(".", " ").replace("_", " ").split()
    if not words:
        return "?"
    both = words[0][0] + (words[-1][0] if len(words) > 1 else "")
    return both.upper()


@register.filter
def tint(person: Person) -> int:
    """Return the number of a person's colour."""
    return person.pk % TINTS
