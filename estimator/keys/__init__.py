"""Row keys: from segments to true bytes, their exact order, and how likely every key range is."""

from estimator.results import Open

from .classes import PrefixShares, RowClasses, bucket_seconds, hottest_row, prefix_shares, row_classes
from .draws import keys_drawn
from .events import bounds_of, count_events, draw_counts, stream
from .law import Law, TimeLaw
from .pattern import Pattern, compile_pattern, forget_patterns
from .quantiles import equal_bounds, keys_at
from .runs import codec_of
from .sample import Block, sample_blocks, sample_keys
from .shares import range_shares, shares_below

__all__ = [
    "Block",
    "Law",
    "Open",
    "Pattern",
    "PrefixShares",
    "RowClasses",
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
    "keys_at",
    "keys_drawn",
    "prefix_shares",
    "range_shares",
    "row_classes",
    "sample_blocks",
    "sample_keys",
    "shares_below",
    "stream",
]
