"""From the catalogue's units to ours: exact factors, and a check that the file means the unit that it names."""

from decimal import Decimal
from fractions import Fraction

_BYTES = {
    "By": 1, "kBy": 10**3, "MBy": 10**6, "GBy": 10**9, "TBy": 10**12,
    "KiBy": 2**10, "MiBy": 2**20, "GiBy": 2**30, "TiBy": 2**40,
}  # fmt: skip
_SECONDS = {"s": 1, "min": 60, "h": 3_600}
_MONTH_SECONDS = (28 * 86_400, 29 * 86_400, 30 * 86_400, 31 * 86_400, 730 * 3_600)
"""What a month may be in a factor: the catalogue reckons byte-months by days of the month, price lists by 730 hours."""

MOST_DIGITS = 18
"""Digits kept of a price that has no end as a decimal: an hour's price by the second."""


def conversion_factor(unit: str, ours: str) -> Fraction | None:
    """Return the number of the catalogue's units in one of ours; None if they cannot be converted.

    >>> conversion_factor("GiBy.mo", "GiB-month"), conversion_factor("GBy", "GiB"), conversion_factor("h", "SPU-second")
    (Fraction(1, 1), Fraction(2097152, 1953125), Fraction(1, 3600))
    """
    amount, _, per = unit.partition(".")
    match ours:
        case "GiB-month" if per == "mo" and amount in _BYTES:
            return Fraction(2**30, _BYTES[amount])
        case "GiB" if not per and amount in _BYTES:
            return Fraction(2**30, _BYTES[amount])
        case "node-hour" if unit in _SECONDS:
            return Fraction(3_600, _SECONDS[unit])
        case "SPU-second" if unit in _SECONDS:
            return Fraction(1, _SECONDS[unit])
    return None


def is_consistent_factor(unit: str, factor: Decimal | None) -> bool:
    """Return True if a factor of base units agrees with the unit's name, as far as both are known."""
    if factor is None:
        return True
    amount, _, per = unit.partition(".")
    if unit in _SECONDS:
        return factor == _SECONDS[unit]
    if amount in _BYTES and per == "mo":
        return any(_is_close(factor, _BYTES[amount] * seconds) for seconds in _MONTH_SECONDS)
    return amount not in _BYTES or bool(per) or _is_close(factor, _BYTES[amount])


def _is_close(factor: Decimal, exact: int) -> bool:
    """Factors come as floating-point numbers of about 14 digits."""
    return abs(factor - exact) * 10**12 <= exact


def to_decimal(exact: Fraction) -> tuple[Decimal, bool]:
    """Return the amount as a decimal, and True if it is exact.

    It is exact if it has an end; otherwise its first digits are kept.

    >>> to_decimal(Fraction(13, 20)), to_decimal(Fraction(1, 3))
    ((Decimal('0.65'), True), (Decimal('0.333333333333333333'), False))
    """
    rest, places = exact.denominator, 0
    # A fraction ends as a decimal exactly if its denominator has no prime factors but those of ten.
    for prime in (2, 5):
        count = 0
        while rest % prime == 0:
            rest, count = rest // prime, count + 1
        places = max(places, count)
    if rest == 1:
        return Decimal(f"{exact.numerator * 10**places // exact.denominator}e-{places}"), True
    places = MOST_DIGITS - len(str(int(exact))) + (1 if exact < 1 else 0)
    return Decimal(f"{round(exact * 10**places)}e-{places}"), False
