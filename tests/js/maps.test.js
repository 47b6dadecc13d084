// Maps: their figures, what is shown of them, the address that says so, keys.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { PINS_MAX, readHash, recall, remember, writeHash } from "../../static/js/map-address.js";
import { rampOf } from "../../static/js/heat.js";
import { Explorer, WHOLE, scrollTo } from "../../static/js/map-explorer.js";
import { actionOf, closerPart, hottestCell, nextCell, partAround } from "../../static/js/map-input.js";
import { Pane, between, binGrid, cellOf, unpackGrid } from "../../static/js/map-pane.js";
import { findPin } from "../../static/js/map-pins.js";

const MIDNIGHT = 1_790_000_000 - 1_790_000_000 % 86400;
const METRICS = { writes: {}, reads: {} };
const HEAD = { ranges: 64, windows: 24, start: MIDNIGHT, window: 3600, keys: ["b", "c"], words: {}, metrics: METRICS };

function createPane(head = HEAD) {
  const pane = Object.create(Pane.prototype);
  return Object.assign(pane, { head, grids: new Map() });
}
function createMap(state) {
  const first = createPane(), map = Object.create(Explorer.prototype);
  return Object.assign(map, {
    first, panes: [first, createPane()], usual: "writes", metrics: ["writes", "reads"], trail: [], page: "",
    opening: WHOLE,
    state: { of: "writes", against: "relative", brightness: 0, view: WHOLE, pins: [], cursor: null, ...state },
    async choose(of) { this.state.of = of; return true; },
  });
}
// A grid as estimator/presentation/charts/maps/levels.py packs it; level 0 is nothing.
function packGrid({ a = 0, b, c = 0, d, together = 1, low, growth, levels, sides, tops }) {
  const buffer = new ArrayBuffer(36 + 2 * levels.length + 4 * (sides.length + tops.length));
  const head = new DataView(buffer), bytes = new Uint8Array(buffer);
  head.setFloat64(0, low, true);
  head.setFloat64(8, growth, true);
  [a, b, c, d, together].forEach((value, n) => head.setUint32(16 + 4 * n, value, true));
  levels.forEach((level, n) => { bytes[36 + n] = level & 255; bytes[36 + levels.length + n] = level >> 8; });
  [...sides, ...tops].forEach((value, n) => head.setFloat32(36 + 2 * levels.length + 4 * n, value, true));
  return buffer;
}
const SMALL = {
  b: 2, d: 3, low: 2, growth: Math.log(2), levels: [0, 1, 2, 3, 0, 1], sides: [6, 10], tops: [8, 2, 6],
};

beforeEach(() => {
  globalThis.document = { documentElement: { lang: "en" } };
  globalThis.location = { pathname: "/designs/k/", search: "?a=1", hash: "", href: "https://host/designs/k/?a=1" };
  globalThis.history = { state: null, replaceState(state, title, address) { this.address = address; } };
  globalThis.ImageData = class {
    constructor(width, height) { Object.assign(this, { width, height, data: new Uint8Array(4 * width * height) }); }
  };
});

// --- figures

test("a packed grid is read back: levels of equal growth, sums of rows and columns", () => {
  const grid = unpackGrid(packGrid(SMALL));
  assert.deepEqual([grid.a, grid.b, grid.c, grid.d, grid.together], [0, 2, 0, 3, 1]);
  assert.deepEqual([...grid.levels], SMALL.levels);
  assert.equal(grid.values[0], 0);
  assert.equal(grid.values[1], 2);
  assert.ok(Math.abs(grid.values[3] - 8) < 1e-9);
  assert.deepEqual([[...grid.sides], [...grid.tops]], [SMALL.sides, SMALL.tops]);
});

test("levels above 255 are read from both of their bytes", () => {
  const levels = [256, 65535, 255, 0, 0, 0];
  assert.deepEqual([...unpackGrid(packGrid({ ...SMALL, levels })).levels], levels);
});

test("ranges that share a line make a grid of fewer rows, the last one rounded up", () => {
  const grid = unpackGrid(packGrid({ ...SMALL, b: 7, together: 4 }));
  assert.equal(grid.rows, 2);
});

