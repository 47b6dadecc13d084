"""Labels on the axis of keys: the shortest beginnings that tell ranges apart, with times as dates."""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass

from designer.document.key import KeyDisplay, as_text
from designer.wording.formatting import Translate, english
from estimator.presentation.segments import KeyPiece, KeyReader

LABEL_CHARACTERS = 24


@dataclass(frozen=True)
class KeyLabel:
    """The beginning of a key: text, and times that stand in it."""

    pieces: tuple[KeyPiece, ...] = ()
    has_year: bool = False
    """True where labels of one axis are years apart."""

    def __bool__(self) -> bool:
        """Return False for the first range, which begins at no key."""
        return any(self.pieces)

    @property
    def day(self) -> datetime.date | None:
        """The day that it begins with, if a time of that day follows."""
        first = self.pieces[0] if self.pieces else None
        return first.date() if isinstance(first, datetime.datetime) and first.time() != datetime.time() else None

    def text(self, translate: Translate = english, *, with_day: bool = True) -> str:
        """Return it as text; without its day where the label before begins with the same."""
        pieces = [
            self._piece(piece, translate, with_day=with_day or place > 0) for place, piece in enumerate(self.pieces)
        ]
        whole = "".join(pieces)
        if len(whole) <= LABEL_CHARACTERS:
            return whole
        return f"{whole[: LABEL_CHARACTERS // 2 - 1]}…{whole[-LABEL_CHARACTERS // 2 :]}"

    def _piece(self, piece: KeyPiece, translate: Translate, *, with_day: bool) -> str:
        if isinstance(piece, str):
            return piece
        day = piece.date()
        if piece.time() == datetime.time():
            return translate("{at}", {"at": day})
        clock = translate("{at_clock}", {"at_clock": piece})
        if not with_day:
            return clock
        form = "at" if self.has_year else "at_shortday"
        return f"{translate(f'{{{form}}}', {form: day})} {clock}"


def range_labels(bounds: Sequence[bytes], read_key: KeyReader | None = None) -> tuple[KeyLabel, ...]:
    """Return the shortest beginning of each range's first key that differs from the bound before; the first has none.

    `read_key` gives times in them whole and as dates.
    """
    labels: list[tuple[KeyPiece, ...]] = [()]
    before = b""
    for bound in bounds:
        same = next((i for i, (a, b) in enumerate(zip(before, bound, strict=False)) if a != b), len(before))
        pieces = read_key(bound, same + 1) if read_key else None
        labels.append(pieces or (as_text(bound if isinstance(bound, KeyDisplay) else bound[: same + 1]),))
        before = bound
    years = {piece.year for pieces in labels for piece in pieces if isinstance(piece, datetime.datetime)}
    return tuple(KeyLabel(pieces, len(years) > 1) for pieces in labels)


def axis_texts(labels: Sequence[KeyLabel], translate: Translate = english) -> list[str]:
    """Return neighbouring labels as texts, each day once."""
    days = (None, *(label.day for label in labels))
    return [
        label.text(translate, with_day=label.day is None or label.day != day)
        for day, label in zip(days, labels, strict=False)
    ]
