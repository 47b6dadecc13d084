"""Things that belong to others, as people count both: a sentence of its own, or a part of one about what they do."""

from collections.abc import Sequence

from .nouns import is_name, strip_fillers
from .phrases import TypedWord, format_count
from .quantities import UnreadableError, parse_count, parse_name
from .sentences import Sentence
from .words import BE, EACH, OWNING

_LONGEST_NAME = 2
"""Words of an owner before a verb."""


def split_owner(words: Sequence[TypedWord], is_verb: Sequence[bool]) -> tuple[Sentence | None, list[TypedWord]]:
    """Return the owner in `50,000 sensors in 200 buildings report`, and the words without it; None if none is said."""
    counts = [place for place, word in enumerate(words) if word.type == "count"]
    if len(counts) < 2 or counts[0]:
        return None, list(words)
    start = counts[1]
    link = start - 2 if words[start - 1].text == "to" else start - 1
    things = " ".join(word.text for word in words[1:link])
    for length in range(1, _LONGEST_NAME + 1):
        end = start + 1 + length
        owners = " ".join(word.text for word in words[start + 1 : end])
        is_followed = end < len(words) and (is_verb[end] or words[end].text in EACH | BE)
        if words[link].text in OWNING and is_followed and is_name(things) and is_name(owners):
            values = {
                "count": format_count(words[0].text),
                "things": things,
                "owner_count": format_count(words[start].text),
                "owners": owners,
            }
            return Sentence("owner", values), [*words[:link], *words[end:]]
    return None, list(words)


def owner_sentence(clauses: Sequence[Sequence[TypedWord]]) -> Sentence | None:
    """Return the sentence of `2,000 devices in 10 tenants` or `10 tenants have 200 devices each`."""
    parts = [strip_fillers(clause) for clause in clauses]
    words = parts[0] if parts else []
    if len(parts) == 2 and len(words) > 2 and words[0].text in EACH and parts[1]:
        words = [*parts[1], *words[2:], words[0]]
    elif len(parts) == 2 and len(words) > 3 and len(parts[1]) > 1 and words[-2].text == "per":
        return _per_owner(words, parts[1])
    elif len(parts) != 1:
        return None
    words = words[1:] if words and words[0].text == "have" else words
    counts = [place for place, word in enumerate(words) if word.type == "count"]
    texts = [word.text for word in words]
    if len(counts) != 2 or (counts[0] and texts[: counts[0]] not in (["each"], ["each", "of"])):
        return None
    first, second = texts[counts[0] + 1 : counts[1]], texts[counts[1] + 1 :]
    is_each = bool(EACH & {*texts[: counts[0]], *first, *second})
    first, second = [[word for word in part if word not in EACH | {"to"}] for part in (first, second)]
    link = next((word for word in first if word in OWNING or word in ("with", "have", "has")), "")
    name = " ".join(first[: first.index(link)]) if link else ""
    other = " ".join(second)
    try:
        parse_name(name), parse_name(other)
        numbers = [parse_count(texts[place]) for place in counts]
    except UnreadableError:
        return None
    counts_shown = [format_count(texts[place]) for place in counts]
    if link in OWNING and not is_each:
        values = {"count": counts_shown[0], "things": name, "owner_count": counts_shown[1], "owners": other}
    elif link not in OWNING and is_each:
        product = f"{numbers[0] * numbers[1]:,}"
        values = {"count": product, "things": other, "owner_count": counts_shown[0], "owners": name}
    else:
        return None
    return Sentence("owner", values)


def _per_owner(words: Sequence[TypedWord], owners: Sequence[TypedWord]) -> Sentence | None:
    """Return the sentence of `2k devices per customer, 500 customers`."""
    things, owner = (" ".join(word.text for word in part) for part in (words[1:-2], owners[1:]))
    is_counted = words[0].type == owners[0].type == "count" and is_name(things) and is_name(owner)
    if not is_counted or parse_name(words[-1].text) != parse_name(owner):
        return None
    count = parse_count(words[0].text) * parse_count(owners[0].text)
    values = {"count": f"{count:,}", "things": things, "owner_count": format_count(owners[0].text), "owners": owner}
    return Sentence("owner", values)
