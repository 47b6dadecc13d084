"""Designs whose qualifiers show values of owners that keys show: what events draw beside the key decides its values."""

from copy import deepcopy
from typing import Any

import numpy as np

from designer.document.load import from_data

from .designs import Design, design, reads_of

STATED = ("owner, child stated", "owner, both stated", "owner, owner stated", "owner, none stated")


def owned_design(seed: int) -> Design:
    """Return a design whose keys show tenants and whose qualifiers show users, who belong to them.

    Some keys begin with a salt of the user.
    """
    rng = np.random.default_rng([seed, 43])
    made = design(seed, relation=str(rng.choice(STATED)))
    data, features = deepcopy(made.data), made.features | {"qualifier": "user"}
    kind, column = data["tables"][0]["row_kinds"][0], data["tables"][0]["families"][0]["columns"][0]
    kind["key"] = [part for part in kind["key"] if part["id"] != "k-user"]
    del column["qualifier"]
    column["qualifier_from"] = [{"id": "q-user", "kind": "field", "field": "user"}]
    if features["mode"] == "append_row":
        features["mode"] = kind["writes"][0]["mode"] = "overwrite"
    if features["lead"] == "salt":
        salt: dict[str, Any] = kind["key"][0]
        salt |= {"fields": ["user"], "modulo": int(rng.choice([2, 4, 8]))}
        features["salted"] = "user"
    kind["reads"] = reads_of(rng, features, ["tenant"])
    return Design(seed, features, from_data(data), data)
