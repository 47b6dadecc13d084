"""Files of an export, made by another process where that takes long."""

from dataclasses import replace

from django.utils.translation import get_language, override

from designer.document import Spec
from estimator.estimates.context import Context
from estimator.presentation.design_page import DesignAnalysis, analysis_key, analyze, part_steps
from reviews.exports import ExportContent, ExportResult, Format, format_named
from reviews.links.exclusions import Exclusions
from reviews.links.redaction import page_without

EXPORTS = "exports"
"""What the cache holds: files and remarks, by document, day, format and options."""
LONG_FORMATS = ("pdf",)
"""Formats whose files take a second even of a small design."""
COMPUTED_FORMATS = ("csv", "markdown")
"""Other formats that hold figures, and take long of a large design."""
MANY_TABLES = 20


def make_export(format_: Format, content: ExportContent) -> ExportResult:
    """Return the files of a format, in the language of this thread."""
    context = content.context
    if context is None or context.processes is None or not _takes_long(format_, content.spec):
        return format_.make(_with_estimate(format_, content))
    language = get_language()
    options = replace(content, spec=Spec(), context=None, known_estimate=None)
    parameters = (content.today, content.included_parts, content.pdf_options, content.code_language, content.adopts)
    key = (format_.name, analysis_key(content.spec, context), parameters, language)
    first = part_steps([table.id for table in content.spec.tables])
    result: ExportResult = context.get_or_compute(
        EXPORTS, key, content.spec, _make, format_.name, options, language, first=first
    )
    return result


def _takes_long(format_: Format, spec: Spec) -> bool:
    if format_.name in LONG_FORMATS:
        return True
    return format_.name in COMPUTED_FORMATS and len(spec.tables) >= MANY_TABLES


def _make(context: Context, spec: Spec, name: str, options: ExportContent, language: str | None) -> ExportResult:
    format_ = format_named(name)
    with override(language):
        return format_.make(_with_estimate(format_, replace(options, spec=spec, context=context)))


def _with_estimate(format_: Format, content: ExportContent) -> ExportContent:
    if content.context is None or not (content.included_parts or format_.name in (*LONG_FORMATS, *COMPUTED_FORMATS)):
        return content
    content = replace(content, known_estimate=analyze(content.spec, content.context).estimate)
    return _without_hidden(content) if content.pdf_options and content.pdf_options.hides_something else content


def _without_hidden(content: ExportContent) -> ExportContent:
    """Return the content of a PDF without what its reader may not see, by the rule of the pages."""
    options, analysis = content.pdf_options, DesignAnalysis(content.estimate, content.findings)
    assert options is not None
    hides = Exclusions(cost=options.hides_cost, samples=options.hides_samples)
    page = page_without(content.spec, analysis, hides, content.required_context)
    return replace(content, spec=page.spec, known_estimate=page.estimate, known_findings=page.findings)
