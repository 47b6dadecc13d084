"""Reports of lint, one format per file."""

from .baseline import Baseline, read_baseline, without_baseline
from .checked_design import CheckedDesign
from .element_lines import lines_of_elements
from .github import github_report
from .gitlab import gitlab_report
from .json_data import json_report
from .junit import junit_report
from .sarif import sarif_report
from .text import text_report

__all__ = [
    "Baseline", "CheckedDesign", "github_report", "gitlab_report", "json_report", "junit_report", "lines_of_elements",
    "read_baseline", "sarif_report", "text_report", "without_baseline",
]  # fmt: skip