const colours = Uint32Array.from({ length: 65536 }, (_, level) => level);
function binSmall(wide, high, adds) {
  const grid = unpackGrid(packGrid(SMALL));
  const { image, sides, tops } = binGrid(grid, { a: 0, b: 2, c: 0, d: 3 }, { wide, high, colours, adds });
  const round = (sums) => [...sums].map((sum) => Math.round(sum * 1000) / 1000);
  return { pixels: [...new Uint32Array(image.data.buffer)], sides: round(sides), tops: round(tops) };
}

test("a picture has a pixel for each cell, with the sums of rows and columns beside it", () => {
  assert.deepEqual(binSmall(10, 10, true), { pixels: SMALL.levels, sides: [6, 10], tops: [8, 2, 6] });
});

test("beside figures that do not add up stand the largest", () => {
  assert.deepEqual(binSmall(10, 10, false), { pixels: SMALL.levels, sides: [4, 8], tops: [8, 2, 4] });
});

test("a pixel of several cells has the colour of the hottest", () => {
  assert.deepEqual(binSmall(1, 1, false).pixels, [3]);
});

test("the level of a cell is that of the line that its range shares", () => {
  const grid = unpackGrid(packGrid({ ...SMALL, a: 8, b: 16, together: 4 })), pane = createPane();
  assert.deepEqual([8, 11, 12, 15].map((row) => pane.level(grid, row, 0)), [0, 0, 3, 3]);
});

test("the finest grid that has all of a part is used", () => {
  const pane = createPane(), fine = { of: "writes", a: 10, b: 20, c: 0, d: 24 }, coarse = {};
  pane.grids.set("writes", coarse);
  pane.fine = fine;
  assert.equal(pane.grid("writes", { a: 12, b: 20, c: 3, d: 4 }), fine);
  assert.equal(pane.grid("writes", { a: 9, b: 20, c: 3, d: 4 }), coarse);
  pane.grids.set("reads", coarse);
  assert.equal(pane.grid("reads", { a: 12, b: 20, c: 3, d: 4 }), coarse);
});

// --- parts and views

test("a part and its view are the same", () => {
  const pane = createPane(), part = { a: 3, b: 17, c: 5, d: 6 };
  assert.deepEqual(pane.part(pane.view(part)), part);
  assert.deepEqual(pane.part(WHOLE), { a: 0, b: 64, c: 0, d: 24 });
});

test("a view too small for a cell shows one", () => {
  const part = createPane().part({ top: 1, bottom: 1, left: 0.5, right: 0.5 });
  assert.deepEqual(part, { a: 63, b: 64, c: 12, d: 13 });
});

test("a box of two cells has both, whichever comes first", () => {
  const box = { a: 2, b: 6, c: 1, d: 4 };
  assert.deepEqual(between({ row: 2, window: 3 }, { row: 5, window: 1 }), box);
  assert.deepEqual(between({ row: 5, window: 1 }, { row: 2, window: 3 }), box);
  assert.deepEqual(cellOf({ row: 2, window: 3 }), { a: 2, b: 3, c: 3, d: 4 });
});

test("moments are told in UTC, with the day only where there are several", () => {
  assert.equal(createPane().moment(9), "09:00");
  assert.equal(createPane().until(24), "24:00");
  assert.match(createPane({ ...HEAD, windows: 72 }).moment(9), /^\d+ \w+,? 09:00$/);
});

test("a part follows the cursor out of it, no further than it must", () => {
  const part = { a: 10, b: 20, c: 4, d: 8 };
  assert.equal(scrollTo(part, { row: 10, window: 7 }), part);
  assert.deepEqual(scrollTo(part, { row: 9, window: 5 }), { a: 9, b: 19, c: 4, d: 8 });
  assert.deepEqual(scrollTo(part, { row: 22, window: 9 }), { a: 13, b: 23, c: 6, d: 10 });
});

// --- addresses

test("a map as it is at first has no hash", () => assert.equal(writeHash(createMap()), ""));

test("brightness alone is told, and nothing that is as usual", () => {
  assert.equal(writeHash(createMap({ brightness: 3 })), "#bright=3");
});

test("a link tells the brightness of its sender, even where it is none", () => {
  assert.equal(writeHash(createMap({ of: "reads" })), "#of=reads&bright=0");
});

