"""Combinations of texts that lose values: as many as drawn values show, in whatever order the key has them."""

from collections.abc import Iterable
from itertools import permutations

import numpy as np
import pytest

from designer.document import Spec
from estimator.advice.rules.shared.examples import Part, design
from estimator.kernels.population.draws import Drawing
from estimator.kernels.population.strata import Strata
from estimator.kernels.population.told_apart import tell_apart

SALT = {"id": "salt", "kind": "salt", "fields": ["user"], "modulo": 4}
SALT_OF_SIX = {**SALT, "id": "six", "modulo": 6}
HASH = {"id": "hash", "kind": "hash", "fields": ["user"], "digits": 4}
SHORT = {**HASH, "id": "short", "digits": 2}
OTHER = {**SHORT, "id": "other", "algorithm": "sha256"}


def spec_of(parts: Iterable[Part], users: float, *more: Part) -> Spec:
    tenants = ({"id": "tenant", "kind": "integer", "distinct": 10},) if more else ()
    user = {"id": "user", "kind": "integer", "distinct": users, **({"belongs_to": "tenant"} if more else {})}
    return design(*more, *parts, fields=(*tenants, user))


def strata_of(spec: Spec, bound: Iterable[str] = ()) -> Strata:
    apart = tell_apart(spec, spec.tables[0].row_kinds[0].segments, bound=[*bound])
    return Drawing(spec, ({},), 0.0).combinations(apart.fields, apart.bound, apart.lossy)


def draw_combinations(ids: Iterable[str], users: int, seed: int) -> int:
    """Return how many combinations users have in a draw where each text is random, longer ones of a hash go on."""
    rng = np.random.default_rng(seed)
    salts, longs, others = rng.integers(12, size=users), rng.integers(65_536, size=users), rng.integers(256, size=users)
    columns = {"salt": salts % 4, "six": salts % 6, "hash": longs, "short": longs // 256, "other": others}
    codes = np.zeros(users, dtype=np.int64)
    for id_ in ids:
        codes = codes * 65_536 + columns[id_]
    return len(np.unique(codes))


@pytest.mark.parametrize("users", [100, 20_000, 1_000_000])
@pytest.mark.parametrize(
    "parts",
    [(SALT,), (SALT, HASH), (SALT, SHORT), (SHORT, HASH), (SHORT, OTHER), (SALT, SALT_OF_SIX), (SALT, OTHER, HASH)],
)
def test_texts_of_one_field_tell_apart_what_they_do_together(parts: tuple[Part, ...], users: int) -> None:
    ids = [part["id"] for part in parts]
    expected = np.mean([draw_combinations(ids, users, seed) for seed in range(200 if users == 100 else 1)])

    for order in permutations(parts):
        strata = strata_of(spec_of(order, users))
        assert strata.total_count.sum() == pytest.approx(expected, rel=0.01)
        assert (strata.total_count * strata.share[0]).sum() == pytest.approx(1)


@pytest.mark.parametrize(("users", "below_each"), [(100, 25), (1_000_000, 65_536 * (1 - np.exp(-1e6 / 4 / 65_536)))])
@pytest.mark.parametrize("order", [(SALT, HASH), (HASH, SALT)])
def test_below_a_given_text_stand_those_of_the_others(order: tuple[Part, ...], users: int, below_each: float) -> None:
    strata = strata_of(spec_of(order, users), bound=["salt"])

    assert strata.bound_count.sum() == pytest.approx(4)
    assert strata.total_count.sum() == pytest.approx(4 * below_each, rel=0.01)
    assert (strata.total_count * strata.share[0]).sum() == pytest.approx(1)


@pytest.mark.parametrize(("bound", "bound_count"), [((), 1), (("tenant", "salt"), 40)])
def test_below_an_owner_they_tell_apart_its_values(bound: tuple[str, ...], bound_count: float) -> None:
    own = {"id": "tenant_part", "kind": "field", "field": "tenant"}
    ids = ["tenant_part" if id_ == "tenant" else id_ for id_ in bound]
    strata = strata_of(spec_of((SALT, HASH), 1_000, own), bound=ids)

    assert strata.bound_count.sum() == pytest.approx(bound_count)
    assert strata.total_count.sum() == pytest.approx(1_000, rel=0.01)


OF_OWNER = {"kind": "salt", "fields": ["tenant"], "modulo": 4}
HASH_OF_OWNER = {"kind": "hash", "fields": ["tenant"], "digits": 2}
OF_ALL_OWNERS = {"kind": "hash", "fields": ["tenant", "user"], "digits": 16}


@pytest.mark.parametrize("part", [OF_OWNER, HASH_OF_OWNER, {**OF_OWNER, "fields": ["tenant", "user"]}, OF_ALL_OWNERS])
def test_a_text_of_an_owner_makes_no_more_combinations_of_what_belongs_to_it(part: Part) -> None:
    own = {"id": "user_part", "kind": "field", "field": "user"}
    spec = spec_of(({**part, "id": "text"},), 1_000, own)

    for bound, bound_count in (((), 1), (("text", "user_part"), 1_000)):
        strata = strata_of(spec, bound)
        assert strata.bound_count.sum() == pytest.approx(bound_count)
        assert strata.total_count.sum() == pytest.approx(1_000)
        assert (strata.total_count * strata.share[0]).sum() == pytest.approx(1)


def test_below_a_given_text_of_an_owner_stand_the_values_of_its_share_of_the_owners() -> None:
    own = {"id": "user_part", "kind": "field", "field": "user"}
    strata = strata_of(spec_of(({**OF_OWNER, "id": "text"},), 1_000, own), bound=["text"])

    texts = 4 * (1 - (3 / 4) ** 10)  # of four, that ten tenants have
    assert strata.bound_count.sum() == pytest.approx(texts)
    assert strata.count.sum() == pytest.approx(1_000 / texts)
