"""The site's settings for processes that tests start, with a kind of run that tests can time and break."""

from config.settings import *  # noqa: F403
from estimator.runs import kinds

kinds.KINDS["tiny"] = "tests.jobs.tiny"
