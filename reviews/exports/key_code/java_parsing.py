"""Java's functions that turn parts of a key back into values."""

PARSING = r"""
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

  private static byte[] unescaped(byte[] bytes) {
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
