"""Segments: what row keys, qualifiers and values are put together from, in order.

Delimiters and literals are text; `\\xNN` stands for the byte NN and `\\\\` for a backslash (`as_bytes`).
"""

import math
import re
from collections.abc import Iterator
from typing import Annotated, Literal, TypeGuard

from pydantic import AfterValidator, Field

from .base import WHOLE, Count, Element, Flag, Flaw, Id, Long, Model, Whole, list_field, optional_field
from .encodings import Descending, Hexadecimal, PercentEncoding
from .hashes import HashAlgorithm, HashForm, full_hash_length, hash_letters, hash_values
from .texts import N_, build_text

_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|(\\))|\\")


def as_bytes(text: str) -> bytes:
    """Return the bytes that a literal or delimiter represents.

    Raises
    ------
    ValueError
        If a backslash is followed by neither `xNN` nor another backslash.
    """
    if "\\" not in text:
        return text.encode()
    parts, done = [], 0
    for match in _ESCAPE.finditer(text):
        parts.append(text[done : match.start()].encode())
        if match[1]:
            parts.append(bytes([int(match[1], 16)]))
        elif match[2]:
            parts.append(b"\\")
        else:
            raise ValueError("write a backslash as \\\\, a byte as \\xNN")
        done = match.end()
    return b"".join([*parts, text[done:].encode()])


class KeyDisplay(bytes):
    """Bytes that people read in another form."""

    @property
    def text(self) -> str:
        """That form."""
        raise NotImplementedError


def as_text(raw: bytes) -> str:
    """Return the text form of bytes.

    Printable ASCII and complete UTF-8 characters remain as they are, all other bytes become `\\xNN`. `KeyDisplay`
    bytes have a text form of their own.
    """
    if isinstance(raw, KeyDisplay):
        return raw.text
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return "".join(chr(b).replace("\\", "\\\\") if 0x20 <= b < 0x7F else f"\\x{b:02x}" for b in raw)
    # The usual case in one step; below, only what would not be seen is escaped.
    if text.isprintable():
        return text.replace("\\", "\\\\")
    return "".join(
        c.replace("\\", "\\\\") if c.isprintable() else "".join(f"\\x{b:02x}" for b in c.encode()) for c in text
    )


LABEL_CHARACTERS = 80
"""Characters up to which a sentence quotes a key in full."""


def shorten_middle(text: str) -> str:
    """Return the text, or its beginning and its end where it is longer than sentences quote."""
    if len(text) <= LABEL_CHARACTERS:
        return text
    end = LABEL_CHARACTERS // 4
    return f"{text[: LABEL_CHARACTERS - end - 1]}…{text[-end:]}"


def _escape(text: str) -> str:
    as_bytes(text)
    return text


Bytes = Annotated[str, Field(max_length=8192), AfterValidator(_escape)]


class ZeroPad(Model):
    """Decimal digits, zeros in front up to `width`. A wider value stays as it is (a rule says so)."""

    kind: Literal["pad"] = "pad"
    width: Whole = Field(title="Digits", ge=1, le=40)


class ReverseDigits(Model):
    """The text backwards: 0123 → 3210."""

    kind: Literal["reverse_digits"] = "reverse_digits"


class ReverseDomain(Model):
    """Labels in reverse: drive.google.com → com.google.drive."""

    kind: Literal["reverse_domain"] = "reverse_domain"


class Case(Model):
    """Lower or upper case."""

    kind: Literal["case"] = "case"
    to: Literal["lower", "upper"] = Field(default="lower", title="Case")


class Truncate(Model):
    """The first `length` bytes."""

    kind: Literal["truncate"] = "truncate"
    length: Count = Field(title="Bytes")


class Offset(Model):
    """A constant added to an integer, so that negative ones sort as text too."""

    kind: Literal["offset"] = "offset"
    by: Long = Field(title="Offset")


class BigEndian(Model):
    """An integer as raw big-endian bytes (unsigned; a negative one is refused by the value's range)."""

    kind: Literal["big_endian"] = "big_endian"
    length: Annotated[Literal[1, 2, 3, 4, 5, 6, 7, 8], WHOLE] = Field(default=8, title="Bytes")


Transform = Annotated[
    ZeroPad
    | ReverseDigits
    | ReverseDomain
    | Case
    | Truncate
    | Offset
    | BigEndian
    | Hexadecimal
    | Descending
    | PercentEncoding,
    Field(discriminator="kind"),
]


