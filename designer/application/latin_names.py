"""A name in Latin letters for names that engines do not take: Japanese nouns in English, other kana as they sound."""

import re
import unicodedata
from collections.abc import Iterator

NOUNS = {
    noun: english
    for english, nouns in {
        "account": "口座 アカウント", "ad": "広告", "alarm": "警報", "alert": "アラート", "application": "申請",
        "article": "記事", "audit": "監査", "campaign": "キャンペーン", "car": "車", "cart": "カート", "case": "案件",
        "channel": "チャンネル チャネル", "city": "都市", "click": "クリック", "comment": "コメント",
        "company": "会社 企業", "conversation": "会話", "country": "国", "coupon": "クーポン",
        "customer": "顧客 お客様",
        "delivery": "配送", "device": "端末 デバイス 機器", "document": "文書 書類", "employee": "社員 従業員",
        "error": "エラー", "event": "イベント", "factory": "工場", "file": "ファイル", "friend": "友達 友人",
        "game": "ゲーム", "group": "グループ", "history": "履歴", "image": "画像", "invoice": "請求書 請求",
        "item": "アイテム 品目", "log": "ログ", "machine": "機械 マシン", "measurement": "測定値 計測値 測定 計測",
        "member": "会員 メンバー", "message": "メッセージ", "meter": "メーター", "notification": "通知",
        "number": "番号", "observation": "観測", "operation": "操作", "order": "注文 オーダー", "page": "ページ",
        "parcel": "荷物", "patient": "患者", "payment": "決済 支払い 支払", "photo": "写真", "player": "プレイヤー",
        "point": "ポイント", "position": "位置", "post": "投稿", "price": "価格", "product": "商品 製品",
        "rating": "評価",
        "record": "記録 レコード データ", "region": "地域", "report": "報告 レポート", "reservation": "予約",
        "review": "レビュー", "room": "部屋 ルーム", "score": "スコア", "search": "検索", "sensor": "センサー センサ",
        "session": "セッション", "shipment": "出荷", "shop": "店舗 店 ショップ", "stock": "在庫 株", "student": "学生",
        "task": "タスク", "temperature": "温度 気温", "tenant": "テナント", "transaction": "取引",
        "user": "利用者 ユーザー ユーザ", "vehicle": "車両", "video": "動画", "view": "閲覧", "visit": "訪問",
    }.items()
    for noun in nouns.split()
}  # fmt: skip
"""Common nouns of applications; the longest that fits is taken."""
LONGEST = max(map(len, NOUNS))
_VOWELS = "aiueo"
_ROWS = {
    "": "アイウエオ", "k": "カキクケコ", "g": "ガギグゲゴ", "s": "サシスセソ", "z": "ザジズゼゾ", "t": "タチツテト",
    "d": "ダヂヅデド", "n": "ナニヌネノ", "h": "ハヒフヘホ", "b": "バビブベボ", "p": "パピプペポ", "m": "マミムメモ",
    "r": "ラリルレロ",
}  # fmt: skip
_OTHERS = {
    "シ": "shi", "ジ": "ji", "チ": "chi", "ヂ": "ji", "ツ": "tsu", "ヅ": "zu", "フ": "fu", "ヤ": "ya", "ユ": "yu",
    "ヨ": "yo", "ワ": "wa", "ヲ": "o", "ン": "n", "ヴ": "vu", "ー": "", "・": "_",
}  # fmt: skip
KANA = {
    kana: f"{consonant}{_VOWELS[place]}" for consonant, row in _ROWS.items() for place, kana in enumerate(row)
} | _OTHERS
SMALL = dict(zip("ャュョァィゥェォ", ("ya", "yu", "yo", *_VOWELS), strict=True))
"""Kana that take the place of the vowel before: Hepburn."""
_HIRAGANA = {code: code + 0x60 for code in range(0x3041, 0x3097)}
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LATIN = re.compile(r"[A-Za-z0-9_]+")


def latin_name(name: str, otherwise: str = "") -> str:
    """Return a name in Latin letters, digits and underscores; `otherwise` if a part of it has no such spelling."""
    if _IDENTIFIER.fullmatch(name):
        return name
    text = unicodedata.normalize("NFKC", name).replace("の", " ").replace("-", " ")
    words = [word for part in text.split() for word in _words(part)]
    spelling = "" if None in words else "_".join(filter(None, words)).lower()
    return spelling if _IDENTIFIER.fullmatch(spelling) else otherwise


def _words(text: str) -> Iterator[str | None]:
    """Yield the words of a name without spaces, each in Latin letters; None for what has no such spelling."""
    while text:
        if latin := _LATIN.match(text):
            yield latin[0]
            text = text[latin.end() :]
        elif noun := next((text[:n] for n in range(min(LONGEST, len(text)), 0, -1) if text[:n] in NOUNS), ""):
            # The longest noun first: 支払い before 支払.
            yield NOUNS[noun]
            text = text[len(noun) :]
        else:
            kana = _kana_before_noun(text)
            yield _sound(kana) if kana else None
            text = text[len(kana) or 1 :]


def _kana_before_noun(text: str) -> str:
    """Return the kana that a text begins with."""
    katakana, length = text.translate(_HIRAGANA), 0
    while length < len(text) and (katakana[length] in KANA or katakana[length] in SMALL or katakana[length] == "ッ"):
        length += 1
    return text[:length]


def _sound(kana: str) -> str:
    sound, is_doubled = "", False
    for letter in kana.translate(_HIRAGANA):
        if letter == "ッ":
            is_doubled = True
        elif letter in SMALL:
            base = sound[:-1] if sound[-1:] in _VOWELS else sound
            vowel = SMALL[letter]
            sound = base + (vowel[1:] if base.endswith(("sh", "ch", "j")) else vowel)
        else:
            spelled = KANA[letter]
            sound += (spelled[:1] if is_doubled and spelled[:1] not in _VOWELS else "") + spelled
            is_doubled = False
    return sound
