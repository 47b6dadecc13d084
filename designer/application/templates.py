"""A sentence's template as a tree: words, slots, optional parts and alternatives."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from .quantities import begins_with_vowel


@dataclass(frozen=True)
class Words:
    """Text that stands as it is."""

    text: str


@dataclass(frozen=True)
class SentenceSlot:
    """A place that is filled in."""

    name: str


@dataclass(frozen=True)
class Alternatives:
    """Either of several texts; the first is shown. An optional part has no text as its last alternative."""

    options: tuple[tuple["Node", ...], ...]


Node = Words | SentenceSlot | Alternatives

_TOKEN = re.compile(r"\{(\w+)\}|[\[\]()|]|[^\[\]()|{}]+")


@lru_cache(maxsize=256)
def parse_template(template: str) -> tuple[Node, ...]:
    """Return the nodes of a template.

    Raises
    ------
    ValueError
        If its brackets do not match.
    """
    tokens = list(_TOKEN.finditer(template))
    nodes, rest = _parse_nodes(tokens, 0, closing="")
    if rest != len(tokens) or "".join(token[0] for token in tokens) != template:
        raise ValueError(f"no template: {template}")
    return nodes


def _parse_nodes(tokens: Sequence[re.Match[str]], at: int, *, closing: str) -> tuple[tuple[Node, ...], int]:
    """Return the nodes up to the closing bracket, and the place behind it."""
    options: list[list[Node]] = [[]]
    while at < len(tokens):
        token = tokens[at]
        at += 1
        if token[0] == closing:
            choices = tuple(tuple(option) for option in options)
            return (Alternatives((*choices, ()) if closing == "]" else choices),), at
        if token[0] in "[(":
            inner, at = _parse_nodes(tokens, at, closing="]" if token[0] == "[" else ")")
            options[-1] += inner
        elif token[0] == "|" and closing:
            options.append([])
        elif token[0] in "])|":
            raise ValueError(f"unexpected {token[0]} at {token.start()}")
        else:
            options[-1].append(SentenceSlot(token[1]) if token[1] else Words(token[0]))
    if closing:
        raise ValueError(f"{closing} is missing")
    return tuple(options[0]), at


@dataclass(frozen=True)
class TemplatePart:
    """A piece of a template as a page shows it: text, or a slot."""

    text: str
    slot: str = ""
    is_optional: bool = False


def template_parts(template: str, values: Mapping[str, str] | None = None) -> tuple[TemplatePart, ...]:
    """Return the pieces of a template in order, with its optional parts and the first of all alternatives.

    Of “a” and “an” it is the one that goes with the value behind it.
    """
    return tuple(_iter_parts(parse_template(template), values or {}, optional=False))


def _iter_parts(nodes: Sequence[Node], values: Mapping[str, str], *, optional: bool) -> Iterator[TemplatePart]:
    for place, node in enumerate(nodes):
        match node:
            case Words(text=text):
                yield TemplatePart(text, is_optional=optional)
            case SentenceSlot(name=name):
                yield TemplatePart("", name, optional)
            case Alternatives(options=options):
                chosen = _chosen_option(options, nodes[place + 1 :], values)
                yield from _iter_parts(chosen, values, optional=optional or not options[-1])


def _chosen_option(
    options: Sequence[Sequence[Node]], following: Sequence[Node], values: Mapping[str, str]
) -> Sequence[Node]:
    """Return the first alternative; of “a” and “an” the one for the sound of the slot behind it."""
    texts = [option[0].text.lower() for option in options if len(option) == 1 and isinstance(option[0], Words)]
    slot = next((node.name for node in following if isinstance(node, SentenceSlot)), "")
    return options[texts == ["a", "an"] and begins_with_vowel(values.get(slot, ""))]


def required_slots(template: str) -> tuple[str, ...]:
    """Return the slots that a sentence of this template must fill."""
    return tuple(part.slot for part in template_parts(template) if part.slot and not part.is_optional)


def fill_template(template: str, values: Mapping[str, str]) -> str:
    """Return a sentence as text: without the optional parts that nothing fills, and with … for any other empty slot."""
    return "".join(_iter_texts(parse_template(template), values))


def _iter_texts(nodes: Sequence[Node], values: Mapping[str, str]) -> Iterator[str]:
    for place, node in enumerate(nodes):
        match node:
            case Words(text=text):
                yield text
            case SentenceSlot(name=name):
                yield values.get(name) or "…"
            case Alternatives(options=options):
                slots = [option.name for option in options[0] if isinstance(option, SentenceSlot)]
                if options[-1] or any(values.get(name) for name in slots):
                    yield from _iter_texts(_chosen_option(options, nodes[place + 1 :], values), values)
