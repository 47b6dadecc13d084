"""Text → segments, read from left to right."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from pydantic import ValidationError

from ..design import Spec
from ..field import Field
from ..guesses import effective_value
from ..ids import make_unique
from ..key import AnySegment, Resolution, Segment, TimeUnit
from ..texts import N_, TextList, get_close_matches
from ..validation_errors import problems
from .ids import SEGMENT, assign_ids, slug
from .render import RESERVED, split_literal
from .scanning import KeyTextError, TextScanner, Word
from .time_names import parse_time_name
from .transforms import hash_options, modulo_of, part_options, transform_of

MOST_SEGMENTS = 500
"""Far more than a key of the 4 KB that engines take has; reading takes time by their square."""
_SALT_OF_TIME = N_("a salt of the event’s own time is not computed; as it differs with each event, write {salt}")
_SALT_OF_BUCKET = N_("a salt of a bucket of time is not computed; write a hash of it, for example {hash}")
_HASH_BESIDE = N_("a hash of a time with other fields is not computed; write a hash for each, for example {hash}")
_HASHED = {"algorithm": "hash", "form": "hash_form", "digits": "hash_digits"}
"""What a time calls the parts of its hash."""

_OF_NUMBERS = ("pad", "offset", "big_endian", "hex", "descending")


@dataclass(frozen=True)
class ParsedKey:
    """Segments read from a text, and the fields that they name and the design does not have yet."""

    segments: tuple[Segment, ...]
    new_fields: tuple[Field, ...]


def parse_key(spec: Spec, text: str, *, previous: Sequence[Segment] = (), new_fields: bool = False) -> ParsedKey:
    """Parse a text into segments.

    Segments that remain keep their ids from `previous`; others get new ids. With `new_fields`, a name that the
    design does not have becomes a new field.

    Raises
    ------
    KeyTextError
        If the text is no key, or names an unknown field and `new_fields` is not set.
    """
    reader = _Reader(spec, text, new_fields)
    parts = list(reader.segments())
    fields = tuple(reader.made.values())
    return ParsedKey(assign_ids(spec, parts, previous, used_ids={field.id for field in fields}), fields)


class _Reader(TextScanner):
    """Reads one key text from left to right."""

    def __init__(self, spec: Spec, text: str, new_fields: bool) -> None:
        super().__init__(text)
        self.spec, self.new_fields = spec, new_fields
        self.made: dict[str, Field] = {}

    def segments(self) -> Iterator[dict[str, Any]]:
        lead = self.literal_text()
        if lead:
            text, after = split_literal(lead)
            yield self.validate(0, {"kind": "literal", "text": text, "after": after})
        # Each segment takes at least one character, so the loop ends even if a defect leaves the place where it was.
        for count in range(len(self.text)):
            if self.at >= len(self.text):
                return
            start = self.at
            if count == MOST_SEGMENTS:
                raise KeyTextError(start, N_("a key has at most {most} segments"), most=MOST_SEGMENTS)
            self.at += 1
            segment = self.segment(start)
            yield self.validate(start, {**segment, "after": self.literal_text()})

    def validate(self, at: int, part: dict[str, Any]) -> dict[str, Any]:
        """Return the segment if the document accepts it.

        A hash, for example, has a limited number of digits, and a date only known parts.
        """
        try:
            # Ids are given at the end, when all segments are known; the model only needs some valid one.
            SEGMENT.validate_python({**part, "id": "x"})
        except ValidationError as wrong:
            text = problems(wrong, AnySegment)[0].text
            raise KeyTextError(at, text.message, **text.params) from None
        return part

    def segment(self, start: int) -> dict[str, Any]:
        try:
            return self.read_segment(start)
        except KeyTextError:
            # A person who writes a function or an expression of a program is told the segment for it.
            hint = self.meant(start)
            if hint is None:
                raise
            raise KeyTextError(start, N_("this is no segment; did you mean {hint}?"), hint=hint) from None

    def meant(self, start: int) -> str | None:
        """Return the segment that the text in braces from a place on probably means; None where it means none."""
        from .meant import meant_segments

        end = self.text.find("}", start)
        for hint in meant_segments(self.text[start + 1 : end]) if end > 0 else ():
            try:
                inner = _Reader(self.spec, hint, new_fields=True)
                inner.at = 1
                inner.validate(0, inner.read_segment(0))
            except KeyTextError:
                continue
            return hint
        return None

    def read_segment(self, start: int) -> dict[str, Any]:
        head = self.word(N_("a field, time, hash(…), salt(…), bucket(…), part(…) or a text in quotes"))
        # Before the arguments are read in the general way: hash(time:hour) has options inside its parentheses.
        hashed = None if head.quoted else self.hash_of_time(head)
        arguments = self.arguments() if not head.quoted and self.peek("(") else None
        options = self.options()
        if not self.peek("}"):
            raise KeyTextError(
                self.at, N_("the segment that starts at character {start} is not closed"), start=start + 1
            )
        self.at += 1
        return hashed or self.build_segment(head, arguments, options)

    def arguments(self) -> list[tuple[str, Word]]:
        """Parse the arguments in parentheses into pairs (name or "", value)."""
        self.at += 1
        pairs: list[tuple[str, Word]] = []
        while not self.peek(")"):
            name, value = "", self.word(N_("a field or a value"))
            if self.is_salt_of_time(value):
                raise KeyTextError(value.at, _SALT_OF_TIME, salt="{salt:16}")
            # Only a hash has this message; the first argument's place shows which function this is.
            if pairs and self.text.startswith("hash(", pairs[0][1].at - 5) and self.is_time_beside(value):
                raise KeyTextError(value.at, _HASH_BESIDE, hash="{hash(user)}{hash(time:hour)}")
            if self.peek("="):
                self.at += 1
                name, value = value.text, self.word(N_("a value"))
            pairs.append((name, value))
            # People write spaces behind commas: here alone in braces they are allowed.
            while self.peek(",") or self.peek(" "):
                self.at += 1
            if self.at >= len(self.text):
                raise KeyTextError(self.at, N_("closing parenthesis missing"))
        self.at += 1
        return pairs

    # --- what the words mean ---

    def build_segment(
        self, head: Word, arguments: list[tuple[str, Word]] | None, options: list[tuple[str, Word]]
    ) -> dict[str, Any]:
        if head.quoted:
            self.reject_options(options)
            return {"kind": "literal", "text": self.check_text(head.at, head.text)}
        # "{salt:16}" is a salt of the whole event. Without this, "salt" would be read as the name of a field.
        if arguments is None and head.text == "salt" and [word.text.isdecimal() for _, word in options] == [True]:
            arguments = []  # a field of this name has no transform that is a number
        if arguments is None and head.text != "time":
            # Only where fields may be made: the name of an existing field means that field, whatever its name says.
            if self.new_fields and (segment := self.time_of_name(head, options)) is not None:
                return segment
            field = self.field(head)
            if _is_time_field(self.spec, field):
                return self.time(field.id, options)
            return {"kind": "field", "field": field.id, "transforms": self.field_transforms(field, options)}
        fields = [
            # Named arguments are options, as start=2 of a part; a bare number in a bucket is its size.
            self.field(word)
            for name, word in arguments or ()
            if not name and not self.is_bucket_size(head, word)
        ]
        match head.text:
            case "time":
                return self.time(self.single_field(head, fields).id if arguments else None, options)
            case "field":
                only = self.single_field(head, fields)
                return {"kind": "field", "field": only.id, "transforms": self.field_transforms(only, options)}
            case "hash":
                if not fields:
                    raise KeyTextError(head.at, N_("a hash needs its fields, for example hash(user)"))
                return {"kind": "hash", "fields": [f.id for f in fields], **hash_options(self, options)}
            case "salt":
                return {"kind": "salt", "fields": [f.id for f in fields], "modulo": modulo_of(self, head, options)}
            case "bucket":
                sizes = [word for name, word in arguments or () if self.is_bucket_size(head, word)]
                if len(sizes) != 1:
                    raise KeyTextError(head.at, N_("a bucket needs a field and a size, for example bucket(amount,100)"))
                how: Mapping[str, Any] = {"kind": "bucket", "size": self.whole_number(sizes[0], minimum=1)}
            case "part":
                how = {"kind": "part", **part_options(self, [(n, w) for n, w in arguments or () if n])}
            case other:
                close = get_close_matches(other, RESERVED, n=1)
                hint = close[0] if close else TextList(RESERVED)
                raise KeyTextError(
                    head.at, N_("unknown function {word}(…); did you mean {hint}?"), word=other, hint=hint
                )
        return {
            "kind": "derived",
            "field": self.single_field(head, fields).id,
            "how": how,
            "transforms": self.transforms(options),
        }

    def hash_of_time(self, head: Word) -> dict[str, Any] | None:
        """Return the hash of the event's own time or of a bucket of time; None where other things are hashed."""
        start = self.at
        if head.text != "hash" or not self.peek("("):
            return None
        self.at += 1
        if self.peek(")"):
            self.at = start
            return None
        value = self.word(N_("a field or a value"))
        # "time" is the time of the event unless a field is called so; with an option behind it, it is a time in any
        # case.
        own = value.text == "time" and not value.quoted and (self.peek(":") or not self.is_field(value))
        if not self.peek(":") and not (own and self.peek(")")):
            # Not a hash of a time: the same characters are read again as usual arguments.
            self.at = start
            return None
        options = self.options()
        if not self.peek(")"):
            raise KeyTextError(self.at, _HASH_BESIDE, hash="{hash(user)}{hash(time:hour)}")
        self.at += 1
        form = hash_options(self, self.options())
        # A hash of the event's time in full has no bucket; it is a plain hash without fields.
        if own and (not options or [(name, word.text) for name, word in options] == [("", "millisecond")]):
            return {"kind": "hash", "fields": [], **form}
        time = self.time(None if own else self.time_field(value).id, options)
        hashed = {"hash": "md5"} | {_HASHED.get(name, name): option for name, option in form.items()}
        return {**time, **hashed}

    def time_field(self, word: Word) -> Field:
        """Return the field of a bucket that is hashed: a time; a new one becomes one."""
        field = self.field(word)
        if _is_time_field(self.spec, field):
            return field
        if word.text not in self.made:
            raise KeyTextError(word.at, N_("{name} is no time: only a time is hashed by its bucket"), name=word.text)
        self.made[word.text] = field.model_copy(update={"kind": "timestamp"})
        return self.made[word.text]

    def is_field(self, word: Word) -> bool:
        return any(word.text in (field.id, field.name) for field in self.spec.fields)

    def is_time_beside(self, word: Word) -> bool:
        """Return whether the word is the time of the event, or a bucket of a time."""
        own = word.text == "time" and not word.quoted and not self.is_field(word) and not self.new_fields
        return own or self.peek(":")

    def is_salt_of_time(self, word: Word) -> bool:
        """Return whether the only argument of a salt is the time of the event; raise for a bucket of a time."""
        if not self.text[: word.at].endswith("{salt("):
            return False
        if self.peek(":"):
            raise KeyTextError(word.at, _SALT_OF_BUCKET, hash="{hash(" + word.text + ":hour):2}")
        return word.text == "time" and not word.quoted and self.peek(")") and not self.is_field(word)

    def is_bucket_size(self, head: Word, word: Word) -> bool:
        """Return whether the word is the size of a bucket and not a field."""
        return head.text == "bucket" and not word.quoted and word.text.isdecimal()

    def single_field(self, head: Word, fields: list[Field]) -> Field:
        if len(fields) != 1:
            raise KeyTextError(head.at, N_("{word}(…) needs exactly one field"), word=head.text)
        return fields[0]

    def field(self, word: Word) -> Field:
        # Ids go before names: a text that was written with ids must mean the same after another field is renamed.
        same_id = [f for f in self.spec.fields if f.id == word.text]
        matches = same_id or [f for f in self.spec.fields if f.name == word.text]
        if len(matches) > 1:
            ids = TextList(f.id for f in matches)
            raise KeyTextError(
                word.at, N_("several fields have the name {name}; specify one by id: {ids}"), name=word.text, ids=ids
            )
        if matches:
            return matches[0]
        if not self.new_fields:
            names = [f.name or f.id for f in self.spec.fields]
            close = get_close_matches(word.text, names, n=1)
            if close:
                raise KeyTextError(
                    word.at, N_("unknown field {name}; did you mean {hint}?"), name=word.text, hint=close[0]
                )
            raise KeyTextError(word.at, N_("unknown field {name}; add it to the fields first"), name=word.text)
        if word.text not in self.made:
            # Ids are unique in the whole design, and fields that were made a moment ago are not in it yet.
            used_ids = {*self.spec.by_id, *(f.id for f in self.made.values())}
            self.made[word.text] = Field(id=make_unique(slug(word.text), used_ids), name=word.text)
        return self.made[word.text]

    def field_transforms(self, field: Field, options: list[tuple[str, Word]]) -> list[dict[str, Any]]:
        """Return the transforms of a field.

        A new field becomes a number if the transforms are those of numbers.
        """
        transforms = self.transforms(options)
        if field.name in self.made and any(transform["kind"] in _OF_NUMBERS for transform in transforms):
            self.made[field.name] = field.model_copy(update={"kind": "integer"})
        return transforms

    def transforms(self, options: list[tuple[str, Word]]) -> list[dict[str, Any]]:
        return [transform_of(self, name, word) for name, word in options]

    def time(self, field: str | None, options: list[tuple[str, Word]]) -> dict[str, Any]:
        segment: dict[str, Any] = {"kind": "time", "field": field}
        for name, word in options:
            if name == "unit" and word.text in get_args(TimeUnit):
                segment["unit"] = word.text
            elif name == "bucket":
                segment["bucket_seconds"] = self.length(word)
            elif name == "from":
                # "from" alone means reversed; "asc" before or after it can say otherwise.
                segment = {"reversed": True, **segment, "reverse_from": self.whole_number(word, minimum=1)}
            elif name:
                raise KeyTextError(word.at, N_("{option} is not a time option"), option=f"{name}={word.text}")
            elif word.quoted:
                segment["pattern"] = word.text
            elif word.text in get_args(Resolution):
                segment["resolution"] = word.text
            elif word.text in ("rev", "asc"):
                segment["reversed"] = word.text == "rev"
            elif word.text == "raw":
                segment["raw"] = True
            else:
                choices = (*get_args(Resolution), "rev", "raw")
                close = get_close_matches(word.text, choices, n=1)
                hint = close[0] if close else TextList(choices)
                raise KeyTextError(
                    word.at, N_("{option} is not a time option; did you mean {hint}?"), option=word.text, hint=hint
                )
        if segment.get("unit") == "us" and not {"resolution", "bucket_seconds"} & segment.keys():
            # Who counts microseconds has them: only what is coarser has to be said.
            segment["resolution"] = "microsecond"
        return segment

    def time_of_name(self, head: Word, options: list[tuple[str, Word]]) -> dict[str, Any] | None:
        """Return the time that the name of a new field says, where nothing else says how it is written."""
        if any(head.text in (field.id, field.name) for field in self.spec.fields):
            return None
        if any(name or word.text != "rev" for name, word in options):
            return None
        name, details = parse_time_name(head.text)
        if details is None:
            return None
        field = self.field(Word(head.at, name, False))
        if not _is_time_field(self.spec, field):
            field = self.made[name] = field.model_copy(update={"kind": "timestamp"})
        return self.time(field.id, options) | dict(details)

    def reject_options(self, options: list[tuple[str, Word]]) -> None:
        if options:
            raise KeyTextError(options[0][1].at, N_("a text in quotes has no options"))


def _is_time_field(spec: Spec, field: Field) -> bool:
    return bool(effective_value(spec, field, "kind") == "timestamp")
