"""Row keys: from segments to true bytes, their exact order, and how likely every key range is."""

from estimator.results import Open

from .classes import PrefixShares, RowClasses, bucket_seconds, hottest_row, prefix_shares, row_classes
from .codec import codec_of
from .compiling import compile_pattern, forget_patterns, pattern_of
from .draws import keys_drawn
from .events import Bounds, bounds_of, count_events, draw_counts, stream
from .inputs import Inputs, inputs_of
from .law import Law, TimeLaw
from .pattern import Pattern
from .quantiles import Rows, equal_bounds, keys_at, rows_at
from .sample import Block, sample_blocks, sample_keys
from .shares import range_shares, shares_below

__all__ = [
    "Block",
    "Bounds",
    "Inputs",
    "Law",
    "Open",
    "Pattern",
    "PrefixShares",
    "RowClasses",
    "Rows",
    "TimeLaw",
    "bounds_of",
    "bucket_seconds",
    "codec_of",
    "compile_pattern",
    "count_events",
    "draw_counts",
    "equal_bounds",
    "forget_patterns",
    "hottest_row",
    "inputs_of",
    "keys_at",
    "keys_drawn",
    "pattern_of",
    "prefix_shares",
    "range_shares",
    "row_classes",
    "rows_at",
    "sample_blocks",
    "sample_keys",
    "shares_below",
    "stream",
]
