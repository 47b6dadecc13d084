"""Names of tables in letters that every engine takes."""

from designer.application.latin_names import latin_name
from tests.cases import cases


@cases(
    "name, latin",
    [
        ("注文", "order"),
        ("端末の測定値", "device_measurement"),
        ("注文履歴", "order_history"),
        ("センサーデータ", "sensor_record"),
        ("チケット", "chiketto"),
        ("シャツ", "shatsu"),
        ("ジョブ", "jobu"),
        ("キャッシュ", "kyasshu"),
        ("ひらがな", "hiragana"),
        ("ＩｏＴ機器", "iot_device"),
        ("order-line", "order_line"),
        ("麒麟", ""),
        ("注文麒麟", ""),
        ("", ""),
    ],
)
def test_a_name_is_spelled_in_latin_letters(name: str, latin: str) -> None:
    assert latin_name(name) == latin