test("what an address says is what was shown when it was written", () => {
  const map = createMap({ against: "absolute", brightness: 2 });
  map.state.view = map.first.view({ a: 8, b: 16, c: 6, d: 12 });
  map.state.pins = [{ pane: map.first, row: 3, window: 4 }, { pane: map.panes[1], row: 9, window: 1 }];
  const hash = writeHash(map);
  assert.equal(hash, "#against=absolute&view=8-16.6-12&pin=0.3.4_1.9.1&bright=2");
  const { against, brightness, view, pins } = map.state;
  assert.deepEqual(readHash(hash, map), { against, brightness, view, pins });
});

test("a map opens where the load is, two maps where either has some, and its address says nothing of that", () => {
  const map = createMap();
  const headOf = (active) => ({ ...HEAD, metrics: { writes: { active } } });
  [map.first.head, map.panes[1].head] = [headOf([8, 40]), headOf([16, 48])];
  map.open();
  assert.deepEqual(map.first.part(map.state.view), { a: 8, b: 48, c: 0, d: 24 });
  assert.deepEqual([map.isOpening(), map.isWhole(), writeHash(map)], [true, false, ""]);
  map.state.view = WHOLE;
  assert.equal(writeHash(map), "#view=0-64.0-24&bright=0");
});

test("a view is cut to the map, and one outside of it is left out", () => {
  const map = createMap();
  assert.deepEqual(readHash("#view=32-999.0-999", map).view, map.first.view({ a: 32, b: 64, c: 0, d: 24 }));
  for (const text of ["64-65.0-1", "8-4.0-1", "1-2", "a-b.c-d", "1.5-2.0-1"]) {
    assert.equal("view" in readHash(`#view=${text}`, map), false, text);
  }
});

test("pins outside of a map, of another map or too many are left out", () => {
  const map = createMap(), rows = ({ pins }) => pins.map(({ row }) => row);
  assert.deepEqual(rows(readHash("#pin=0.1.1_0.64.1_5.2.2_0.3.24_0.-1.0_0.4.4", map)), [1]);
  assert.equal(readHash("#pin=0.1.1_0.2.1_0.3.1_0.4.1_0.5.1", map).pins.length, PINS_MAX);
});

test("a brightness that is no number, or too much, is within the scale", () => {
  const brightness = (text) => readHash(`#bright=${text}`, createMap()).brightness;
  assert.deepEqual(["3", "99", "-1", "x"].map(brightness), [3, 12, 0, 0]);
});

test("the address follows what is shown, but not where a map is a part of another page", () => {
  remember(createMap({ brightness: 1 }));
  assert.equal(history.address, "/designs/k/?a=1#bright=1");
  history.address = "";
  remember(Object.assign(createMap({ brightness: 1 }), { page: "/map/" }));
  assert.equal(history.address, "");
});

test("an address is recalled with its metric, and the way back is kept", async () => {
  location.hash = "#of=reads&bright=1&view=0-8.0-6";
  const map = createMap();
  assert.equal(await recall(map, { back: true }), true);
  assert.equal(map.state.of, "reads");
  assert.deepEqual(map.trail, [WHOLE]);
  assert.equal(map.isWhole(), false);
});

test("an address that says nothing of a map recalls nothing, nor one that is another by now", async () => {
  location.hash = "#K004";
  assert.equal(await recall(createMap()), false);
  location.hash = "#bright=4";
  const map = createMap();
  map.choose = async () => { location.hash = "#bright=5"; return true; };
  assert.equal(await recall(map), false);
  assert.equal(map.state.brightness, 0);
});

test("a metric that a map does not have is not asked for", async () => {
  location.hash = "#of=secrets";
  const map = createMap({ of: "writes" });
  await recall(map);
  assert.equal(map.state.of, "writes");
});

// --- keys

const PART = { a: 0, b: 64, c: 0, d: 24 };

test("arrow keys move the cursor by a cell, page keys by a sixteenth of what is shown", () => {
  const cursor = { row: 10, window: 5 };
  assert.deepEqual(nextCell("ArrowUp", cursor, PART), { row: 9, window: 5 });
  assert.deepEqual(nextCell("ArrowRight", cursor, PART), { row: 10, window: 6 });
  assert.deepEqual(nextCell("PageDown", cursor, PART), { row: 14, window: 5 });
});

