"""The text form of keys: `{tenant}#{device:pad6}#{time:rev}` and its segments, both ways.

key        text in braces is a segment; what stands between two is the delimiter after the first; `{{` and `}}` are
           braces; text before the first segment is a literal (`phone#{device}`), its last signs the delimiter
{device}                 a field by its name (or id), or {field("odd name")}
  :pad6 :reverse :domain :lower :upper :first8 :plus1000 :minus5 :from=999 :hex8 :bytes8 :percent   transforms, in order
{time}, {created_at}, {time("odd name")}      the time of the event, or a field of kind timestamp
  :second … :year        bucket (millisecond unless said, microsecond where the unit is us)
  :bucket=5m             bucket of a length: s, m, h or d
  :"%Y%m%d"              readable
  :unit=s                epoch in us, ms, s, m, h or d (ms unless said); bucket: the number of the bucket
  :rev :raw              :from=9999999999999 is that number minus the time, so newest first; with :asc it is kept unused
{hash(user,device):sha256:8}      algorithm (md5) and hex digits (4)
{hash(time)}             hash of the time of the event, to the millisecond
{hash(created_at:hour):8}, {hash(time:day:"%Y%m%d")}      hash of a bucket of time, as it is written in the parentheses
{salt(user):16}, {salt():16}      hash of fields modulo 16, or random
{bucket(amount,100):pad6}, {part(domain,start=0,length=3,before=".")}     coarser forms, with transforms
{"v1"}                   a literal in the middle
[card] {card} | [day INTEGER] {time:day:"%Y%m%d"} | [seq INTEGER auto]     Tablestore's primary-key columns
"""

from .columns import ParsedColumns, parse_columns, render_columns
from .read import ParsedKey, parse_key
from .render import render_key
from .scanning import KeyTextError

__all__ = [
    "KeyTextError", "ParsedColumns", "ParsedKey", "parse_columns", "parse_key", "render_columns", "render_key",
]  # fmt: skip
