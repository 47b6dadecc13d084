"""Row keys in byte order."""

from estimator.results import Open

from .codes.codec import codec_of
from .distribution.classes import PrefixShares, RowClasses, bucket_seconds, hottest_row, prefix_shares, row_classes
from .distribution.quantiles import Rows, equal_bounds, keys_at, rows_at
from .distribution.reference_samples import keys_drawn
from .distribution.shares import range_shares, shares_below
from .distribution.summary import key_summary
from .patterns.compiling import compile_pattern, pattern_of
from .patterns.distributions import Law, TimeLaw
from .patterns.inputs import Inputs, inputs_of
from .patterns.pattern import Pattern
from .samples.events import Block, Bounds, bounds_of, count_events, draw_counts, stream
from .samples.sample import sample_blocks, sample_keys

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
    "hottest_row",
    "inputs_of",
    "key_summary",
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
