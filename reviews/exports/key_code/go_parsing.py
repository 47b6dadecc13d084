"""Go's functions that turn parts of a key back into values."""

PARSING = r"""
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

func _unescaped(text []byte) []byte {
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
