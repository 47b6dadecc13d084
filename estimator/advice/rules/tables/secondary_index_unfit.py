"""Tablestore does not make this secondary index.

**What** A secondary index of a table with several versions, or with a time to live and updates of its rows, or with
columns that its table has not, or a local one that does not begin with the partition key.
**Why** The service refuses the index, and with it the table if both are created at once.
**Instead** Keep one version in the table, and either no time to live or rows that are only put whole, with updates
prohibited. Name the index's columns as the table's. Begin a local index with the partition key, or make it global.
**Fine when** Never: the service refuses it.
**Source** https://www.alibabacloud.com/help/en/tablestore/overview-of-secondary-index/ (read 2026-11-27)
https://www.alibabacloud.com/help/doc-detail/352075.htm (read 2026-11-28)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.dump import to_plain_data
from designer.document.table import Table
from designer.document.texts import N_, Text
from estimator.facts.secondary_indexes import index_problems
from estimator.results import Estimate

from ..shared import TABLESTORE, Rule, Violation
from ..shared.cards import CARD, cards, column
from ..shared.examples import read_part


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield at most one finding per index."""
    for index in spec.tables:
        source = index.derived_from
        if source is None or not source.is_secondary_index:
            continue
        table = spec.find(source.table)
        problem = next(index_problems(spec, index, table), None) if isinstance(table, Table) else None
        if problem:
            params = {"index": index.label, "table": table.label, "problem": Text(problem)}
            yield Violation(at=index.id, field="derived_from", params=params)


def _indexed_cards(versions: int, first: str = "card_id") -> Spec:
    """Return purchases with a local index of a card's amounts."""
    keys = {
        "card_id": column("card_id", {"id": "index_whose", "kind": "field", "field": "card"}),
        "amount": column("amount", {"id": "amount_part", "kind": "field", "field": "yen"}, type="INTEGER"),
        "time": column("time", {"id": "index_when", "kind": "time"}, type="INTEGER"),
    }
    names = [first, *(name for name in keys if name != first)]
    index = {
        "id": "by_amount", "name": "by_amount", "derived_from": {"table": "table", "how": "local_index"},
        "row_kinds": [{
            "id": "index_rows", "name": "rows",
            "key_columns": [{**keys[name], "id": f"index_{name}"} for name in names],
            "writes": [{"id": "index_write", "activity": "activity", "mode": "append_row"}],
            "reads": [{**read_part(binds=("card",), rate_per_second=5), "id": "index_read", "row_limit": 100}],
        }],
    }  # fmt: skip
    yen = {"id": "yen", "name": "amount", "kind": "integer", "distinct": 1_000, "popularity": {"kind": "uniform"}}
    settings = {"ttl_seconds": -1, "max_versions": versions}
    data = to_plain_data(cards(settings=settings, fields=(CARD, yen), table={"keep_forever": True}))
    return Spec.model_validate({**data, "tables": [*data["tables"], {**index, "keep_forever": True}]})


RULE = Rule(
    code="T005",
    severity="error",
    message=N_("{index} cannot be a secondary index of {table}: {problem}."),
    check=check,
    bad=lambda: _indexed_cards(2),
    good=lambda: _indexed_cards(1),
    near_miss=lambda: _indexed_cards(1),
    engines=TABLESTORE,
)
