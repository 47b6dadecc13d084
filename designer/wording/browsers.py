"""A browser in words, from what it calls itself."""

from designer.document.texts import N_, Text

_BROWSERS = (
    ("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("FxiOS", "Firefox"), ("Chrom", "Chrome"),
    ("CriOS", "Chrome"), ("Safari", "Safari"),
)  # fmt: skip
_SYSTEMS = (
    ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"), ("CrOS", "ChromeOS"),
    ("Mac OS", "macOS"), ("Linux", "Linux"),
)  # fmt: skip
"""The first that occurs counts: many name several, for compatibility."""


def describe_browser(agent: str) -> Text:
    """Return browser and system, such as "Firefox on Windows"; a program by its own first word."""
    browser = next((name for mark, name in _BROWSERS if mark in agent), "")
    system = next((name for mark, name in _SYSTEMS if mark in agent), "")
    if browser and system:
        return Text(N_("{browser} on {system}"), {"browser": browser, "system": system})
    program = browser or system or agent.partition("/")[0].strip()[:30]
    return Text("{program}", {"program": program}) if program else Text(N_("Unknown browser"))
