"""Go's functions of ranges of keys, and those that turn parts of a key back into values."""

PARSING = r"""
func _prefixEnd(prefix []byte) []byte {
	// The first key behind all keys with this prefix; an empty one is the end of the table.
	end := append([]byte{}, prefix...)
	for len(end) > 0 && end[len(end)-1] == 0xff {
		end = end[:len(end)-1]
	}
	if len(end) > 0 {
		end[len(end)-1]++
	}
	return end
}

func _valueRange(prefix, low, high []byte, hasHigh bool, stop []byte, isFixed bool) RowRange {
	// Both bounds are included. A text that the upper one begins with is less than it, whatever stands behind it.
	first := _join(prefix, low)
	if !hasHigh {
		return RowRange{first, _prefixEnd(prefix)}
	}
	if bytes.Compare(low, high) > 0 {
		_refuse("the range ends before it begins")
	}
	if isFixed {
		return RowRange{first, _prefixEnd(_join(prefix, high, stop))}
	}
	if len(stop) == 0 {
		return RowRange{first, _join(prefix, high, []byte{0})}
	}
	last := []byte{}
	for size := 0; size <= len(high); size++ {
		end := _prefixEnd(_join(prefix, high[:size], stop))
		if len(end) == 0 {
			return RowRange{first, end}
		}
		if bytes.Compare(end, last) > 0 {
			last = end
		}
	}
	return RowRange{first, last}
}

func _paddedBase64(data []byte) string {
	return base64.StdEncoding.EncodeToString(data)
}

func _timeRange(prefix, start, end, after []byte) RowRange {
	// Both times are included; a key that counts time down begins with the later one.
	if len(start) != len(end) {
		_refuse("the times have different numbers of digits, so their keys are not one range")
	}
	if bytes.Compare(start, end) > 0 {
		start, end = end, start
	}
	return RowRange{_join(prefix, start, after), _prefixEnd(_join(prefix, end, after))}
}

func _cut(key []byte, pattern *regexp.Regexp) [][]byte {
	groups := pattern.FindStringSubmatch(_chars(key))
	if groups == nil {
		_refuse("%q has another form", key)
	}
	made := make([][]byte, len(groups)-1)
	for place := range made {
		made[place] = _latin1(groups[place+1])
	}
	return made
}

func _textOf(data []byte) string {
	if !utf8.Valid(data) {
		_refuse("%q is not UTF-8", data)
	}
	return string(data)
}

func _booleanOf(data []byte) bool {
	word := string(data)
	if word != "true" && word != "false" {
		_refuse("%q is neither true nor false", data)
	}
	return word == "true"
}

func _integerOf(number *big.Int) int64 {
	if !number.IsInt64() {
		_refuse("%s does not fit into 64 bits", number)
	}
	return number.Int64()
}

func _unescape(text []byte) []byte {
	return regexp.MustCompile("%[0-9A-Fa-f]{2}").ReplaceAllFunc(text, func(found []byte) []byte {
		made, _ := hex.DecodeString(string(found[1:]))
		return made
	})
}

func _numberOfDigits(text []byte) *big.Int {
	// Hexadecimal.
	if !regexp.MustCompile(`\A-?[0-9A-Fa-f]+\z`).Match(text) {
		_refuse("%q is no hexadecimal number", text)
	}
	number, _ := new(big.Int).SetString(string(text), 16)
	return number
}

func _numberOfBytes(data []byte, isSigned int) *big.Int {
	number := new(big.Int).SetBytes(data)
	if isSigned != 0 && data[0] >= 0x80 {
		number.Sub(number, new(big.Int).Lsh(big.NewInt(1), uint(8*len(data))))
	}
	return number
}

func _timeOfNumber(number *big.Int, bucket, unit string) *big.Int {
	// Microseconds since 1970.
	if unit != "bucket" {
		return new(big.Int).Mul(number, _whole(_units()[unit]))
	}
	isOfCalendar := bucket == "month" || bucket == "year"
	if isOfCalendar && number.BitLen() > 17 {
		_refuse("%s is not in the years 1 to 9999", number)
	}
	time := _start(number, bucket)
	if isOfCalendar {
		_date(time)
	}
	return time
}

func _timeOfDate(shown []byte, pattern string, isReversed int) *big.Int {
	found := map[string]int{"Y": 1970, "m": 1, "d": 1, "j": 1}
	widths := map[string]int{"Y": 4, "f": 3, "j": 3}
	at := 0
	for _, piece := range regexp.MustCompile("(?s)%[YmdjHMSf]|.").FindAllString(pattern, -1) {
		end := at + len(piece)
		if len(piece) == 2 && piece[0] == '%' {
			name := piece[1:]
			if width, isKnown := widths[name]; isKnown {
				end = at + width
			}
			found[name] = 0
			for _, digit := range shown[at:end] {
				if isReversed != 0 {
					digit = '0' + '9' - digit
				}
				found[name] = 10*found[name] + int(digit-'0')
			}
		}
		at = end
	}
	// A day that is not in the calendar becomes another one, which is written in other digits.
	date := time.Date(found["Y"], time.Month(found["m"]), found["d"]+found["j"]-1, found["H"], found["M"], found["S"],
		found["f"]*1_000_000, time.UTC)
	if !bytes.Equal(_dateText(date.UnixMicro(), "microsecond", pattern, isReversed), shown) {
		_refuse("%q is no date", shown)
	}
	return _whole(date.UnixMicro())
}
"""
