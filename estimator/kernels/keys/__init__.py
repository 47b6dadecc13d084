"""Row keys in byte order."""

from estimator.results import NotComputableError

from .codes.codec import codec_of
from .distribution.classes import PrefixShares, RowClasses, bucket_seconds, hottest_row, prefix_shares, row_classes
from .distribution.quantiles import QuantileKeys, equal_bounds, quantile_keys, quantile_rows
from .distribution.reference_samples import draw_keys
from .distribution.shares import range_shares, shares_below
from .distribution.summary import key_summary
from .patterns.compiling import compile_pattern, pattern_of
from .patterns.distributions import EventDistribution, TimeDistribution
from .patterns.inputs import KeyInputs, inputs_of
from .patterns.pattern import KeyPattern
from .samples.events import KeyBlock, RangeBounds, bounds_of, count_events, draw_counts, stream
from .samples.sample import sample_blocks, sample_keys

__all__ = [
    "EventDistribution",
    "KeyBlock",
    "KeyInputs",
    "KeyPattern",
    "NotComputableError",
    "PrefixShares",
    "QuantileKeys",
    "RangeBounds",
    "RowClasses",
    "TimeDistribution",
    "bounds_of",
    "bucket_seconds",
    "codec_of",
    "compile_pattern",
    "count_events",
    "draw_counts",
    "draw_keys",
    "equal_bounds",
    "hottest_row",
    "inputs_of",
    "key_summary",
    "pattern_of",
    "prefix_shares",
    "quantile_keys",
    "quantile_rows",
    "range_shares",
    "row_classes",
    "sample_blocks",
    "sample_keys",
    "shares_below",
    "stream",
]
