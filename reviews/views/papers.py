"""What a PDF of a design says besides the document: its revision, when that was made and by whom, the verdicts."""

from django.utils.translation import gettext

from designer.models import Design, Revision
from designer.templatetags.keywright import language
from estimator.pages import answer
from reviews.models import Verdict
from reviews.pdf import stand
from reviews.sections import SECTIONS, TITLES, hashes
from reviews.standing import Given, latest


def paper_of(design: Design, revision: Revision, sections: tuple[str, ...] | None = None) -> stand.Paper:
    """The choices for a PDF of one revision, in the reader's language."""
    by = str(revision.by) if revision.by else ""
    state = stand.Stand(revision.at, revision.number, by, _verdicts(design, revision))
    return stand.Paper(state, sections, language(), gettext)


def _verdicts(design: Design, revision: Revision) -> tuple[stand.Verdict, ...]:
    """Everybody's latest verdict on each section; out of date where this revision's section is another one."""
    rows = Verdict.objects.filter(design=design).select_related("person", "link")
    given = [one for row in rows if (one := _given(row)) is not None]
    if not given:
        return ()
    spec = revision.document.spec
    found = latest(given, hashes(spec, answer(spec).estimate))
    return tuple(
        stand.Verdict(
            section=TITLES[one.section],
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


def _given(row: Verdict) -> Given | None:
    section = next((one for one in SECTIONS if one == row.section), None)
    if section is None:
        return None
    who = row.name if row.visitor or row.person is None else str(row.person)
    author = ("link", row.link_id, row.name) if row.visitor else ("person", row.person_id or row.name)
    return Given(
        section, row.approves, who, row.hash, row.number, row.sha256, row.at, row.text,
        visitor=row.visitor, own=row.own, author=author,
    )  # fmt: skip
