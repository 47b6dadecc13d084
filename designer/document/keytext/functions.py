"""Functions and options as programs and SQL write them in braces → the segment that was meant."""

import re
from collections.abc import Iterator

from ..hashes import ALGORITHMS, HASH_BITS, HashAlgorithm

_CALL = re.compile(r"(?:[A-Za-z_]\w*\.)*(?P<name>[A-Za-z_]\w*)\s*\(\s*(?P<inner>[^()]+?)\s*\)(?P<options>(?::[^{}]*)?)")
_METHOD = re.compile(r"(?P<inner>[A-Za-z_]\w*)\.(?P<name>[A-Za-z_]\w*)\(\)(?P<options>)")
"""`url.sha256()`."""
_MODULO = re.compile(r"(?P<inner>[A-Za-z_]\w*)\s*%\s*(?P<modulo>\d+)")
_OPTION = re.compile(r"(?P<inner>[A-Za-z_][\w.]*):(?P<name>[A-Za-z]\w*)(?P<options>(?::[^{}]*)?)")
_TIME = re.compile(r"(^|_)(time|timestamp|date|day|ts|at)$")
_DOMAIN = re.compile(r"(^|_)(domain|host|hostname)$")

_HASHES = (
    "hash", "hashcode", "digest", "sha", "sha2", "sha224", "sha384", "sha512", "murmur", "murmur3", "murmurhash",
    "murmurhash3", "xxhash", "xxhash64", "cityhash", "farmfingerprint", "siphash", "fnv", "fnv1",
)  # fmt: skip
"""Functions that spread as a hash of ours does."""
_SYNONYMS = {
    "lower": ("lowercase", "tolower", "tolowercase", "lcase", "casefold"),
    "upper": ("uppercase", "toupper", "touppercase", "ucase"),
    "percent": ("urlencode", "percentencode", "urlquote", "quote", "encodeuricomponent"),
    "domain": ("reversedomain", "domainreverse", "reversehost", "reversedns", "reversedhost"),
    "reverse": ("reversed", "rev", "inverse", "inverted", "reversestring", "strrev", "desc", "descending"),
    "pad": ("lpad", "padleft", "leftpad", "padstart", "zfill", "zeropad", "padzero"),
    "first": ("left", "prefix", "truncate", "trunc", "substr", "substring", "slice", "head"),
    "hex": ("tohex", "tohexstring", "hexencode"),
    "salt": ("mod", "modulo"),
    "day": ("date", "todate", "yyyymmdd", "daily", "startofday", "tostartofday"),
    "hour": ("hourly", "tohour", "tostartofhour", "startofhour"),
    "minute": ("tominute", "tostartofminute"),
    "month": ("monthly", "tomonth", "yyyymm"),
    "year": ("yearly", "toyear", "yyyy"),
    "week": ("weekly", "toweek"),
    "second": ("tosecond",),
}
_MEANING = {said: word for word, others in _SYNONYMS.items() for said in (word, *others)}
_BUCKETS = ("second", "minute", "hour", "day", "week", "month", "year")


def reversed_value(name: str) -> str:
    """Return a value from its end: a time so that the newest comes first, a domain by its parts, another by its digits.

    >>> reversed_value("created_at"), reversed_value("host"), reversed_value("seq")
    ('{created_at:rev}', '{host:domain}', '{seq:reverse}')
    """
    if _TIME.search(name.lower()):
        return f"{{{name}:rev}}"
    return f"{{{name}:domain}}" if _DOMAIN.search(name.lower()) else f"{{{name}:reverse}}"


def hashed_value(names: str, algorithm: str, digits: str = "") -> str:
    """Return a hash of fields: all of its digits unless some are cut, as the function of that name gives them.

    >>> hashed_value("url", "sha256"), hashed_value("a,b", "murmur3"), hashed_value("url", "md5", "4")
    ('{hash(url):sha256:64}', '{hash(a,b)}', '{hash(url):md5:4}')
    """
    known: HashAlgorithm | None = next((each for each in ALGORITHMS if each == algorithm), None)
    digits = digits or (str(HASH_BITS[known] // 4) if known else "")
    return f"{{hash({names}){f':{known}' if known else ''}{f':{digits}' if digits else ''}}}"


def meant_functions(text: str) -> Iterator[str]:
    """Yield the segments that a call, or a field with an option, may mean, the likeliest first.

    >>> list(meant_functions("SHA256(url)")), list(meant_functions("lpad(id, 8, '0')"))
    (['{hash(url):sha256:64}'], ['{id:pad8}'])
    >>> list(meant_functions("date_trunc('hour', ts)")), list(meant_functions("user:md5:8"))
    (['{ts:hour}'], ['{hash(user):md5:8}'])
    """
    if (rest := _MODULO.fullmatch(text)) is not None:
        yield f"{{salt({rest['inner']}):{rest['modulo']}}}"
        return
    found = _METHOD.fullmatch(text) or _CALL.fullmatch(text) or _OPTION.fullmatch(text)
    if found is None:
        return
    said, options = found["name"].lower().replace("_", ""), found["options"].lower()
    arguments = [part.strip().strip("'\"") for part in re.split(r"[,+]", found["inner"])]
    numbers = [part for part in arguments if part.isdecimal()]
    units = [part for part in map(str.lower, arguments) if part in _BUCKETS] if said.endswith("trunc") else []
    names = [part for part in arguments if part not in numbers and part != "" and part.lower() not in units]
    if not names:
        return
    if said in ALGORITHMS or said in _HASHES:
        yield hashed_value(",".join(names), said, options.strip(":"))
    elif found.re is _CALL and said in ("time", "field", "salt", "bucket", "part") and said != found["name"]:
        # Only in another spelling, such as SALT(…): our own was read before, and refused.
        yield f"{{{said}({','.join(arguments)}){options}}}"
    elif units:
        yield f"{{{names[0]}:{units[0]}}}"
    else:
        yield from (f"{each[:-1]}{options}}}" for each in _values(_MEANING.get(said, said), names[0], numbers))


def _values(word: str, name: str, numbers: list[str]) -> Iterator[str]:
    """Yield a field with the option of ours that a word names."""
    match word, numbers:
        case "reverse", _:
            yield reversed_value(name)
        case "salt", [modulo]:
            yield f"{{salt({name}):{modulo}}}"
        case "first", [length] | ["0", length]:
            yield f"{{{name}:first{length}}}"
        case "first", [start, length]:
            yield f"{{part({name},start={start},length={length})}}"
        case "pad", [width, *_]:
            yield f"{{{name}:pad{width}}}"
        case "hex", _:
            yield f"{{{name}:hex{numbers[0] if numbers else 16}}}"  # as a 64-bit number has
        case (("lower" | "upper" | "percent" | "domain"), []):
            yield f"{{{name}:{word}}}"
        case _ if word in _BUCKETS:
            yield f"{{{name}:{word}}}"
        case _ if re.fullmatch(r"(pad|first|plus|minus|bytes|hex)\d+", word):
            yield f"{{{name}:{word}}}"
