"""Edits of the row key page over every key of every example: delimiters stay, steps lead back, additions apply."""

import itertools
from collections.abc import Callable, Iterator

from designer.document import Spec
from designer.document.edits import Edit, apply
from designer.document.key import Segment
from designer.editing.key_builder import (
    KeyView,
    SegmentList,
    additions,
    build_move,
    build_removal,
    build_step_move,
    key_at,
)
from designer.examples import example, examples
from tests.cases import cases

SLUGS = [one.slug for one in examples()]


def keys(slug: str) -> Iterator[tuple[Spec, str, SegmentList]]:
    """Every list of segments of an example, with the id of its row kind."""
    spec = example(slug).spec
    for _, kind in spec.row_kinds():
        view = key_at(spec, kind.id)
        assert view is not None
        yield from ((spec, kind.id, group) for group in view.groups if group.segments)


def after(spec: Spec, edit: Edit, kind: str, parent: str) -> tuple[Segment, ...]:
    """Return the segments of the same list after an edit."""
    (group,) = (group for group in view_after(spec, edit, kind).groups if group.parent == parent)
    return group.segments


def view_after(spec: Spec, edit: Edit, kind: str) -> KeyView:
    view = key_at(apply(spec, edit)[0], kind)
    assert view is not None
    return view


def new_ids() -> Callable[[], str]:
    numbers = itertools.count()
    return lambda: f"new{next(numbers)}"


def delimiters(segments: tuple[Segment, ...]) -> list[str]:
    return [segment.after for segment in segments]


@cases("slug", SLUGS)
def test_a_moved_segment_leaves_every_delimiter_at_its_place(slug: str) -> None:
    for spec, kind, group in keys(slug):
        ids = [segment.id for segment in group.segments]
        for moved, before in itertools.product(ids, (*ids, None)):
            if moved == before:
                continue
            found = after(spec, build_move(group.segments, moved, before), kind, group.parent)
            rest = [one for one in ids if one != moved]
            rest.insert(rest.index(before) if before else len(rest), moved)
            assert [segment.id for segment in found] == rest
            assert delimiters(found) == delimiters(group.segments)


@cases("slug", SLUGS)
def test_a_key_without_one_segment_ends_as_before(slug: str) -> None:
    for spec, kind, group in keys(slug):
        for place, segment in enumerate(group.segments):
            found = after(spec, build_removal(group.segments, place), kind, group.parent)
            assert segment.id not in {one.id for one in found}
            assert len(found) == len(group.segments) - 1
            if found:
                assert found[-1].after == group.segments[-1].after or place < len(group.segments) - 1
                assert delimiters(found[: min(place, len(found) - 1)]) == delimiters(
                    group.segments[: min(place, len(found) - 1)]
                )


@cases("slug", SLUGS)
def test_every_edit_of_a_key_is_taken_back_by_its_inverse(slug: str) -> None:
    for spec, _, group in keys(slug):
        edits = [added.edit for added in additions(spec, group, new_ids())]
        edits += [build_move(group.segments, group.segments[0].id, None), build_removal(group.segments, 0)]
        for edit in edits:
            changed, inverse = apply(spec, edit)
            assert apply(changed, inverse)[0] == spec


@cases("slug", SLUGS)
def test_what_is_added_stands_apart_from_the_rest_of_the_key(slug: str) -> None:
    for spec, kind, group in keys(slug):
        offered = list(additions(spec, group, new_ids()))
        assert offered
        for added in offered:
            found = after(spec, added.edit, kind, group.parent)
            (place,) = (n for n, segment in enumerate(found) if segment.id.startswith("new"))
            assert place in (0, len(found) - 1)
            assert len(found) == len(group.segments) + 1
            assert found[0].after if place == 0 else found[place - 1].after


@cases("slug", SLUGS)
def test_a_step_and_the_step_back_keep_the_order_and_the_ends_have_no_step(slug: str) -> None:
    spec = example(slug).spec
    for _, kind in spec.row_kinds():
        view = key_at(spec, kind.id)
        assert view is not None
        takers = [group for group in view.groups if not group.is_fixed]
        moved = [segment.id for group in takers for segment in group.segments]
        for step, last in ((1, moved[-1:]), (-1, moved[:1])):
            for one in moved:
                edit = build_step_move(view.groups, one, step)
                if edit is None:
                    assert [one] == last
                    continue
                there = view_after(spec, edit, kind.id)
                back = build_step_move(there.groups, one, -step)
                assert back is not None
                again = view_after(apply(spec, edit)[0], back, kind.id)
                assert order(again) == order(view)


def order(view: KeyView) -> list[list[str]]:
    return [[segment.id for segment in group.segments] for group in view.groups]


def test_an_element_outside_of_keys_has_no_key_page() -> None:
    spec = example("iot-fleet").spec

    assert [key_at(spec, at) for at in (spec.fields[0].id, spec.tables[0].id, "nothing")] == [None, None, None]
    segment = spec.tables[0].row_kinds[0].segments[-1]
    view = key_at(spec, segment.id)
    assert view is not None
    assert (view.kind, view.open_element) == (spec.tables[0].row_kinds[0], segment)
