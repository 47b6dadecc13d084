"""Design parts and figures in words."""

from .choices import CHOICES, FAMILY_KINDS, KINDS, MODES, VALUE_KINDS, aggregate_name, bucket_name, resolution_name
from .keys import Chip, colour_class, key_chips, key_of, key_text, qualifier_of, transform_words
from .measured import measured_text
from .names import (
    element_label,
    element_locations,
    element_type,
    field_title,
    is_named,
    known_size_text,
    segment_label,
    segment_source,
    shorten,
    speaking_label,
)
from .reads import describe_read
from .retention import gc_sentence, retention_sentence, rotation_sentence
from .values import describe_value

__all__ = [
    "CHOICES",
    "FAMILY_KINDS",
    "KINDS",
    "MODES",
    "VALUE_KINDS",
    "Chip",
    "aggregate_name",
    "bucket_name",
    "colour_class",
    "describe_read",
    "describe_value",
    "element_label",
    "element_locations",
    "element_type",
    "field_title",
    "gc_sentence",
    "is_named",
    "key_chips",
    "key_of",
    "key_text",
    "known_size_text",
    "measured_text",
    "qualifier_of",
    "resolution_name",
    "retention_sentence",
    "rotation_sentence",
    "segment_label",
    "segment_source",
    "shorten",
    "speaking_label",
    "transform_words",
]  # fmt: skip
