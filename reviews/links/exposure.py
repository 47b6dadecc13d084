"""Preview of the contents that a link would show, with counts and the contents that can be hidden."""

from collections.abc import Iterator
from dataclasses import dataclass

from designer.document import Spec
from designer.document.engines import description_of
from designer.document.field import Enumeration, Pattern, Range, Values
from designer.document.texts import N_
from designer.wording.formatting import Text
from estimator.presentation.design_page import DesignAnalysis

from .exclusions import Exclusions
from .redaction import OF_MONEY


@dataclass(frozen=True)
class ExposureItem:
    """One kind of thing that a link shows or leaves out."""

    text: Text
    is_shown: bool = True
    hide: str = ""
    """Which choice leaves it out: "cost", "samples" or "files"; empty where none does."""


def list_exposure(
    spec: Spec,
    analysis: DesignAnalysis,
    hides: Exclusions,
    *,
    allows_files: bool = False,
    comment_threads: int = 0,
    verdict_count: int = 0,
) -> tuple[ExposureItem, ...]:
    """Everything that a visitor would see, what can be left out first;

    `comment_threads` is how many threads of comments.
    """
    return (
        *_optional_items(spec, analysis, hides),
        ExposureItem(Text(N_("download as PDF")), allows_files, "files"),
        ExposureItem(Text(N_("download as JSON")), allows_files and not hides, "files"),
        *_fixed_items(spec, analysis, hides),
        *_review_items(comment_threads, verdict_count),
    )


def _review_items(comment_threads: int, verdict_count: int) -> Iterator[ExposureItem]:
    if comment_threads:
        yield ExposureItem(Text(N_("comment threads: {said}"), {"said": comment_threads}))
    if verdict_count:
        yield ExposureItem(Text(N_("verdicts with the names of reviewers: {judged}"), {"judged": verdict_count}))


def _optional_items(spec: Spec, analysis: DesignAnalysis, hides: Exclusions) -> Iterator[ExposureItem]:
    samples = sum(len(facts.samples) for part in analysis.estimate.tables.values() for facts in part.keys.values())
    bounds = sum(len(part.traffic.heat.bounds) for part in analysis.estimate.tables.values() if part.traffic)
    listed = sum(len(getattr(field.values, "items", " ")) for field in spec.fields if _is_enumerated(field.values))
    bill = analysis.estimate.bill
    if samples or bounds:
        yield ExposureItem(
            Text(N_("sample keys: {samples}, and keys in the heatmaps"), {"samples": samples}),
            not hides.samples, "samples",
        )  # fmt: skip
    if listed:
        yield ExposureItem(
            Text(N_("field values that you entered: {listed}"), {"listed": listed}), not hides.samples, "samples"
        )
    if bill:
        total = {"total_cost": bill.money(bill.total)}
        yield ExposureItem(Text(N_("the bill, line by line: {total_cost} a month"), total), not hides.cost, "cost")
    if spec.instance.prices:
        prices = {"prices": len(spec.instance.prices)}
        yield ExposureItem(Text(N_("negotiated prices that you entered: {prices}"), prices), not hides.cost, "cost")
    if spec.instance.commitment:
        yield ExposureItem(Text(N_("your commitment to the provider")), not hides.cost, "cost")


def _is_enumerated(values: Values | None) -> bool:
    """Return whether the values are known individually: listed, by a pattern, or as a range."""
    return isinstance(values, Enumeration | Pattern | Range)


def _fixed_items(spec: Spec, analysis: DesignAnalysis, hides: Exclusions) -> Iterator[ExposureItem]:
    personal = sum(1 for field in spec.fields if field.personal)
    yield ExposureItem(
        Text(
            N_("names and structure: {count_tables}, {count_fields}, {count_activities}"),
            {
                "count_tables": len(spec.tables),
                "count_fields": len(spec.fields),
                "count_activities": len(spec.activities),
            },
        )
    )
    if personal:
        yield ExposureItem(Text(N_("fields marked as personal data: {personal}"), {"personal": personal}))
    if spec.description.strip():
        yield ExposureItem(Text(N_("the full description")))
    if spec.instance.clusters:
        clusters = {"clusters": tuple(cluster.known_region or cluster.name for cluster in spec.instance.clusters)}
        yield ExposureItem(Text(description_of(spec).terms["places"], clusters))
    if analysis.findings:
        yield ExposureItem(Text(N_("findings: {findings}"), {"findings": len(analysis.findings)}))
    accepted = [risk for risk in spec.ignores if not (hides.cost and risk.rule in OF_MONEY)]
    if accepted:
        ignores = {"ignores": len(accepted)}
        yield ExposureItem(Text(N_("accepted risks with reasons and owners: {ignores}"), ignores))
