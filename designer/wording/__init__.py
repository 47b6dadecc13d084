"""Parts of a design in words, as messages to be translated: names, key segments, garbage collection, profiles, laws."""

from .choices import CHOICES, FAMILY_KINDS, KINDS, MODES, VALUE_KINDS
from .keys import Chip, key_chips, key_of, key_text, qualifier_of, transform_words
from .names import described, is_named, name_of, places, shown_by, what_is
from .reads import wanted
from .retention import gc_sentence, kept_sentence
from .values import in_words

__all__ = [
    "CHOICES", "FAMILY_KINDS", "KINDS", "MODES", "VALUE_KINDS", "Chip", "described", "gc_sentence", "in_words",
    "is_named", "kept_sentence", "key_chips", "key_of", "key_text", "name_of", "places", "qualifier_of", "shown_by",
    "transform_words", "wanted", "what_is",
]  # fmt: skip