class AnySegment(Element):
    """A part of a key or qualifier, of whatever kind."""

    after: Bytes = Field(default="", title="Delimiter", description="Delimiter after the segment, or nothing.")


class LiteralSegment(AnySegment):
    """The same text in every key."""

    kind: Literal["literal"] = "literal"
    text: Bytes = Field(default="", title="Text")


class FieldSegment(AnySegment):
    """A field's value, through transforms in order.

    Untransformed: strings, domains, uuids (36 characters) and booleans (true/false) as text, integers and floats as
    decimal text, bytes as they are.
    """

    kind: Literal["field"] = "field"
    field: Id = Field(title="Field")
    transforms: tuple[Transform, ...] = list_field("Transforms")

    @property
    def is_cut(self) -> bool:
        """True if only a part of the value is shown, which other values may share."""
        return any(isinstance(transform, Truncate) for transform in self.transforms)


Resolution = Literal["microsecond", "millisecond", "second", "minute", "hour", "day", "week", "month", "year"]
TimeUnit = Literal["us", "ms", "s", "m", "h", "d", "bucket"]

LONG_MAX = 9_223_372_036_854_775_807
"""Java's Long.MAX_VALUE, which Bigtable's pages subtract timestamps from (schema-design, read 2026-11-20)."""


class TimeSegment(AnySegment):
    """The time of an event, cut to a resolution (a bucket when coarse).

    `bucket_seconds` set: buckets of that length, counted from 1970-01-01 00:00 UTC, in place of the resolution.
    `pattern` empty: the epoch number of the bucket's start in `unit`, as decimal text (or raw with `raw`), or with the
    unit `bucket` the number of the bucket since 1970;
    `reversed`: `reverse_from` minus it, zero-padded to the width of `reverse_from`.
    `pattern` set: readable text with %Y %y %m %d %H %I %p %M %S %f (milliseconds, 3 digits) %j %G %V %B %b %a, %% for
    a percent sign and, without the leading zero, %-m %-d %-H %-V; all else as it is; UTC. It cannot be raw; `reversed`
    writes each digit d of it as 9 - d, so 20261120 as 79738879, which is 99999999 minus it.
    `hash` set: the beginning of a hash of that text, as `HashSegment` writes one, so that each bucket of a second or
    longer has a place of its own; it sorts as no time does.
    Several segments of one key with the same `field` (or none) show one and the same time.
    """

    kind: Literal["time"] = "time"
    field: Id | None = Field(
        default=None, title="Time field", description="A field of kind timestamp. Default: the time of the event."
    )
    resolution: Resolution = Field(default="millisecond", title="Resolution")
    bucket_seconds: Annotated[int, Field(ge=1, le=10**9), WHOLE] | None = optional_field(
        "Bucket length", unit="seconds", help="Length of the buckets, in place of the resolution."
    )
    unit: TimeUnit = Field(default="ms", title="Unit")
    pattern: str = Field(title="Date pattern", default="", max_length=100)
    reversed: Flag = Field(default=False, title="Newest first")
    reverse_from: Annotated[int, Field(ge=1, le=LONG_MAX), WHOLE] | None = Field(
        default=None,
        title="Reversed from",
        json_schema_extra={"guess": LONG_MAX, "why": N_("the largest 64-bit integer, as in the documentation")},
    )
    raw: Flag = Field(title="Raw bytes", default=False, description="8 big-endian bytes instead of decimal text.")
    hash: HashAlgorithm | None = optional_field(
        "Hash", help="Write a hash of the bucket, so that buckets are spread over the table and have no order."
    )
    hash_form: HashForm = Field(default="hex", title="Form of the hash")
    hash_digits: Whole = Field(
        title="Length of the hash", description="Hex digits, base64 characters or bytes.", default=4, ge=1, le=64
    )

    @property
    def hash_values(self) -> float:
        """Number of different texts that the hash can be; infinity without a bound."""
        return math.inf if self.hash is None else hash_values(self.hash, self.hash_form, self.hash_digits)

    @property
    def bucket(self) -> str:
        """Name of the buckets: the resolution, or a length in seconds as `300s`."""
        return self.resolution if self.bucket_seconds is None else f"{self.bucket_seconds}s"

    def flaws(self) -> Iterator[Flaw]:
        if self.bucket_seconds is not None and self.resolution != "millisecond":
            message = N_("a bucket length takes the place of the resolution: set the resolution to millisecond")
            yield Flaw(("bucket_seconds",), build_text(message))
        for unknown in dict.fromkeys(text for text in DIRECTIVE.findall(self.pattern) if text not in DIRECTIVES):
            message = N_('"{directive}" is not a date directive; use one of {known}')
            yield Flaw(("pattern",), build_text(message, directive=unknown, known=" ".join(DIRECTIVES)))
        if self.pattern and self.raw:
            yield Flaw(("raw",), build_text(N_("readable text cannot be raw: remove the pattern or this option")))
        if self.pattern and self.reversed:
            yield from self._reversed_text_flaws()
        if self.hash is not None:
            yield from self._hash_flaws(self.hash)

    def _hash_flaws(self, algorithm: HashAlgorithm) -> Iterator[Flaw]:
        yield from hash_length_flaws(algorithm, self.hash_form, self.hash_digits, at="hash_digits")
        if self.reversed or self.raw:
            name = "reversed" if self.reversed else "raw"
            message = N_("a hash of a time has no order and a form of its own: remove this option")
            yield Flaw((name,), build_text(message))
        is_fine = self.bucket_seconds is None and self.resolution in ("microsecond", "millisecond")
        if is_fine and ("%f" in self.pattern or (not self.pattern and self.unit in FINE_UNITS)):
            message = N_("a hash of a bucket needs a bucket of a second or longer, for example hour")
            yield Flaw(("resolution",), build_text(message))

    def _reversed_text_flaws(self) -> Iterator[Flaw]:
        uneven = [text for text in DIRECTIVE.findall(self.pattern) if text in NOT_REVERSIBLE]
        if uneven:
            message = N_("a date is reversed digit by digit, and {directive} is a name or has no leading zero")
            yield Flaw(("reversed",), build_text(message, directive=uneven[0]))
        if self.reverse_from is not None:
            message = N_("a date is reversed digit by digit: remove the number that it would be subtracted from")
            yield Flaw(("reverse_from",), build_text(message))


