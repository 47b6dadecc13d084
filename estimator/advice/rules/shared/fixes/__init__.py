"""Fixes as edits: what a finding offers to change. Anything uncertain is no fix (None)."""

from .counters import convert_to_counters
from .families import split_off
from .hot_part import hot_part
from .merge import merge_tables
from .names import short_name, shorten_names
from .order import lead_with_field, move_behind_known
from .pairs import relate
from .segments import (
    add_readable_values,
    encode_texts,
    finer_time,
    pad_digits,
    reverse_digits,
    set_bucket,
    set_delimiter,
    set_safe_delimiters,
)
from .serialised import serialise_columns
from .settings import bound_by_reads, collect_unwanted, extend_retention, is_live, more_nodes

__all__ = [
    "add_readable_values",
    "bound_by_reads",
    "collect_unwanted",
    "convert_to_counters",
    "encode_texts",
    "extend_retention",
    "finer_time",
    "hot_part",
    "is_live",
    "lead_with_field",
    "merge_tables",
    "more_nodes",
    "move_behind_known",
    "pad_digits",
    "relate",
    "reverse_digits",
    "serialise_columns",
    "set_bucket",
    "set_delimiter",
    "set_safe_delimiters",
    "short_name",
    "shorten_names",
    "split_off",
]  # fmt: skip
