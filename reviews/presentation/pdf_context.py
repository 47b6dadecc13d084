"""Additional contents of a design's PDF: its revision and the verdicts.

The revision has a date and an author.
"""

from django.utils.translation import gettext

from designer.models import Design, Revision
from designer.templatetags.keywright import language
from estimator.contexts import current_context
from estimator.presentation.design_page import answer
from reviews.models.verdicts import given_of
from reviews.pdf import pdf_request as stand
from reviews.verdicts.sections import SECTIONS, hashes, titles


def paper_of(design: Design, revision: Revision, sections: tuple[str, ...] | None = None) -> stand.Paper:
    """Return the options for a PDF of one revision, in the reader's language."""
    by = str(revision.by) if revision.by else ""
    state = stand.Stand(revision.at, revision.number, by, _verdicts(design, revision))
    return stand.Paper(state, sections, language(), gettext)


def _verdicts(design: Design, revision: Revision) -> tuple[stand.Verdict, ...]:
    """Everybody's latest verdict on each section; out of date where this revision's section is another one."""
    spec = revision.document.spec
    found = given_of(design, hashes(spec, answer(spec, current_context()).estimate))
    return tuple(
        stand.Verdict(
            section=titles(spec.engine)[one.section],
            approved=one.approves,
            by=one.who,
            when=one.at,
            note=one.text,
            stale=one.stale,
            from_link=one.visitor,
            self_checked=one.own,
        )
        for one in sorted(found, key=lambda one: (SECTIONS.index(one.section), one.at))
    )
