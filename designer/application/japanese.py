"""Japanese sentences as people write them: amounts by their counters, the rest by particles and a verb."""

import re
from collections.abc import Mapping

from .phrases import UNKNOWN
from .quantities import COUNT, NUMBER, PER_SECOND, UnreadableError, parse_name, parse_rate
from .sentences import Sentence

IS_JAPANESE = re.compile(r"[\u3041-\u30ff\u4e00-\u9fff]")
_UNIT = r"(?:ミリ秒|秒|分|時間|日|週間|か月|ヶ月|カ月|ケ月|年|min|ms|s|h)"
_COUNTER = r"(?:件|回|台|人|個|社|通|本|つ|行|枚|局|店|点)"
_PER = rf"(?P<number>{COUNT})\s*{_COUNTER}?"
_ABOUT = r"(?:約|およそ)?\s*"
_KEEPING = "保存|保持|保管"
_AMOUNTS: tuple[tuple[str, str], ...] = (
    ("within", rf"(?P<value>{NUMBER}\s*{_UNIT})\s*以内(?:に|で)?"),
    ("kept", rf"(?:{_KEEPING})期間(?:は|が|を|:|：)?\s*(?P<value>{NUMBER}\s*{_UNIT})間?"),
    ("newest", rf"(?:最新|直近)(?:の)?\s*(?P<value>{COUNT})\s*{_COUNTER}[のを]?"),
    ("newest", r"(?P<empty>最新)(?:(?:の)?(?:値|状態|データ)(?:を|(?=$|[\s、。])))"),
    ("newest", r"(?P<empty>最新)(?:の)?"),
    ("span", rf"(?:直近|過去|ここ)(?:の)?\s*(?P<value>{NUMBER}\s*{_UNIT})間?(?:の|に|で)?"),
    ("span", r"(?P<unknown>期間(?:を)?(?:で|指定(?:して|で)?|内の))"),
    ("kept", rf"(?P<value>{NUMBER}\s*{_UNIT})間?(?:分)?\s*(?:だけ)?(?={_KEEPING}|残)"),
    ("kept", rf"(?P<value>無期限)(?:に|で)?(?={_KEEPING}|残)"),
    ("interval", rf"(?P<value>{NUMBER}\s*{_UNIT})\s*(?:ごと|おき|毎|間隔)(?:に|で)?"),
    ("interval", rf"(?P<value>{NUMBER}\s*{_UNIT})間?に\s*[1一１]\s*回"),
    ("rate", rf"{_ABOUT}毎(?P<unit>秒|分|時|日)\s*{_ABOUT}{_PER}(?:の|ずつ)?"),
    ("rate", rf"{_ABOUT}{_PER}\s*[/毎]\s*(?P<unit>秒|分|時間|時|日|s|min|h)(?![a-z])"),
    ("rate", rf"1?\s*(?P<unit>秒|分|時間|日)間?(?:に|あたり)\s*{_ABOUT}{_PER}(?:の)?"),
    ("rate", rf"1\s*(?P<unit>日)\s*{_ABOUT}{_PER}(?:の)?"),
    ("rate", rf"{_ABOUT}{_PER}\s*(?:{PER_SECOND})(?![a-z])"),
    ("interval", r"毎(?P<every>秒|分|時|日)"),
)  # fmt: skip
_PATTERNS = tuple((slot, re.compile(pattern)) for slot, pattern in _AMOUNTS)
_COMPOUND = re.compile(r"(?P<ten_thousands>\d+)万(?P<thousands>\d)千")
_NAME = r"[^\s\d、。,.のがはをでとに]{1,24}"
_NAMES = rf"{_NAME}(?:と{_NAME})?"
_COUNT_BEHIND = re.compile(rf"(?P<noun>[^\s\d、。,.のがはをでとに]{{1,24}})(?P<count>{COUNT}{_COUNTER})(?=[のがは])")
"""`センサー10万個が`, as is said for `10万個のセンサーが`."""
_ONE = re.compile(rf"(?<![\d,.])(?:[1１](?:{_COUNTER}(?:の|(?=[\\s、。を]|$))|(?={_NAME}))|一{_COUNTER}の)")
"""One of something, which is what a known field is."""
_COUNTED = re.compile(
    rf"(?:^|[、。])\s*(?P<count>{COUNT})(?:{_COUNTER}の)?(?!(?:{_UNIT}|{_COUNTER}|バイト|[kKMGT]?B)間?(?:[、。]|$))(?P<noun>{_NAME})(?=[、。]|$)"
)
"""A number of values apart from the rest: `、8000銘柄、`."""
_BY_COUNT = re.compile(rf"(?P<count>{COUNT}){_COUNTER}?の(?P<noun>.+)")
_RANKED = re.compile(rf"上位\s*(?:{COUNT}\s*{_COUNTER}?)?|ランキング")
_READS = "取得|表示|読み込|読み取|読み出|読|検索|参照|照会|一覧|調べ|閲覧|見|走査"
_WRITES = "投稿|送信|書き込|追加|登録|記録|報告|送|アップロード|発行|作成|生成|保存|挿入|つ|付|届"
_NOUNS = (
    rf"(?:(?:(?P<count>{COUNT})(?:{_COUNTER}?の)?)?(?:(?P<owner>{_NAME})[のに])?(?P<subject>{_NAME})(?:が|は)(?:それぞれ|各自)?)?"
    rf"(?:(?P<by>(?:{COUNT}{_COUNTER}?の)?{_NAMES})の)?(?P<each>すべての|全ての|全部の|全(?=[^てに部件])|各)?"
    rf"(?:(?P<things>{_NAME}?)ごとの)?(?:(?P<thing>{_NAME})の)?"
    rf"(?:(?P<key>{_NAMES})で)?"
)
_WITH_VERB = re.compile(
    rf"{_NOUNS}(?:(?P<record>{_NAME}?)(?:を|(?=一覧|すべて|全て|全部|全件)))?"
    rf"(?:(?P<later_key>{_NAMES})で)?(?P<all>すべて|全て|全部|全件)?"
    rf"(?:(?P<read>(?:一覧)?(?:{_READS}))|(?P<total>集計|合計|数え|カウント)|(?P<write>{_WRITES})|(?P<keep>{_KEEPING}|残)"
    r"|(?P<event>[ァ-ヶー]{3,10})(?=[さしす]))(?P<ending>[ぁ-ん]{0,8})"
    rf"(?:(?P<kept>{_KEEPING})[ぁ-ん]{{0,6}})?"
)
_WITHOUT_VERB = re.compile(rf"{_NOUNS}(?P<record>{_NAME})?を?(?P<all>すべて|全て|全部|全件)?")
_NO_GROUPS = dict.fromkeys(("read", "total", "write", "keep", "event", "ending", "kept", "later_key"), "")


