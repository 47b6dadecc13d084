"""Preview of the contents that a link would show, with counts and the contents that can be hidden."""

from collections.abc import Iterator
from dataclasses import dataclass

from designer.document import Spec
from designer.document.engines import description_of
from designer.document.field import Enumeration, Pattern, Range, Values
from designer.document.texts import N_
from designer.wording.formatting import Text
from estimator.presentation.design_page import Answer

from .exclusions import Hides
from .redaction import OF_MONEY


@dataclass(frozen=True)
class Exposed:
    """One kind of thing that a link shows or leaves out."""

    text: Text
    shown: bool = True
    hide: str = ""
    """Which choice leaves it out: "cost" or "samples"; empty where none does."""


def exposed(spec: Spec, made: Answer, hides: Hides, *, said: int = 0, judged: int = 0) -> tuple[Exposed, ...]:
    """Everything that a visitor would see, what can be left out first; `said` is how many threads of comments."""
    return (*_exposed(spec, made, hides), *_told(said, judged))


def _told(said: int, judged: int) -> Iterator[Exposed]:
    if said:
        yield Exposed(Text(N_("comment threads: {said}"), {"said": said}))
    if judged:
        yield Exposed(Text(N_("verdicts with the names of reviewers: {judged}"), {"judged": judged}))


def _exposed(spec: Spec, made: Answer, hides: Hides) -> Iterator[Exposed]:
    samples = sum(len(facts.samples) for part in made.estimate.tables.values() for facts in part.keys.values())
    bounds = sum(len(part.traffic.heat.bounds) for part in made.estimate.tables.values() if part.traffic)
    listed = sum(len(getattr(field.values, "items", " ")) for field in spec.fields if _tells(field.values))
    bill = made.estimate.bill
    if samples or bounds:
        yield Exposed(
            Text(N_("sample keys: {samples}, and keys in the heatmaps"), {"samples": samples}),
            not hides.samples, "samples",
        )  # fmt: skip
    if listed:
        yield Exposed(
            Text(N_("field values that you entered: {listed}"), {"listed": listed}), not hides.samples, "samples"
        )
    if bill:
        total = {"total_cost": bill.money(bill.total)}
        yield Exposed(Text(N_("the bill, line by line: {total_cost} a month"), total), not hides.cost, "cost")
    if spec.instance.prices:
        prices = {"prices": len(spec.instance.prices)}
        yield Exposed(Text(N_("negotiated prices that you entered: {prices}"), prices), not hides.cost, "cost")
    if spec.instance.commitment:
        yield Exposed(Text(N_("your commitment to the provider")), not hides.cost, "cost")
    yield from _always(spec, made, hides)


def _tells(values: Values | None) -> bool:
    """Return whether the values are known individually: listed, by a pattern, or as a range."""
    return isinstance(values, Enumeration | Pattern | Range)


def _always(spec: Spec, made: Answer, hides: Hides) -> Iterator[Exposed]:
    personal = sum(1 for field in spec.fields if field.personal)
    yield Exposed(
        Text(
            N_("names and structure: tables {tables}, fields {fields}, activities {activities}"),
            {"tables": len(spec.tables), "fields": len(spec.fields), "activities": len(spec.activities)},
        )
    )
    if personal:
        yield Exposed(Text(N_("fields marked as personal data: {personal}"), {"personal": personal}))
    if spec.description.strip():
        yield Exposed(Text(N_("the full description")))
    if spec.instance.clusters:
        clusters = {"clusters": tuple(cluster.region or cluster.name for cluster in spec.instance.clusters)}
        yield Exposed(Text(description_of(spec).terms["places"], clusters))
    if made.findings:
        yield Exposed(Text(N_("findings: {findings}"), {"findings": len(made.findings)}))
    accepted = [one for one in spec.ignores if not (hides.cost and one.rule in OF_MONEY)]
    if accepted:
        ignores = {"ignores": len(accepted)}
        yield Exposed(Text(N_("accepted risks with reasons and owners: {ignores}"), ignores))
