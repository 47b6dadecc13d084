"""Functions that a Java class of keys takes along: those that it calls, each with the ones that they call."""

import re
from collections.abc import Iterable

from .java_parsing import PARSING
from .java_times import TIMES
from .writing import needed_parts

RUNTIME = r"""
  private static byte[] of(String name, Supplier<byte[]> make) {
    // An error begins with the field that it is about.
    try {
      return make.get();
    } catch (IllegalArgumentException error) {
      throw new IllegalArgumentException(name + ": " + error.getMessage(), error);
    }
  }

  private static byte[] fit(byte[] whole, String pattern, String misfit, byte[] stop) {
    // Only a key that is cut as it was made is made.
    if (!pattern.isEmpty() && !Pattern.compile(pattern, Pattern.DOTALL).matcher(chars(whole)).matches()) {
      throw new IllegalArgumentException(misfit + ": \"" + chars(whole) + "\"");
    }
    if (stop.length > 0 && chars(join(whole, stop)).indexOf(chars(stop)) != whole.length) {
      throw new IllegalArgumentException(
          "\"" + chars(whole) + "\" contains the delimiter \"" + chars(stop) + "\"");
    }
    return whole;
  }

  private static byte[] latin1(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String chars(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static byte[] join(byte[]... texts) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    for (byte[] one : texts) {
      joined.write(one, 0, one.length);
    }
    return joined.toByteArray();
  }

  private static byte[] text(String value) {
    try {
      // An encoder refuses half a character; getBytes would write a question mark.
      ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(value));
      return Arrays.copyOf(encoded.array(), encoded.limit());
    } catch (CharacterCodingException error) {
      throw new IllegalArgumentException("half a character is no text", error);
    }
  }

  private static byte[] bytes(byte[] value) {
    return value;
  }

  private static byte[] truth(boolean value) {
    return latin1(value ? "true" : "false");
  }

  private static BigInteger whole(long value) {
    return BigInteger.valueOf(value);
  }

  private static BigInteger floor(BigInteger number, BigInteger divisor) {
    BigInteger[] both = number.divideAndRemainder(divisor);
    return both[1].signum() < 0 ? both[0].subtract(BigInteger.ONE) : both[0];
  }

  private static BigInteger milliseconds(long timeUs) {
    return floor(whole(timeUs), whole(1000));
  }

  private static byte[] decimal(BigInteger value) {
    return latin1(value.toString());
  }

  private static BigInteger number(byte[] digits) {
    Matcher match = Pattern.compile("[ \\t-\\r]*([+-]?[0-9]+(?:_[0-9]+)*)[ \\t-\\r]*").matcher(chars(digits));
    if (!match.matches()) {
      throw new IllegalArgumentException("\"" + chars(digits) + "\" is not a whole number");
    }
    return new BigInteger(match.group(1).replace("_", ""));
  }

  private static BigInteger counter(byte[] whole, byte[] before, byte[] after) {
    int end = whole.length - after.length;
    if (end < before.length
        || !Arrays.equals(whole, 0, before.length, before, 0, before.length)
        || !Arrays.equals(whole, end, whole.length, after, 0, after.length)) {
      throw new IllegalArgumentException("\"" + chars(whole) + "\" has another form");
    }
    return number(Arrays.copyOfRange(whole, before.length, end));
  }

  private static BigInteger bucket(BigInteger number, BigInteger size) {
    return floor(number, size);
  }

  private static int charLength(byte[] whole, int at) {
    // Of the character in UTF-8 that begins here; a byte that is no UTF-8 stands for itself.
    int lead = whole[at] & 0xff;
    int length = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    byte[] one = Arrays.copyOfRange(whole, at, Math.min(at + length, whole.length));
    byte[] again = new String(one, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8);
    return Arrays.equals(one, again) ? one.length : 1;
  }

  private static byte[] part(byte[] whole, int start, int length, String before) {
    // Counted in characters, neither in bytes nor in halves of characters.
    int found = before.isEmpty() ? -1 : chars(whole).indexOf(chars(text(before)));
    int end = found < 0 ? whole.length : found;
    int first = 0;
    for (int skipped = 0; skipped < start && first < end; skipped++) {
      first += charLength(whole, first);
    }
    int last = first;
    for (int taken = 0; (length < 0 || taken < length) && last < end; taken++) {
      last += charLength(whole, last);
    }
    return Arrays.copyOfRange(whole, first, last);
  }

  private static byte[] fill(String digits, int width) {
    // Zeros go behind a sign; a wider text stays as it is.
    String sign = digits.startsWith("-") || digits.startsWith("+") ? digits.substring(0, 1) : "";
    return latin1(sign + "0".repeat(Math.max(width - digits.length(), 0)) + digits.substring(sign.length()));
  }

  private static byte[] pad(byte[] whole, int width) {
    if (whole.length > width || !chars(whole).matches("[0-9]+")) {
      throw new IllegalArgumentException(
          "\"" + chars(whole) + "\" does not fit into " + width + " digits without a sign");
    }
    return fill(chars(whole), width);
  }

  private static byte[] reverse(byte[] whole) {
    return latin1(new StringBuilder(chars(whole)).reverse().toString());
  }

  private static byte[] reverseDomain(byte[] whole) {
    List<String> labels = Arrays.asList(chars(whole).split("\\.", -1));
    Collections.reverse(labels);
    return latin1(String.join(".", labels));
  }

  private static String plainLetters(byte[] whole) {
    // Which letters beyond ASCII have another case, and when, differs between versions of Java.
    for (byte one : whole) {
      if (one < 0) {
        throw new IllegalArgumentException("the case of letters beyond ASCII cannot be changed exactly");
      }
    }
    return chars(whole);
  }

  private static byte[] lower(byte[] whole) {
    return latin1(plainLetters(whole).toLowerCase(Locale.ROOT));
  }

  private static byte[] upper(byte[] whole) {
    return latin1(plainLetters(whole).toUpperCase(Locale.ROOT));
  }

  private static byte[] truncate(byte[] whole, int length) {
    return Arrays.copyOf(whole, Math.min(length, whole.length));
  }

  private static BigInteger offset(BigInteger number, BigInteger by) {
    return number.add(by);
  }

  private static BigInteger descending(BigInteger number, BigInteger top) {
    if (number.compareTo(top) > 0) {
      throw new IllegalArgumentException(number + " is more than " + top + ", from which it is subtracted");
    }
    return subtract(number, top);
  }

  private static BigInteger subtract(BigInteger number, BigInteger top) {
    return top.subtract(number);
  }

  private static byte[] bigEndian(BigInteger number, int length) {
    if (number.signum() < 0 || number.bitLength() > 8 * length) {
      throw new IllegalArgumentException(number + " does not fit into " + length + " unsigned bytes");
    }
    byte[] all = ByteBuffer.allocate(8).putLong(number.longValue()).array();
    return Arrays.copyOfRange(all, 8 - length, 8);
  }

  private static byte[] hexadecimal(BigInteger number, int width) {
    if (number.signum() < 0 || number.bitLength() > 4 * width) {
      throw new IllegalArgumentException(
          number + " does not fit into " + width + " hexadecimal digits without a sign");
    }
    return fill(number.toString(16), width);
  }

  private static byte[] percent(byte[] whole) {
    StringBuilder made = new StringBuilder();
    for (byte one : whole) {
      if (one > 0 && "-._~".indexOf(one) >= 0 || one >= 'A' && one <= 'Z' || one >= 'a' && one <= 'z'
          || one >= '0' && one <= '9') {
        made.append((char) one);
      } else {
        made.append('%').append("0123456789ABCDEF".charAt(one >> 4 & 15)).append("0123456789ABCDEF".charAt(one & 15));
      }
    }
    return latin1(made.toString());
  }

  private static byte[] hashText(byte[] data, String algorithm, String form, int length) {
    byte[] digest = digest(data, algorithm);
    switch (form) {
      case "hex":
        digest = fill(new BigInteger(1, digest).toString(16), 2 * digest.length);
        break;
      case "base64":
        digest = Base64.getEncoder().withoutPadding().encode(digest);
        break;
      case "base64url":
        digest = Base64.getUrlEncoder().withoutPadding().encode(digest);
        break;
      default:
        break;
    }
    return truncate(digest, length);
  }

  private static byte[] digest(byte[] data, String algorithm) {
    if (algorithm.equals("crc32")) {
      CRC32 sum = new CRC32();
      sum.update(data);
      return ByteBuffer.allocate(4).putInt((int) sum.getValue()).array();
    }
    if (algorithm.equals("fnv1a")) {
      long number = 0xcbf29ce484222325L;
      for (byte one : data) {
        number = (number ^ (one & 0xff)) * 0x100000001b3L;
      }
      return ByteBuffer.allocate(8).putLong(number).array();
    }
    try {
      return MessageDigest.getInstance(algorithm.replace("sha", "SHA-")).digest(data);
    } catch (NoSuchAlgorithmException error) {
      throw new IllegalStateException(error);
    }
  }

  private static byte[] salt(byte[] data, int modulo, int width) {
    // The first eight bytes of the MD5, big-endian, modulo the number of salts.
    return randomSalt(ByteBuffer.wrap(digest(data, "md5")).getLong(), modulo, width);
  }

  private static byte[] randomSalt(long number, int modulo, int width) {
    // The number has 64 bits and no sign.
    return fill(Long.toString(Long.remainderUnsigned(number, modulo)), width);
  }

  private static void checkRefusal(String name, String field, Supplier<byte[]> make) {
    try {
      throw new IllegalStateException(
          name + ": a value of " + field + " is not refused: \"" + chars(make.get()) + "\"");
    } catch (IllegalArgumentException error) {
      if (!error.getMessage().startsWith(field + ": ")) {
        throw new IllegalStateException(name + ": the error does not name " + field, error);
      }
    }
  }

  private static void checkRanges(String name, List<RowRange> found, String... designed) {
    List<String> ends = new ArrayList<>();
    for (RowRange one : found) {
      ends.add(chars(one.first()));
      ends.add(chars(one.end()));
    }
    if (!ends.equals(Arrays.asList(designed))) {
      throw new IllegalStateException(name + ": " + ends + " is not " + Arrays.toString(designed));
    }
  }

  private static byte[] check(String name, byte[] made, String designed, byte[] previous) {
    if (!Arrays.equals(made, latin1(designed))) {
      throw new IllegalStateException(name + ": \"" + chars(made) + "\" is not \"" + designed + "\"");
    }
    if (Arrays.compareUnsigned(previous, made) > 0) {
      throw new IllegalStateException(name + ": \"" + designed + "\" is out of order");
    }
    return made;
  }
"""
_NAME = re.compile(r"  private static \S+ (\w+)\(")


def runtime_parts(functions: Iterable[str], more: str = "") -> list[str]:
    """Return the source of these functions, and of all that they call, in the order of the runtime and of `more`."""
    runtime = "\n\n".join(part.strip("\n") for part in (RUNTIME, TIMES, PARSING, more) if part)
    sources = re.split(r"\n\n(?=  private)", runtime)
    parts = {_NAME.match(source)[1]: source for source in sources}  # type: ignore[index]
    return needed_parts(parts, functions, r"(?<![.\w])([a-z]\w*)\(")
