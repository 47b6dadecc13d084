"""A key typed anew changes what differs and keeps what stays."""

from designer.document import Spec
from designer.document.edits import apply
from designer.document.keytext import render_columns, render_key
from designer.editing.new_design import key_edit
from designer.examples import example


def retyped(slug: str, text: str) -> tuple[Spec, set[str]]:
    """The design with its first key typed so, and which ids of the key's parts are still there."""
    spec = example(slug).spec
    kind = spec.tables[0].row_kinds[0]
    ids = {e.id for e in (*kind.key, *kind.key_columns, *(s for c in kind.key_columns for s in c.segments))}

    changed, _ = apply(spec, key_edit(spec, kind, text))

    return changed, {id_ for id_ in ids if id_ in changed.by_id}


def test_a_row_key_typed_anew_keeps_the_ids_of_its_segments():
    changed, kept = retyped("sequential-id", "{customer}#{order:pad12}")

    assert render_key(changed, changed.tables[0].row_kinds[0].key) == "{customer}#{order:pad12}"
    assert kept == {"key-order"}


def test_primary_key_columns_typed_anew_keep_the_ids_of_columns_and_segments():
    text = "[SellerID] {hash(SellerID)}{SellerID} | [OrderNumber INTEGER] {OrderNumber} | [seq INTEGER auto]"
    changed, kept = retyped("campus-sellers", text)

    columns = changed.tables[0].row_kinds[0].key_columns
    assert render_columns(changed, columns) == text
    assert kept == {"key-seller", "key-order", "seller-id", "order-number"}


def test_columns_can_change_places_and_go():
    turned, _ = retyped("campus-sellers", "[OrderNumber INTEGER] {OrderNumber} | [SellerID] {SellerID}")
    fewer, kept = retyped("campus-sellers", "[SellerID] {SellerID}")

    assert [c.id for c in turned.tables[0].row_kinds[0].key_columns] == ["key-order", "key-seller"]
    assert kept == {"key-seller", "seller-id"}
    assert len(fewer.tables[0].row_kinds[0].key_columns) == 1
