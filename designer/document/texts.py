"""Texts for people: templates marked for translation. The web layer translates and formats; `str()` is the English."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any


def N_(text: str) -> str:  # noqa: N802  (the name that message extractors look for)
    """Return the text unchanged and mark it as a translatable message."""
    return text


@dataclass(frozen=True)
class Text:
    """A message with its named parameters, which may be texts themselves."""

    message: str
    params: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.message.format_map(self.params)

    def translate(self, translate_message: Callable[[str, Mapping[str, Any]], str]) -> str:
        """Return the text in one language."""
        return translate_message(self.message, self.params)


class TextList(tuple[Any, ...]):
    """A list of texts as one parameter: with the comma of the reader's language, in `str` with that of English."""

    __slots__ = ()

    def __str__(self) -> str:
        return ", ".join(map(str, self))


def build_text(message: str, **params: Any) -> Text:
    """Build a text from a message and its parameters."""
    return Text(message, params)


def get_close_matches(word: str, choices: Iterable[str], *, n: int, cutoff: float = 0.6) -> list[str]:
    """Return the choices that are spelt most like the word; difflib is loaded here, as most files have no error."""
    import difflib

    return difflib.get_close_matches(word, choices, n=n, cutoff=cutoff)
