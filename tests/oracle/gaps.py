"""Where the estimate is known to differ from what is drawn: the list only ever becomes shorter."""

from dataclasses import dataclass

from .comparison import Compared
from .designs import FEATURES, Design


@dataclass(frozen=True)
class Gap:
    """Quantities that differ where a design crosses a choice."""

    quantities: tuple[str, ...]
    """Beginnings of their names."""
    feature: str
    choices: tuple[str, ...]
    why: str

    def holds(self, design: Design, compared: Compared) -> bool:
        """Whether this quantity of this design is expected to differ."""
        return design.features[self.feature] in self.choices and compared.name.startswith(self.quantities)


STORED, SIZES = ("rows", "cells", "bytes", "garbage"), ("median", "p99", "largest")
READS = ("point", "prefix", "span", "limit")
NEWEST_RETURNED = ("newest: rows returned", "newest: cells", "newest: bytes returned")
LIMITED_CELLS = ("newest: cells", "newest: bytes", "limit: cells", "limit: bytes")
BY_OWNER = ("owner, owner stated", "owner, none stated")
BY_VALUE = ("owner, child stated", "owner, both stated", "owner alone")
COLLECTED = FEATURES["collection"][1:]

KNOWN_GAPS = (
    Gap(
        (*SIZES, "point"),
        "lifetime",
        ("lifetime",),
        "a row of a value that came lately holds the cells of the mean one",
    ),
    Gap((*SIZES, "point"), "relation", ("counter",), "events of one number in several salts are taken as independent"),
    Gap(
        (*STORED, *SIZES, *READS),
        "number",
        ("bucket",),
        "a value's first bucket is taken to begin anywhere, and each of its rows to hold the cells of the mean one",
    ),
    Gap(
        ("rows", "cells", "bytes"),
        "relation",
        ("owner, none stated",),
        "owners whose values go are taken to keep as many",
    ),
    Gap(READS, "relation", BY_OWNER, "values of an owner are drawn evenly where chance has made them few"),
    Gap(
        ("point", "prefix: cells", "prefix: bytes", "span", "limit"),
        "relation",
        BY_VALUE,
        "a row that a policy cuts holds the cells of the mean one",
    ),
    Gap(("span", "limit"), "births", ("births",), "what is below values that came lately is that of the mean"),
    Gap(
        ("span",),
        "shape",
        ("week", "named day"),
        "a request's own hours, and how long ago a named day was, are not seen",
    ),
    Gap(("span",), "arrival", ("bursts",), "a row's events are taken as independent"),
    Gap(("span",), "growth", ("growth",), "the rate of the stored time's middle is taken"),
    Gap(("newest",), "relation", BY_OWNER, "values of an owner are drawn evenly where chance has made them few"),
    Gap(
        NEWEST_RETURNED, "relation", BY_VALUE, "how many rows an owner has is taken to spread as little as their number"
    ),
    Gap(("newest",), "number", ("bucket",), "the bucket that is being filled is taken for a full one"),
    Gap(("limit",), "arrival", ("bursts",), "a row's events are taken as independent"),
    Gap(LIMITED_CELLS, "collection", COLLECTED, "the newest and the first rows hold the cells of the mean row"),
    Gap(LIMITED_CELLS[2:], "shape", ("named day",), "the same"),
    Gap(LIMITED_CELLS[2:], "growth", ("growth",), "the same"),
    Gap(("lost",), "relation", ("counter within", "counter"), "numbers that are handed out are unique"),
    Gap(("lost",), "shape", ("named day",), "the rate of the last day is taken for that of all rows"),
    Gap(("busiest row",), "relation", BY_OWNER, "values of an owner are drawn evenly where chance has made them few"),
    Gap(("busiest row",), "popularity", ("hot set",), "a hot set that grows is rounded"),
    Gap(
        ("busiest range",),
        "relation",
        ("new per event", "counter"),
        "where buckets of numbers begin, and which value is the busiest, differs from world to world",
    ),
)


def is_known(design: Design, compared: Compared) -> bool:
    """Whether a quantity of a design is in a known gap."""
    return any(gap.holds(design, compared) for gap in KNOWN_GAPS)
