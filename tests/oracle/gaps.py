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


STORED, SIZES, READS = ("rows", "cells", "bytes", "garbage"), ("median", "p99", "largest"), ("point", "prefix", "span")
OWNED = tuple(choice for choice in FEATURES["relation"] if choice.startswith("owner"))
COUNTED = ("counter within", "new per event", "counter")

KNOWN_GAPS = (
    Gap(
        STORED + SIZES,
        "births",
        ("births",),
        "values that come are taken for one per event though a popularity is stated",
    ),
    Gap(STORED + SIZES, "lead", ("random salt",), "events of a burst are taken to share a random salt"),
    Gap(
        STORED + SIZES,
        "relation",
        ("counter",),
        "numbers of a counter are shared by chance, and buckets of them by none",
    ),
    Gap(SIZES, "arrival", ("bursts",), "a row's events are taken as independent"),
    Gap(
        SIZES,
        "collection",
        ("union", "intersection", "versions"),
        "versions kept are those of a mean, not the mean of those kept",
    ),
    Gap(SIZES, "relation", OWNED, "values of an owner are taken to be as many for each, where chance decides"),
    Gap(
        READS,
        "popularity",
        ("zipf 0.5", "zipf 0.99", "zipf 1.4", "hot set", "weights", "latest"),
        "reads know no busy rows and prefixes but by a factor",
    ),
    Gap(READS, "relation", FEATURES["relation"][2:], "the same below owners, and of counted numbers"),
    Gap(
        READS, "shape", ("diurnal", "batch", "week", "named day"), "what a span of time meets is taken as even in time"
    ),
    Gap(READS, "growth", ("growth",), "the same"),
    Gap(READS, "births", ("births",), "reads ask for values as they were at the end"),
    Gap(READS, "arrival", ("bursts",), "a row's events are taken as independent"),
    Gap(READS, "lead", ("random salt",), "a point read meets one row, where each salt has one"),
    Gap(
        READS,
        "collection",
        ("union", "intersection", "versions", "age"),
        "garbage of the rows that are met is the mean row's",
    ),
    Gap(("newest",), "mode", FEATURES["mode"], "the newest n of a mean number of rows, not the mean of the newest n"),
    Gap(("lost",), "time", ("none",), "an event is lost where a day, not where the whole past has its key"),
    Gap(("lost",), "relation", COUNTED, "numbers that are handed out are unique"),
    Gap(("lost",), "lead", ("random salt",), "a random salt parts events of one entity"),
    Gap(("lost",), "shape", ("batch", "week", "named day"), "the mean rate of the week is taken"),
    Gap(("busiest",), "relation", OWNED, "the popularity of an owner and of its values are multiplied"),
    Gap(("busiest",), "births", ("births",), "the same as of rows"),
    Gap(("busiest",), "popularity", ("latest",), "the newest value of an hour is taken for all of it"),
)


def is_known(design: Design, compared: Compared) -> bool:
    """Whether a quantity of a design is in a known gap."""
    return any(gap.holds(design, compared) for gap in KNOWN_GAPS)
