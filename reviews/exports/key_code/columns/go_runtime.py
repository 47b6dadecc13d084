"""Functions that a Go file of primary keys takes along besides those of all files."""

COLUMNS_RUNTIME = r"""
func _integerColumn(text []byte) int64 {
	return _integerOf(_number(text))
}

func _escaped(data []byte) []byte {
	return append(bytes.ReplaceAll(data, []byte{0}, []byte{0, 0xff}), 0, 1)
}

func _encodedValue(value any) []byte {
	switch one := value.(type) {
	case int64:
		return binary.BigEndian.AppendUint64([]byte{1}, uint64(one)^(1<<63))
	case string:
		return _join([]byte{1}, _escaped([]byte(one)))
	case []byte:
		return _join([]byte{1}, _escaped(one))
	}
	if value == InfMin {
		return []byte{0}
	}
	return []byte{2}
}

func _encoded(key []Column) []byte {
	// Bytes that sort as the service sorts keys.
	all := []byte{}
	for _, one := range key {
		all = _join(all, _escaped([]byte(one.Name)), _encodedValue(one.Value))
	}
	return all
}

func _encodedKey(key []Column, err error) ([]byte, error) {
	return _encoded(key), err
}

func _encodedRanges(found []KeyBounds, err error) ([]RowRange, error) {
	all := []RowRange{}
	for _, one := range found {
		all = append(all, RowRange{_encoded(one.First), _encoded(one.End)})
	}
	return all, err
}

func _cutColumns(key []Column, names []string, patterns []*regexp.Regexp) [][]byte {
	if len(key) != len(names) {
		_refuse("the key has other columns")
	}
	all := [][]byte{}
	for at, one := range key {
		if one.Name != names[at] {
			_refuse("the key has other columns")
		}
		switch value := one.Value.(type) {
		case int64:
			all = append(all, _cut(_decimal(_whole(value)), patterns[at])...)
		case string:
			all = append(all, _cut([]byte(value), patterns[at])...)
		case []byte:
			all = append(all, _cut(value, patterns[at])...)
		default:
			_refuse("%s has no value", one.Name)
		}
	}
	return all
}

func _widest(begun, text, stop []byte) []byte {
	// A shorter text sorts by the delimiter behind it: what the range ends with is behind all of them.
	last := []byte{0xff}
	widest := _join(begun, stop)
	for size := 1; size <= len(text); size++ {
		end := _join(begun, text[:size], stop)
		if bytes.Compare(_join(end, last), _join(widest, last)) > 0 {
			widest = end
		}
	}
	return widest
}

func _above(value any, isWhole bool) any {
	// The first value of a column behind this number, or behind all texts that begin so.
	switch one := value.(type) {
	case int64:
		if one == math.MaxInt64 {
			return InfMax
		}
		return one + 1
	case string:
		if isWhole {
			return one + "\x00"
		}
		runes := []rune(strings.TrimRight(one, "\U0010ffff"))
		if len(runes) == 0 {
			return InfMax
		}
		last := len(runes) - 1
		runes[last]++
		if runes[last] == 0xd800 {
			runes[last] = 0xe000
		}
		return string(runes)
	case []byte:
		if isWhole {
			return _join(one, []byte{0})
		}
		end := _prefixEnd(one)
		if len(end) == 0 {
			return InfMax
		}
		return end
	}
	return value
}

func _bound(known []Column, names []string, value any, isBackward bool) []Column {
	all := append([]Column{}, known...)
	rest := value
	if _, isLimit := value.(Limit); !isLimit {
		rest = InfMin
		if isBackward {
			rest = InfMax
		}
	}
	for at, name := range names {
		if at > 0 {
			value = rest
		}
		all = append(all, Column{name, value})
	}
	return all
}

func _range(known []Column, names []string, low, high any, isWhole, isEven, isBackward bool) KeyBounds {
	// The bound that is included, and the one that is left out, as GetRange takes them; without names, one row.
	if len(names) == 0 {
		return KeyBounds{known, known}
	}
	if low != nil && high != nil {
		lowest, highest := _encodedValue(low), _encodedValue(high)
		if isEven && len(lowest) != len(highest) {
			_refuse("the times have different numbers of digits, so their keys are not one range")
		}
		if bytes.Compare(lowest, highest) > 0 {
			_refuse("the range ends before it begins")
		}
	}
	var first, end any = InfMin, InfMax
	if low != nil {
		first = low
	}
	if high != nil {
		end = high
	}
	if isBackward {
		var below any = InfMin
		if number, isNumber := first.(int64); isNumber && number > math.MinInt64 {
			below = number - 1
		}
		first, end = end, below
	} else {
		end = _above(end, isWhole)
	}
	return KeyBounds{_bound(known, names, first, isBackward), _bound(known, names, end, isBackward)}
}
"""
