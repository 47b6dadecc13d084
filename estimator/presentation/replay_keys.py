"""Keys under which a log is replayed beside a design's own: key text, or a candidate of the advisor, by name."""

import re
from collections.abc import Iterator

from designer.document import Spec
from designer.document.keytext import KeyTextError
from designer.document.table import Table
from designer.document.texts import N_, Text
from estimator.advice.advisor import SHOWN
from estimator.advice.advisor.keys import set_key
from estimator.estimates.context import Context
from estimator.traces import ReplayError
from estimator.traces.replays.replay_plan import find_row_kind

from .advisor_page import advice_page

_ADVISOR = re.compile(r"advisor(?::(all|\d{1,3}))?")
Named = tuple[Text, Spec]
"""The name of a key, and the design that has it."""


def candidate_names() -> tuple[tuple[str, Text], ...]:
    """Return the names of as many candidates as the advisor shows at most, each with its words."""
    return tuple((f"advisor:{number}", _title(number)) for number in range(1, SHOWN + 1))


def designs_under(spec: Spec, table: Table, name: str, context: Context, row_kind: str = "") -> Iterator[Named]:
    """Yield the design with the keys of this name: `advisor`, `advisor:2`, `advisor:all`, or key text.

    The others of several row kinds keep their keys.

    Raises
    ------
    ReplayError
        If the advisor has no such candidate, the text is no key, or the table has several row kinds and none is named.
    """
    kind = find_row_kind(table, row_kind)
    match = _ADVISOR.fullmatch(name)
    if match is None:
        try:
            design = set_key(spec, table, kind, name, table_only=False)
        except KeyTextError as error:
            reason = Text(error.message, error.params)
            raise ReplayError(N_("the other key: {reason}"), reason=reason) from error
        yield Text(N_("Other key")), design
        return
    texts = [line.candidate.text for line in advice_page(spec, kind.id, context).lines[1:]]
    numbers = range(1, len(texts) + 1) if match[1] == "all" else [int(match[1] or 1)]
    if not texts:
        raise ReplayError(N_("the advisor found no other key for this table"))
    for number in numbers:
        if not 1 <= number <= len(texts):
            raise ReplayError(N_("candidates of the advisor for this table: {count}"), count=len(texts))
        yield _title(number), set_key(spec, table, kind, texts[number - 1], table_only=False)


def _title(number: int) -> Text:
    if number == 1:
        return Text(N_("Best candidate of the advisor"))
    return Text(N_("Candidate {number} of the advisor"), {"number": str(number)})
