"""The meaning of sentences together: records with their fields and rates, and the patterns by which they are read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from designer.document.field_names import role_of
from designer.document.texts import N_, Text

from .patterns import EVENT_ID, AccessPattern, build_pattern, days_of
from .phrases import UNKNOWN
from .quantities import PARSERS, UnreadableError, parse_distinct, plural
from .sentences import SLOTS, Sentence, kind_of_sentence
from .templates import required_slots

MOST_READS, MOST_RECORDS = 12, 12
"""No more access patterns and records are searched for."""
DEFAULT_RECORD = "report"
"""A thing that reports sends records of this name, unless the sentence names them."""
_FILL_IN = Text(N_("Fill in this part of the sentence."))


@dataclass(frozen=True)
class SentenceProblem:
    """The reason that a sentence cannot be used, and the slot with the problem; "" is the sentence as a whole."""

    sentence: int
    slot: str
    text: Text


@dataclass(frozen=True)
class Record:
    """A record of one kind of event: its identity, the fields known when it is written, its rate."""

    name: str
    sentence: int
    fields: tuple[str, ...]
    """Fields that its writer knows, besides its own id and its time."""
    thing: str = ""
    """Who reports it, at regular intervals; "" if records come at a rate."""
    every_seconds: float | None = None
    per_second: float | None = None
    kept_days: float | None = None
    id_field: str = ""
    """The field that tells records apart; "" if the thing and the time do."""
    unique_fields: tuple[str, ...] = ()
    """Other fields by which one record is found, such as an order's tracking number."""


@dataclass(frozen=True)
class Application:
    """Everything that the sentences say."""

    records: tuple[Record, ...]
    patterns: tuple[AccessPattern, ...]
    distinct: Mapping[str, int] = field(default_factory=dict)
    """Values of a field, where a sentence counts them."""
    owners: Mapping[str, str] = field(default_factory=dict)
    """The field that each value of a field belongs to."""
    assumptions: tuple[Text, ...] = ()
    """What no sentence says and is needed for the others to mean anything."""

    def owner_chain(self, name: str) -> tuple[str, ...]:
        """Return the owners of a field, the nearest first."""
        chain: list[str] = []
        while (owner := self.owners.get(name)) and owner not in chain:
            chain.append(owner)
            name = owner
        return tuple(chain)

    def known_fields(self, record: Record) -> tuple[str, ...]:
        """Return the fields that the writer of a record knows: its own and their owners."""
        own = [
            *([record.thing] if record.thing else []),
            *record.fields,
            *([record.id_field] if record.id_field else []),
        ]
        return tuple(dict.fromkeys(name for field in own for name in (field, *self.owner_chain(field))))

    def name_in_design(self, name: str) -> str:
        """Return a field's name as a design has it: the id of a `score` is `score_id`, unless other records name it."""
        is_shared = any(name in record.fields for record in self.records)
        if not is_shared and any(record.id_field == record.name == name for record in self.records):
            return f"{name}_id" if name.isascii() else f"{name}ID"
        return name

    def record(self, name: str) -> Record:
        """Return the record of this name.

        Raises
        ------
        KeyError
            If there is none.
        """
        return {record.name: record for record in self.records}[name]


def understand(sentences: Sequence[Sentence]) -> tuple[Application, tuple[SentenceProblem, ...]]:
    """Return what the sentences mean, and each problem; a sentence with a problem is left out."""
    reader = _Reader()
    # All sentences are read first, since how a record's id is called depends on whether some read asks by it.
    values = [reader.read_slots(number, sentence) for number, sentence in enumerate(sentences)]
    reader.asked_by_id = {read.get("record", "") for read in values if read and _is_by_id(read)}
    # In this order, as reads refer to records and records to owners, whichever sentence comes first.
    for kinds in (("owner",), ("report", "event"), ("latest", "range", "recent", "one", "count", "states")):
        reader.name_ids()
        for number, sentence in enumerate(sentences):
            read = values[number]
            if sentence.kind in kinds and read is not None:
                reader.add(number, sentence.kind, read)
    return reader.application(), tuple(sorted(reader.problems, key=lambda problem: problem.sentence))


def _is_by_id(values: Mapping[str, Any]) -> bool:
    return tuple(values.get("by", ())) in (("id",), (values.get("record", ""),))


