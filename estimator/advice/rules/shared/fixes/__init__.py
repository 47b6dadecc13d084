"""Fixes as edits: what a finding offers to change. Anything uncertain is no fix (None)."""

from .counters import counted
from .families import split_off
from .hot_part import hot_part
from .merge import merged
from .names import renamed, short_name
from .order import behind_known, led_by_field
from .segments import all_delimited, delimited, finer_time, padded, readable_after, rebucketed, reversed_digits
from .serialised import serialised
from .settings import bounded_by_reads, collected, is_live, kept_longer, more_nodes

__all__ = [
    "all_delimited", "behind_known", "bounded_by_reads", "collected", "counted", "delimited", "finer_time",
    "hot_part", "is_live", "kept_longer", "led_by_field", "merged", "more_nodes", "padded", "readable_after",
    "rebucketed", "renamed", "reversed_digits", "serialised", "short_name", "split_off",
]  # fmt: skip
