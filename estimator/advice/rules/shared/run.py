"""All rules over one design and its estimate."""

import datetime
from collections.abc import Iterable

from designer.document import Spec
from estimator.results import Estimate, Finding

from .accepted_risks import accepted
from .root_causes import SEVERITIES, judged, under_their_causes, with_gravest
from .rule import Rule
from .similar_findings import summarized


def findings_of(rules: Iterable[Rule], spec: Spec, estimate: Estimate, today: datetime.date) -> tuple[Finding, ...]:
    """Every finding, gravest first, then in document order; accepted ones are marked and come after the open ones.

    Consequences are under their cause, equal findings under a summary. `today` is the day on which accepted risks are
    judged: there is no clock here.
    """
    fitting = [rule for rule in rules if spec.engine in rule.engines]
    every = [judged(rule, found, spec.engine) for rule in fitting for found in rule.check(spec, estimate)]
    places = {id: place for place, id in enumerate(spec.by_id)}  # noqa: A001

    def order(finding: Finding) -> tuple[bool, int, int, str]:
        accepted_ = finding.ignored is not None
        return accepted_, SEVERITIES.index(finding.severity), places.get(finding.at, -1), finding.rule

    found = map(with_gravest, accepted(spec, under_their_causes(every), today))
    titles = {rule.code: rule.title for rule in fitting}
    return tuple(sorted(summarized(spec, sorted(found, key=order), titles), key=order))
