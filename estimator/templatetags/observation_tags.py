"""Figures of measurements in templates."""

from django import template

from designer.templatetags.keywright import language
from designer.wording import formatting
from estimator.observations import ComparedFigure, report
from estimator.observations.designed import DesignedBand

register = template.Library()


@register.filter
def designed_text(figure: ComparedFigure) -> str:
    """Return what was designed, in the reader's language."""
    return report.designed_text(figure, language())


@register.filter
def difference_text(figure: ComparedFigure) -> str:
    """Return by how much the measured differs."""
    return report.difference_text(figure, language())


@register.filter
def signed_change(change: float) -> str:
    """Return by which share a figure rose or fell, with its sign."""
    return formatting.signed_change(change, language())


@register.filter
def designed_share(band: DesignedBand) -> str:
    """Return the bounds of a share."""
    return report.band_text(band, "share", language())
