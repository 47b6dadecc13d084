"""Start date and price book of a new design. Which books exist the estimator knows: the settings name whom to ask."""

import datetime
from typing import cast

from django.conf import settings
from django.utils.module_loading import import_string

from designer.document import Spec
from designer.document.edits import Batch, Clear, Edit, Set, apply
from designer.document.texts import N_

BOOK = "instance.price_book"


def pin_price_book(spec: Spec) -> Spec:
    """Return the design with the newest price book of its engine, unless it names one.

    Later price books then do not change its bill.
    """
    if spec.instance.price_book is not None:
        return spec
    return apply(spec, Set(at="", name=BOOK, value=_newest_book(spec), was=None))[0]


def begin_today(spec: Spec) -> Spec:
    """Return the design with today as its start date and the newest price book, unless it names them.

    A new design then gives the same figures on every later day.
    """
    if spec.start is None:
        spec = apply(spec, Set(at="", name="start", value=_today(), was=None))[0]
    return pin_price_book(spec)


def add_price_book(spec: Spec, edit: Edit) -> Edit:
    """Return the edit; if it changes the engine, it also changes the price book.

    The prices of a price book are of one engine.
    """
    was = spec.instance.price_book
    if was is None or not isinstance(edit, Set | Clear) or (edit.at, edit.name) != ("", "engine"):
        return edit
    following, _ = apply(spec, edit)
    if following.engine == spec.engine:
        return edit
    # The newest book is chosen for a design, and one that names the book of another engine would get that one again.
    unpinned, _ = apply(following, Clear(at="", name=BOOK, was=was))
    book = Set(at="", name=BOOK, value=_newest_book(unpinned), was=was)
    return Batch(label=N_("changed the engine and the price book"), edits=(edit, book))


def _newest_book(spec: Spec) -> str | None:
    return cast(str | None, import_string(settings.KEYWRIGHT_NEWEST_BOOK)(spec, _today()))


def _today() -> datetime.date:
    return datetime.datetime.now(datetime.UTC).date()
