"""Removal of a link's hidden contents from estimates and findings, so that no result can contain them.

Pages, charts, figures and findings for visitors are built from the return values of these functions, never
from the full data.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from designer.document import Element, Spec
from designer.document.base import walk
from designer.document.field import Enumeration, Field, Item, Pattern, Range
from designer.document.key import AnySegment, KeyDisplay
from designer.document.money import Money
from designer.document.texts import N_
from designer.wording import element_label, key_of, segment_source
from designer.wording.formatting import Text
from estimator.advice.questions.assumed_range import assumed_range
from estimator.advice.rules import RULES
from estimator.comparison.designs import DesignWithEstimate
from estimator.estimates.context import Context
from estimator.estimates.fits import with_fits
from estimator.estimates.what_if import with_what_if
from estimator.presentation.design_page import DesignAnalysis, DesignPage, kept_page
from estimator.results import Estimate, Finding, Heat, KeyFacts, PartitionLoad, TablePart, TableTraffic, UnknownReason

from .exclusions import Exclusions


def page_without(spec: Spec, analysis: DesignAnalysis, hides: Exclusions, context: Context) -> DesignPage:
    """Return the page of a design without the hidden contents.

    What other inputs would cost is computed of the whole design, as its bill is.
    """
    if not hides:
        return kept_page(spec, analysis, context)
    if not hides.cost:
        estimate = with_what_if(spec, analysis.estimate, context)
        analysis = replace(analysis, estimate=replace(estimate, assumed_range=assumed_range(spec, estimate, context)))
    return DesignPage(*redact(spec, analysis, hides), context)


def redact(spec: Spec, analysis: DesignAnalysis, hides: Exclusions) -> tuple[Spec, DesignAnalysis]:
    """Return the visible parts of a document and of its results."""
    if not hides:
        return spec, analysis
    spec = with_fits(spec)  # before anything that it is fitted to is left out
    names = _visible_texts(spec)
    estimate, visible = analysis.estimate, spec
    if hides.cost:
        estimate, visible = _without_cost(estimate), _without_prices(visible)
    if hides.samples:
        estimate, visible = _without_samples(estimate), _without_values(visible)
    gone = spec.by_id.keys() - visible.by_id.keys()
    visible_findings = (
        finding
        for finding in analysis.findings
        if not (hides.cost and (finding.rule in OF_MONEY or finding.at in gone))
    )
    findings = tuple(_redact_finding(finding, hides, names) for finding in visible_findings)
    return visible, DesignAnalysis(estimate, findings)


@dataclass(frozen=True)
class RedactedView:
    """A visitor's view of one side of a comparison."""

    hides: Exclusions

    def __call__(self, spec: Spec, analysis: DesignAnalysis) -> DesignWithEstimate:
        visible_spec, results = redact(spec, analysis, self.hides)
        return DesignWithEstimate(visible_spec, results.estimate, results.findings)


# --- money --------------------------------------------------------------------------------------------------------


def _without_cost(estimate: Estimate) -> Estimate:
    return replace(
        estimate, bills=(), assumed_range=None, sensitivities=(), outlooks=(), price_book="", price_book_date=None,
        because=tuple(reason for reason in estimate.because if not _is_of_prices(reason)),
    )  # fmt: skip


def _is_of_prices(because: UnknownReason) -> bool:
    """Return whether a reason contains an amount, or mentions an entered price or price book."""
    return bool(OF_PRICES & because.params.keys()) or any(map(_is_money, because.params.values()))


OF_PRICES = frozenset({"book", "billed"})


def _without_prices(spec: Spec) -> Spec:
    instance = spec.instance.model_copy(update={"prices": (), "price_book": None, "commitment": None})
    ignores = tuple(risk for risk in spec.ignores if risk.rule not in OF_MONEY)
    return spec.model_copy(update={"instance": instance, "ignores": ignores})


def _is_money(value: Any) -> bool:
    if isinstance(value, Text):
        return any(map(_is_money, value.params.values()))
    if isinstance(value, tuple | list):
        return any(map(_is_money, value))
    return isinstance(value, Money | Decimal)


# --- the values that keys are made of -----------------------------------------------------------------------------


class NumberedKey(KeyDisplay):
    """A key between two ranges, by its number alone."""

    @property
    def text(self) -> str:
        """The number of the range that begins there."""
        return self.decode()


def _without_samples(estimate: Estimate) -> Estimate:
    tables = {name: _redact_table(part) for name, part in estimate.tables.items()}
    return replace(estimate, tables=tables)


