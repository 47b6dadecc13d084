"""Consequences of a field's assumed values and settings: example values and popularity shares."""

from dataclasses import dataclass

import numpy as np

from designer.document import Spec
from designer.document.field import Field
from designer.document.popularity import Latest, Popularity, Weights
from estimator.kernels.keys.rendering.render import as_text, value
from estimator.kernels.keys.values.popularity import share, top_share
from estimator.kernels.keys.values.shape import ValueShape, shape_of

SHOWN = 4
"""So many values from the beginning; the last one is shown besides."""
LONGEST = 60
TOPS = (1, 10, 100)
FEW = 10_000
"""Weights and values that are listed at all are at most so many; beyond that the shares are those in listed order."""


def examples(spec: Spec, field: Field) -> tuple[str, ...]:
    """Values of a field as the simulation makes them: the first few and the last; none for times, which are now."""
    shape = shape_of(spec, field, seed=0)
    if shape.kind == "timestamp" and shape.values is None:
        return ()
    last = max(shape.distinct - 1, 0)
    numbers = dict.fromkeys((*range(min(SHOWN, last + 1)), last))
    return tuple(_value_text(shape, number) for number in numbers)


def _value_text(shape: ValueShape, number: int) -> str:
    text = as_text(value(shape, number)).decode("utf-8", "backslashreplace")
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


@dataclass(frozen=True)
class TopValues:
    """The most popular values together."""

    values: int
    of: int
    share: float
    newest: bool
    """They are the newest ones."""


def top_values(spec: Spec, field: Field) -> tuple[TopValues, ...]:
    """Return the shares of traffic of the most popular 1, 10 and 100 values and of the top fifth."""
    shape = shape_of(spec, field, seed=0)
    if shape.kind == "timestamp" and shape.values is None:
        return ()
    counts = sorted({count for count in (*TOPS, round(shape.distinct / 5)) if 0 < count < shape.distinct})
    return tuple(
        TopValues(k, shape.distinct, _share(shape.popularity, k, shape.distinct), newest=_newest(shape)) for k in counts
    )


def _newest(shape: ValueShape) -> bool:
    return isinstance(shape.popularity, Latest)


def _share(law: Popularity, k: int, n: int) -> float:
    if isinstance(law, Weights) and n <= FEW:
        shares = np.sort(share(law, np.arange(1, n + 1), n))[::-1]
        return float(shares[:k].sum())
    return float(top_share(law, k, n))
