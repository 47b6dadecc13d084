"""Keys as other notations write them → the key text that was probably meant: CQL, DynamoDB, HBase, expressions."""

import re
from collections.abc import Iterable, Iterator

from .functions import hashed_value, meant_functions, reversed_value

_NAME = r"[A-Za-z][A-Za-z0-9_]*"
_PATH = rf"{_NAME}(?:\.{_NAME})*"
_CQL = re.compile(r"primary\s+key\s*\((?P<names>.*?)\)\s*(?:with\s+clustering\s+order\s+by\s*\((?P<order>.*)\))?\s*;?",
                  re.IGNORECASE)  # fmt: skip
_CALL = re.compile(r"(?:Bytes\.add|concat|concat_ws|String\.join|struct|tuple)\s*\((.*)\)\s*;?", re.IGNORECASE)
_PART = r"[^,;\s()=:]+(?::[^,;\s()=:]+)*"
_LABELLED = re.compile(
    rf"(?:partition[ _]?key|hash[ _]?key|pk)\s*[:=]?\s*({_PART})[,;\s]+"
    rf"(?:sort[ _]?key|range[ _]?key|sk)\s*[:=]?\s*({_PART})",
    re.IGNORECASE,
)
"""As DynamoDB's keys are told: `PK=user_id, SK=created_at`."""
_ALONE = re.compile(rf"(?:partition[ _]?key|hash[ _]?key|pk)\s*[:=]\s*({_PART})", re.IGNORECASE)
_COLUMN = re.compile(rf"({_NAME})\s+{_NAME}\s+primary\s+key", re.IGNORECASE)
"""A key of one column, as CQL says it behind the column."""
_MARKED = re.compile(
    rf"({_PART})\s*\((?:hash|pk|partition(?: key)?)\)[,;\s]*({_PART})\s*\((?:range|sk|sort(?: key)?)\)", re.IGNORECASE
)
"""`user_id (HASH), created_at (RANGE)`."""
_PLACEHOLDER = re.compile(r"<[^<>]+>|\[[^\[\]]+\]|\$\{[^{}]+\}|\$[A-Za-z]\w*")
_BRACKETED = re.compile(r"(?:\[[\w.-]+\]){2,}|(?:<[\w.-]+>){2,}")
"""One name beside the other, as HBase's documentation writes keys: `[hostname][log-event][timestamp]`."""

_QUOTED = r"""'[^']*'|"[^"]*\""""
_OPEN = r"(?:Bytes\.)?(?:toBytes|toString|valueOf|str|String\.valueOf|Long\.toString|Bytes\.toBytes)"
_UNWRAP = re.compile(rf"{_OPEN}\((?P<inner>.*)\)|\((?P<bare>.*)\)|(?P<path>{_PATH})\.(?:toString|getBytes)\(\)")
_MOST_NESTED = 20
"""Of calls and parentheses around a value; more is no expression of a person."""
_MOST = r"(?:\w+\.)?(?:MAX_VALUE|MAX_LONG|LONG_MAX|INT64_MAX|MAX_SAFE_INTEGER|MAX)|maxLong|9{10,}|9223372036854775807"
_FROM_MOST = re.compile(rf"(?:{_MOST})\s*-\s*(?P<name>{_PATH})", re.IGNORECASE)
"""`Long.MAX_VALUE - timestamp`, as HBase's and Bigtable's pages reverse times."""
_REVERSED = re.compile(
    rf"(?:reversed?|inversed?|inverted)(?:\s*\(\s*|\s+)(?P<name>{_PATH})\s*\)?|(?P<desc>{_PATH})\s+desc", re.IGNORECASE
)
_HASH = re.compile(
    rf"(?P<algorithm>md5|sha1|sha256|hash|murmur3?|crc32|fnv1a|MD5Hash\.digest)\((?P<name>{_PATH})\)"
    r"(?:\.(?:substring|slice|substr)\(0,\s*(?P<cut>\d+)\)|\[0?:(?P<slice>\d+)\])?(?:\s*%\s*(?P<modulo>\d+))?",
    re.IGNORECASE,
)
_WORD = rf"[:<$\[(]*{_NAME}[>\])]*"
_JOINED = re.compile(rf"{_WORD}(?:[#|/~+,;:.][ ]*{_WORD})+")
_HYPHENED = re.compile(rf"{_NAME}(?:-{_NAME})+")
_DOTTED = re.compile(r"[\w-]+(?:\.[\w-]+)+(?:/.*)?")
"""A domain, or a file, rather than names with dots between them."""


