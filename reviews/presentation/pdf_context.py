"""Additional contents of a design's PDF: its revision and the verdicts.

The revision has a date and an author.
"""

from collections.abc import Iterable

from django.utils.translation import gettext

from designer.document import Spec
from designer.models import Design, Revision
from designer.templatetags.keywright import language
from estimator.contexts import current_context
from estimator.presentation.design_page import analyze
from reviews.links.exclusions import Exclusions
from reviews.models.verdicts import latest_verdicts
from reviews.pdf import pdf_request as stand
from reviews.verdicts.sections import SECTIONS, hashes, titles
from reviews.verdicts.status import LatestVerdict


def pdf_options(
    design: Design,
    revision: Revision,
    sections: tuple[str, ...] | None = None,
    *,
    shown_verdicts: Iterable[LatestVerdict] | None = None,
    hides: Exclusions | None = None,
) -> stand.PdfOptions:
    """Return the options for a PDF of one revision, in the reader's language.

    `shown_verdicts` are those that a visitor may see, who is not told who made the revision; members see all.
    """
    if shown_verdicts is None:
        by, given = str(revision.by) if revision.by else "", _verdicts(design, revision)
    else:
        by, given = "", tuple(shown_verdicts)
    state = stand.DesignState(revision.at, revision.number, by, _pdf_verdicts(revision.document.spec, given))
    hides = hides or Exclusions()
    return stand.PdfOptions(state, sections, language(), gettext, hides_cost=hides.cost, hides_samples=hides.samples)


def _verdicts(design: Design, revision: Revision) -> tuple[LatestVerdict, ...]:
    """Everybody's latest verdict on each section; out of date where this revision's section is another one."""
    spec = revision.document.spec
    return latest_verdicts(design, hashes(spec, analyze(spec, current_context()).estimate))


def _pdf_verdicts(spec: Spec, verdicts: Iterable[LatestVerdict]) -> tuple[stand.SectionVerdict, ...]:
    return tuple(
        stand.SectionVerdict(
            section=titles(spec.engine)[one.section],
            approved=one.approves,
            by=one.author_name,
            when=one.at,
            note=one.text,
            stale=one.is_stale,
            from_link=one.visitor,
            self_checked=one.is_own,
        )
        for one in sorted(verdicts, key=lambda one: (SECTIONS.index(one.section), one.order))
    )
