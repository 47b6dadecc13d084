"""Functions that a TypeScript module of keys takes along: those that it calls, each with the ones that they call."""

import re
from collections.abc import Iterable

from .typescript_hashes import HASHES
from .typescript_parsing import PARSING
from .writing import needed_parts

RUNTIME = (
    r"""
function _of(name: string, make: () => Uint8Array): Uint8Array {
  // An error begins with the field that it is about.
  try {
    return make();
  } catch (error) {
    if (error instanceof RangeError) throw new RangeError(`${name}: ${error.message}`, { cause: error });
    throw error;
  }
}

function _fit(text: Uint8Array, pattern: string, misfit: string, stop: Uint8Array): Uint8Array {
  // Only a key that is cut as it was made is made.
  const shown = JSON.stringify(_chars(text));
  if (pattern !== "" && !new RegExp(`^(?:${pattern})$`, "s").test(_chars(text))) {
    throw new RangeError(`${misfit}: ${shown}`);
  }
  if (stop.length > 0 && _chars(_join(text, stop)).indexOf(_chars(stop)) !== text.length) {
    throw new RangeError(`${shown} contains the delimiter ${JSON.stringify(_chars(stop))}`);
  }
  return text;
}

function _latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}

function _chars(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}

function _join(...texts: Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(texts.reduce((length, text) => length + text.length, 0));
  let at = 0;
  for (const text of texts) {
    joined.set(text, at);
    at += text.length;
  }
  return joined;
}

function _compare(one: Uint8Array, other: Uint8Array): number {
  const at = one.findIndex((byte, place) => byte !== other[place]);
  return at < 0 ? one.length - other.length : at < other.length ? one[at]! - other[at]! : 1;
}

function _text(value: string): Uint8Array {
  if (/\p{Surrogate}/u.test(value)) throw new RangeError(`${JSON.stringify(value)} is no text: half a character`);
  return new TextEncoder().encode(value);
}

function _bytes(value: Uint8Array): Uint8Array {
  return value;
}

function _boolean(value: boolean): Uint8Array {
  return _latin1(value ? "true" : "false");
}

function _whole(value: bigint | number): bigint {
  if (typeof value === "number" && !Number.isSafeInteger(value)) {
    throw new RangeError(`${value} is not an exact whole number: numbers beyond 2^53 are passed as bigint`);
  }
  return BigInt(value);
}

function _floor(number: bigint, divisor: bigint): bigint {
  return (number - _modulo(number, divisor)) / divisor;
}

function _modulo(number: bigint, divisor: bigint): bigint {
  const rest = number % divisor;
  return rest < 0n ? rest + divisor : rest;
}

function _milliseconds(timeUs: bigint | number): bigint {
  return _floor(_whole(timeUs), 1000n);
}

function _decimal(value: bigint): Uint8Array {
  return _latin1(value.toString());
}

function _number(text: Uint8Array): bigint {
  const match = /^[ \t\n\r\v\f]*([+-]?)([0-9]+(?:_[0-9]+)*)[ \t\n\r\v\f]*$/.exec(_chars(text));
  if (match === null) throw new RangeError(`${_chars(text)} is not a whole number`);
  const size = BigInt(match[2]!.replaceAll("_", ""));
  return match[1] === "-" ? -size : size;
}

function _counter(text: Uint8Array, before: Uint8Array, after: Uint8Array): bigint {
  const [start, end] = [text.slice(0, before.length), text.slice(Math.max(text.length - after.length, 0))];
  if (_compare(start, before) !== 0 || _compare(end, after) !== 0) {
    throw new RangeError(`${_chars(text)} has another form`);
  }
  return _number(text.slice(before.length, text.length - after.length));
}

function _bucket(number: bigint, size: bigint | number): bigint {
  return _floor(number, BigInt(size));
}

function _encode(chars: string): Uint8Array {
  const encoder = new TextEncoder();
  return _join(...Array.from(chars, (char) =>
    /\p{Surrogate}/u.test(char) ? Uint8Array.of(char.charCodeAt(0) & 0xff) : encoder.encode(char)));
}

function _part(text: Uint8Array, start: number, length: number | null, before: string): Uint8Array {
  // Counted in characters, neither in bytes nor in halves of characters.
  const decoded = _decode(text);
  const chars = Array.from(before === "" ? decoded : decoded.split(before, 1)[0]!);
  return _encode(chars.slice(start, length === null ? undefined : start + length).join(""));
}

function _fill(text: string, width: number): string {
  // Zeros go behind a sign; a wider text stays as it is.
  const sign = /^[+-]/.test(text) ? text.charAt(0) : "";
  return sign + text.slice(sign.length).padStart(width - sign.length, "0");
}

function _pad(text: Uint8Array, width: number): Uint8Array {
  if (text.length > width || text.length < 1 || text.some((byte) => byte < 48 || byte > 57)) {
    throw new RangeError(`${JSON.stringify(_chars(text))} does not fit into ${width} digits without a sign`);
  }
  return _latin1(_fill(_chars(text), width));
}

function _reverse(text: Uint8Array): Uint8Array {
  return text.slice().reverse();
}

function _reverseDomain(text: Uint8Array): Uint8Array {
  return _latin1(_chars(text).split(".").reverse().join("."));
}

function _letters(text: Uint8Array): string {
  // Which letters beyond ASCII have another case differs between versions of Unicode.
  if (text.some((byte) => byte > 0x7f)) {
    throw new RangeError("the case of letters beyond ASCII cannot be changed exactly");
  }
  return _chars(text);
}

function _lower(text: Uint8Array): Uint8Array {
  return _latin1(_letters(text).toLowerCase());
}

function _upper(text: Uint8Array): Uint8Array {
  return _latin1(_letters(text).toUpperCase());
}

function _truncate(text: Uint8Array, length: number): Uint8Array {
  return text.slice(0, length);
}

function _offset(number: bigint, by: bigint | number): bigint {
  return number + BigInt(by);
}

function _descending(number: bigint, top: bigint | number): bigint {
  if (number > BigInt(top)) throw new RangeError(`${number} is more than ${top}, from which it is subtracted`);
  return _subtract(number, top);
}

function _subtract(number: bigint, top: bigint | number): bigint {
  return BigInt(top) - number;
}

function _bigEndian(number: bigint, length: number): Uint8Array {
  if (number < 0n || number >> BigInt(8 * length) > 0n) {
    throw new RangeError(`${number} does not fit into ${length} unsigned bytes`);
  }
  return Uint8Array.from({ length }, (_, at) => Number((number >> BigInt(8 * (length - 1 - at))) & 0xffn));
}

function _hexadecimal(number: bigint, width: number): Uint8Array {
  if (number < 0n || number >> BigInt(4 * width) > 0n) {
    throw new RangeError(`${number} does not fit into ${width} hexadecimal digits without a sign`);
  }
  return _latin1(_fill(number.toString(16), width));
}

function _percent(text: Uint8Array): Uint8Array {
  return _latin1(_chars(text).replace(/[^A-Za-z0-9._~-]/gs, (char) =>
    "%" + char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")));
}
"""
    + HASHES
    + r"""
function _randomSalt(number: bigint | number, modulo: number, width: number): Uint8Array {
  return _latin1(_modulo(_whole(number), BigInt(modulo)).toString().padStart(width, "0"));
}

function _place(timeUs: bigint, bucket: string): bigint {
  if (bucket === "month" || bucket === "year") {
    const at = _date(timeUs);
    const years = at.getUTCFullYear() - 1970;
    return BigInt(bucket === "year" ? years : years * 12 + at.getUTCMonth());
  }
  const [size, first] = _length(bucket);
  return _floor(timeUs - first, size);
}

function _start(place: bigint, bucket: string): bigint {
  if (bucket === "month" || bucket === "year") {
    return BigInt(_utc(1970, Number(bucket === "year" ? place * 12n : place))) * 1000n;
  }
  const [size, first] = _length(bucket);
  return place * size + first;
}

function _length(bucket: string): [bigint, bigint] {
  // Microseconds of a bucket, and the start of bucket 0: weeks begin on Monday.
  if (/^[0-9]/.test(bucket)) return [BigInt(bucket.slice(0, -1)) * 1_000_000n, 0n];
  const day = 86_400_000_000n;
  const sizes: Record<string, bigint> = {
    microsecond: 1n, millisecond: 1_000n, second: 1_000_000n, minute: 60_000_000n, hour: 3_600_000_000n, day,
    week: 7n * day,
  };
  return [sizes[bucket]!, bucket === "week" ? -3n * day : 0n];
}

function _utc(year: number, month: number): number {
  // Date.UTC takes years below 100 for those of the 20th century.
  return new Date(0).setUTCFullYear(year, month, 1);
}

function _date(timeUs: bigint): Date {
  const at = new Date(Number(_floor(timeUs, 1000n)));
  const year = at.getUTCFullYear();
  if (!(year >= 1 && year <= 9999)) throw new RangeError(`${timeUs} is not in the years 1 to 9999`);
  return at;
}

function _timeText(timeUs: bigint | number, bucket: string, unit: string, top: bigint | number | null,
                   raw: number): Uint8Array {
  const place = _place(_whole(timeUs), bucket);
  const units: Record<string, bigint> = {
    us: 1n, ms: 1_000n, s: 1_000_000n, m: 60_000_000n, h: 3_600_000_000n, d: 86_400_000_000n,
  };
  let number = unit === "bucket" ? place : _floor(_start(place, bucket), units[unit]!);
  if (number < 0n) throw new RangeError(`the time ${timeUs} begins before 1970 and would not sort as times do`);
  if (top !== null) {
    number = BigInt(top) - number;
    if (number < 0n) throw new RangeError(`${top} is less than the time that is subtracted from it`);
  }
  if (raw && number >> 63n > 0n) throw new RangeError(`${number} does not fit into 64 bits`);
  if (raw) return _bigEndian(number, 8);
  return _latin1(number.toString().padStart(top === null ? 0 : top.toString().length, "0"));
}

function _dateText(timeUs: bigint | number, bucket: string, pattern: string, isReversed: number): Uint8Array {
  // UTC, whatever the zone and the language of the machine.
  const at = _date(_start(_place(_whole(timeUs), bucket), bucket));
  const text = pattern.replace(/%(-[mdHV]|[YymdHIpMSfjGVBba%])/g, (_, name: string) => _directive(name, at));
  return _text(isReversed ? text.replace(/[0-9]/g, (digit) => String(9 - Number(digit))) : text);
}

function _directive(name: string, at: Date): string {
  const months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ];
  const days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
  const [year, month, hour] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCHours()];
  // An ISO week is of the year in which its Thursday is.
  const thursday = new Date(at.getTime() + (3 - ((at.getUTCDay() + 6) % 7)) * 86_400_000);
  const dayOfYear = (day: Date) => Math.floor((day.getTime() - _utc(day.getUTCFullYear(), 0)) / 86_400_000) + 1;
  const digits = (number: number, width: number) => String(number).padStart(width, "0");
  const plain: Record<string, number> = {
    m: month + 1, d: at.getUTCDate(), H: hour, V: Math.floor((dayOfYear(thursday) - 1) / 7) + 1,
  };
  if (name.startsWith("-")) return String(plain[name.slice(1)]);
  const texts: Record<string, string> = {
    "%": "%", Y: digits(year, 4), y: digits(year % 100, 2), I: digits(((hour + 11) % 12) + 1, 2),
    p: hour < 12 ? "AM" : "PM", M: digits(at.getUTCMinutes(), 2), S: digits(at.getUTCSeconds(), 2),
    f: digits(at.getUTCMilliseconds(), 3), j: digits(dayOfYear(at), 3), G: digits(thursday.getUTCFullYear(), 4),
    B: months[month]!, b: months[month]!.slice(0, 3), a: days[at.getUTCDay()]!,
  };
  return name in plain ? digits(plain[name]!, 2) : texts[name]!;
}
"""
)
_NAME = re.compile(r"function (\w+)")


def runtime_parts(functions: Iterable[str], more: str = "") -> list[str]:
    """Return the source of these functions, and of all that they call, in the order of the runtime and of `more`."""
    sources = "\n\n".join(part.strip() for part in (RUNTIME, PARSING, more) if part).split("\n\n")
    parts = {_NAME.match(source)[1]: source for source in sources}  # type: ignore[index]
    return needed_parts(parts, functions)
