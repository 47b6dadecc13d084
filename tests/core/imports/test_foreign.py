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


@pytest.mark.parametrize(
    ("commands", "tool", "output"),
    [
        (
            "cbt createtable readings\ncbt createfamily readings d\ncbt setgcpolicy readings d maxversions=1\n",
            "cbt", "cbt ls, cbt ls TABLE",
        ),
        ("$ cbt -instance i setgcpolicy readings d maxage=30d\n", "cbt", "cbt ls, cbt ls TABLE"),
        (
            "gcloud bigtable instances create main \\\n  --display-name=main \\\n  --cluster-config=id=a\n",
            "gcloud", "gcloud bigtable … describe --format=json",
        ),
        ("ana@box:~$ terraform apply\n", "terraform", "terraform show -json"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", ["", "sample_keys"])
def test_commands_are_no_keys_and_the_output_to_import_is_named(
    commands: str, tool: str, output: str, name: str
) -> None:
    with pytest.raises(InvalidDocumentError) as refused:
        read(commands, name)

    assert f"commands for {tool}, not row keys: import what {output} prints" in str(refused.value)


@pytest.mark.parametrize("keys", ["cbt#1\ncbt#2\ncbt#3\n", "aws 17\naws 18\naws 19\n", "gcloud/a\ngcloud/b\n"])
def test_keys_that_begin_with_the_name_of_a_tool_are_keys(keys: str) -> None:
    assert read(keys, "sample_keys").format == "sample_keys"
