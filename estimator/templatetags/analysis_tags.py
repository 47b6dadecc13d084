"""Template tags of parts that show only the analysis of a content: they are rendered once for all open elements."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.template import Context
from django.utils.safestring import SafeString

from designer.templatetags.kept_tags import render_once
from estimator.presentation.charts.utilisation import node_load
from estimator.presentation.design_page import DesignPage, FindingView, analysis_key

register = template.Library()


@register.simple_tag(takes_context=True)
def of_analysis(context: Context, name: str, **seen: Any) -> SafeString:
    """Return a part that sees the analysis, the address of its content and plain values."""
    return render_of_analysis(context, name, seen, seen)


@register.simple_tag(takes_context=True)
def findings_of_analysis(context: Context, remarks: tuple[FindingView, ...]) -> SafeString:
    """Return findings of the analysis, each closed."""
    numbers = [remark.number for remark in remarks]
    return render_of_analysis(context, "estimator/insight/_closed_remarks.html", {"remarks": remarks}, numbers)


@register.simple_tag(takes_context=True)
def heat_of_table(context: Context) -> SafeString:
    """Return the heatmap of the open table, drawn once for all elements and edits that leave its load as it is."""
    view: DesignPage = context["page"]
    table, of, against = context["table"].table, context["of"], context["against"]
    nodes = node_load(view.spec, view.estimate)
    values = {"heat": view.charts[f"heat-{table.id}-{of}-{against}"]}
    return render_once("estimator/insight/_heat_figure.html", values, (view.load_key(table), nodes, of, against))


def render_of_analysis(
    context: Context | Mapping[str, Any], name: str, seen: dict[str, Any], depends_on: object = None
) -> SafeString:
    """Return a part that sees the analysis of a context, and what follows from it and `depends_on`."""
    view: DesignPage = context["page"]
    base = context.get("base", "")
    key = analysis_key(view.spec, view.context)
    return render_once(name, seen | {"page": view, "base": base}, (key, base, depends_on))
