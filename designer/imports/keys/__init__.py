"""Keys of an existing table → the pattern that they seem to follow.

lines     pasted text → keys, whichever way they were printed
cuts      keys → columns between delimiters
columns   one column → a segment and its field; times, hashes and counting each in a module of their own
propose   all of it → segments, fields and what was seen of each
shapes    keys of several kinds of rows → a group for each
key_parts the parts of which the texts of a segment consist
fit       any pattern → which keys it cuts, and how
"""

from .fit import Fit, key_lines_regex, key_parts, key_regex, key_values_regex, match_keys
from .key_parts import FixedText, FormedText, KeyPart, LetterRun
from .lines import KeyLines, read_lines, unescape
from .propose import Proposal, SegmentObservation, propose
from .shapes import KeyShape, ShapeFinder, find_shapes, kind_name

__all__ = [
    "Fit",
    "FixedText",
    "FormedText",
    "KeyLines",
    "KeyPart",
    "KeyShape",
    "LetterRun",
    "Proposal",
    "SegmentObservation",
    "ShapeFinder",
    "find_shapes",
    "key_lines_regex",
    "key_parts",
    "key_regex",
    "key_values_regex",
    "kind_name",
    "match_keys",
    "propose",
    "read_lines",
    "unescape",
]
