"""Japanese sentences as people write them: amounts by their counters, the rest by particles and a verb."""

import re
from collections.abc import Mapping

from .phrases import UNKNOWN
from .quantities import COUNT, NUMBER, PER_SECOND, UnreadableError, parse_name
from .sentences import Sentence

IS_JAPANESE = re.compile(r"[\u3041-\u30ff\u4e00-\u9fff]")
_UNIT = r"(?:ミリ秒|秒|分|時間|日|週間|か月|ヶ月|カ月|ケ月|年|min|ms|s|h)"
_COUNTER = r"(?:件|回|台|人|個|社|通|本)"
_PER = rf"(?P<number>{COUNT})\s*{_COUNTER}?"
_ABOUT = r"(?:約|およそ)?\s*"
_AMOUNTS: tuple[tuple[str, str], ...] = (
    ("within", rf"(?P<value>{NUMBER}\s*{_UNIT})\s*以内(?:に|で)?"),
    ("newest", rf"(?:最新|直近)(?:の)?\s*(?P<value>{COUNT})\s*{_COUNTER}(?:の)?"),
    ("newest", r"(?P<empty>最新)(?:の)?"),
    ("span", rf"(?:直近|過去|ここ)(?:の)?\s*(?P<value>{NUMBER}\s*{_UNIT})間?(?:の|に|で)?"),
    ("span", r"(?P<unknown>期間(?:を)?(?:で|指定(?:して|で)?|内の))"),
    ("kept", rf"(?P<value>{NUMBER}\s*{_UNIT})間?(?:分)?\s*(?:だけ)?(?=保存|保持|残)"),
    ("kept", r"(?P<value>無期限)(?:に|で)?(?=保存|保持|残)"),
    ("interval", rf"(?P<value>{NUMBER}\s*{_UNIT})\s*(?:ごと|おき|毎|間隔)(?:に|で)?"),
    ("interval", rf"(?P<value>{NUMBER}\s*{_UNIT})間?に\s*[1一１]\s*回"),
    ("rate", rf"{_ABOUT}毎(?P<unit>秒|分|時|日)\s*{_ABOUT}{_PER}(?:の|ずつ)?"),
    ("rate", rf"{_ABOUT}{_PER}\s*[/毎]\s*(?P<unit>秒|分|時間|時|日|s|min|h)(?![a-z])"),
    ("rate", rf"1?\s*(?P<unit>秒|分|時間|日)間?(?:に|あたり)\s*{_ABOUT}{_PER}(?:の)?"),
    ("rate", rf"{_ABOUT}{_PER}\s*(?:{PER_SECOND})(?![a-z])"),
)  # fmt: skip
_PATTERNS = tuple((slot, re.compile(pattern)) for slot, pattern in _AMOUNTS)
_NAME = r"[^\s、。,.のがはをでと]{1,24}"
_NAMES = rf"{_NAME}(?:と{_NAME})?"
_READS = "取得|表示|読み込|読み取|読み出|読|検索|参照|照会|一覧|調べ|閲覧|見"
_WRITES = "投稿|送信|書き込|追加|登録|記録|報告|送|アップロード|発行|作成|生成|保存|挿入"
_ENDING = r"(?:する|します|される|されます|せる|る|ます|む|みます|まれる|れる|られる|り|したい|すること)?"
_SENTENCE = re.compile(
    rf"(?:(?:(?P<count>{COUNT}){_COUNTER}?の)?(?P<subject>{_NAME})(?:が|は)(?:それぞれ|各自)?)?(?:(?P<by>{_NAMES})の)?"
    rf"(?:(?P<key>{_NAMES})で)?(?:(?P<record>{_NAME})を)?(?:(?P<later_key>{_NAMES})で)?(?:すべて|全て|全部|全件)?"
    rf"(?:(?P<read>(?:一覧)?(?:{_READS}))|(?P<write>{_WRITES})|(?P<keep>保持|残))(?P<ending>{_ENDING})"
    r"(?:し?て?(?P<kept>保存|保持)(?:する|します)?)?"
)


def read_japanese(text: str) -> Sentence | None:
    """Return the sentence that a Japanese text says; None if it is not understood whole."""
    amounts: dict[str, str] = {}
    for slot, pattern in _PATTERNS:
        match = pattern.search(text)
        if match is not None and slot not in amounts:
            amounts[slot] = _amount(match)
            # Amounts are taken out first; what remains has the fixed order of particles that `_SENTENCE` describes.
            text = text[: match.start()] + text[match.end() :]
    parts = _SENTENCE.fullmatch(re.sub(r"[\s、。,.]+", "", text))
    values = _values(parts, amounts) if parts is not None else None
    if values is None:
        return None
    return Sentence(values.pop("kind"), {name: value for name, value in values.items() if value})


def _amount(match: re.Match[str]) -> str:
    """Return the text of a slot for an amount."""
    groups = match.groupdict()
    if groups.get("number"):
        unit = (groups.get("unit") or "秒").replace("時間", "時").replace("時", "時間")
        return f"{groups['number']}/{unit}"
    if groups.get("unknown"):
        return UNKNOWN
    return re.sub("[ヶカケ]月", "か月", groups.get("value") or "")


def _values(parts: re.Match[str], amounts: Mapping[str, str]) -> dict[str, str] | None:
    """Return the slots of a sentence and its kind; None if an amount or a name has no place in it."""
    groups = {name: text or "" for name, text in parts.groupdict().items()}
    record, by, key = groups["record"], groups["by"], groups["key"] or groups["later_key"]
    names = [groups["subject"], record, *by.split("と"), *key.split("と")]
    if not all(_is_name(name) for name in names if name):
        return None
    if groups["read"]:
        kind, values = _read_values(record, by, key, amounts)
        unused = {"kept", "interval"}
    else:
        kind, values = _written_values(groups, amounts)
        unused = {"newest", "span", "within"} | ({"rate"} if kind == "report" else {"interval"})
    # An amount without a slot must not be lost in silence, so the sentence counts as not understood.
    is_whole = not unused & amounts.keys() and not (groups["count"] and kind != "report")
    is_whole = is_whole and not (groups["kept"] and "kept" not in amounts)
    return {"kind": kind, **values} if is_whole and kind else None


def _read_values(record: str, by: str, key: str, amounts: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    shared = {"record": record, "by": by, "rate": amounts.get("rate", ""), "within": amounts.get("within", "")}
    if "newest" in amounts:
        return ("" if key or "span" in amounts else "latest"), shared | {"newest": amounts["newest"]}
    if key:
        return ("" if by or "span" in amounts else "one"), shared | {"by": key}
    if "span" in amounts:
        return ("range" if by else "recent"), shared | {"span": amounts["span"]}
    return ("range" if by else "one"), shared


def _written_values(groups: Mapping[str, str], amounts: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    subject, record, is_passive = groups["subject"], groups["record"], "れ" in groups["ending"]
    retention = amounts.get("kept", "")
    if groups["key"] or groups["later_key"]:
        return "", {}
    if "interval" in amounts:
        values = {"count": groups["count"], "things": subject, "record": record, "interval": amounts["interval"]}
        return ("" if groups["by"] or not subject else "report"), values | {"kept": retention}
    # Of a passive, what stands before が is what is stored, not who does it.
    if not record and (is_passive or retention):
        subject, record = "", subject
    by = "と".join(name for name in (subject, groups["by"]) if name)
    return ("event" if record else ""), {"record": record, "by": by, "rate": amounts.get("rate", ""), "kept": retention}


def _is_name(text: str) -> bool:
    try:
        return bool(parse_name(text))
    except UnreadableError:
        return False