def _redact_table(part: TablePart) -> TablePart:
    growth = part.growth
    if growth is not None:
        growth = replace(growth, kinds=tuple(replace(kind, largest_entity="") for kind in growth.kinds))
    keys = {name: _redact_key(facts) for name, facts in part.keys.items()}
    return replace(part, keys=keys, traffic=_redact_traffic(part.traffic) if part.traffic else None, growth=growth)


def _redact_key(facts: KeyFacts) -> KeyFacts:
    return replace(facts, samples=(), ambiguous=None, disordered=())


def _redact_traffic(traffic: TableTraffic) -> TableTraffic:
    hidden = b""
    return replace(
        traffic,
        heat=_redact_heatmap(traffic.heat),
        fronts=tuple(replace(front, prefix=hidden) for front in traffic.fronts),
        hot_rows=(),
        leads=(),
        partition=_redact_partition(traffic.partition),
    )


def _redact_heatmap(heat: Heat) -> Heat:
    """Return the heatmap with numbers in place of keys."""
    return replace(heat, bounds=number_ranges(heat.bounds))


def number_ranges(bounds: Sequence[bytes]) -> tuple[NumberedKey, ...]:
    """Return a number for each key between two ranges: that of the range that begins there.

    The numbers sort as the keys do.
    """
    digits = len(str(len(bounds) + 1))
    return tuple(NumberedKey(f"#{number:0{digits}}".encode()) for number in range(2, len(bounds) + 2))


def _redact_partition(load: PartitionLoad | None) -> PartitionLoad | None:
    return None if load is None else replace(load, hottest="…", largest="…")


def _without_values(spec: Spec) -> Spec:
    fields = tuple(field if field.values is None else _redact_field(field) for field in spec.fields)
    tables = tuple(table.model_copy(update={"split_keys": ()}) for table in spec.tables)
    return spec.model_copy(update={"fields": fields, "tables": tables})


def _redact_field(field: Field) -> Field:
    """Return the field with the number of its values, but without the values."""
    match field.values:
        case Enumeration(items=items):
            unnamed = tuple(Item(value=f"…{n}", weight=item.weight) for n, item in enumerate(items, 1))
            return field.model_copy(update={"values": Enumeration(items=unnamed)})
        case Pattern():
            return field.model_copy(update={"values": COUNTED})
        case Range(min=least, max=most):
            distinct = field.distinct if field.distinct is not None else most - least + 1
            return field.model_copy(update={"values": COUNTED, "distinct": distinct})
    return field


COUNTED = Pattern(text="…{n}")


# --- findings -----------------------------------------------------------------------------------------------------

OF_MONEY = frozenset({"I015", "I022"})
"""Rules about prices and commitments alone: that they find something is about money, too."""
LEFT_OUT = N_("{title} Its figures are hidden in this link.")


def _redact_finding(finding: Finding, hides: Exclusions, names: frozenset[str]) -> Finding:
    """Return the finding, reduced to its rule if its text may contain hidden values."""
    under = tuple(
        _redact_finding(consequence, hides, names)
        for consequence in finding.under
        if not (hides.cost and consequence.rule in OF_MONEY)
    )
    if not _holds_hidden(finding.params, hides, names):
        return replace(finding, under=under, fix=None, fix_label="", choices=())
    rule = RULES.get(finding.rule)
    title = Text(rule.title) if rule else finding.rule
    return replace(
        finding, message=LEFT_OUT, params={"title": title}, under=under, fix=None, fix_label="", effect=None,
        choices=(),
    )  # fmt: skip


def _holds_hidden(params: Mapping[str, Any], hides: Exclusions, names: frozenset[str]) -> bool:
    if hides.cost and any(name.endswith(("_cost", "_usd", "_price", "_cny")) for name in params):
        return True
    return any(_is_hidden(param, hides, names) for param in params.values())


def _is_hidden(value: Any, hides: Exclusions, names: frozenset[str]) -> bool:
    if isinstance(value, Text):
        return _holds_hidden(value.params, hides, names)
    if isinstance(value, tuple | list):
        return any(_is_hidden(inner, hides, names) for inner in value)
    if hides.cost and isinstance(value, Money | Decimal):
        return True
    if hides.samples and isinstance(value, bytes):
        return True
    return hides.samples and isinstance(value, str) and value not in names


def _visible_texts(spec: Spec) -> frozenset[str]:
    """Texts of a finding that are no value of a key: names of parts of the design, and the words of rules."""
    return frozenset(_element_texts(spec))


def _element_texts(spec: Spec) -> Iterator[str]:
    for element in walk(spec):
        if isinstance(element, Element):
            yield from (element.id, element_label(spec, element.id))
            if isinstance(element, AnySegment):
                yield segment_source(spec, element)
    for _, kind in spec.row_kinds():
        yield key_of(spec, kind)
