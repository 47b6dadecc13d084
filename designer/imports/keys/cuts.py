"""Keys → columns: which characters part them, and how often.

Keys stand here as text of one character a byte (latin-1), so that any byte can be looked at with regular expressions.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

STRONG = "#|\x00\x01\x1e\x1f:/;,~\t^"
"""Characters that hardly ever stand inside of a value."""
WEAK = "@_-. =+*&!$%"
"""Characters that part values in some keys and belong to them in others."""

_NO_DELIMITERS = {ord(sign): None for sign in STRONG}

MOST = 0.9
"""A delimiter stands equally often in at least this share of the keys."""
PRESENT = 0.98

COMPOSITE = re.compile(
    r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
    r"|(?<!\d)\d{4}([-/.])\d\d\1\d\d(?:[T _]?\d\d:\d\d(?::\d\d(?:[.,]\d{1,6})?)?)?Z?(?!\d)"
    r"|(?<!\d)\d\d:\d\d:\d\d(?:\.\d+)?(?!\d)"
)
"""What holds delimiters as a part of one value: uuids, dates, times of day."""
_IN_COMPOSITES = re.compile(r"[0-9a-fA-F][-/.:]")
"""Some such place is in each of them."""


@dataclass(frozen=True)
class Cut:
    """Columns of the keys that are cut alike."""

    columns: tuple[list[str], ...]
    after: tuple[str, ...]
    """What follows each column."""


def cut_keys(keys: Sequence[str]) -> Cut:
    """Cut the keys at their strong delimiters; omit keys with an unusual structure."""
    masked, whole = _mask_composites(keys), "".join(keys)
    is_all_text = whole.isascii() and is_text(whole)
    signs = STRONG
    # In raw bytes, 0x00 or 0x01 are values as any other.
    if not is_all_text and sum(map(is_text, keys)) < MOST * len(keys):
        signs = "".join(filter(str.isprintable, STRONG))
    # All signs at first, because whether one parts the keys depends on whether another does.
    usual = {sign: _usual_count(masked, sign) for sign in signs if sign in whole}
    counts = {sign: times for sign in usual if (times := _cut_count(masked, sign, usual)) is not None}
    return _drop_empty_columns(*_split(keys, masked, counts))


def _mask_composites(texts: Sequence[str]) -> Sequence[str]:
    """Return the texts with zeros in the place of values that hold delimiters."""
    if not may_hold_composites(texts):
        return texts
    return [COMPOSITE.sub(lambda match: "0" * len(match[0]), text) for text in texts]


def may_hold_composites(texts: Sequence[str]) -> bool:
    """Return False if surely none of the texts holds a value with delimiters in it."""
    return _IN_COMPOSITES.search("".join(texts)) is not None


def is_text(key: str) -> bool:
    """Return whether keys are text, and not raw bytes, in which control characters are no delimiters."""
    bare = key.translate(_NO_DELIMITERS)
    if bare.isascii():
        return bare.isprintable()
    try:
        return bare.encode("latin-1").decode().isprintable()
    except UnicodeDecodeError:
        return False


def cut_column(values: Sequence[str]) -> Iterator[Cut]:
    """Yield the cuts of a column at each weak delimiter that occurs equally often in all its values."""
    masked, whole = _mask_composites(values), "".join(values)
    for sign in filter(whole.__contains__, WEAK):
        count, share = _usual_count(masked, sign)
        if count and share >= MOST:
            cut = _drop_empty_columns(*_split(values, masked, {sign: (count, True)}))
            if len(cut.columns) > 1:
                yield cut


def _usual_count(masked: Sequence[str], sign: str) -> tuple[int, float]:
    """Return the most common count of a sign in a text, and the share of texts with that count."""
    counts = Counter(text.count(sign) for text in masked)
    count, times = counts.most_common(1)[0]
    return count, times / len(masked)


def _cut_count(masked: Sequence[str], sign: str, usual: Mapping[str, tuple[int, float]]) -> tuple[int, bool] | None:
    """Return the number of cuts at a sign, and whether a key with more of them does not match.

    Return None if the sign does not separate the keys.
    """
    count, share = usual[sign]
    if count and share >= MOST:
        return count, True
    present = sum(sign in text for text in masked) / len(masked)
    if present < 0.5 or any(n and of >= MOST for other, (n, of) in usual.items() if other != sign):
        return None  # in the values of a few, or of one column of keys that others part
    if present >= PRESENT:  # of a path the first ones; what is behind them is one value
        return min(n for text in masked if (n := text.count(sign))), False
    return (count, True) if count and share >= 0.5 else None


def _split(
    keys: Sequence[str], masked: Sequence[str], signs: dict[str, tuple[int, bool]]
) -> tuple[list[list[str]], list[str]]:
    """Rows of values, and the delimiters between, of the keys that hold the delimiters in the usual order."""
    if not signs:
        return [[key] for key in keys], [""]
    if len(signs) == 1 and masked is keys and (exact := next(iter(signs.items())))[1][1]:
        sign, (count, _) = exact
        columns = [columns for key in keys if len(columns := key.split(sign)) == count + 1]
        return (columns, [*sign * count, ""]) if columns else ([[key] for key in keys], [""])
    rows: dict[tuple[str, ...], list[list[str]]] = {}
    any_sign = re.compile("|".join(map(re.escape, signs)))
    for key, mask in zip(keys, masked, strict=True):
        row, order, start = [], [], 0
        remaining = {sign: count for sign, (count, _) in signs.items()}
        if any(mask.count(sign) != count for sign, (count, exact) in signs.items() if exact):
            continue
        # Positions come from the masked text and values from the real one: both have the same length.
        for match in any_sign.finditer(mask):
            sign, at = match[0], match.start()
            if remaining[sign]:
                remaining[sign] -= 1
                row.append(key[start:at])
                order.append(sign)
                start = at + 1
        if not any(remaining.values()):
            rows.setdefault(tuple(order), []).append([*row, key[start:]])
    if not rows:
        return [[key] for key in keys], [""]
    # Keys whose delimiters come in another order are of another structure, and are left out.
    order_, usual = max(rows.items(), key=lambda item: len(item[1]))
    return usual, [*order_, ""]


def _drop_empty_columns(rows: list[list[str]], after: list[str]) -> Cut:
    """Columns that are empty in every key are no columns: their delimiters stand together."""
    columns, delimiters = [list(column) for column in zip(*rows, strict=True)], list(after)
    place = 1
    while place < len(columns):
        if any(columns[place]):
            place += 1
            continue
        columns.pop(place)
        delimiters[place - 1] += delimiters.pop(place)
    return Cut(tuple(columns), tuple(delimiters))
