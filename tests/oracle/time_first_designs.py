"""Designs whose keys begin with the time: what a caller knows stands behind it, so a scan passes rows of others."""

from copy import deepcopy

from designer.document.load import from_data

from .designs import COUNTED, LIMIT, Design, design


def time_first_design(seed: int) -> Design | None:
    """Return a design whose time stands first, with reads of all and of the first rows of what stands behind it.

    None where it has no time, or values come and go: their rows stand together in time, as those of an owner and of
    several salts of one value do.
    """
    made = design(seed)
    if made.features["time"] == "none" or made.features["births"] != "none" or made.features["relation"] in COUNTED:
        return None
    if made.features["lead"] == "random salt":
        return None
    data = deepcopy(made.data)
    kind = data["tables"][0]["row_kinds"][0]
    key = kind["key"]
    kind["key"] = [{**key[-1], "after": "#"}, *key[:-1]]
    point = next(read for read in kind["reads"] if read["id"] == "point")
    read = {"rate_per_second": 1, "binds": point["binds"]}
    kind["reads"] = [read | {"id": "behind"}, read | {"id": "first", "row_limit": LIMIT, "reverse": seed % 2 == 0}]
    return Design(seed, made.features | {"lead": "time"}, from_data(data), data)