def meant_key(text: str) -> str | None:
    """Return the key text that was probably meant by a text without braces; None where it names no fields.

    >>> meant_key("device_id#timestamp"), meant_key("PRIMARY KEY ((a, b), c)"), meant_key("settings")
    ('{device_id}#{timestamp}', '{a}#{b}#{c}', None)
    >>> meant_key("PK=USER#<user_id>, SK=created_at")
    'USER#{user_id}#{created_at}'
    >>> meant_key("[host][time]"), meant_key('md5(user) + "_" + user + day')
    ('{host}#{time}', '{hash(user):md5:32}_{user}#{day}')
    >>> meant_key("Bytes.toBytes(user) + Bytes.toBytes(Long.MAX_VALUE - ts)"), meant_key("user_id, created_at DESC")
    ('{user}#{ts:rev}', '{user_id}#{created_at:rev}')
    """
    text = text.strip()
    # The most special notations first: each later pattern would also fit some of the earlier ones.
    keys = _LABELLED.fullmatch(text) or _MARKED.fullmatch(text)
    if keys is not None:
        return "#".join(map(_part_with_braces, keys.groups()))
    alone = _ALONE.fullmatch(text) or _COLUMN.fullmatch(text)
    if alone is not None:
        return _part_with_braces(alone[1])
    cql = _CQL.fullmatch(text)
    if cql is not None:
        newest = {match[1] for match in re.finditer(rf"({_NAME})\s+desc", cql["order"] or "", re.IGNORECASE)}
        names = re.findall(_NAME, cql["names"])
        return "#".join(reversed_value(name) if name in newest else f"{{{name}}}" for name in names) or None
    call = _CALL.fullmatch(text)
    if call is not None:
        return _key_of_terms(_split(call[1], ","))
    if _BRACKETED.fullmatch(text) is not None:
        return "#".join(f"{{{name}}}" for name in re.findall(r"[\w.-]+", text))
    # An expression of a program is tried before a list of names with commas.
    for signs in (("||", "+"), (",",)):
        terms = list(_split(text, *signs))
        if len(terms) > 1 and (key_text := _key_of_terms(terms)) is not None:
            return key_text
    # A text that begins with a bracket can be a list of a program; one with braces is a key text already.
    if _PLACEHOLDER.search(text) and not text.startswith("[") and "{" not in text.replace("${", ""):
        return _part_with_braces(text)
    # "example.com/path" looks like names with dots between them, but is a constant.
    if _DOTTED.fullmatch(text) is None and _JOINED.fullmatch(text) is not None:
        return re.sub(_NAME, lambda name: f"{{{name[0]}}}", re.sub(r"[<>$\[\]()]|(?<![\w}]):|(?<=/):", "", text))
    for sign in ("|", "#", "/", ":"):
        terms = list(_split(text, sign))
        found_terms = [_term(term) for term in terms]
        # Without a call, "a/b" and "a#b" may be a constant text, which is left alone.
        is_expression = sign == "|" or "(" in text
        if is_expression and all(found_terms) and (len(terms) > 1 or found_terms[0] != f"{{{text.strip('[]')}}}"):
            return sign.join(term for term in found_terms if term)
    # Hyphens are usual within one name; only ids and times show that several names are meant.
    if _HYPHENED.fullmatch(text) is not None and any(map(_is_part_of_key, text.split("-"))):
        return "-".join(f"{{{name}}}" for name in text.split("-"))
    return None