FINE_UNITS = ("us", "ms", "bucket")
"""Units that show times below a second."""

DIRECTIVE = re.compile(r"%(?:-?.|$)", re.DOTALL)
DIRECTIVES = (
    "%Y", "%y", "%m", "%d", "%H", "%I", "%p", "%M", "%S", "%f", "%j", "%G", "%V", "%B", "%b", "%a", "%%",
    "%-m", "%-d", "%-H", "%-V",
)  # fmt: skip

NOT_REVERSIBLE = frozenset(("%p", "%B", "%b", "%a", "%-m", "%-d", "%-H", "%-V"))
"""Directives that write letters, or digits of no fixed width: no text of them sorts the other way by its digits."""

_NINES = bytes.maketrans(b"0123456789", b"9876543210")


def complement_digits(text: bytes) -> bytes:
    """Return a text with each digit d as 9 - d: the way of a reversed date, there and back.

    >>> complement_digits(b"2026-11-20")
    b'7973-88-79'

    References
    ----------
    The "validity to" dates of SAP are stored so ("nines' complement date format", smartersoftware.de, 2010-03-05), and
    Stack Overflow 23198770 gives it for any ISO date (both read 2026-11-24).
    """
    return text.translate(_NINES)


NEVER_AGAIN = 2**64
"""Of so many values or texts, events that draw one each hardly ever draw the same."""


class HashSegment(AnySegment):
    """The beginning of a hash over the text of fields (as they would stand untransformed, joined by nothing).

    Without fields it is of the time of the event, in milliseconds since 1970 as decimal text.
    `form` writes it as hexadecimal digits, as base64 without padding or as the bytes themselves; `digits` is the
    length in that form: digits, characters or bytes.
    """

    kind: Literal["hash"] = "hash"
    fields: tuple[Id, ...] = Field(default=(), title="Fields")
    algorithm: HashAlgorithm = Field(default="md5", title="Algorithm")
    form: HashForm = Field(default="hex", title="Form")
    digits: Whole = Field(title="Length", description="Hex digits, base64 characters or bytes.", default=4, ge=1, le=64)

    @property
    def letters(self) -> tuple[bytes, ...]:
        """The letters of each place in byte order."""
        return hash_letters(self.algorithm, self.form, self.digits)

    @property
    def values(self) -> float:
        """Number of different texts that it can be."""
        return hash_values(self.algorithm, self.form, self.digits)

    @property
    def whole_field(self) -> Id | None:
        """The field whose values it tells apart as well as the field itself: no two have the same of so many texts."""
        return self.fields[0] if len(self.fields) == 1 and self.values >= NEVER_AGAIN else None

    def flaws(self) -> Iterator[Flaw]:
        yield from hash_length_flaws(self.algorithm, self.form, self.digits, at="digits")


