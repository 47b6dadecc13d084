"""Consequences of a change as messages, shared by pages, the command line and pull requests."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from designer.document.money import Money
from designer.document.texts import N_, Text
from estimator.presentation.labels import ACCESS
from estimator.results import Finding, ReadPlan

from .effects import Effects, HeatChange, ReadChange

Kind = Literal["data", "reads", "findings", "cost", "heat"]
MOST = 6
"""So many reads or tables are named of one step."""


class Consequence(NamedTuple):
    """One thing that a change leads to, and whether it is for the worse (None: neither)."""

    kind: Kind
    text: Text
    worse: bool | None = None


def consequences(stored_effects: tuple[Text, ...], effects: Effects) -> Iterator[Consequence]:
    """Yield the consequences of one change or of all changes, the gravest first."""
    for text in stored_effects:
        yield Consequence("data", text, True)
    if effects.money is not None and effects.money.amount:
        yield Consequence(
            "cost", Text(N_("{more} a month"), {"more": signed_amount(effects.money)}), effects.money.amount > 0
        )
    yield from _findings(effects)
    for read in effects.reads[:MOST]:
        there = read.before is not None and read.after is not None
        yield Consequence("reads", read_text(read), read.is_worse if there else None)
    for heat in effects.heat[:MOST]:
        if heat.is_moved:
            yield Consequence("heat", heat_text(heat), None if None in (heat.before, heat.after) else _is_hotter(heat))
        if heat.is_scaled:
            yield Consequence("heat", load_text(heat), (heat.load_factor or 0) > 1)


def times_text(was: float, now: float) -> Text:
    """Return how many times fewer or more there are of something that is counted; both are above 0."""
    message = N_("{ratio_count} times fewer") if now < was else N_("{ratio_count} times more")
    return Text(message, {"ratio_count": max(was, now) / min(was, now)})


def signed_amount(money: Money) -> Text:
    """Return an amount with its sign."""
    return Text("{sign}{cost}", {"sign": "+" if money.amount > 0 else "", "cost": money})


def read_text(read: ReadChange) -> Text:
    """Return the message on the access of a read in each design."""
    if read.before is None:
        return Text(N_("new read {read}: {now}"), {"read": read.name, "now": plan_text(read.after)})
    if read.after is None:
        return Text(N_("removed read {read}"), {"read": read.name})
    was, now = plan_text(read.before), plan_text(read.after)
    return Text(N_("{read}: {was} → {now}"), {"read": read.name, "was": was, "now": now})


def plan_text(plan: ReadPlan | None) -> Text:
    """Return the way a read is served, with the rows and bytes that it scans."""
    if plan is None:
        return Text("–")
    access = Text(ACCESS[plan.access])
    if plan.ranges > 1.5:
        access = Text("{access} × {ranges}", {"access": access, "ranges": plan.ranges})
    if not plan.has_actual_rows:
        return access
    scanned = {"rows": plan.rows_to_scan, "scanned_bytes": plan.bytes_scanned}
    return Text(N_("{access} ({rows} scanned, {scanned_bytes})"), {"access": access, **scanned})


def heat_text(heat: HeatChange) -> Text:
    """Return the message on a table's hottest range."""
    params = {"table": heat.name, "was": _share(heat.before), "now": _share(heat.after)}
    return Text(N_("hottest range of {table}: {was} → {now}"), params)


def load_text(heat: HeatChange) -> Text:
    """Return how much more or less a table carries at the peak."""
    change = (heat.load_factor or 1.0) - 1.0
    message = N_("peak load of {table}: {load_change} less")
    if change > 0:
        message = N_("peak load of {table}: {load_change} more")
    return Text(message, {"table": heat.name, "load_change": change})


def _share(share: float | None) -> Text:
    return Text("–") if share is None else Text("{load_share}", {"load_share": share})


def _is_hotter(heat: HeatChange) -> bool:
    return (heat.after or 0) > (heat.before or 0)


GRAVITY = ("accepted", "note", "question", "warning", "error")


def _findings(effects: Effects) -> Iterator[Consequence]:
    """Yield the findings that appear and disappear and, for those on both sides, what changed."""
    was = {(finding.rule, finding.at): _gravity(finding) for finding in effects.gone}
    now = {(finding.rule, finding.at): _gravity(finding) for finding in effects.came}
    # A finding whose severity changed is gone as it was and has come as it is.
    both = [key for key in now if key in was]
    groups: tuple[tuple[str, list[str], bool | None], ...] = (
        (N_("new findings: {codes}"), [code for code, at in now if (code, at) not in both], True),
        (N_("findings with higher severity: {codes}"), [c for c, at in both if now[c, at] > was[c, at]], True),
        (N_("resolved findings: {codes}"), [code for code, at in was if (code, at) not in both], False),
        (N_("newly accepted findings: {codes}"), [c for c, at in both if now[c, at] == 0], None),
        (N_("findings with lower severity: {codes}"), [c for c, at in both if 0 < now[c, at] < was[c, at]], False),
    )
    for message, codes, worse in groups:
        if codes:
            yield Consequence("findings", Text(message, {"codes": tuple(dict.fromkeys(codes))}), worse)


def _gravity(finding: Finding) -> int:
    return GRAVITY.index("accepted" if finding.ignored else finding.severity)
