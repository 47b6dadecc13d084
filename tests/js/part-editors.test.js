import assert from "node:assert/strict";
import { test } from "node:test";

import { barAt, barChange, barsBetween, nextBar } from "../../static/js/part-editors.js";

test("the last bar of a day leads to the first, and back", () => {
  assert.equal(nextBar(23, 1, 24), 0);
  assert.equal(nextBar(0, -1, 24), 23);
  assert.equal(nextBar(4, 1, 24), 5);
});

test("arrow keys change a bar by a twentieth, with Shift by one, page keys by five times that", () => {
  const bar = { isFine: false, max: 200 };
  assert.equal(barChange("ArrowUp", bar), 10);
  assert.equal(barChange("ArrowDown", bar), -10);
  assert.equal(barChange("PageUp", bar), 50);
  assert.equal(barChange("PageDown", { ...bar, isFine: true }), -5);
  assert.equal(barChange("Enter", bar), null);
});

const box = { left: 100, width: 240, bottom: 300, height: 100 };

test("a pointer is over one bar at a height", () => {
  assert.deepEqual(barAt({ clientX: 100, clientY: 300 }, box, 24), { index: 0, share: 0 });
  assert.deepEqual(barAt({ clientX: 125, clientY: 250 }, box, 24), { index: 2, share: 0.5 });
});

test("a pointer outside of the bars draws at their edge", () => {
  assert.deepEqual(barAt({ clientX: 0, clientY: 0 }, box, 24), { index: 0, share: 1 });
  assert.deepEqual(barAt({ clientX: 900, clientY: 900 }, box, 24), { index: 23, share: 0 });
});

test("a pointer that jumps draws every bar on its way, but not the one that it came from", () => {
  assert.deepEqual(barsBetween(null, 3), [3]);
  assert.deepEqual(barsBetween(3, 3), [3]);
  assert.deepEqual(barsBetween(3, 6), [4, 5, 6]);
  assert.deepEqual(barsBetween(6, 4), [5, 4]);
});
