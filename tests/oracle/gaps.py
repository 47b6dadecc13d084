"""Where the estimate is known to differ from what is drawn: the list only ever becomes shorter."""

from collections.abc import Mapping
from dataclasses import dataclass

from .comparison import Compared
from .designs import Design


@dataclass(frozen=True)
class Gap:
    """Quantities that differ where a design crosses some choices, all of them together."""

    quantities: tuple[str, ...]
    """Beginnings of their names."""
    crossed: Mapping[str, tuple[str, ...]]
    """The choices of each feature."""
    why: str

    def holds(self, design: Design, compared: Compared) -> bool:
        """Whether this quantity of this design is expected to differ."""
        is_crossed = all(design.features[feature] in choices for feature, choices in self.crossed.items())
        return is_crossed and compared.name.startswith(self.quantities)


STORED, SIZES = ("rows", "cells", "bytes"), ("median", "p99", "largest")
NEWEST_RETURNED = ("newest: rows returned", "newest: cells", "newest: bytes returned")
OWNED = ("owner, owner stated", "owner, none stated")
BY_VALUE = ("owner, child stated", "owner, both stated", "owner alone")

KNOWN_GAPS = (
    Gap(SIZES, {"lifetime": ("lifetime",)}, "a row of a value that came lately holds the cells of the mean one"),
    Gap(("point",), {"relation": ("counter",)}, "events of one number in several salts are taken as independent"),
    Gap(
        (*SIZES, "point", "newest", "limit"),
        {"number": ("bucket",), "relation": ("counter within",)},
        "a value's last bucket, which is being filled, is taken to hold the cells of the mean one",
    ),
    Gap(
        ("rows", "prefix"),
        {"number": ("bucket",), "relation": ("counter within",), "arrival": ("every", "bursts")},
        "how many events a value has is taken to vary as if they came alone",
    ),
    Gap(
        ("rows",),
        {"number": ("bucket",), "relation": ("counter within",), "lead": ("random salt",)},
        "the events of a bucket that fall under one salt are taken for those of a row that never fills",
    ),
    Gap(
        SIZES,
        {"number": ("bucket",), "relation": ("counter",), "lead": ("salt",)},
        "a salt of the number holds some of a bucket's numbers, and not as many as chance would give it",
    ),
    Gap(
        ("span", "limit", *NEWEST_RETURNED),
        {"relation": OWNED},
        "values of an owner are drawn evenly where chance has made them few",
    ),
    Gap(
        ("point", "span", "limit", *NEWEST_RETURNED),
        {"relation": BY_VALUE},
        "how many values an owner has is taken to spread as little as their rows",
    ),
    Gap(
        ("prefix: cells", "prefix: bytes"),
        {"relation": BY_VALUE, "births": ("births",)},
        "owners of values that came are taken to have had them from the start",
    ),
    Gap(
        ("span: rows returned", "span: cells", "span: bytes"),
        {"shape": ("named day",)},
        "when in the last day a request comes is not seen",
    ),
    Gap(("lost",), {"shape": ("named day",)}, "the rate of the last day is taken for that of all rows"),
    Gap(
        ("busiest range",),
        {"relation": ("counter",)},
        "where buckets of numbers begin, and which value is the busiest, differs from world to world",
    ),
)


def is_known(design: Design, compared: Compared) -> bool:
    """Whether a quantity of a design is in a known gap."""
    return any(gap.holds(design, compared) for gap in KNOWN_GAPS)
