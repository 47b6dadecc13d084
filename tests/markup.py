"""Pages as a browser reads them: the line breaks and indents of templates are no part of what a page says."""

import re

BLOCKS = (
    "address article aside blockquote body caption col colgroup datalist dd details dialog div dl dt fieldset "
    "figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hr html legend li link main meta nav ol optgroup "
    "option p script section select style summary table tbody td template tfoot th thead title tr ul"
).replace(" ", "|")
VERBATIM = re.compile(r"(<(pre|script|style|textarea)\b.*?</\2>)", re.DOTALL)
TAG = r"(?:[^<>\"']|\"[^\"]*\"|'[^']*')*>"
BLOCK = re.compile(rf" ?(</?(?:{BLOCKS})\b{TAG}|<button\b{TAG}|</button>(?= ?</)) ?")


def compact(page: str) -> str:
    """Return a page with its white space collapsed, and dropped beside blocks, as a browser shows it."""
    parts = VERBATIM.split(page)
    return "".join(part if place % 3 else _collapse(part) for place, part in enumerate(parts) if place % 3 != 2)


def _collapse(html: str) -> str:
    return BLOCK.sub(r"\1", re.sub(r"[ \t\r\n\f]+", " ", html)).replace(" >", ">").replace(" </button>", "</button>")
