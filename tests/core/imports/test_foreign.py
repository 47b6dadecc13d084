"""Texts that no tool of a database prints are no row keys, unless somebody says that they are."""

import pytest

from designer.document.validation_errors import InvalidDocumentError
from designer.imports import read

FOREIGN = {
    "a web page (HTML)": "<!-- made by a proxy -->\n<html>\n<p>\nSign in\n</p>\n</html>\n",
    "XML or HTML": '<?xml version="1.0"?>\n<Error><Code>AccessDenied</Code></Error>\n',
    "the log of a program": "".join(
        f"2026-11-28 10:00:0{second} ERROR the upstream server has closed the connection\n" for second in range(3)
    ),
    "prose: words in sentences": "Dear team,\nplease find below the list of tables.\nWe have three of them.\n",
}


@pytest.mark.parametrize("looks", FOREIGN)
def test_what_is_none_of_the_formats_is_refused_by_its_looks(looks: str) -> None:
    with pytest.raises(InvalidDocumentError) as refused:
        read(FOREIGN[looks])

    assert f"not recognised: it looks like {looks}" in str(refused.value)
    assert read(FOREIGN[looks], "sample_keys").format == "sample_keys"


@pytest.mark.parametrize(
    "keys",
    [
        "user#0001#2026-11-28 10:00:00\nuser#0002#2026-11-28 10:00:01\n",
        "New York#5th Avenue#1\nSan Jose#Main Street#2\n",
        "INFO#host1#17\nERROR#host2#18\n", "<a>#1\n<b>#2\nc#3\nd#4\n", "com.example/a page of mine/1\norg.other/b/2\n",
        "東京#1\n大阪#2\n",
    ],
)  # fmt: skip
def test_keys_with_words_in_them_are_keys(keys: str) -> None:
    assert read(keys).format == "sample_keys"
