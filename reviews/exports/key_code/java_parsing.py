"""Java's functions of ranges of keys, and those that turn parts of a key back into values."""

PARSING = r"""
  private static byte[] prefixEnd(byte[] prefix) {
    // The first key behind all keys with this prefix; an empty one is the end of the table.
    int length = prefix.length;
    while (length > 0 && prefix[length - 1] == (byte) 0xff) {
      length--;
    }
    byte[] end = Arrays.copyOf(prefix, length);
    if (length > 0) {
      end[length - 1]++;
    }
    return end;
  }

  private static RowRange valueRange(byte[] prefix, byte[] low, byte[] high, byte[] stop, boolean isFixed) {
    // Both bounds are included. A text that the upper one begins with is less than it, whatever stands behind it.
    byte[] first = join(prefix, low);
    if (high == null) {
      return new RowRange(first, prefixEnd(prefix));
    }
    if (Arrays.compareUnsigned(low, high) > 0) {
      throw new IllegalArgumentException("the range ends before it begins");
    }
    if (isFixed) {
      return new RowRange(first, prefixEnd(join(prefix, high, stop)));
    }
    if (stop.length == 0) {
      return new RowRange(first, join(prefix, high, new byte[1]));
    }
    byte[] last = {};
    for (int size = 0; size <= high.length; size++) {
      byte[] end = prefixEnd(join(prefix, Arrays.copyOf(high, size), stop));
      if (end.length == 0) {
        return new RowRange(first, end);
      }
      last = Arrays.compareUnsigned(end, last) > 0 ? end : last;
    }
    return new RowRange(first, last);
  }

  private static String paddedBase64(byte[] data) {
    return Base64.getEncoder().encodeToString(data);
  }

  private static RowRange timeRange(byte[] prefix, byte[] start, byte[] end, byte[] after) {
    // Both times are included; a key that counts time down begins with the later one.
    if (start.length != end.length) {
      throw new IllegalArgumentException(
          "the times have different numbers of digits, so their keys are not one range");
    }
    boolean isOrdered = Arrays.compareUnsigned(start, end) <= 0;
    byte[] first = join(prefix, isOrdered ? start : end, after);
    return new RowRange(first, prefixEnd(join(prefix, isOrdered ? end : start, after)));
  }

  private static List<RowRange> sorted(List<RowRange> ranges) {
    // Bytes have no sign in the order of keys.
    ranges.sort((one, other) -> Arrays.compareUnsigned(one.first(), other.first()));
    return ranges;
  }

  private static byte[][] cut(byte[] key, Pattern pattern) {
    Matcher match = pattern.matcher(chars(key));
    if (!match.matches()) {
      throw new IllegalArgumentException("\"" + chars(key) + "\" has another form");
    }
    byte[][] texts = new byte[match.groupCount()][];
    for (int place = 0; place < texts.length; place++) {
      texts[place] = latin1(match.group(place + 1));
    }
    return texts;
  }

  private static String textOf(byte[] bytes) {
    String decoded = new String(bytes, StandardCharsets.UTF_8);
    if (!Arrays.equals(decoded.getBytes(StandardCharsets.UTF_8), bytes)) {
      throw new IllegalArgumentException("\"" + chars(bytes) + "\" is not UTF-8");
    }
    return decoded;
  }

  private static boolean truthOf(byte[] bytes) {
    String word = chars(bytes);
    if (!word.equals("true") && !word.equals("false")) {
      throw new IllegalArgumentException("\"" + word + "\" is neither true nor false");
    }
    return word.equals("true");
  }

  private static long integerOf(BigInteger number) {
    if (number.bitLength() > 63) {
      throw new IllegalArgumentException(number + " does not fit into 64 bits");
    }
    return number.longValue();
  }

  private static byte[] unescape(byte[] bytes) {
    Matcher escapes = Pattern.compile("%([0-9A-Fa-f]{2})").matcher(chars(bytes));
    return latin1(escapes.replaceAll(
        found -> Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(found.group(1), 16)))));
  }

  private static BigInteger numberOfDigits(byte[] bytes) {
    // Hexadecimal.
    if (!chars(bytes).matches("-?[0-9A-Fa-f]+")) {
      throw new IllegalArgumentException("\"" + chars(bytes) + "\" is no hexadecimal number");
    }
    return new BigInteger(chars(bytes), 16);
  }

  private static BigInteger numberOfBytes(byte[] bytes, int isSigned) {
    return isSigned != 0 ? new BigInteger(bytes) : new BigInteger(1, bytes);
  }

  private static BigInteger timeOfNumber(BigInteger number, String bucket, String unit) {
    // Microseconds since 1970.
    if (!unit.equals("bucket")) {
      return number.multiply(whole(unit(unit)));
    }
    boolean isOfCalendar = bucket.equals("month") || bucket.equals("year");
    if (isOfCalendar && number.bitLength() > 17) {
      throw new IllegalArgumentException(number + " is not in the years 1 to 9999");
    }
    BigInteger time = start(number, bucket);
    if (isOfCalendar) {
      date(time);
    }
    return time;
  }

  private static BigInteger timeOfDate(byte[] shown, String pattern, int isReversed) {
    Map<String, Integer> found =
        new HashMap<>(Map.of("Y", 1970, "m", 1, "d", 1, "j", 1, "H", 0, "M", 0, "S", 0, "f", 0));
    Matcher pieces = Pattern.compile("%([YmdjHMSf])|.", Pattern.DOTALL).matcher(pattern);
    int at = 0;
    while (pieces.find()) {
      String name = pieces.group(1);
      int end = at + (name == null ? text(pieces.group()).length : name.equals("Y") ? 4 : "fj".contains(name) ? 3 : 2);
      if (name != null) {
        found.put(name, 0);
        for (byte digit : Arrays.copyOfRange(shown, at, end)) {
          found.merge(name, isReversed != 0 ? '9' - digit : digit - '0', (before, last) -> 10 * before + last);
        }
      }
      at = end;
    }
    // A day that is not in the calendar becomes another one, which is written in other digits.
    LocalDateTime date = LocalDate.of(found.get("Y"), 1, 1).plusMonths(found.get("m") - 1)
        .plusDays(found.get("d") + found.get("j") - 2).atStartOfDay()
        .plusHours(found.get("H")).plusMinutes(found.get("M")).plusSeconds(found.get("S"));
    long timeUs = date.toEpochSecond(ZoneOffset.UTC) * 1_000_000 + found.get("f") * 1000;
    if (!Arrays.equals(dateText(timeUs, "microsecond", pattern, isReversed), shown)) {
      throw new IllegalArgumentException("\"" + chars(shown) + "\" is no date");
    }
    return whole(timeUs);
  }
"""
