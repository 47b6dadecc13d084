"""The types of reviews: links, threads of comments, verdicts."""

import datetime
from typing import Annotated, Literal

from ninja import Schema
from pydantic import Field, StrictBool

from designer.document.base import Day
from designer.document.texts import N_
from reviews.api.bodies import RequestBody
from reviews.models.talk import LONGEST
from reviews.verdicts.sections import Section

Name = Annotated[str, Field(min_length=1, max_length=100)]
Days = Annotated[int, Field(ge=1, le=3650, strict=True)]
Password = Annotated[str, Field(max_length=1_000)]


class LinkAsked(RequestBody):
    """Request for a review link."""

    name: Name = Field(description=N_("Name in the list of links."))
    role: Literal["link_view", "link_comment"] = Field(
        default="link_view", description=N_("Whether visitors only read, or also comment and give verdicts.")
    )
    revision: Annotated[int, Field(ge=1, le=2**31 - 1, strict=True)] | None = Field(
        default=None, description=N_("Number of the revision to show. Default: always the latest.")
    )
    compares: StrictBool = Field(default=True, description=N_("Whether changes of later revisions are shown, too."))
    hides_cost: StrictBool = Field(default=False, description=N_("Whether prices and cost are left out."))
    hides_samples: StrictBool = Field(default=False, description=N_("Whether sample keys and values are left out."))
    allows_files: StrictBool = Field(
        default=False,
        description=N_("Whether visitors may download the design as PDF, and as JSON while nothing is left out."),
    )
    days: Days | None = Field(default=30, description=N_("Days until the link expires; null: it does not."))
    password: Password = Field(default="", description=N_("Password of 8 characters or more; empty: none."))


class LinkChange(RequestBody):
    """Changes of a review link; what is not given stays."""

    name: Name | None = Field(default=None, description=N_("New name in the list of links."))
    compares: StrictBool | None = Field(
        default=None, description=N_("Whether changes of later revisions are shown, too.")
    )
    hides_cost: StrictBool | None = Field(default=None, description=N_("Whether prices and cost are left out."))
    hides_samples: StrictBool | None = Field(
        default=None, description=N_("Whether sample keys and values are left out.")
    )
    allows_files: StrictBool | None = Field(
        default=None,
        description=N_("Whether visitors may download the design as PDF, and as JSON while nothing is left out."),
    )
    days: Days | None = Field(default=None, description=N_("Days from now until the link expires; null: it does not."))
    password: Password | None = Field(
        default=None, description=N_("New password of 8 characters or more; empty: none from now on.")
    )


class LinkInfo(Schema):
    """A review link."""

    id: int = Field(description=N_("Identifier in addresses."))
    name: str = Field(description=N_("Name in the list of links."))
    role: str = Field(description=N_("Whether visitors only read, or also comment and give verdicts."))
    revision: int | None = Field(description=N_("Number of the shown revision; null if always the latest."))
    compares: bool = Field(description=N_("Whether changes of later revisions are shown, too."))
    hides_cost: bool = Field(description=N_("Whether prices and cost are left out."))
    hides_samples: bool = Field(description=N_("Whether sample keys and values are left out."))
    allows_files: bool = Field(
        description=N_("Whether visitors may download the design as PDF, and as JSON while nothing is left out.")
    )
    has_password: bool = Field(description=N_("Whether the link asks for a password."))
    state: Literal["open", "expired", "revoked"] = Field(description=N_("open, expired or revoked."))
    made: datetime.datetime = Field(description=N_("Time in UTC."))
    made_by: str | None = Field(description=N_("Author; null if no longer a member."))
    ends: datetime.datetime | None = Field(description=N_("Time in UTC; null without an end."))
    revoked: datetime.datetime | None = Field(description=N_("Time in UTC; null if not revoked."))
    visits: int = Field(description=N_("Number of visits."))
    last_visit: datetime.datetime | None = Field(description=N_("Time in UTC; null if never visited."))


class LinkMade(LinkInfo):
    """A new review link with its address."""

    address: str | None = Field(
        description=N_(
            "Address of the link, returned only once; null if the request is repeated with its idempotency key."
        )
    )


class ThreadAsked(RequestBody):
    """First comment on something of the design."""

    on: list[str] = Field(
        min_length=2,
        max_length=6,
        description=N_(
            "Subject: element, id, field; finding, rule, id; section, name; line, item, id, SKU, region. "
            "The field and the id may be empty."
        ),
    )
    text: str = Field(min_length=1, max_length=LONGEST, description=N_("The comment."))


class CommentAsked(RequestBody):
    """A further comment in a thread."""

    text: str = Field(min_length=1, max_length=LONGEST, description=N_("The comment."))


class ThreadChange(RequestBody):
    """State of a thread."""

    resolved: StrictBool = Field(description=N_("Whether the thread is resolved or open again."))


