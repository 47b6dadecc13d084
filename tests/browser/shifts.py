"""How far what a page shows has moved since it was opened, as Chromium counts it."""

from playwright.sync_api import Page

# What has moved in a frame is counted when that frame has been painted.
SHIFTS = """async () => {
  const nextFrame = () => new Promise(requestAnimationFrame), observer = new PerformanceObserver(() => {});
  await nextFrame();
  await nextFrame();
  observer.observe({ type: "layout-shift", buffered: true });
  const shifts = observer.takeRecords(), nameOf = (node) => node?.id || node?.className || node?.nodeName;
  const sum = shifts.reduce((total, { value }) => total + value, 0);
  return [sum, shifts.flatMap(({ sources }) => sources.map(({ node }) => nameOf(node)))];
}"""


def assert_nothing_moved(page: Page, *, most: float) -> None:
    """Fail where more than the share `most` of the page has moved."""
    share, moved = page.evaluate(SHIFTS)
    assert share < most, moved
