"""Functions that a Go file of keys takes along: those that it calls, each with the ones that they call."""

import re
from collections.abc import Iterable

from .go_parsing import PARSING
from .go_times import TIMES
from .writing import needed_parts

RUNTIME = r"""
func _refuse(format string, values ...any) {
	panic(keyError(fmt.Sprintf(format, values...)))
}

func _catch(err *error) {
	if found := recover(); found != nil {
		told, isKeyError := found.(keyError)
		if !isKeyError {
			panic(found)
		}
		*err = told
	}
}

func _of(name string, make func() []byte) []byte {
	// An error begins with the field that it is about.
	defer func() {
		if found := recover(); found != nil {
			if told, isKeyError := found.(keyError); isKeyError {
				panic(keyError(name + ": " + string(told)))
			}
			panic(found)
		}
	}()
	return make()
}

func _fit(text []byte, pattern, misfit string, stop []byte) []byte {
	// Only a key that is cut as it was made is made.
	if pattern != "" && !regexp.MustCompile(`(?s)\A(?:`+pattern+`)\z`).MatchString(_chars(text)) {
		_refuse("%s: %q", misfit, text)
	}
	if len(stop) > 0 && bytes.Index(_join(text, stop), stop) != len(text) {
		_refuse("%q contains the delimiter %q", text, stop)
	}
	return text
}

func _latin1(text string) []byte {
	made := make([]byte, 0, len(text))
	for _, char := range text {
		made = append(made, byte(char))
	}
	return made
}

func _chars(data []byte) string {
	made := make([]rune, len(data))
	for at, one := range data {
		made[at] = rune(one)
	}
	return string(made)
}

func _join(texts ...[]byte) []byte {
	return bytes.Join(texts, nil)
}

func _text(value string) []byte {
	if !utf8.ValidString(value) {
		_refuse("%q is not UTF-8", value)
	}
	return []byte(value)
}

func _bytes(value []byte) []byte {
	return value
}

func _boolean(value bool) []byte {
	return []byte(strconv.FormatBool(value))
}

func _whole(value int64) *big.Int {
	return big.NewInt(value)
}

func _big(digits string) *big.Int {
	number, _ := new(big.Int).SetString(digits, 10)
	return number
}

func _floor(number, divisor *big.Int) *big.Int {
	// Div is Euclidean: with a positive divisor it rounds down.
	return new(big.Int).Div(number, divisor)
}

func _milliseconds(timeUs int64) *big.Int {
	return _floor(_whole(timeUs), _whole(1000))
}

func _decimal(value *big.Int) []byte {
	return []byte(value.String())
}

func _number(text []byte) *big.Int {
	match := regexp.MustCompile(`\A[ \t\n\r\v\f]*([+-]?[0-9]+(?:_[0-9]+)*)[ \t\n\r\v\f]*\z`).FindSubmatch(text)
	if match == nil {
		_refuse("%q is not a whole number", text)
	}
	return _big(strings.ReplaceAll(string(match[1]), "_", ""))
}

func _counter(text, before, after []byte) *big.Int {
	if !bytes.HasPrefix(text, before) || !bytes.HasSuffix(text, after) || len(text) < len(before)+len(after) {
		_refuse("%q has another form", text)
	}
	return _number(text[len(before) : len(text)-len(after)])
}

func _least(one, other int) int {
	if one < other {
		return one
	}
	return other
}

func _bucket(number, size *big.Int) *big.Int {
	return _floor(number, size)
}

func _split(text []byte) [][]byte {
	// Characters; a byte that is no UTF-8 stands for itself.
	var chars [][]byte
	for len(text) > 0 {
		_, size := utf8.DecodeRune(text)
		chars = append(chars, text[:size])
		text = text[size:]
	}
	return chars
}

func _part(text []byte, start, length int, before string) []byte {
	// Counted in characters, not in bytes.
	if before != "" {
		text, _, _ = bytes.Cut(text, []byte(before))
	}
	chars := _split(text)
	first := _least(start, len(chars))
	end := len(chars)
	if length >= 0 {
		end = _least(first+length, end)
	}
	return bytes.Join(chars[first:end], nil)
}

func _fill(text string, width int) string {
	// Zeros go behind a sign; a wider text stays as it is.
	signs := 0
	if text != "" && (text[0] == '-' || text[0] == '+') {
		signs = 1
	}
	zeros := ""
	if len(text) < width {
		zeros = strings.Repeat("0", width-len(text))
	}
	return text[:signs] + zeros + text[signs:]
}

func _pad(text []byte, width int) []byte {
	if len(text) < 1 || len(text) > width || len(bytes.Trim(text, "0123456789")) > 0 {
		_refuse("%q does not fit into %d digits without a sign", text, width)
	}
	return []byte(_fill(string(text), width))
}

func _reverse(text []byte) []byte {
	made := make([]byte, len(text))
	for at, one := range text {
		made[len(text)-1-at] = one
	}
	return made
}

func _reverseDomain(text []byte) []byte {
	labels := bytes.Split(text, []byte("."))
	made := make([][]byte, len(labels))
	for at, one := range labels {
		made[len(labels)-1-at] = one
	}
	return bytes.Join(made, []byte("."))
}

func _plainLetters(text []byte) []byte {
	// Beyond ASCII, Go's letters change their case one by one; other languages' do not ("ß" becomes "SS").
	for _, one := range text {
		if one >= utf8.RuneSelf {
			_refuse("%q: the case of letters beyond ASCII cannot be changed exactly", text)
		}
	}
	return text
}

func _lower(text []byte) []byte {
	return bytes.ToLower(_plainLetters(text))
}

func _upper(text []byte) []byte {
	return bytes.ToUpper(_plainLetters(text))
}

func _truncate(text []byte, length int) []byte {
	return text[:_least(length, len(text))]
}

func _offset(number, by *big.Int) *big.Int {
	return new(big.Int).Add(number, by)
}

func _descending(number, top *big.Int) *big.Int {
	if number.Cmp(top) > 0 {
		_refuse("%s is more than %s, from which it is subtracted", number, top)
	}
	return _subtract(number, top)
}

func _subtract(number, top *big.Int) *big.Int {
	return new(big.Int).Sub(top, number)
}

func _bigEndian(number *big.Int, length int) []byte {
	if number.Sign() < 0 || number.BitLen() > 8*length {
		_refuse("%s does not fit into %d unsigned bytes", number, length)
	}
	return number.FillBytes(make([]byte, length))
}

func _hexadecimal(number *big.Int, width int) []byte {
	if number.Sign() < 0 || number.BitLen() > 4*width {
		_refuse("%s does not fit into %d hexadecimal digits without a sign", number, width)
	}
	return []byte(_fill(number.Text(16), width))
}

func _percent(text []byte) []byte {
	made := []byte{}
	for _, one := range text {
		letter := one | 0x20
		if letter >= 'a' && letter <= 'z' || one >= '0' && one <= '9' || strings.IndexByte("_.-~", one) >= 0 {
			made = append(made, one)
		} else {
			made = fmt.Appendf(made, "%%%02X", one)
		}
	}
	return made
}

func _hashText(data []byte, algorithm, form string, length int) []byte {
	digest := _digest(data, algorithm)
	switch form {
	case "hex":
		digest = []byte(hex.EncodeToString(digest))
	case "base64":
		digest = []byte(base64.RawStdEncoding.EncodeToString(digest))
	case "base64url":
		digest = []byte(base64.RawURLEncoding.EncodeToString(digest))
	}
	return digest[:_least(length, len(digest))]
}

func _digest(data []byte, algorithm string) []byte {
	var sum hash.Hash
	switch algorithm {
	case "md5":
		sum = md5.New()
	case "sha1":
		sum = sha1.New()
	case "sha256":
		sum = sha256.New()
	case "crc32":
		sum = crc32.NewIEEE()
	default:
		sum = fnv.New64a()
	}
	sum.Write(data)
	return sum.Sum(nil)
}

func _salt(data []byte, modulo uint64, width int) []byte {
	// The first eight bytes of the MD5, big-endian, modulo the number of salts.
	digest := md5.Sum(data)
	return _randomSalt(binary.BigEndian.Uint64(digest[:8]), modulo, width)
}

func _randomSalt(number, modulo uint64, width int) []byte {
	return fmt.Appendf(nil, "%0*d", width, number%modulo)
}
"""
_NAME = re.compile(r"func (\w+)")


def runtime_parts(functions: Iterable[str], more: str = "") -> list[str]:
    """Return the source of these functions, and of all that they call, in the order of the runtime and of `more`."""
    sources = "\n\n".join(part.strip() for part in (RUNTIME, TIMES, PARSING, more) if part).split("\n\n")
    parts = {_NAME.match(source)[1]: source for source in sources}  # type: ignore[index]
    return needed_parts(parts, functions)
