"""A sentence that is added to others: what it says of records that another one adds goes into the empty slots there."""

from collections.abc import Sequence
from dataclasses import replace

from .quantities import UnreadableError, parse_name
from .sentences import Sentence

_SAID_APART = {"event": "kept", "report": "count"}
"""What people say in a sentence of its own: `events are kept 30 days`, `3 million players`."""


def with_sentence(sentences: Sequence[Sentence], added: Sentence) -> list[Sentence]:
    """Return the sentences with one more, or with the one whose empty slot it fills."""
    slot = _SAID_APART.get(added.kind, "")
    # A sentence that also says how often or of whom is about records of its own.
    if slot not in added.values or not {"rate", "interval", "by"}.isdisjoint(added.values):
        return [*sentences, added]
    kinds = ("report", "event") if slot == "kept" else ("report",)
    named_in = ("record", "things") if slot == "kept" else ("things",)
    names = _names(added, named_in)
    candidates = [place for place, sentence in enumerate(sentences) if sentence.kind in kinds]
    places = [place for place in candidates if names & _names(sentences[place], named_in)]
    # "Kept 30 days" names nothing, and can only be about the one record that there is.
    if not names and len(candidates) == 1:
        places = candidates
    # A slot that is filled is not changed by another sentence: the person sees both and decides.
    if len(places) != 1 or sentences[places[0]].values.get(slot, "").strip():
        return [*sentences, added]
    filled = replace(sentences[places[0]], values={**sentences[places[0]].values, slot: added.values[slot]})
    return [filled if place == places[0] else sentence for place, sentence in enumerate(sentences)]


def _names(sentence: Sentence, slots: Sequence[str]) -> set[str]:
    """Return the names in slots, as far as they are names."""
    names = set[str]()
    for slot in slots:
        try:
            names.add(parse_name(sentence.values.get(slot, "")))
        except UnreadableError:
            continue
    return names
