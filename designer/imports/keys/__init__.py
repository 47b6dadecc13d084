"""Keys of an existing table → the pattern that they seem to follow.

lines     pasted text → keys, whichever way they were printed
cuts      keys → columns between delimiters
columns   one column → a segment and its field; times, hashes and counting each in a module of their own
kinds     keys of several row kinds → the keys of each
propose   all of it → segments, fields and what was seen of each
fit       any pattern → which keys it cuts, and how
"""

from .fit import Fit, key_lines_regex, key_regex, key_values_regex, match_keys
from .kinds import split_kinds
from .lines import KeyLines, read_lines, unescape
from .propose import Proposal, SegmentObservation, propose

__all__ = [
    "Fit",
    "KeyLines",
    "Proposal",
    "SegmentObservation",
    "key_lines_regex",
    "key_regex",
    "key_values_regex",
    "match_keys",
    "propose",
    "read_lines",
    "split_kinds",
    "unescape",
]