def _is_part_of_key(word: str) -> bool:
    """Return whether a word between hyphens is the name of an id or a time, and not a part of a name."""
    return re.search(r"_id$|[a-z]Id$|^yyyy|timestamp|_(ts|at|time)$|^(ts|date)$", word) is not None


def meant_segments(text: str) -> Iterator[str]:
    """Yield the segments that an expression in braces may mean, the likeliest first; none where it is none.

    >>> next(meant_segments("Long.MAX_VALUE - timestamp")), next(meant_segments("sha256(url)"))
    ('{timestamp:rev}', '{hash(url):sha256:64}')
    >>> list(meant_segments("a b"))
    []
    """
    text = text.strip()
    found = (_term(text), *meant_functions(text))
    # The same text again is no help for a person whose text was refused.
    return (each for each in found if each is not None and each != f"{{{text}}}")


def _split(text: str, *signs: str) -> Iterator[str]:
    """Yield what stands between signs outside of parentheses and quotes."""
    depth, quote, start, at = 0, "", 0, 0
    while at < len(text):
        here = text[at]
        if quote:
            quote = "" if here == quote else quote
        elif here in "'\"":
            quote = here
        elif here in "()[]":
            depth += 1 if here in "([" else -1
        elif depth == 0 and (sign := next((sign for sign in signs if text.startswith(sign, at)), "")):
            yield text[start:at].strip()
            at += len(sign) - 1
            start = at + 1
        at += 1
    yield text[start:].strip()


def _key_of_terms(terms: Iterable[str]) -> str | None:
    """Return the key text of terms, `#` between values that stand beside each other; None if one is no term."""
    key_text, after_value = "", False
    for term in terms:
        # A text between values is their delimiter: no "#" is added beside it.
        if re.fullmatch(_QUOTED, term):
            key_text, after_value = key_text + term[1:-1].replace("{", "{{").replace("}", "}}"), False
            continue
        value = _term(term)
        if value is None:
            return None
        key_text, after_value = key_text + ("#" if after_value else "") + value, True
    return key_text if "{" in key_text.replace("{{", "") else None


def _term(text: str) -> str | None:
    """Return one value of an expression in braces; None if it is none."""
    for _ in range(_MOST_NESTED):
        inner = _UNWRAP.fullmatch(text)
        if inner is None:
            break
        text = next(part for part in inner.groups() if part is not None).strip()
    if (hashed := _HASH.fullmatch(text)) is not None:
        return _hash_text(hashed)
    if (back := _FROM_MOST.fullmatch(text) or _REVERSED.fullmatch(text)) is not None:
        return reversed_value(_last(next(part for part in back.groups() if part is not None)))
    if "(" in text and (called := next(meant_functions(text), None)) is not None:
        return called
    if _PLACEHOLDER.fullmatch(text):
        text = text.strip("<>[]${}")
    return f"{{{_last(text)}}}" if re.fullmatch(_PATH, text) else None


def _hash_text(match: re.Match[str]) -> str:
    name, spelling = _last(match["name"]), match["algorithm"].lower()
    if match["modulo"]:
        return f"{{salt({name}):{match['modulo']}}}"
    return hashed_value(name, spelling.removesuffix("hash.digest"), match["cut"] or match["slice"] or "")


def _last(path: str) -> str:
    return path.rpartition(".")[2]


def _part_with_braces(part: str) -> str:
    """Return one attribute with its field in braces: `USER#<user_id>` keeps its text, a name alone is a field."""
    if _PLACEHOLDER.search(part):
        return _PLACEHOLDER.sub(lambda match: f"{{{match[0].strip('<>[]${}')}}}", part)
    text, _, name = part.rpartition("#")
    return f"{text}#{{{name}}}" if text else f"{{{name}}}"
