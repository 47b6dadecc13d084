"""Results of the search over schemas: whole designs with what they cost and how each sentence is served."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from designer.document import Spec
from designer.document.key import Resolution
from designer.document.money import Money
from designer.document.texts import Text
from estimator.results import Estimate, ReadPlan

ServedBy = Literal["point", "short_range", "range", "scan", "refused"]


@dataclass(frozen=True)
class QuestionService:
    """One question of the application as a schema serves it."""

    sentence: int
    name: str
    table: str
    """Name of the table that is read."""
    served_by: ServedBy
    plan: ReadPlan
    is_in_time: bool
    """True if it takes no longer than the sentence allows; where it says nothing, if it is no scan."""


@dataclass(frozen=True)
class ProposedTable:
    """One table of a schema."""

    id: str
    index_of: str
    """Name of the table that it repeats; "" if it is no index table."""
    writes_per_second: float | None
    """Rows that its activity adds to it."""
    cost: Money | None
    """Its share of the bill."""


@dataclass(frozen=True)
class ProposedSchema:
    """A whole design, with its estimate."""

    spec: Spec
    estimate: Estimate
    tables: tuple[ProposedTable, ...]
    questions: tuple[QuestionService, ...]
    cost: Money | None
    has_open_lines: bool = False
    """True if a price is missing, so that it costs more."""
    bucket: Resolution | None = None
    """What the rows of a table hold many records of; None: a row for each record."""
    why: Text | None = None
    """Why it is recommended, or how it differs from the recommended one."""

    @property
    def is_served(self) -> bool:
        """True if every question is answered in time."""
        return all(question.is_in_time for question in self.questions)


@dataclass(frozen=True)
class SchemaAdvice:
    """Two or three schemas, the recommended one first; and the sets that were rejected, each in a sentence."""

    schemas: tuple[ProposedSchema, ...]
    rejected: tuple[Text, ...]
    measured_keys: int
    assumptions: tuple[Text, ...]
    names: Mapping[int, str]
    """Each question in a few words, by its sentence."""
