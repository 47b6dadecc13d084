"""What is told about each built-in design: title, group and story, as messages to be translated.

The documents hold the same titles and stories, in English, as their names and descriptions.
"""

from typing import NamedTuple

from designer.document.texts import N_


class Story(NamedTuple):
    """Group, title and story of one example; the story is Markdown."""

    group: str
    title: str
    story: str


RECOMMENDED = N_("recommended")
TIME_SERIES = N_("time series")
PRICED = N_("priced")
REAL_WORK = N_("real work")
BAD_TWINS = N_("bad twins")
TABLESTORE = N_("Tablestore")

GROUPS = (RECOMMENDED, TIME_SERIES, PRICED, REAL_WORK, BAD_TWINS, TABLESTORE)
"""In the order of the gallery."""

STORIES: dict[str, Story] = {
    "mobile-devices": Story(
        RECOMMENDED,
        N_("Mobile devices"),
        N_(
            """\
Forty million phones, tablets and watches report once an hour, 11,000 reports a second. A device has one row a day,
`phone#4c410523#20270501`, which keeps the day's newest values.

Look at the key: it goes from the common to the granular, so one device's days stand side by side. One day is a point
read, a month one short range, and forty million devices spread the writes although the day grows.

From Google's "Schema design best practices" (read 2026-11-20); rates and sizes are ours."""
        ),
    ),
    "continents-cities": Story(
        RECOMMENDED,
        N_("Continents and cities"),
        N_(
            """\
A travel site keeps one row per city, `asia#country074#city018352` (Google's page shows it as
`asia#india#bangalore`). Figures of some city change 6,000 times a second; 12,000 page views a second read one city.

Look at the reads: one key serves a city as a point and a country or a continent as a prefix. Half of all rows begin
with `asia` or `africa`, and that does no harm: no range of rows is too hot to be split.

From Google's "Schema design best practices" (read 2026-11-20); rates and sizes are ours."""
        ),
    ),
    "machine-metrics": Story(
        RECOMMENDED,
        N_("Machine metrics"),
        N_(
            """\
300,000 machines are measured every 30 seconds: 10,000 rows a second, `machine_4223421#1798761600000`, kept for 30
days.

Look at the heatmap: each machine is a growing end of its own, so 300,000 ends share the writes. The last hour of one
machine is one range of 120 rows. Compare it with its bad twin, *Timestamp first*, which has the same load.

From Google's "Schema design best practices" (read 2026-11-20); rates and sizes are ours."""
        ),
    ),
    "machine-metrics-newest-first": Story(
        RECOMMENDED,
        N_("Machine metrics, newest first"),
        N_(
            """\
The same machines, but readers nearly always want the newest 20 readings of a machine. The time is reversed: the
largest 64-bit integer minus the milliseconds, so that the newest row comes first.

Look at the reads: "the newest 20" starts at the machine's prefix and stops after 20 rows. A range of time still
works. A reverse scan over the ascending key would do the same; reversing is for designs where newest first is the
rule.

From Google's "Schema design best practices" (read 2026-11-20); rates and sizes are ours."""
        ),
    ),
    "multi-tenant-devices": Story(
        RECOMMENDED,
        N_("Many tenants in one table"),
        N_(
            """\
Nine customers share one table: 24 million phones and 6 million tablets report 8,400 times a second. The tenant leads
the key, `altostrat#phone#4c410523#20270501`; phones and tablets are two kinds of row.

Look at the tenant with 35 % of the devices: its rows are one range of the table, yet a range of millions of rows
that can be split, so nothing runs hot. What a tenant owns is one prefix, for its exports and for the day it leaves.

From Google's "Schema design best practices" (read 2026-11-20); rates and sizes are ours."""
        ),
    ),
    "reversed-domains": Story(
        RECOMMENDED,
        N_("Reversed domains"),
        N_(
            """\
A crawler stores what it knows of 500 million pages and visits 6,000 a second. The domain is turned around:
`drive.google.com` is stored as `com.google.drive`, followed by the page.

Look at the sample keys: `com.google.drive` and `com.google.maps` stand together, so "everything under google.com" is
one prefix. Neighbouring rows resemble each other, which also compresses well.

From Google's "Schema design best practices" (read 2026-11-20), with its three domains among others; rates and sizes
are ours."""
        ),
    ),
    "friends-columns": Story(
        RECOMMENDED,
        N_("Friends as columns"),
        N_(
            """\
A social network has one row per person. Each friend is a column whose *qualifier* is the friend's id; the value is
empty. 400 million people add 3,500 friends a second.

Look at growth: a row collects columns for ever, and the largest row stays far below the limit of 100 MB, because
even the most popular person has little more than a hundred thousand friends, not millions. "My friends" is one point
read of one row.

Compare it with *Friends as rows*. From Google's "Schema design best practices" (read 2026-11-20); rates and sizes
are ours."""
        ),
    ),
    "friends-rows": Story(
        RECOMMENDED,
        N_("Friends as rows"),
        N_(
            """\
The same network with one row per pair of friends, `user#friend`. "My friends" is a prefix; "is she my friend?" is a
point read of a tiny row.

Look at what differs from *Friends as columns*: a row cannot grow too large, whoever it is about, but the key is
stored for each pair, and reading all friends scans hundreds of rows instead of one.

From Google's "Schema design best practices" (read 2026-11-20); rates and sizes are ours."""
        ),
    ),
    "karte": Story(
        RECOMMENDED,
        N_("KARTE: state and events of users"),
        N_(
            """\
PLAID's KARTE watches visitors of web shops. Each event is stored, and the visitor's state is rewritten: two tables,
`{hash}_{user_id}` and `{hash}_{user_id}_{reversed time}`.

Look at the hash: it stands *before* the id, not in its place. Every reader knows the id and so the hash; visitors
spread over all nodes, keys stay readable, and the newest events of one visitor are one short range.

The keys are from PLAID's account of its use of Bigtable (2018); rates and sizes are ours."""
        ),
    ),
    "balloons-new-columns": Story(
        TIME_SERIES,
        N_("Balloons: a new column per reading"),
        N_(
            """\
240,000 weather balloons measure once a minute. A row is one balloon and one week, `us-west2#103698#2027w09`; each
minute adds a column to four families, its qualifier the time, `t2027-03-05-1204`.

Look at row growth: a row ends its week at a few megabytes, far below 100 MB. Few rows are read for long spans and
neighbouring cells compress well, but the qualifier is stored with each value.

From Google's "Schema design for time series data" (read 2026-11-20); the number of balloons is ours."""
        ),
    ),
    "balloons-new-cells": Story(
        TIME_SERIES,
        N_("Balloons: a new cell per reading"),
        N_(
            """\
The same balloons and weeks, but each minute writes a new *cell* to the same four columns, with the time of the
measurement as its timestamp: 10,080 cells per column at the end of the week.

Look at the bytes: without a qualifier per reading the rows are smaller than with new columns. The price is that only
the cell's timestamp tells when, and that old readings must go by age, not by number of versions.

From Google's "Schema design for time series data" (read 2026-11-20); the number of balloons is ours."""
        ),
    ),
    "balloons-serialised": Story(
        TIME_SERIES,
        N_("Balloons: one serialised row per reading"),
        N_(
            """\
Each reading is a row of its own, `us-west2#103698#2027-03-05-1204`, with all four values serialised in one column.

Look at the cells: one per reading instead of four, so key and timestamp are stored once. Writing is simple and no
row grows; a filter on one of the values, however, must fetch them all.

From Google's "Schema design for time series data" (read 2026-11-20); the number of balloons is ours."""
        ),
    ),
    "balloons-unserialised": Story(
        TIME_SERIES,
        N_("Balloons: one row per reading, four columns"),
        N_(
            """\
Each reading is a row of its own, `us-west2#103698#2027-03-05-1204`, with one column per value.

Look at what the four cells cost beside *one serialised row*, and what they allow: a reader that wants only the
temperature fetches only the temperature.

From Google's "Schema design for time series data" (read 2026-11-20); the number of balloons is ours."""
        ),
    ),
    "ggen-tokyo": Story(
        PRICED,
        N_("One node in Tokyo: $623.00"),
        N_(
            """\
The example of the G-gen article on Bigtable: asia-northeast1, one node, 50 GB of data that do not grow, readers in
the same region, a month of 30 days.

Look at the bill, line by line: 1 node × 720 hours × $0.85 is $612.00, 50 × $0.22 is $11.00, network $0, in all
$623.00. Both prices are those of July 2023 and entered by hand; each line says so.

Arithmetic and prices from the G-gen article (July 2023); the table and its load are ours, within what one node
serves."""
        ),
    ),
    "saas-tenants": Story(
        REAL_WORK,
        N_("Audit log of a SaaS with one large tenant"),
        N_(
            """\
800 tenants write their audit log, 5,000 events a second on average and over twice that in office hours. One tenant
has 40 % of it all. Two questions matter: what did this person do, and what happened to this object?

So each event is written twice: `audit` is keyed by tenant, person and reversed time, `audit-by-object` by tenant,
object and reversed time, both with the event's id at the end, as a script can do two things in one millisecond.
Neither question ever scans; the price is the second copy. The two writes are not atomic, so a repair job reads
yesterday's rows of a tenant.

Look at the large tenant: two fifths of the heatmap are its own, yet it has 1.2 million people, each with a front of
their own. And at the bill: autoscaling follows the office day in two regions, and backups have no public price, so
the total says what is open.

A composite of our own (2026-11)."""
        ),
    ),
    "iot-fleet": Story(
        REAL_WORK,
        N_("Vehicle fleet in two regions"),
        N_(
            """\
120,000 vehicles of 400 fleets send their position and engine data every ten seconds. `telemetry` keeps one row per
vehicle and day for 30 days, `latest` the last known state, `alerts` what needs a person, with a change stream kept
for three days.

Look at the routing: dashboards read from the nearer of two regions, while the job that follows the change stream
stays in one, at low priority. Every write is done in both clusters, so a second region doubles nodes and storage and
adds egress for replication.

Look at `alerts`: its key has the time right after the fleet, so each fleet has one growing end. At 40 alerts a
second nobody notices; from about 3,000 a second in one fleet a single node would be too busy, and K026 would say so.

A composite of our own (2026-11)."""
        ),
    ),
    "timestamp-first": Story(
        BAD_TWINS,
        N_("Timestamp first"),
        N_(
            """\
The 300,000 machines of *Machine metrics*, with the time at the front of the key: `1798761600000#machine_4223421`.

Look at the heatmap: one bright line at the end of the table, a step further down every few hours. Of all rows only
the newest are written, so one node takes all 10,000 writes a second while the others rest, and adding nodes does not
help. One machine's last hour now scans everybody's.

From Google's "Schema design best practices" (read 2026-11-20); rates and sizes are ours."""
        ),
    ),
    "sequential-id": Story(
        BAD_TWINS,
        N_("Sequential ids first"),
        N_(
            """\
An order system numbers its orders 1, 2, 3 and so on, padded to twelve digits, and uses the number as key. 10,000
orders a second are written, and new orders are the ones that people look at.

Look at the heatmap: the padding keeps the order right, and with it the bright line at the end of the table. Reverse
the digits, or put the customer first.

From Google's "Schema design best practices" (read 2026-11-20); rates and sizes are ours."""
        ),
    ),
    "hash-only": Story(
        BAD_TWINS,
        N_("Only a hash"),
        N_(
            """\
The devices of *Mobile devices*, but somebody replaced type and id by a hash of both, to be sure that writes spread:
`9f86d081884c7d65#20270501`.

Look at the reads: a device's days are still found, as its reader can hash. But "all watches" has no prefix any more
and scans the whole table, and a key in a log or in the Key Visualizer says nothing. Type and id spread the writes
just as well.

From Google's "Schema design best practices" (read 2026-11-20); rates and sizes are ours."""
        ),
    ),
    "unpadded-numbers": Story(
        BAD_TWINS,
        N_("Numbers without padding"),
        N_(
            """\
A music service keeps 20 million playlists, one row per song: `k3x9aa01mq#3`, `k3x9aa01mq#20`. The position stands as
plain decimal digits. 6,000 songs a second are put somewhere, and readers want a playlist in its order.

Look at the sample keys: `20` sorts before `3`. Readers that rely on the order play the wrong song next, and nothing
tells them. Pad to the width of the largest position.

From Google's "Schema design best practices" (read 2026-11-20); rates and sizes are ours."""
        ),
    ),
    "table-per-customer": Story(
        BAD_TWINS,
        N_("A table per customer"),
        N_(
            """\
Five customers, five tables of the same shape: `readings_altostrat`, `readings_cymbal` and so on. The next customer
needs a deployment.

Look at how alike the tables are. One table with the customer at the front of the key balances better, has one set of
families to maintain and no limit of 1,000 customers. *Many tenants in one table* is its good twin.

From Google's "Schema design best practices" (read 2026-11-20); rates and sizes are ours."""
        ),
    ),
    "one-counter-row": Story(
        BAD_TWINS,
        N_("One row, overwritten every second"),
        N_(
            """\
20,000 devices write their memory use each second into one row per device and metric, `4c410523#memusage`, and keep
only the newest value.

Look at the rate per row: 60 writes a minute to the same cell, for every device. Each is stored until compaction, and
none can be spread. Write a row per reading, or keep the value in memory and write it less often.

From Google's "Schema design best practices" (read 2026-11-20); rates and sizes are ours."""
        ),
    ),
    "few-write-fronts": Story(
        BAD_TWINS,
        N_("Region, then time"),
        N_(
            """\
An access log is keyed by region and time, `asia-east1#1798761600000#…`, for readers that want the latest of a
region. 16,000 requests a second are logged in four regions.

Look at the heatmap: four bright lines instead of one, each at the end of its region. The region in front looks like
spreading, but four growing ends keep at most four nodes busy, and the largest region has half of the load.

After Google's "Schema design for time series data" (read 2026-11-20); rates and sizes are ours."""
        ),
    ),
    "balloon-without-bucket": Story(
        BAD_TWINS,
        N_("One row per balloon, for ever"),
        N_(
            """\
Forty thousand of the balloons measure every ten seconds, but the row is the balloon, `us-west2#103698`, and each
reading a new cell. There is no week in the key and no garbage collection.

Look at row growth: the row of a balloon passes 100 MB within two months and 256 MB within five, from where it cannot
be read in full. Either of two changes helps: a bucket of time in the key, or an age after which readings go.

From Google's "Schema design for time series data" (read 2026-11-20); the number of balloons is ours."""
        ),
    ),
    "campus-cards": Story(
        TABLESTORE,
        N_("Campus cards by card"),
        N_(
            """\
The payment cards of 400 campuses: eight million cards, 120,000 tills, 5,000 shops. 4,000 purchases a second, twice
that at noon, kept for 180 days. The partition key is `CardID`; behind it stands the order's number, an INTEGER, so
that a card's purchases lie in their order.

Look at the reads: "the newest 20 of a card" is one backward range within one partition-key value. No card comes near
1,000 operations a second or 10 GB, so that the service can split wherever it needs to.

From Alibaba Cloud's "Best practices for table operations" (read 2026-11-20), which names CardID a good partition key;
rates and sizes are ours."""
        ),
    ),
    "campus-tills": Story(
        TABLESTORE,
        N_("Campus cards by till"),
        N_(
            """\
The same purchases, kept by the till that took them: `DeviceID` is the partition key. A till takes a few purchases a
minute, and 120,000 of them share the load evenly.

Look at the partition-key values: many, none of them busy, none of them large. What cannot be asked here is a card's
own history: that would scan the table, and is why the same purchases also stand by card.

From Alibaba Cloud's "Best practices for table operations" (read 2026-11-20), which names DeviceID a good partition
key; rates and sizes are ours."""
        ),
    ),
    "campus-sellers": Story(
        TABLESTORE,
        N_("Campus cards by seller"),
        N_(
            """\
The same purchases by `SellerID`. Most of the 5,000 shops are small, but one canteen operator takes 18 % of all
purchases, and all rows of one partition-key value stay in one partition, however busy and large it gets.

Look at the busiest value: more than a thousand operations a second at noon, and hundreds of gigabytes after half a
year, where 10 GB are advised. Below those figures the same key would be no more than a note.

From Alibaba Cloud's "Best practices for table operations" (read 2026-11-20), which names SellerID a poor partition
key; rates and sizes are ours."""
        ),
    ),
    "campus-orders": Story(
        TABLESTORE,
        N_("Campus cards by order number"),
        N_(
            """\
The same purchases by `OrderNumber`, which is counted up. Each number is a partition-key value of its own, but all new
ones sort behind the old: every purchase is written to the last partition of the table.

Look at the heatmap: one bright line at the end. Splitting that partition moves the line, and does not widen it. The
finding offers what the source advises, a short hash before the number; see the next design.

From Alibaba Cloud's "Best practices for table operations" (read 2026-11-20); rates and sizes are ours."""
        ),
    ),
    "campus-orders-hashed": Story(
        TABLESTORE,
        N_("Campus cards by hashed order number"),
        N_(
            """\
The order's number again, but with the first four hex digits of its MD5 before it: 65,536 beginnings that every new
number falls on at random. Who knows the number knows its hash, so a receipt is still one point read.

Look at the heatmap: fine grain. What is lost is the order: a range of consecutive numbers lies all over the table.

From Alibaba Cloud's "Best practices for table operations" (read 2026-11-20), whose printed hashes are not the MD5 of
its numbers; rates and sizes are ours."""
        ),
    ),
    "campus-comma": Story(
        TABLESTORE,
        N_("Columns joined by a comma"),
        N_(
            """\
The day's totals per card, shop and till, in one column: `000016,a100,66661`. The card's number is padded with zeros,
and the parts are joined by a comma, which sorts before digits and letters.

Look at the sample keys: all of shop `a100` stands before shop `a1001`, as the values themselves do, so a card's shops
come back in their order. Compare it with its twin, *Columns joined by a colon*.

From Alibaba Cloud's "Best practices for table operations" (read 2026-11-20), with its values among others; rates and
sizes are ours."""
        ),
    ),
    "campus-colon": Story(
        TABLESTORE,
        N_("Columns joined by a colon"),
        N_(
            """\
The same totals, joined by a colon: `000016:a100:66661`. A colon sorts after the digits, so that `a1001:` comes before
`a100:`, although the shop a100 is the smaller value.

Look at the sample keys: whoever goes through a card's shops in order gets them out of order. One byte mends it. Where
every reader knows the shop, nothing would be wrong.

From Alibaba Cloud's "Best practices for table operations" (read 2026-11-20), with its values among others; rates and
sizes are ours."""
        ),
    ),
    "campus-months": Story(
        TABLESTORE,
        N_("Hot and cold tables per month"),
        N_(
            """\
The purchases by card in a table per period: this month's, which is written and read; last month's, which is still
read; and the older ones, which hardly anybody opens or corrects. Each table has a throughput of its own: reserved read
and write units, reserved reads alone, and nothing.

Look at the capacity units: what is reserved is used, and the cold table costs its storage. In one table for all, the
reservation would have to be held for rows that nobody reads. After half a year a table is dropped as a whole.

From Alibaba Cloud's "Best practices for table operations" (read 2026-11-20); rates and sizes are ours."""
        ),
    ),
}
"""By the name of the document's file, in the order of the gallery."""