def read_japanese(text: str) -> Sentence | None:
    """Return the sentence that a Japanese text says; None if it is not understood whole."""
    amounts: dict[str, str] = {}
    text = _COMPOUND.sub(lambda number: str(int(number[1]) * 10_000 + int(number[2]) * 1_000), text)
    text = re.sub("[「」]", "", text)
    for slot, pattern in _PATTERNS:
        match = pattern.search(text)
        if match is not None and slot not in amounts:
            amounts[slot] = _amount(match)
            # Amounts are taken out first; what remains has the fixed order of particles that the patterns describe.
            text = text[: match.start()] + text[match.end() :]
    counted = _COUNTED.search(text)
    if counted is not None:
        text = text[: counted.start()] + text[counted.end() :]
    text = _ONE.sub("", _COUNT_BEHIND.sub(r"\g<count>の\g<noun>", text))
    plain = re.sub(r"[\s、。,.]+", "", text)
    parts = _WITH_VERB.fullmatch(plain) or _WITHOUT_VERB.fullmatch(plain)
    values = _values(parts, amounts, _one_of(counted) if counted else "") if parts is not None else None
    if values is None:
        return None
    return Sentence(values.pop("kind"), {name: value for name, value in values.items() if value})


def ranking_in(text: str) -> tuple[int, int] | None:
    """Return where a Japanese text asks for another order than that of time; None if it does not."""
    match = _RANKED.search(text)
    return match.span() if match is not None else None


def _one_of(match: re.Match[str]) -> str:
    """Return a known field with how many values it has."""
    return f"{match['count']}個の{match['noun']}のうち1つ"


def _amount(match: re.Match[str]) -> str:
    """Return the text of a slot for an amount."""
    groups = match.groupdict()
    if groups.get("number"):
        unit = (groups.get("unit") or "秒").replace("時間", "時").replace("時", "時間")
        return f"{groups['number']}/{unit}"
    if groups.get("every"):
        return f"1{groups['every']}".replace("時", "時間")
    if groups.get("unknown"):
        return UNKNOWN
    return re.sub("[ヶカケ]月", "か月", groups.get("value") or "")


