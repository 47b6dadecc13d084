"""Message templates of diagnoses; `diagnoses` decides which apply, and to what."""

from collections.abc import Mapping

from designer.document.texts import N_

ALWAYS = N_("from {from_time} to {to_time}")
SOMETIMES = N_("for {time_share} of the time from {from_time} to {to_time}")

HOT_NODE: Mapping[tuple[bool, str, bool], str] = {
    (False, "writes", False): N_(
        "{write_share} of writes go to one of {node_count} nodes {when}: it reaches {load_share} utilisation."
    ),
    (False, "writes", True): N_(
        "{write_share} of writes go to one of {node_count} nodes {when}. Its load reaches {load_share} "
    "of its capacity, and {refused_share} of the operations are rejected during this time."
    ),
    (False, "reads", False): N_(
        "{read_share} of reads go to one of {node_count} nodes {when}: it reaches {load_share} utilisation."
    ),
    (False, "reads", True): N_(
        "{read_share} of reads go to one of {node_count} nodes {when}. Its load reaches {load_share} of "
    "its capacity, and {refused_share} of the operations are rejected during this time."
    ),
} | {
    (True, of, refused): message
    for refused in (False, True)
    for of, message in (
        ("writes", N_(
            "{write_share} of writes go to one of {node_count} partitions {when}. Its load reaches "
    "{load_share} of the limit of one partition-key value."
        )),
        ("reads", N_(
            "{read_share} of reads go to one of {node_count} partitions {when}. Its load reaches "
    "{load_share} of the limit of one partition-key value."
        )),
    )
}  # fmt: skip

LATE_MOVES: Mapping[bool, str] = {
    False: N_(
        "Tablet splits and moves lag behind the load {when}: {node_share} of it goes to one of "
        "{node_count} nodes, which reaches {load_share} utilisation."
    ),
    True: N_(
        "Tablet splits and moves lag behind the load {when}: {node_share} of it goes to one of "
        "{node_count} nodes. Its load reaches {load_share} of its capacity, and {refused_share} of the "
        "operations are rejected during this time."
    ),
}
PASSING: Mapping[bool, str] = {
    False: N_(
        "One “{read}” uses a node for {work_seconds} and passes from node to node in key order. With all "
        "other work, one of {node_count} nodes reaches {load_share} utilisation {when}."
    ),
    True: N_(
        "One “{read}” uses a node for {work_seconds} and passes from node to node in key order. With all "
        "other work, the load on one of {node_count} nodes reaches {load_share} of its capacity {when}. "
        "During this time, {refused_share} of the operations are rejected."
    ),
}
NEW_TABLE = N_(
    "The new table “{table}” starts as one tablet. Until {to_time}, one of {node_count} nodes "
    "receives {node_share} of the load, and {refused_share} of the operations are rejected. Create "
    "the table with split keys."
)
FULL = N_(
    "{cluster} is overloaded {when}: the load on its {node_count} nodes reaches {mean_share} of "
    "their capacity. During this time, {refused_share} of the operations are rejected."
)
FULL_OF_SELDOM = N_(
    "{cluster} is overloaded {when}: the load on its {node_count} nodes reaches {mean_share} of "
    "their capacity. During this time, {refused_share} of the operations are rejected. One “{read}” "
    "alone uses a node for {work_seconds}."
)
SCANS: Mapping[bool, str] = {
    False: N_(
        "“{read}” causes {node_share} of the load at {reads_per_day}. One request alone uses a node for {work_seconds}."
    ),
    True: N_(
        "“{read}” causes {node_share} of the load at {reads_per_day}. One request alone uses "
        "{work_seconds} of the limit of one partition-key value."
    ),
}
ABOVE_TARGET = N_(
    "The utilisation of {cluster} reaches {mean_share} {when}, above the {target_share} that leaves "
    "headroom for failures and peaks."
)
LATE_NODES: Mapping[bool, str] = {
    False: N_(
        "The load on {cluster} rises faster than nodes are added {when}. New nodes are billed but do not "
        "help yet (up to {useful_seconds}). The hottest node reaches {load_share} utilisation."
    ),
    True: N_(
        "The load on {cluster} rises faster than nodes are added {when}. New nodes are billed but do not "
        "help yet (up to {useful_seconds}). During this time, {refused_share} of the operations are "
        "rejected."
    ),
}
AT_MOST_NODES = N_(
    "The autoscaler of {cluster} is at its maximum of {node_count} nodes {when}: utilisation reaches "
    "{mean_share}, above the target of {target_share}."
)
UNSPLIT: Mapping[str, str] = {
    "row": N_(
        "The row {key} needs {load_nodes} at {at_time}. A row cannot be split. Adding nodes does not "
        "help: at most {reachable_share} of its load is served."
    ),
    "front": N_(
        "New rows at {key} need {load_nodes} at {at_time}. They arrive in sequence, and splits cannot "
        "follow. Adding nodes does not help: at most {reachable_share} of them are served."
    ),
    "partition": N_(
        "The partition-key value of {key} needs {load_share} of the limit of one value at {at_time}. It "
        "cannot be split: {reachable_share} of its load is served."
    ),
}
PARTITION_END = N_(
    "New rows at {key} need {load_share} of the limit of one partition-key value at {at_time}. They "
    "arrive in sequence, and splits cannot follow: {reachable_share} of them are served."
)
NEARLY_UNSPLIT: Mapping[str, str] = {
    "row": N_(
        "The row {key} uses {load_share} of one node at {at_time}. A row cannot be split: there is little headroom."
    ),
    "front": N_(
        "New rows at {key} use {load_share} of one node at {at_time}. They arrive in sequence, and "
        "splits cannot follow: there is little headroom."
    ),
    "partition": N_(
        "The partition-key value of {key} uses {load_share} of the limit of one value at {at_time}. It "
        "cannot be split: there is little headroom."
    ),
}
LARGE_ROW: Mapping[tuple[bool, bool], str] = {
    (False, True): N_(
        "The largest row, of {entity}, exceeds {limit_bytes} on {date} and reaches {largest_bytes} by {last_date}."
    ),
    (True, True): N_("The largest row, of {entity}, already exceeds {limit_bytes}: {largest_bytes} by {last_date}."),
    (False, False): N_("The largest row exceeds {limit_bytes} on {date} and reaches {largest_bytes} by {last_date}."),
    (True, False): N_("The largest row already exceeds {limit_bytes}: {largest_bytes} by {last_date}."),
}
LARGE_ROW_UNCOLLECTED = N_(
    "With expired cells that are not collected yet, the largest row may exceed {limit_bytes} from {date} and reach "
    "{largest_bytes}. Its live cells are {live_bytes}."
)
BACKFILL: Mapping[bool, str] = {
    False: N_(
        "“{activity}” loads history. Its duration is not specified. The simulation assumes "
        "{rows_per_second} for the whole period."
    ),
    True: N_(
        "“{activity}” loads history in key order. Its duration is not specified. The simulation assumes "
        "{rows_per_second} for the whole period, with one pass through all keys per day."
    ),
}
HOT_ROW = N_("One row, {key}, uses {node_share} of the node CPU time.")
QUIET_ALONE = N_("{cluster} is not overloaded: its only node reaches at most {load_share} utilisation, at {at_time}.")
QUIET: Mapping[bool, str] = {
    False: N_(
        "No node of {cluster} is overloaded: the hottest of {node_count} nodes reaches at most "
        "{load_share} utilisation, at {at_time}."
    ),
    True: N_(
        "No partition is overloaded: the busiest of {node_count} reaches at most {load_share} of the "
        "limit of one partition-key value, at {at_time}."
    ),
}