@dataclass
class _Reader:
    """The sentences read so far."""

    records: dict[str, Record] = field(default_factory=dict)
    patterns: list[AccessPattern] = field(default_factory=list)
    distinct: dict[str, int] = field(default_factory=dict)
    owners: dict[str, str] = field(default_factory=dict)
    assumptions: list[Text] = field(default_factory=list)
    problems: list[SentenceProblem] = field(default_factory=list)
    asked_by_id: set[str] = field(default_factory=set)
    """Records that a sentence finds by “id”, or by their own name."""

    def application(self) -> Application:
        """Return what has been read."""
        return Application(
            tuple(self.records.values()), tuple(self.patterns), self.distinct, self.owners, tuple(self.assumptions)
        )

    def read_slots(self, number: int, sentence: Sentence) -> dict[str, Any] | None:
        """Return the values of a sentence's slots; None, with the problems noted, if one cannot be read."""
        values, problems = read_slots(sentence)
        self.problems += [replace(problem, sentence=number) for problem in problems]
        return None if problems else values

    def name_ids(self) -> None:
        """Name the id of each record: as the others name it, or as a name that stands for one event each."""
        fields = {name for record in self.records.values() for name in record.fields} | set(self.owners.values())
        for name, record in self.records.items():
            is_event = name in fields or role_of(name).subject not in ("category", "part", "place", "time")
            self.records[name] = replace(record, id_field="" if record.thing else name if is_event else EVENT_ID)

    def add(self, number: int, kind: str, values: dict[str, Any]) -> None:
        """Add one sentence."""
        self._count_values(number, values.get("distinct", {}))
        match kind:
            case "owner":
                self._add_owner(number, values)
            case "report":
                self.distinct.setdefault(values["things"], values["count"])
                name = values.get("record", DEFAULT_RECORD)
                parts = tuple(part for part in values.get("by", ()) if part not in (name, values["things"]))
                self._add_record(
                    number,
                    Record(
                        name, number, parts, values["things"], values["interval"], None, days_of(values.get("kept"))
                    ),
                )
            case "event":
                parts = tuple(part for part in values.get("by", ()) if part != values["record"])
                self._add_record(
                    number,
                    Record(values["record"], number, parts, "", None, values["rate"], days_of(values.get("kept"))),
                )
            case _:
                self._add_pattern(number, kind, values)

    def _count_values(self, number: int, distinct: Mapping[str, int]) -> None:
        """Note how many values known fields have, unless another sentence counts them otherwise."""
        for name, count in distinct.items():
            if self.distinct.setdefault(name, count) != count:
                message = N_("Another sentence counts {other_count} {names}. Use one of the two numbers.")
                params = {"other_count": self.distinct[name], "names": plural(name)}
                self.problems.append(SentenceProblem(number, "by", Text(message, params)))

    def _add_owner(self, number: int, values: dict[str, Any]) -> None:
        thing, owner = values["things"], values["owners"]
        self.distinct |= {thing: values["count"], owner: values["owner_count"]}
        chain = Application((), (), owners={**self.owners, thing: owner}).owner_chain(owner)
        # A circle of owners would have no outermost one, and a key no beginning.
        if thing == owner or thing in chain:
            self.problems.append(
                SentenceProblem(number, "owners", Text(N_("A {name} cannot belong to itself."), {"name": thing}))
            )
        else:
            self.owners[thing] = owner

    def _add_record(self, number: int, record: Record) -> None:
        other = self.records.get(record.name)
        # Two kinds of things that report are told apart by their own names; nobody named their records.
        if other is not None and record.thing and record.name == DEFAULT_RECORD:
            record = replace(record, name=f"{record.thing}_{DEFAULT_RECORD}")
            other = self.records.get(record.name)
        if other is not None:
            message = N_("Another sentence already adds a {name}. Give these records another name.")
            self.problems.append(SentenceProblem(number, "record", Text(message, {"name": record.name})))
        elif len(self.records) >= MOST_RECORDS:
            self.problems.append(
                SentenceProblem(
                    number, "", Text(N_("Enter at most {count} kinds of records."), {"count": MOST_RECORDS})
                )
            )
        else:
            self.records[record.name] = record

    def _add_pattern(self, number: int, kind: str, values: dict[str, Any]) -> None:
        by = tuple(values.get("by", ()))
        latest_of = values.get("things", "")
        is_reported = any(record.thing == latest_of for record in self.records.values())
        record = self._find_record(number, values.get("record", latest_of if is_reported else ""), by)
        if record is None:
            return
        if len(self.patterns) >= MOST_READS:
            self.problems.append(
                SentenceProblem(number, "", Text(N_("Enter at most {count} reads."), {"count": MOST_READS}))
            )
            return
        if kind == "one" and len(by) == 1:
            record = self._with_id(record, by[0])
        if by in (("id",), (record.name,)):
            record = self._with_own_id(record)
            by = (record.id_field,) if record.id_field else ()
            if not by:
                message = N_("A {record} has no id. Show the latest {record} of one {thing} instead.")
                self.problems.append(
                    SentenceProblem(number, "by", Text(message, {"record": record.name, "thing": record.thing}))
                )
                return
        # The thing first: what it belongs to is then its owner, and no field of each record.
        for name in (*([latest_of] if latest_of else []), *by):
            record = self._with_field(record, name)
        if kind == "count":
            if not by and "span" not in values:
                self.problems.append(SentenceProblem(number, "span", _FILL_IN))
                return
            message = N_("To count or add up {records}, each read reads every one of them.")
            text = Text(message, {"records": plural(record.name)})
            self.assumptions += [text] if text not in self.assumptions else []
        self.patterns.append(build_pattern(number, kind, record.name, by, values))

    def _with_id(self, record: Record, name: str) -> Record:
        """Return the record with the field by which one of it is found, as its id, unless it is known to be another."""
        used_names = {
            *self.application().known_fields(record),
            *self.records,
            *self.distinct,
            *self.owners.values(),
            "id",
        }
        # A record that is asked for by its id as well keeps that as its id; the other field is unique beside it.
        is_named = record.id_field not in (record.name, EVENT_ID) or record.name in self.asked_by_id
        if record.thing or name in used_names:
            return record
        if is_named or any(record.id_field in pattern.by for pattern in self.patterns):
            changed = replace(record, fields=(*record.fields, name), unique_fields=(*record.unique_fields, name))
        else:
            changed = replace(record, id_field=name)
        self.records[record.name] = changed
        message = N_("Each {record} has a {name} of its own.")
        self.assumptions.append(_with_spaces(message, record=record.name, name=name))
        return changed

    def _with_own_id(self, record: Record) -> Record:
        """Return the record with an id of its own, if it has a name of its own: a message that each user sends has.

        It then comes at the rate of all things together, as a thing and a time no longer tell records apart.
        """
        if not record.thing or record.every_seconds is None or record.name.endswith(DEFAULT_RECORD):
            return record
        changed = replace(
            record,
            fields=(record.thing, *record.fields),
            thing="",
            every_seconds=None,
            per_second=self.distinct[record.thing] / record.every_seconds,
            id_field=record.name,
        )
        self.records[record.name] = changed
        self.assumptions.append(_with_spaces(N_("Each {record} has an id of its own."), record=record.name))
        return changed

    def _find_record(self, number: int, name: str, by: tuple[str, ...]) -> Record | None:
        """Return the record that a read names, by its own name or by the thing that reports it."""
        every = list(self.records.values())
        if not name:
            fitting = [candidate for candidate in every if set(by) <= set(self.application().known_fields(candidate))]
            if len(every) == 1 or len(fitting) == 1:
                return (fitting or every)[0]
            message = N_("Specify which records are shown.") if every else N_("First describe what is stored.")
            self.problems.append(SentenceProblem(number, "record" if every else "", Text(message)))
            return None
        reported = [candidate for candidate in every if candidate.thing == name]
        record = self.records.get(name) or (reported[0] if len(reported) == 1 else None)
        if record is None:
            message = N_("No sentence says how a {name} is stored.")
            self.problems.append(SentenceProblem(number, "record", Text(message, {"name": name})))
        return record

    def _with_field(self, record: Record, name: str) -> Record:
        """Return the record with a field that a read knows; what the sentences do not say of it is noted."""
        if name in self.application().known_fields(record):
            return record
        # A payment is of one account and one merchant, and what people send of one channel; a device is of one tenant.
        is_of_person = role_of(record.thing).subject in ("person", "owner") and record.name != DEFAULT_RECORD
        is_deal = role_of(record.name).subject == "event" or is_of_person
        if record.thing and record.thing not in self.owners and not is_deal:
            self.owners[record.thing] = name
            message = N_("Each {thing} belongs to one {name}.")
            self.assumptions.append(_with_spaces(message, thing=record.thing, name=name))
            return record
        changed = self.records[record.name] = replace(record, fields=(*record.fields, name))
        message = N_("Each {record} has a {name}, which is known when it is written.")
        self.assumptions.append(_with_spaces(message, record=record.name, name=name))
        return changed


def _with_spaces(message: str, **names: str) -> Text:
    """Return a message with names as people write them: `cell tower`."""
    return Text(message, {param: name.replace("_", " ") for param, name in names.items()})


def read_slots(sentence: Sentence) -> tuple[dict[str, Any], tuple[SentenceProblem, ...]]:
    """Return the values of a sentence's slots, and each problem."""
    values, problems = dict[str, Any](), list[SentenceProblem]()
    for name, text in sentence.values.items():
        if name in SLOTS and text.strip() in (UNKNOWN, "？"):
            problems.append(SentenceProblem(0, name, _FILL_IN))
        elif name in SLOTS and text.strip():
            try:
                values[name] = PARSERS[SLOTS[name]](text)
                if SLOTS[name] == "names":
                    values["distinct"] = parse_distinct(text)
            except UnreadableError as error:
                problems.append(SentenceProblem(0, name, error.text))
    for name in required_slots(kind_of_sentence(sentence.kind).template):
        if name not in values and not sentence.values.get(name, "").strip():
            problems.append(SentenceProblem(0, name, _FILL_IN))
    return values, tuple(problems)
