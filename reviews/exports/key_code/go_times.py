"""Times in Go's functions for keys: buckets, numbers and readable dates, in UTC."""

TIMES = r"""
func _place(timeUs int64, bucket string) *big.Int {
	if bucket == "month" || bucket == "year" {
		at := _date(_whole(timeUs))
		if bucket == "year" {
			return _whole(int64(at.Year() - 1970))
		}
		return _whole(int64((at.Year()-1970)*12 + int(at.Month()) - 1))
	}
	size, first := _length(bucket)
	return _floor(new(big.Int).Sub(_whole(timeUs), first), size)
}

func _start(place *big.Int, bucket string) *big.Int {
	switch bucket {
	case "year":
		return _whole(time.Date(1970+int(place.Int64()), 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro())
	case "month":
		return _whole(time.Date(1970, 1+time.Month(place.Int64()), 1, 0, 0, 0, 0, time.UTC).UnixMicro())
	}
	size, first := _length(bucket)
	return new(big.Int).Add(new(big.Int).Mul(place, size), first)
}

func _length(bucket string) (*big.Int, *big.Int) {
	// Microseconds of a bucket, and the start of bucket 0: weeks begin on Monday.
	if bucket[0] <= '9' {
		return new(big.Int).Mul(_big(bucket[:len(bucket)-1]), _whole(1_000_000)), _whole(0)
	}
	const day = 86_400_000_000
	if bucket == "week" {
		return _whole(7 * day), _whole(-3 * day)
	}
	sizes := map[string]int64{
		"microsecond": 1, "millisecond": 1_000, "second": 1_000_000, "minute": 60_000_000,
		"hour": 3_600_000_000, "day": day,
	}
	return _whole(sizes[bucket]), _whole(0)
}

func _date(timeUs *big.Int) time.Time {
	if timeUs.IsInt64() {
		if at := time.UnixMicro(timeUs.Int64()).UTC(); at.Year() >= 1 && at.Year() <= 9999 {
			return at
		}
	}
	_refuse("%s is not in the years 1 to 9999", timeUs)
	return time.Time{}
}

func _units() map[string]int64 {
	return map[string]int64{
		"us": 1, "ms": 1_000, "s": 1_000_000, "m": 60_000_000, "h": 3_600_000_000, "d": 86_400_000_000,
	}
}

func _timeText(timeUs int64, bucket, unit string, top *big.Int, raw int) []byte {
	number := _place(timeUs, bucket)
	if unit != "bucket" {
		number = _floor(_start(number, bucket), _whole(_units()[unit]))
	}
	width := 0
	if number.Sign() < 0 {
		_refuse("the time %d begins before 1970 and would not sort as times do", timeUs)
	}
	if top != nil {
		number = new(big.Int).Sub(top, number)
		width = len(top.String())
		if number.Sign() < 0 {
			_refuse("%s is less than the time that is subtracted from it", top)
		}
	}
	if raw != 0 {
		if !number.IsInt64() {
			_refuse("%s does not fit into 64 bits", number)
		}
		return number.FillBytes(make([]byte, 8))
	}
	return []byte(_fill(number.String(), width))
}

func _dateText(timeUs int64, bucket, pattern string, isReversed int) []byte {
	// UTC, whatever the zone and the language of the machine.
	at := _date(_start(_place(timeUs, bucket), bucket))
	directives := regexp.MustCompile("%(-[mdHV]|[YymdHIpMSfjGVBba%])")
	text := []byte(directives.ReplaceAllStringFunc(pattern, func(found string) string {
		return _directive(found[1:], at)
	}))
	if isReversed != 0 {
		for place, one := range text {
			if one >= '0' && one <= '9' {
				text[place] = '0' + '9' - one
			}
		}
	}
	return text
}

func _directive(name string, at time.Time) string {
	year, week := at.ISOWeek()
	plain := map[string]int{"m": int(at.Month()), "d": at.Day(), "H": at.Hour(), "V": week}
	if name[0] == '-' {
		return strconv.Itoa(plain[name[1:]])
	}
	switch name {
	case "Y":
		return fmt.Sprintf("%04d", at.Year())
	case "y":
		return fmt.Sprintf("%02d", at.Year()%100)
	case "I":
		return fmt.Sprintf("%02d", (at.Hour()+11)%12+1)
	case "p":
		return at.Format("PM")
	case "M":
		return fmt.Sprintf("%02d", at.Minute())
	case "S":
		return fmt.Sprintf("%02d", at.Second())
	case "f":
		return fmt.Sprintf("%03d", at.Nanosecond()/1_000_000)
	case "j":
		return fmt.Sprintf("%03d", at.YearDay())
	case "G":
		return fmt.Sprintf("%04d", year)
	case "B":
		return at.Month().String()
	case "b":
		return at.Month().String()[:3]
	case "a":
		return at.Weekday().String()[:3]
	case "%":
		return "%"
	}
	return fmt.Sprintf("%02d", plain[name])
}
"""