def _values(parts: re.Match[str], amounts: Mapping[str, str], counted: str) -> dict[str, str] | None:
    """Return the slots of a sentence and its kind; None if an amount or a name has no place in it."""
    groups = _NO_GROUPS | {name: text or "" for name, text in parts.groupdict().items()}
    # "店舗のセンサーの" before a record is one name with の in it only for writers who know both; nobody says so.
    if groups["thing"] and not groups["each"]:
        return None
    if (by := _BY_COUNT.match(groups["by"])) is not None:
        groups |= {"by": by["noun"], "by_count": by["count"]}
    amounts = dict(amounts)
    record, by_name, key = groups["record"], groups["by"], groups["key"] or groups["later_key"]
    names = [groups["subject"], groups["owner"], groups["thing"], record, *by_name.split("と"), *key.split("と")]
    if not all(_is_name(name) for name in names if name):
        return None
    is_found = "newest" in amounts or "span" in amounts or bool(groups["all"])
    is_written = groups["write"] or groups["keep"] or groups["event"] or groups["kept"]
    # "投稿のすべてのコメント": all of them; only of the latest it is one of each thing.
    if groups["each"] and not groups["things"] and not groups["thing"] and "newest" not in amounts:
        groups |= {"each": "", "all": groups["each"]}
        is_found = True
    if groups["subject"] and "kept" in amounts and not (record or is_found or groups["read"]):
        is_written = "kept"
    if groups["each"] or groups["things"]:
        kind, values = _state_values(groups, amounts)
        unused = {"kept", "interval", "span"}
    elif groups["total"] or groups["read"] or (not is_written and is_found):
        kind, values = _read_values(record, by_name, key, amounts, is_total=bool(groups["total"]))
        unused = {"kept", "interval"}
    elif is_written:
        kind, values = _written_values(groups, amounts, counted)
        unused = {"newest", "span", "within"} | ({"rate"} if kind == "report" else {"interval"})
    else:
        return None
    # An amount without a slot must not be lost in silence, so the sentence counts as not understood.
    is_whole = not unused & amounts.keys() and not ((groups["count"] or groups.get("by_count")) and not is_written)
    is_whole = is_whole and not (groups["kept"] and "kept" not in amounts) and not (counted and not is_written)
    is_whole = is_whole and not (not is_written and (groups["owner"] or groups["ending"] == "れ"))
    return {"kind": kind, **values} if is_whole and kind else None


def _state_values(groups: Mapping[str, str], amounts: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """Return the slots of the latest of each thing."""
    thing = groups["things"] or groups["thing"] or groups["record"]
    record = groups["record"] if thing != groups["record"] else ""
    is_whole = "newest" in amounts and not amounts["newest"] and groups["by"] and groups["read"] and thing
    values = {"things": thing, "record": record, "by": groups["by"]}
    return "states" if is_whole else "", values | {name: amounts.get(name, "") for name in ("rate", "within")}


def _read_values(
    record: str, by: str, key: str, amounts: Mapping[str, str], *, is_total: bool
) -> tuple[str, dict[str, str]]:
    shared = {"record": record, "by": by, "rate": amounts.get("rate", ""), "within": amounts.get("within", "")}
    if is_total:
        name = record.removesuffix("数") or record
        return ("count" if record and "span" in amounts and not key else ""), shared | {
            "record": name,
            "span": amounts.get("span", ""),
        }
    if "newest" in amounts:
        return ("" if key or "span" in amounts else "latest"), shared | {"newest": amounts["newest"]}
    if key:
        return ("" if by or "span" in amounts else "one"), shared | {"by": key}
    if "span" in amounts:
        return ("range" if by else "recent"), shared | {"span": amounts["span"]}
    return ("range" if by else "one"), shared


def _written_values(groups: Mapping[str, str], amounts: dict[str, str], counted: str) -> tuple[str, dict[str, str]]:
    subject, record, is_passive = groups["subject"], groups["record"], "れ" in groups["ending"]
    retention, count, by_name = amounts.get("kept", ""), groups["count"], groups["by"]
    if groups["key"] or groups["later_key"]:
        return "", {}
    # "患者5000人の心拍数を毎秒": of each of them at that interval.
    if not subject and groups.get("by_count") and "interval" in amounts:
        subject, count, by_name = by_name, groups["by_count"], ""
    if groups["event"] and (not record or is_passive):
        record = groups["event"]
    _set_interval(amounts, count)
    if "interval" in amounts:
        values = {"count": count, "things": subject, "record": record, "interval": amounts["interval"], "by": counted}
        return ("" if by_name or groups["owner"] or not subject else "report"), values | {"kept": retention}
    # Of a passive, what stands before が is what is stored, not who does it.
    if not record and (is_passive or retention or groups["owner"]):
        subject, record = "", subject
    if count and subject:
        subject = f"{count}個の{subject}のうち1つ"
    by = "と".join(name for name in (subject, groups["owner"], by_name, counted) if name)
    is_event = (record and not count) or (record and subject)
    return ("event" if is_event else ""), {
        "record": record,
        "by": by,
        "rate": amounts.get("rate", ""),
        "kept": retention,
    }


def _set_interval(amounts: dict[str, str], count: str) -> None:
    """Make of so many times a day by each of a number of things the time between two."""
    if not count or not amounts.get("rate", "").endswith(("/日", "/時間")):
        return
    hours = 1 / (parse_rate(amounts.pop("rate")) * 3600)
    amounts["interval"] = f"{hours:.4g}時間" if hours >= 1 else f"{hours * 60:.4g}分"


def _is_name(text: str) -> bool:
    try:
        return bool(parse_name(text))
    except UnreadableError:
        return False
