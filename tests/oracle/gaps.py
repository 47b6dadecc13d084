"""Where the estimate is known to differ from what is drawn: the list only ever becomes shorter."""

from dataclasses import dataclass

from .comparison import Compared
from .designs import Design


@dataclass(frozen=True)
class Gap:
    """Quantities that differ where a design crosses a choice."""

    quantities: tuple[str, ...]
    """Beginnings of their names."""
    feature: str
    choices: tuple[str, ...]
    why: str
    popularity: tuple[str, ...] = ()
    """Only beside these; empty: beside any."""

    def holds(self, design: Design, compared: Compared) -> bool:
        """Whether this quantity of this design is expected to differ."""
        beside = not self.popularity or design.features["popularity"] in self.popularity
        return beside and design.features[self.feature] in self.choices and compared.name.startswith(self.quantities)


STORED, SIZES = ("rows", "cells", "bytes"), ("median", "p99", "largest")
NEWEST_RETURNED = ("newest: rows returned", "newest: cells", "newest: bytes returned")
BY_OWNER = ("owner, owner stated", "owner, none stated")
BY_VALUE = ("owner, child stated", "owner, both stated", "owner alone")

KNOWN_GAPS = (
    Gap(SIZES, "lifetime", ("lifetime",), "a row of a value that came lately holds the cells of the mean one"),
    Gap(("point",), "relation", ("counter",), "events of one number in several salts are taken as independent"),
    Gap(
        (*STORED, *SIZES, "point", "prefix", "limit"),
        "number",
        ("bucket",),
        "a value's first bucket is taken to begin anywhere, and each of its rows to hold the cells of the mean one",
    ),
    Gap(
        ("point", "prefix", "span", "limit"),
        "relation",
        BY_OWNER,
        "values of an owner are drawn evenly where chance has made them few",
    ),
    Gap(
        ("point", "prefix: cells", "prefix: bytes", "span", "limit"),
        "relation",
        BY_VALUE,
        "how many values an owner has is taken to spread as little as their rows",
    ),
    Gap(
        ("span",),
        "births",
        ("births",),
        "values with a stated weight, which are there from the start, are taken to have come like the others",
        popularity=("weights",),
    ),
    Gap(
        ("span: rows returned", "span: cells", "span: bytes"),
        "shape",
        ("named day",),
        "when in the last day a request comes is not seen",
    ),
    Gap(("newest",), "relation", BY_OWNER, "values of an owner are drawn evenly where chance has made them few"),
    Gap(
        NEWEST_RETURNED, "relation", BY_VALUE, "how many rows an owner has is taken to spread as little as their number"
    ),
    Gap(("newest",), "number", ("bucket",), "the bucket that is being filled is taken for a full one"),
    Gap(("lost",), "shape", ("named day",), "the rate of the last day is taken for that of all rows"),
    Gap(
        ("busiest range",),
        "relation",
        ("counter",),
        "where buckets of numbers begin, and which value is the busiest, differs from world to world",
    ),
)


def is_known(design: Design, compared: Compared) -> bool:
    """Whether a quantity of a design is in a known gap."""
    return any(gap.holds(design, compared) for gap in KNOWN_GAPS)
