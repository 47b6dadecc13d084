"""Design parts and figures in words."""

from .choices import CHOICES, FAMILY_KINDS, KINDS, MODES, VALUE_KINDS, aggregate_name, resolution_name
from .keys import Chip, colour_class, key_chips, key_of, key_text, qualifier_of, transform_words
from .names import described, element_label, is_named, places, segment_label, shorten, shown_by, what_is
from .reads import wanted
from .retention import gc_sentence, kept_sentence
from .values import in_words

__all__ = [
    "CHOICES", "FAMILY_KINDS", "KINDS", "MODES", "VALUE_KINDS", "Chip", "aggregate_name", "colour_class", "described",
    "element_label", "gc_sentence", "in_words", "is_named", "kept_sentence", "key_chips", "key_of", "key_text",
    "places", "qualifier_of", "resolution_name", "segment_label", "shorten", "shown_by", "transform_words", "wanted",
    "what_is",
]  # fmt: skip