def hash_length_flaws(algorithm: HashAlgorithm, form: HashForm, digits: int, *, at: str) -> Iterator[Flaw]:
    """Yield what is wrong where more of a hash is written than it has."""
    most = full_hash_length(algorithm, form)
    if digits > most:
        message = N_("{digits} digits exceed the {most} digits of {algorithm}")
        if form != "hex":
            message = N_("a length of {digits} exceeds that of {algorithm} as {form}, which is {most}")
        yield Flaw((at,), build_text(message, digits=digits, most=most, algorithm=algorithm, form=form))


class SaltSegment(AnySegment):
    """The hash of fields modulo `modulo`, zero-padded to the width of the largest; random where no field is named."""

    kind: Literal["salt"] = "salt"
    fields: tuple[Id, ...] = Field(default=(), title="Fields")
    modulo: Whole = Field(title="Values", ge=1, le=65_536)


class Bucket(Model):
    """A number divided by `size`, rounded down."""

    kind: Literal["bucket"] = "bucket"
    size: Count = Field(title="Size")


class Part(Model):
    """Part of a text: `length` characters from `start`, or what stands before the first `before`."""

    kind: Literal["part"] = "part"
    start: Whole = Field(title="Start character", default=0, ge=0, le=65_536)
    length: Count | None = Field(default=None, title="Characters")
    before: str = Field(default="", title="Before the first")


class DerivedSegment(AnySegment):
    """A coarser form of a field: the bucket of a number or part of a text, through transforms in order."""

    kind: Literal["derived"] = "derived"
    field: Id = Field(title="Field")
    how: Annotated[Bucket | Part, Field(discriminator="kind")] = Field(title="How")
    transforms: tuple[Transform, ...] = list_field("Transforms")


Segment = Annotated[
    LiteralSegment | FieldSegment | TimeSegment | HashSegment | SaltSegment | DerivedSegment,
    Field(discriminator="kind"),
]


def shows_time(segment: Segment) -> TypeGuard[TimeSegment]:
    """Return whether a segment is a time that can be read from the key, and not only a hash of it."""
    return isinstance(segment, TimeSegment) and segment.hash is None


def sorts_backwards(segment: Segment) -> bool:
    """Return whether a later time or a larger number of a segment sorts before an earlier or smaller one."""
    if isinstance(segment, TimeSegment):
        return segment.reversed
    transforms = segment.transforms if isinstance(segment, FieldSegment | DerivedSegment) else ()
    return sum(isinstance(transform, Descending) for transform in transforms) % 2 == 1  # two of them restore the order


def segment_fields(segment: Segment) -> tuple[str, ...]:
    """Return the ids of the fields that a segment is made from."""
    match segment:
        case HashSegment() | SaltSegment():
            return segment.fields
        case FieldSegment() | DerivedSegment():
            return (segment.field,)
        case TimeSegment(field=str(field)):
            return (field,)
    return ()


class AutoIncrement(TimeSegment):
    """Counter of an auto-increment column, as the microsecond in which the row is written.

    It is not part of any document: it is the only segment of a column that is marked as auto-increment. Its
    values are unique and increasing under one partition-key value, but not contiguous (Tablestore,
    "Auto-increment function of the primary key column", 2020-10-13).
    """


ColumnType = Literal["STRING", "INTEGER", "BINARY"]


class KeyColumn(Element):
    """One of Tablestore's one to four primary-key columns; Bigtable has none of these."""

    name: str = Field(default="", title="Name")
    type: ColumnType = Field(default="STRING", title="Type")
    auto_increment: Flag = Field(default=False, title="Auto-increment")
    segments: tuple[Segment, ...] = list_field("Segments")

    @property
    def parts(self) -> tuple[Segment, ...]:
        """The segments; of an auto-increment column what the service writes there."""
        if self.auto_increment:
            return (AutoIncrement(id=self.id, resolution="microsecond", unit="us"),)
        return self.segments
