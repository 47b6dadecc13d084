"""Lengths of keys, qualifiers and values in rows that were read, beside the designed ones."""

from collections.abc import Iterable, Iterator

from designer.document.table import Table
from designer.document.texts import N_, Text
from estimator.results import TablePart

from .figures import SAME, ComparedFigure, build_figure
from .measurements import Observation, SampledFamily, SampledRows

NOTICED_BYTES = 0.5
"""Means that are nearer are one length."""
_CAUSES = {
    "key": (
        N_("the row key is {more_bytes} longer than designed"), N_("the row key is {more_bytes} shorter than designed"),
    ),
    "qualifier": (
        N_("the qualifier is {more_bytes} longer than designed"),
        N_("the qualifier is {more_bytes} shorter than designed"),
    ),
    "value": (
        N_("the value is {more_bytes} longer than designed"), N_("the value is {more_bytes} shorter than designed"),
    ),
}  # fmt: skip


def length_figures(table: Table, part: TablePart, sample: SampledRows) -> Iterator[ComparedFigure]:
    """Yield the mean lengths in a sample of rows, each with the difference from the designed in bytes."""
    kinds = [kind for kind in part.sizes.values() if kind.columns]
    key = _mean((kind.rows, kind.columns[0].cell.key) for kind in kinds)
    yield _figure("key_bytes", N_("Bytes of a row key"), "key", key, sample.key_bytes)
    names = {family.name: family.id for family in table.families}
    for sample_family in sample.families:
        mine = [
            (kind.rows * column.cells_stored, column.cell)
            for kind in kinds
            for column in kind.columns
            if column.family == names.get(sample_family.name)
        ]
        sizes = {
            "qualifier": _mean((weight, cell.qualifier) for weight, cell in mine),
            "value": _mean((weight, cell.value) for weight, cell in mine),
        }
        yield from _family_figures(sample_family, sizes)


def _family_figures(sample_family: SampledFamily, sizes: dict[str, float | None]) -> Iterator[ComparedFigure]:
    name = f"families.{sample_family.name}."
    title = N_("Bytes of a qualifier in {family}")
    yield _figure(
        f"{name}qualifier_bytes",
        title,
        "qualifier",
        sizes["qualifier"],
        sample_family.qualifier_bytes,
        family=sample_family.name,
    )
    if sample_family.value_bytes is not None:
        title = N_("Bytes of a value in {family}")
        yield _figure(
            f"{name}value_bytes", title, "value", sizes["value"], sample_family.value_bytes, family=sample_family.name
        )


def find_rows(observation: Observation, name: str, *, is_only: bool) -> SampledRows | None:
    """Return the rows that were read of a table; those of the only table need no name."""
    mine = [
        sampled_row
        for sampled_row in observation.sampled_rows
        if sampled_row.table == name or (is_only and not sampled_row.table)
    ]
    return mine[-1] if mine else None


def largest_cause(figures: Iterable[ComparedFigure], family: str, *, is_more: bool) -> Text | None:
    """Return the part of a family's cells that makes them longer, or shorter, than designed by the most bytes."""
    names = ("key_bytes", f"families.{family}.qualifier_bytes", f"families.{family}.value_bytes")
    mine = [
        (figure.cause.params["more_bytes"], figure.cause)
        for figure in figures
        if figure.name in names and figure.cause is not None and ((figure.difference or 0.0) > 0) == is_more
    ]
    return max(mine, key=lambda pair: pair[0])[1] if mine else None


def is_of_values_alone(figures: Iterable[ComparedFigure]) -> bool:
    """Return whether no key and no qualifier has another length than designed."""
    return not any(figure.cause for figure in figures if not figure.name.endswith(".value_bytes"))


def _figure(name: str, title: str, of: str, designed: float | None, measured: float, **params: str) -> ComparedFigure:
    cause = None
    if designed is not None and abs(measured - designed) >= max(NOTICED_BYTES, SAME * designed):
        longer, shorter = _CAUSES[of]
        cause = Text(longer if measured > designed else shorter, {"more_bytes": abs(measured - designed)})
    return build_figure(name, title, "bytes", designed, measured, cause, **params)


def _mean(weighted: Iterable[tuple[float, float]]) -> float | None:
    pairs = list(weighted)
    weights = sum(weight for weight, _ in pairs)
    return sum(weight * value for weight, value in pairs) / weights if weights > 0 else None
