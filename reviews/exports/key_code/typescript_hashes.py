"""Hash functions in plain TypeScript: those of platforms are asynchronous or differ from one to the other."""

import math
from collections.abc import Iterable, Iterator

ROUND = "\n    "


def _lines(numbers: Iterable[int]) -> str:
    words = [f"0x{number:08x}" for number in numbers]
    return ",".join(ROUND + ", ".join(words[at : at + 8]) for at in range(0, len(words), 8))


def _primes() -> Iterator[int]:
    # The first 64.
    return (number for number in range(2, 312) if all(number % divisor for divisor in range(2, math.isqrt(number) + 1)))


def _cube_root(number: int) -> int:
    root = int(number ** (1 / 3))
    while root**3 > number:
        root -= 1
    while (root + 1) ** 3 <= number:
        root += 1
    return root


MD5_SINES = _lines(int(abs(math.sin(number)) * 2**32) for number in range(1, 65))
SHA_ROOTS = _lines(_cube_root(prime << 96) & 0xFFFFFFFF for prime in _primes())  # 2^96 within the root is 2^32 outside
"""As RFC 1321 and FIPS 180-4 define them."""

HASHES = (
    r"""
function _blocks(data: Uint8Array, isLittleEndian: boolean): DataView {
  const view = new DataView(new ArrayBuffer((((data.length + 8) >> 6) + 1) * 64));
  data.forEach((byte, at) => view.setUint8(at, byte));
  view.setUint8(data.length, 0x80);
  view.setBigUint64(view.byteLength - 8, BigInt(data.length) * 8n, isLittleEndian);
  return view;
}

function _words(state: Uint32Array, isLittleEndian: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(state.length * 4));
  state.forEach((word, at) => view.setUint32(at * 4, word, isLittleEndian));
  return new Uint8Array(view.buffer);
}

function _turn(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

function _md5(data: Uint8Array): Uint8Array {
  const sines = ["""
    + MD5_SINES
    + r"""
  ];
  const turns = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21];
  const state = new Uint32Array([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476]);
  const blocks = _blocks(data, true);
  for (let at = 0; at < blocks.byteLength; at += 64) {
    let [a, b, c, d] = [...state] as [number, number, number, number];
    for (let n = 0; n < 64; n++) {
      const round = n >> 4;
      const [mixed, word] =
        round === 0 ? [(b & c) | (~b & d), n]
        : round === 1 ? [(d & b) | (~d & c), 5 * n + 1]
        : round === 2 ? [b ^ c ^ d, 3 * n + 5]
        : [c ^ (b | ~d), 7 * n];
      const sum = (a + mixed + sines[n]! + blocks.getUint32(at + 4 * (word % 16), true)) | 0;
      [a, d, c, b] = [d, c, b, (b + _turn(sum, turns[4 * round + (n % 4)]!)) | 0];
    }
    [a, b, c, d].forEach((word, place) => (state[place]! += word));
  }
  return _words(state, true);
}

function _sha1(data: Uint8Array): Uint8Array {
  const state = new Uint32Array([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0]);
  const blocks = _blocks(data, false);
  const words = new Int32Array(80);
  for (let at = 0; at < blocks.byteLength; at += 64) {
    for (let n = 0; n < 80; n++) {
      words[n] = n < 16
        ? blocks.getInt32(at + 4 * n)
        : _turn(words[n - 3]! ^ words[n - 8]! ^ words[n - 14]! ^ words[n - 16]!, 1);
    }
    let [a, b, c, d, e] = [...state] as [number, number, number, number, number];
    for (let n = 0; n < 80; n++) {
      const [mixed, added] =
        n < 20 ? [(b & c) | (~b & d), 0x5a827999]
        : n < 40 ? [b ^ c ^ d, 0x6ed9eba1]
        : n < 60 ? [(b & c) | (b & d) | (c & d), 0x8f1bbcdc]
        : [b ^ c ^ d, 0xca62c1d6];
      [e, d, c, b, a] = [d, c, _turn(b, 30), a, (_turn(a, 5) + mixed + e + added + words[n]!) | 0];
    }
    [a, b, c, d, e].forEach((word, place) => (state[place]! += word));
  }
  return _words(state, false);
}

function _sha256(data: Uint8Array): Uint8Array {
  const roots = ["""
    + SHA_ROOTS
    + r"""
  ];
  const state = new Uint32Array([
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
  ]);
  const blocks = _blocks(data, false);
  const words = new Int32Array(64);
  for (let at = 0; at < blocks.byteLength; at += 64) {
    for (let n = 0; n < 64; n++) {
      if (n < 16) {
        words[n] = blocks.getInt32(at + 4 * n);
      } else {
        const [x, y] = [words[n - 15]!, words[n - 2]!];
        const low = _turn(x, 25) ^ _turn(x, 14) ^ (x >>> 3);
        const high = _turn(y, 15) ^ _turn(y, 13) ^ (y >>> 10);
        words[n] = words[n - 16]! + low + words[n - 7]! + high;
      }
    }
    let [a, b, c, d, e, f, g, h] = [...state] as [number, number, number, number, number, number, number, number];
    for (let n = 0; n < 64; n++) {
      const high = _turn(e, 26) ^ _turn(e, 21) ^ _turn(e, 7);
      const one = (h + high + ((e & f) ^ (~e & g)) + roots[n]! + words[n]!) | 0;
      const low = _turn(a, 30) ^ _turn(a, 19) ^ _turn(a, 10);
      const two = (low + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, place) => (state[place]! += word));
  }
  return _words(state, false);
}

function _crc32(data: Uint8Array): Uint8Array {
  let rest = -1;
  for (const byte of data) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit++) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb88320 : 0);
  }
  return _words(new Uint32Array([~rest]), false);
}

function _fnv1a(data: Uint8Array): Uint8Array {
  let number = 0xcbf29ce484222325n;
  for (const byte of data) number = BigInt.asUintN(64, (number ^ BigInt(byte)) * 0x100000001b3n);
  return _bigEndian(number, 8);
}

function _base64(data: Uint8Array, last: string): string {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + last;
  let text = "";
  for (let bit = 0; bit < data.length * 8; bit += 6) {
    const pair = (data[bit >> 3]! << 8) | (data[(bit >> 3) + 1] ?? 0);
    text += letters.charAt((pair >> (10 - (bit & 7))) & 63);
  }
  return text;
}

function _hashText(data: Uint8Array, algorithm: "md5" | "sha1" | "sha256" | "crc32" | "fnv1a", form: string,
                   length: number): Uint8Array {
  const digest = { md5: _md5, sha1: _sha1, sha256: _sha256, crc32: _crc32, fnv1a: _fnv1a }[algorithm](data);
  if (form === "raw") return digest.slice(0, length);
  const text = form === "hex" ? Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")
    : _base64(digest, form === "base64" ? "+/" : "-_");
  return _latin1(text.slice(0, length));
}

function _salt(data: Uint8Array, modulo: number, width: number): Uint8Array {
  // The first eight bytes of the MD5, big-endian, modulo the number of salts.
  return _randomSalt(new DataView(_md5(data).buffer).getBigUint64(0), modulo, width);
}
"""
)
