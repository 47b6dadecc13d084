"""Import of Terraform files (HCL): the Bigtable resources.

Expressions are evaluated as far as the text says their values (`shared/hcl_names.py`); others are reported as missing.
If a resource's own name is such an expression, its label replaces it, also in references to the resource.
`count`, `for_each` and dynamic blocks make their resources and blocks where the text says over what.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from designer.document.terraform import is_constraint
from designer.document.texts import N_

from .shared.hcl import labelled_blocks, parse, plain_key
from .shared.hcl_names import TerraformNames
from .shared.resource import HOW_MANY, Resource
from .shared.resources import import_resources
from .shared.result import ImportRemark, ImportResult, line_place

TITLE = "Terraform"
_BLOCK = re.compile(
    r"^[ \t]*(?:"
    r'(?:resource|variable|provider|terraform|locals)[ \t]*(?:"[^"\n]*"[ \t]*)*\{'
    r'|(?:module|data|output|check|ephemeral)[ \t]+(?:"[^"\n]*"[ \t]*)+\{'
    r"|(?:import|moved|removed)[ \t]*\{\s*(?:from|to|id|identity|provider|for_each)[ \t]*=)",
    re.MULTILINE,
)
"""The blocks of a file (Terraform's language reference, read 2026-11-28); other languages have an `import {`, too."""
_HEAD = re.compile(r'^[ \t]*resource[ \t]+"([^"\n]*)"[ \t]+"([^"\n]*)"', re.MULTILINE)


def can_read(text: str, data: Any) -> bool:
    """Return whether a text contains a block of Terraform's language."""
    return data is None and _BLOCK.search(text) is not None


def read(text: str, data: Any) -> ImportResult:
    """Build a design from the Bigtable resources."""
    parsed = parse(text)
    names = TerraformNames(parsed)
    resources = [*_resources(text, parsed, names)]
    remarks: list[ImportRemark] = []
    for kind in ("module", "data"):
        for block in parsed.get(kind, ()):
            name = " ".join(plain_key(key) for key in block if not key.startswith("__"))
            remarks.append(ImportRemark(f"{kind} {name}".strip(), N_("contents ignored")))
    return import_resources("terraform", resources, remarks, _provider_version(parsed, names))


def _provider_version(parsed: Mapping[str, Any], names: TerraformNames) -> str:
    """Return the versions of the provider that the text asks for."""
    for block in parsed.get("terraform", ()):
        for required in block.get("required_providers", ()):
            google = names.value(required).get("google")
            version = google.get("version") if isinstance(google, Mapping) else google
            if isinstance(version, str) and is_constraint(version):
                return version
    return ""


def _resources(text: str, parsed: Mapping[str, Any], names: TerraformNames) -> Iterator[Resource]:
    lines = _resource_lines(text)
    for kind, label, body in labelled_blocks(parsed.get("resource")):
        called = f"{kind}.{label}"
        where = line_place(lines[called], called) if called in lines else called
        instances = names.instances(called) if called in names.repeated else None
        if instances is None:
            values = _values(body, names)
            yield Resource(kind, label, values, where, "" if called in names.repeated else called)
            continue
        once = {name: value for name, value in body.items() if name not in HOW_MANY}
        for key, within in instances.items():
            address = f"{called}[{json.dumps(key, ensure_ascii=False)}]"
            yield Resource(kind, label, _values(once, within), where, address)


def _values(body: Mapping[str, Any], names: TerraformNames) -> dict[str, Any]:
    """Return the values of a resource, with the blocks that dynamic ones make."""
    values = {
        name: names.value(value) for name, value in body.items() if not name.startswith("__") and name != "dynamic"
    }
    open_blocks: list[dict[str, Any]] = []
    for block in body.get("dynamic", ()):
        for quoted, inner in block.items():
            name = plain_key(quoted)
            items = names.items(inner.get("for_each"))
            contents = inner.get("content")
            if items is None or not isinstance(contents, list):
                open_blocks.append({name: {}})
                continue
            iterator = str(inner.get("iterator", name)).strip('"${}')
            static_blocks = values.get(name, [])
            blocks = [
                dynamic_scope.value(content)
                for dynamic_scope in names.dynamic_scopes(iterator, items)
                for content in contents
            ]
            values[name] = [*(static_blocks if isinstance(static_blocks, list) else [static_blocks]), *blocks]
    return values | ({"dynamic": open_blocks} if open_blocks else {})


def _resource_lines(text: str) -> dict[str, int]:
    """On which line each resource begins."""
    lines: dict[str, int] = {}
    line, done = 1, 0
    for head in _HEAD.finditer(text):
        line, done = line + text.count("\n", done, head.start(1)), head.start(1)
        lines.setdefault(f"{head[1]}.{head[2]}", line)
    return lines
