"""Times in Java's functions for keys: buckets, numbers and readable dates, in UTC."""

TIMES = r"""
  private static BigInteger place(long timeUs, String bucket) {
    if (bucket.equals("month") || bucket.equals("year")) {
      LocalDateTime at = date(whole(timeUs));
      int years = at.getYear() - 1970;
      return whole(bucket.equals("year") ? years : years * 12L + at.getMonthValue() - 1);
    }
    return floor(whole(timeUs).subtract(firstStart(bucket)), length(bucket));
  }

  private static BigInteger start(BigInteger place, String bucket) {
    if (bucket.equals("month") || bucket.equals("year")) {
      LocalDate first = LocalDate.of(1970, 1, 1);
      LocalDate at = bucket.equals("year") ? first.plusYears(place.longValue()) : first.plusMonths(place.longValue());
      return whole(at.toEpochDay()).multiply(whole(86_400_000_000L));
    }
    return place.multiply(length(bucket)).add(firstStart(bucket));
  }

  private static BigInteger firstStart(String bucket) {
    // Of bucket 0: weeks begin on Monday.
    return whole(bucket.equals("week") ? -3 * 86_400_000_000L : 0);
  }

  private static BigInteger length(String bucket) {
    // Microseconds.
    switch (bucket) {
      case "microsecond":
        return whole(1);
      case "millisecond":
        return whole(1_000);
      case "second":
        return whole(1_000_000);
      case "minute":
        return whole(60_000_000);
      case "hour":
        return whole(3_600_000_000L);
      case "day":
        return whole(86_400_000_000L);
      case "week":
        return whole(7 * 86_400_000_000L);
      default:
        return new BigInteger(bucket.substring(0, bucket.length() - 1)).multiply(whole(1_000_000));
    }
  }

  private static LocalDateTime date(BigInteger timeUs) {
    BigInteger second = floor(timeUs, whole(1_000_000));
    if (second.compareTo(whole(-62_135_596_800L)) < 0 || second.compareTo(whole(253_402_300_799L)) > 0) {
      throw new IllegalArgumentException(timeUs + " is not in the years 1 to 9999");
    }
    int micros = timeUs.mod(whole(1_000_000)).intValue();
    return LocalDateTime.ofEpochSecond(second.longValue(), micros * 1000, ZoneOffset.UTC);
  }

  private static long unit(String unit) {
    switch (unit) {
      case "us":
        return 1;
      case "ms":
        return 1_000;
      case "s":
        return 1_000_000;
      case "m":
        return 60_000_000;
      case "h":
        return 3_600_000_000L;
      default:
        return 86_400_000_000L;
    }
  }

  private static byte[] timeText(long timeUs, String bucket, String unit, BigInteger top, int raw) {
    BigInteger number = place(timeUs, bucket);
    if (!unit.equals("bucket")) {
      number = floor(start(number, bucket), whole(unit(unit)));
    }
    if (number.signum() < 0) {
      throw new IllegalArgumentException("the time " + timeUs + " begins before 1970 and would not sort as times do");
    }
    if (top != null) {
      number = top.subtract(number);
      if (number.signum() < 0) {
        throw new IllegalArgumentException(top + " is less than the time that is subtracted from it");
      }
    }
    if (raw != 0) {
      if (number.bitLength() > 63) {
        throw new IllegalArgumentException(number + " does not fit into 64 bits");
      }
      return ByteBuffer.allocate(8).putLong(number.longValue()).array();
    }
    return fill(number.toString(), top == null ? 0 : top.toString().length());
  }

  private static byte[] dateText(long timeUs, String bucket, String pattern, int isReversed) {
    // UTC, whatever the zone and the language of the machine.
    LocalDateTime at = date(start(place(timeUs, bucket), bucket));
    Matcher directives = Pattern.compile("%(-[mdHV]|[YymdHIpMSfjGVBba%])").matcher(pattern);
    byte[] made = text(directives.replaceAll(found -> directive(found.group(1), at)));
    for (int place = 0; isReversed != 0 && place < made.length; place++) {
      if (made[place] >= '0' && made[place] <= '9') {
        made[place] = (byte) ('0' + '9' - made[place]);
      }
    }
    return made;
  }

  private static String directive(String name, LocalDateTime at) {
    switch (name) {
      case "%":
        return "%";
      case "Y":
        return digits(at.getYear(), 4);
      case "y":
        return digits(at.getYear() % 100, 2);
      case "m":
        return digits(at.getMonthValue(), 2);
      case "-m":
        return digits(at.getMonthValue(), 1);
      case "d":
        return digits(at.getDayOfMonth(), 2);
      case "-d":
        return digits(at.getDayOfMonth(), 1);
      case "H":
        return digits(at.getHour(), 2);
      case "-H":
        return digits(at.getHour(), 1);
      case "I":
        return digits((at.getHour() + 11) % 12 + 1, 2);
      case "p":
        return at.getHour() < 12 ? "AM" : "PM";
      case "M":
        return digits(at.getMinute(), 2);
      case "S":
        return digits(at.getSecond(), 2);
      case "f":
        return digits(at.getNano() / 1_000_000, 3);
      case "j":
        return digits(at.getDayOfYear(), 3);
      case "G":
        return digits(at.get(IsoFields.WEEK_BASED_YEAR), 4);
      case "V":
        return digits(at.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR), 2);
      case "-V":
        return digits(at.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR), 1);
      case "B":
        return title(at.getMonth().name());
      case "b":
        return title(at.getMonth().name()).substring(0, 3);
      default:
        return title(at.getDayOfWeek().name()).substring(0, 3);
    }
  }

  private static String digits(int number, int width) {
    return chars(fill(Integer.toString(number), width));
  }

  private static String title(String name) {
    return name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT);
  }
"""
