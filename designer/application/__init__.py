"""An application as sentences with slots: their text, their values, and their meaning together."""

from .additions import with_sentence
from .latin_names import latin_name
from .meaning import Application, Record, SentenceProblem, read_slots, understand
from .patterns import AccessPattern, build_pattern, pattern_name
from .quantities import UnreadableError, begins_with_vowel, plural
from .sentences import KINDS, Sentence, SentenceKind, kind_of_sentence
from .typed_text import UnknownSentenceError, read_sentences, read_text

__all__ = [
    "KINDS",
    "AccessPattern",
    "Application",
    "Record",
    "Sentence",
    "SentenceKind",
    "SentenceProblem",
    "UnknownSentenceError",
    "UnreadableError",
    "begins_with_vowel",
    "build_pattern",
    "kind_of_sentence",
    "latin_name",
    "pattern_name",
    "plural",
    "read_sentences",
    "read_slots",
    "read_text",
    "understand",
    "with_sentence",
]  # fmt: skip
