"""Figures of the start page: the cure of the best known mistake, figures of designs and of examples."""

from dataclasses import dataclass
from typing import Literal

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from designer.document.texts import N_
from designer.views.access import design_for
from designer.views.designs.gallery import find_example
from designer.wording import Chip
from designer.wording.formatting import Text
from estimator.comparison.explanation import MapSide, map_side
from estimator.comparison.preview import preview
from estimator.contexts import current_context
from estimator.models import Measured
from estimator.presentation.charts.thumbnail import thumbnail
from estimator.presentation.design_page import DesignPage, design_page
from estimator.presentation.sheet.cards import Service
from estimator.presentation.sheet.cards import card as card_of

MISTAKE, RULE = "timestamp-first", "K004"
"""The example on top of the start page, and the rule whose fix cures it."""
FULL = 1.0
"""Load ÷ capacity of a node."""


@dataclass(frozen=True)
class Sign:
    """One consequence of a key, and whether it is a good one."""

    severity: Service
    text: Text


@dataclass(frozen=True)
class Side:
    """The mistake, or its cure."""

    name: Literal["before", "after"]
    shown: DesignPage
    chips: tuple[Chip, ...]
    map: MapSide | None
    signs: tuple[Sign, ...]


@require_safe
def summary(request: HttpRequest, key: str) -> HttpResponse:
    """Show the estimate in a list of designs: a picture, the findings and the bill."""
    Measured.refresh()
    return _render_card(request, "summary", design_page(design_for(request, key, "view").spec, current_context()))


@require_safe
def card(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the estimate on a card of the start page: a picture, the gravest findings, the bill."""
    return _render_card(request, "card", design_page(find_example(slug).spec, current_context()))


@require_safe
def cure(request: HttpRequest) -> HttpResponse:
    """Show the best known mistake before and after the fix of its finding."""
    before = design_page(find_example(MISTAKE).spec, current_context())
    edit = next(
        (remark.finding.fix for remark in before.remarks if remark.finding.rule == RULE and remark.finding.fix), None
    )
    if edit is None:
        raise Http404
    sides = (_side("before", before), _side("after", preview(before, edit).after))
    return render(request, "estimator/cards/cure.html", {"slug": MISTAKE, "sides": sides})


def _render_card(request: HttpRequest, name: str, shown: DesignPage) -> HttpResponse:
    picture = thumbnail(shown.spec, shown.estimate)
    context = {"page": shown, "bill": shown.estimate.bill, "picture": picture}
    return render(request, f"estimator/start/_{name}.html", context)


def _side(name: Literal["before", "after"], shown: DesignPage) -> Side:
    (table,) = shown.tables
    (kind,) = table.kinds
    return Side(name, shown, kind.chips, map_side(shown, table.table.id), (_node(shown), *_reads(shown)))


def _node(shown: DesignPage) -> Sign:
    peak = max(placement.peak_utilisation for placement in shown.estimate.placements)
    text = Text(N_("The busiest node is at {peak_share} of its limit"), {"peak_share": peak})
    return Sign("error" if peak > FULL else "good", text)


def _reads(shown: DesignPage) -> tuple[Sign, ...]:
    (table,) = shown.spec.tables
    return tuple(
        Sign(read.service, Text("{read}: {what}", {"read": read.name, "what": read.what}))
        for read in card_of(shown, table, None, None).reads
    )