class CommentInfo(Schema):
    """A comment."""

    by: str = Field(description=N_("Author."))
    text: str = Field(description=N_("The comment."))
    at: datetime.datetime = Field(description=N_("Time in UTC."))
    visitor: bool = Field(description=N_("Whether it came by a review link."))
    link: str = Field(description=N_("Name of the review link that it came by; empty for a member."))


class ThreadInfo(Schema):
    """A thread of comments on something of the design."""

    number: int = Field(description=N_("Number, counted from 1 in each design."))
    on: list[str] = Field(description=N_("Subject of the thread, as it is sent."))
    label: str = Field(description=N_("Subject in words."))
    place: str = Field(description=N_("Subject in words, including whether it still exists."))
    section: str = Field(description=N_("Section of the review that the subject belongs to."))
    resolved: datetime.datetime | None = Field(description=N_("Time in UTC; null if open."))
    resolved_by: str = Field(description=N_("Who resolved the thread; empty if open."))
    comments: list[CommentInfo] = Field(description=N_("Comments, oldest first."))


class VerdictAsked(RequestBody):
    """A verdict on one section of the design."""

    section: Section = Field(description=N_("Name of the section."))
    verdict: Literal["approve", "changes"] = Field(description=N_("approve, or changes to request some."))
    mark: str = Field(
        max_length=100,
        description=N_("Hash of the section as it was read; if it has changed since, nothing is stored."),
    )
    text: str = Field(default="", max_length=LONGEST, description=N_("Comment; required to request changes."))
    revision: Annotated[int, Field(ge=1, le=2**31 - 1, strict=True)] | None = Field(
        default=None, description=N_("Number of the revision. Default: the latest.")
    )


class VerdictInfo(Schema):
    """Somebody's latest verdict on a section."""

    verdict: Literal["approve", "changes"] = Field(description=N_("approve, or changes to request some."))
    by: str = Field(description=N_("Author."))
    text: str = Field(description=N_("The comment."))
    at: datetime.datetime = Field(description=N_("Time in UTC."))
    revision: int = Field(description=N_("Number of the revision that was seen."))
    stale: bool = Field(description=N_("Whether the section has changed since."))
    own: bool = Field(description=N_("Whether a lone person approved their own work."))
    link: str = Field(description=N_("Name of the review link that it came by; empty for a member."))


class ReviewerAsked(RequestBody):
    """Somebody who was asked for a verdict and has given none."""

    reviewer: str = Field(description=N_("Who was asked."))
    due: datetime.date | None = Field(description=N_("Last day; null without an end."))
    note: str = Field(description=N_("Note for the reviewer."))
    by: str = Field(description=N_("Who asked."))


class RequestAsked(RequestBody):
    """A request for a review."""

    sections: list[Section] = Field(min_length=1, max_length=20, description=N_("Sections to review."))
    person: Annotated[str, Field(max_length=254)] | None = Field(
        default=None, description=N_("E-mail address of a member of the team.")
    )
    link: Annotated[int, Field(ge=1, le=2**31 - 1, strict=True)] | None = Field(
        default=None, description=N_("Instead of a person: the id of a link whose visitors may comment.")
    )
    due: Day | None = Field(default=None, description=N_("Last day; null without an end."))
    note: str = Field(default="", max_length=500, description=N_("Note for the reviewer."))


class RequestInfo(Schema):
    """Somebody who was asked for a review."""

    id: int = Field(description=N_("Identifier in addresses."))
    reviewer: str = Field(description=N_("Who was asked."))
    sections: list[Section] = Field(description=N_("Sections to review."))
    due: datetime.date | None = Field(description=N_("Last day; null without an end."))
    note: str = Field(description=N_("Note for the reviewer."))
    by: str = Field(description=N_("Who asked."))


class MailAsked(RequestBody):
    """Choice to receive mail about a design."""

    mail: StrictBool = Field(description=N_("Whether mail about the design is sent."))
    miss_percent: Annotated[int, Field(ge=1, le=1_000, strict=True)] = Field(
        default=20, description=N_("Share by which a measurement may miss the forecast before the event is sent. [%]")
    )


class MailInfo(Schema):
    """Choice to receive mail about a design."""

    mail: bool = Field(description=N_("Whether mail about the design is sent."))
    miss_percent: int | None = Field(
        description=N_("Share by which a measurement may miss the forecast before mail is sent; null without mail. [%]")
    )


class SectionInfo(Schema):
    """State of one section of the review."""

    section: Section = Field(description=N_("Name of the section."))
    title: str = Field(description=N_("Display name."))
    state: str = Field(description=N_("changes, approved, link, own, stale, asked or none."))
    mark: str = Field(description=N_("Hash of the section's content, to be sent with a verdict."))
    verdicts: list[VerdictInfo] = Field(description=N_("The latest verdict of everybody, newest first."))
    asked: list[ReviewerAsked] = Field(description=N_("Reviewers who have not answered."))


class ReviewInfo(Schema):
    """State of the review of one revision."""

    revision: int = Field(description=N_("Number of the revision."))
    sha256: str = Field(description=N_("SHA-256 of the document."))
    sections: list[SectionInfo] = Field(description=N_("State by section."))
