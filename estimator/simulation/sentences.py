"""What diagnoses say: message templates alone. Which of them is said, and of what, is for `diagnoses`."""

from collections.abc import Mapping

from designer.document.texts import N_

ALWAYS = N_("from {from_time} to {to_time}")
SOMETIMES = N_("in {time_share} of the time from {from_time} to {to_time}")

HOT_NODE: Mapping[tuple[bool, str, bool], str] = {
    (False, "writes", False): N_(
        "{write_share} of writes hit one of {node_count} nodes {when}: it is up to {load_share} busy."
    ),
    (False, "writes", True): N_(
        "{write_share} of writes hit one of {node_count} nodes {when}: it is asked for up to {load_share} of what it "
        "can do, and {refused_share} of the operations then are refused."
    ),
    (False, "reads", False): N_(
        "{read_share} of reads hit one of {node_count} nodes {when}: it is up to {load_share} busy."
    ),
    (False, "reads", True): N_(
        "{read_share} of reads hit one of {node_count} nodes {when}: it is asked for up to {load_share} of what it "
        "can do, and {refused_share} of the operations then are refused."
    ),
} | {
    (True, of, refused): message
    for refused in (False, True)
    for of, message in (
        ("writes", N_(
            "{write_share} of writes hit one of {node_count} partitions {when}: it is asked for up to {load_share} of "
            "what the service lets one partition-key value take."
        )),
        ("reads", N_(
            "{read_share} of reads hit one of {node_count} partitions {when}: it is asked for up to {load_share} of "
            "what the service lets one partition-key value take."
        )),
    )
}  # fmt: skip

LATE_MOVES: Mapping[bool, str] = {
    False: N_(
        "Splits and moves of tablets follow the load late {when}: {node_share} of it hits one of {node_count} nodes, "
        "which is up to {load_share} busy."
    ),
    True: N_(
        "Splits and moves of tablets follow the load late {when}: {node_share} of it hits one of {node_count} nodes, "
        "which is asked for up to {load_share} of what it can do, and {refused_share} of the operations then are "
        "refused."
    ),
}
PASSING: Mapping[bool, str] = {
    False: N_(
        "One “{read}” keeps a node busy for {work_seconds} and passes from node to node through the keys: {when} one "
        "of {node_count} nodes is up to {load_share} busy with it and all else."
    ),
    True: N_(
        "One “{read}” keeps a node busy for {work_seconds} and passes from node to node through the keys: {when} one "
        "of {node_count} nodes is asked for up to {load_share} of what it can do with it and all else, and "
        "{refused_share} of the operations then are refused."
    ),
}
NEW_TABLE = N_(
    "The new table “{table}” begins as one tablet: until {to_time} one of {node_count} nodes takes {node_share} of the "
    "load, and {refused_share} of the operations are refused. Create it with split keys."
)
FULL = N_(
    "{cluster} is full {when}: its {node_count} nodes are asked for up to {mean_share} of what they can do, and "
    "{refused_share} of the operations then are refused."
)
FULL_OF_SELDOM = N_(
    "{cluster} is full {when}: its {node_count} nodes are asked for up to {mean_share} of what they can do, and "
    "{refused_share} of the operations then are refused. One “{read}” alone keeps a node busy for {work_seconds}."
)
SCANS: Mapping[bool, str] = {
    False: N_(
        "“{read}” makes {node_share} of the load with {reads_per_day}: one alone keeps a node busy for {work_seconds}."
    ),
    True: N_(
        "“{read}” makes {node_share} of the load with {reads_per_day}: one alone takes what a partition-key value can "
        "in {work_seconds}."
    ),
}
ABOVE_TARGET = N_(
    "The nodes of {cluster} are up to {mean_share} busy {when}, above the {target_share} that leaves room for failures "
    "and peaks."
)
LATE_NODES: Mapping[bool, str] = {
    False: N_(
        "The load on {cluster} rises faster than nodes come: {when} new ones are paid for and do not help yet (up to "
        "{useful_seconds}), and the hottest is up to {load_share} busy meanwhile."
    ),
    True: N_(
        "The load on {cluster} rises faster than nodes come: {when} new ones are paid for and do not help yet (up to "
        "{useful_seconds}), and {refused_share} of the operations then are refused."
    ),
}
AT_MOST_NODES = N_(
    "The autoscaler of {cluster} is at its most, {node_count} nodes, {when}: they are up to {mean_share} busy, above "
    "its target of {target_share}."
)
UNSPLIT: Mapping[str, str] = {
    "row": N_(
        "The row {key} asks for {load_nodes} at {at_time}. A row is never split: no number of nodes serves more than "
        "{reachable_share} of it."
    ),
    "front": N_(
        "New rows at {key} ask for {load_nodes} at {at_time}. They land behind one another where no split comes in "
        "time: no number of nodes serves more than {reachable_share} of them."
    ),
    "partition": N_(
        "The partition-key value of {key} asks for {load_share} of what one value can take at {at_time}. It is never "
        "split: {reachable_share} of it is served."
    ),
}
PARTITION_END = N_(
    "New rows at {key} ask for {load_share} of what one partition-key value can take at {at_time}. They land behind "
    "one another where no split comes in time: {reachable_share} of them are served."
)
NEARLY_UNSPLIT: Mapping[str, str] = {
    "row": N_("The row {key} keeps a node {load_share} busy at {at_time}. A row is never split: it can hardly grow."),
    "front": N_(
        "New rows at {key} keep a node {load_share} busy at {at_time}. They land behind one another, where no split "
        "comes in time: they can hardly grow."
    ),
    "partition": N_(
        "The partition-key value of {key} takes {load_share} of what one value can at {at_time}. It is never split: it "
        "can hardly grow."
    ),
}
LARGE_ROW: Mapping[tuple[bool, bool], str] = {
    (False, True): N_(
        "The largest row, of {entity}, passes {limit_bytes} on {date} and has {largest_bytes} by {last_date}."
    ),
    (True, True): N_("The largest row, of {entity}, is above {limit_bytes} already: {largest_bytes} by {last_date}."),
    (False, False): N_("The largest row passes {limit_bytes} on {date} and has {largest_bytes} by {last_date}."),
    (True, False): N_("The largest row is above {limit_bytes} already: {largest_bytes} by {last_date}."),
}
BACKFILL: Mapping[bool, str] = {
    False: N_(
        "“{activity}” loads history. How long that takes is not said: it is played at its rate, {rows_per_second}, "
        "through the whole period."
    ),
    True: N_(
        "“{activity}” loads history in key order. How long that takes is not said: it is played at its rate, "
        "{rows_per_second}, through the whole period, and passes through all keys once a day."
    ),
}
HOT_ROW = N_("One row, {key}, takes {node_share} of the node time.")
QUIET_ALONE = N_("{cluster} does not suffer: its one node is at most {load_share} busy, at {at_time}.")
QUIET: Mapping[bool, str] = {
    False: N_(
        "No node of {cluster} suffers: of {node_count} nodes the hottest is at most {load_share} busy, at {at_time}."
    ),
    True: N_(
        "No partition suffers: of {node_count} the busiest takes at most {load_share} of what one partition-key value "
        "can, at {at_time}."
    ),
}