test("the first arrow key puts the cursor at the corner of what is shown", () => {
  assert.deepEqual(nextCell("ArrowDown", null, { a: 8, b: 16, c: 3, d: 9 }), { row: 8, window: 3 });
});

test("Home and End lead to the first and last window of the row", () => {
  assert.deepEqual(nextCell("Home", { row: 9, window: 5 }, { ...PART, c: 2 }), { row: 9, window: 2 });
  assert.deepEqual(nextCell("End", { row: 9, window: 5 }, PART), { row: 9, window: 23 });
  assert.equal(nextCell("x", { row: 9, window: 5 }, PART), null);
});

test("Enter looks closer at a marked box, else it pins", () => {
  assert.equal(actionOf("Enter", true), "in");
  assert.equal(actionOf("Enter", false), "pin");
  assert.equal(actionOf("Z", false), "in");
  assert.equal(actionOf("Backspace", false), "back");
  assert.equal(actionOf("x", false), undefined);
});

test("closer is a quarter of the ranges and half of the windows, around the cursor, within what is shown", () => {
  assert.deepEqual(closerPart(PART, { row: 32, window: 12 }), { a: 24, b: 40, c: 6, d: 18 });
  assert.deepEqual(closerPart(PART, { row: 0, window: 23 }), { a: 0, b: 16, c: 12, d: 24 });
  assert.deepEqual(closerPart({ a: 8, b: 9, c: 3, d: 4 }, null), { a: 8, b: 9, c: 3, d: 4 });
});

test("around a range of the table are 32, within what is shown", () => {
  assert.deepEqual(partAround(PART, 30), { ...PART, a: 14, b: 46 });
  assert.deepEqual(partAround(PART, 63), { ...PART, a: 32, b: 64 });
  assert.deepEqual(partAround({ ...PART, a: 8, b: 16 }, 9), { ...PART, a: 8, b: 16 });
});

test("the hottest cell is the first of the largest, of all maps", () => {
  const map = createMap(), head = { ...HEAD, ranges: 2, windows: 3 };
  for (const pane of map.panes) Object.assign(pane, { head }).grids.set("writes", unpackGrid(packGrid(SMALL)));
  const { pane, row, window } = hottestCell(map);
  assert.deepEqual([pane === map.first, row, window], [true, 1, 0]);
});

test("a pin is one of a cell of a map", () => {
  const pins = [{ pane: "a", row: 1, window: 2 }, { pane: "b", row: 1, window: 2 }];
  assert.equal(findPin(pins, { pane: "b", row: 1, window: 2 }), 1);
  assert.equal(findPin(pins, { pane: "b", row: 2, window: 2 }), -1);
});

// --- scale and colours

function createScale(state) {
  const map = createMap(state);
  for (const pane of map.panes) pane.head = { ...HEAD, metrics: { writes: { top: 8, limit: 16 }, reads: { top: 4 } } };
  return map;
}

test("the brightest colour is the largest figure, half of it with each step of brightness", () => {
  assert.equal(createScale().top(), 8);
  assert.equal(createScale({ brightness: 2 }).top(), 2);
});

test("against the limit the scale ends at twice the limit, where there is one", () => {
  assert.equal(createScale({ against: "absolute" }).top(), 32);
  assert.equal(createScale({ against: "absolute", of: "reads" }).top(), 4);
});

test("nothing has the first colour, any figure another, the limit the middle, twice of it and more the last", () => {
  const map = createScale({ against: "absolute" }), values = new Float64Array(65536);
  values.set([0, 0.1, 9, 16, 32, 33]);
  const ramp = Uint32Array.of(0, 1, 2, 3, 4);
  assert.deepEqual([...map.colours({ values }, ramp).slice(0, 6)], [0, 1, 2, 2, 4, 4]);
});

test("the ramp runs from its first stop to its last, evenly, in the order of a canvas", () => {
  const ramp = rampOf([[0, 0, 0], [100, 50, 0], [255, 255, 255]]);
  assert.deepEqual([ramp.length, ramp[0], ramp[255]], [256, 0xff000000, 0xffffffff]);
  assert.deepEqual([ramp[51] & 255, ramp[51] >> 8 & 255, ramp[51] >> 16 & 255], [40, 20, 0]);
});
