"""TypeScript's functions of ranges of keys, and those that turn parts of a key back into values."""

PARSING = r"""
function _prefixEnd(prefix: Uint8Array): Uint8Array {
  // The first key behind all keys with this prefix; an empty one is the end of the table.
  let length = prefix.length;
  while (length > 0 && prefix[length - 1] === 0xff) length--;
  const end = prefix.slice(0, length);
  if (length > 0) end[length - 1]!++;
  return end;
}

function _valueRange(prefix: Uint8Array, low: Uint8Array, high: Uint8Array | null, stop: Uint8Array,
                     isFixed: boolean): RowRange {
  // Both bounds are included. A text that the upper one begins with is less than it, whatever stands behind it.
  const first = _join(prefix, low);
  if (high === null) return [first, _prefixEnd(prefix)];
  if (_compare(low, high) > 0) throw new RangeError("the range ends before it begins");
  if (isFixed) return [first, _prefixEnd(_join(prefix, high, stop))];
  if (stop.length === 0) return [first, _join(prefix, high, _latin1("\x00"))];
  const ends = Array.from({ length: high.length + 1 }, (_, size) =>
    _prefixEnd(_join(prefix, high.slice(0, size), stop)));
  return [first, ends.some((end) => end.length === 0) ? _latin1("") : ends.sort(_compare).at(-1)!];
}

function _paddedBase64(data: Uint8Array): string {
  const text = _base64(data, "+/");
  return text + "=".repeat((4 - (text.length % 4)) % 4);
}

function _timeRange(prefix: Uint8Array, start: Uint8Array, end: Uint8Array, after: Uint8Array): RowRange {
  // Both times are included; a key that counts time down begins with the later one.
  if (start.length !== end.length) {
    throw new RangeError("the times have different numbers of digits, so their keys are not one range");
  }
  const [first, last] = [start, end].sort(_compare) as [Uint8Array, Uint8Array];
  return [_join(prefix, first, after), _prefixEnd(_join(prefix, last, after))];
}

function _cut(key: Uint8Array, pattern: RegExp): (group: string) => Uint8Array {
  const groups = pattern.exec(_chars(key))?.groups;
  if (groups === undefined) throw new RangeError(`${JSON.stringify(_chars(key))} has another form`);
  return (group) => _latin1(groups[group] ?? "");
}

function _decode(text: Uint8Array): string {
  // Bytes that are no UTF-8 become half characters, from which _encode makes the same bytes.
  const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let chars = "";
  for (let at = 0; at < text.length; ) {
    const first = text[at]!;
    const size = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    try {
      chars += strict.decode(text.subarray(at, at + size));
      at += size;
    } catch {
      chars += String.fromCharCode(0xdc00 + first);
      at += 1;
    }
  }
  return chars;
}

function _textOf(bytes: Uint8Array): string {
  const text = _decode(bytes);
  if (/\p{Surrogate}/u.test(text)) throw new RangeError(`${_chars(bytes)} is not UTF-8`);
  return text;
}

function _booleanOf(text: Uint8Array): boolean {
  const word = _chars(text);
  if (word !== "true" && word !== "false") throw new RangeError(`${word} is neither true nor false`);
  return word === "true";
}

function _unescape(text: Uint8Array): Uint8Array {
  return _latin1(_chars(text).replace(/%([0-9A-Fa-f]{2})/g, (_, digits: string) =>
    String.fromCharCode(parseInt(digits, 16))));
}

function _numberOfDigits(text: Uint8Array): bigint {
  // Hexadecimal.
  const match = /^(-?)([0-9A-Fa-f]+)$/.exec(_chars(text));
  if (match === null || _chars(text).includes("\n")) throw new RangeError(`${_chars(text)} is no hexadecimal number`);
  const size = BigInt(`0x${match[2]}`);
  return match[1] === "-" ? -size : size;
}

function _numberOfBytes(data: Uint8Array, isSigned: number): bigint {
  let number = 0n;
  for (const byte of data) number = number * 256n + BigInt(byte);
  return isSigned ? BigInt.asIntN(8 * data.length, number) : number;
}

function _timeOfNumber(number: bigint, bucket: string, unit: string): bigint {
  // Microseconds since 1970.
  const units: Record<string, bigint> = {
    us: 1n, ms: 1_000n, s: 1_000_000n, m: 60_000_000n, h: 3_600_000_000n, d: 86_400_000_000n,
  };
  if (unit !== "bucket") return number * units[unit]!;
  const time = _start(number, bucket);
  if (bucket === "month" || bucket === "year") _date(time);
  return time;
}

function _timeOfDate(text: Uint8Array, pattern: string, isReversed: number): bigint {
  const shown = _chars(text);
  const digits = isReversed ? shown.replace(/[0-9]/g, (digit) => String(9 - Number(digit))) : shown;
  const found: Record<string, number> = { Y: 1970, m: 1, d: 1, j: 1, H: 0, M: 0, S: 0, f: 0 };
  const widths: Record<string, number> = { Y: 4, f: 3, j: 3 };
  let at = 0;
  for (const piece of pattern.match(/%[YmdjHMSf]|./gsu) ?? []) {
    const isDirective = piece.length === 2 && piece.startsWith("%");
    const end = at + (isDirective ? widths[piece.charAt(1)] ?? 2 : _text(piece).length);
    if (isDirective) found[piece.charAt(1)] = Number(digits.slice(at, end));
    at = end;
  }
  const days = _utc(found["Y"]!, found["m"]! - 1) / 86_400_000 + found["d"]! + found["j"]! - 2;
  const clock = ((days * 24 + found["H"]!) * 60 + found["M"]!) * 60 + found["S"]!;
  const time = BigInt(clock * 1000 + found["f"]!) * 1000n;
  if (_compare(_dateText(time, "microsecond", pattern, isReversed), text) !== 0) {
    throw new RangeError(`${shown} is no date`);
  }
  return time;
}
"""
