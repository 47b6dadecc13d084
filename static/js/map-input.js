// What people do with a map: its controls, its keys, the pointer.
import { copyText, sayCopied } from "./clipboard.js";
import { addressOf, recall, remember } from "./map-address.js";
import { WHOLE } from "./map-explorer.js";
import { between, clamp, get, unpackGrid } from "./map-pane.js";
import { togglePin } from "./map-pins.js";

const ACTIONS = { z: "in", Backspace: "back", r: "reset", h: "hottest", p: "pin", " ": "pin", d: "day" };
const BRIGHTNESS_KEYS = { "+": 1, "=": 1, "-": -1, "−": -1 };
const DRAG_MIN_PX = 5;                                                   // less is a click
const NEAR_RANGES = 32;                                                  // shown around one that a table names

// --- what a key or a button leads to

// The cell that a key leads the cursor to, in the part that is shown; null for any other key.
export function nextCell(key, cursor, { a, b, c, d }) {
  const page = Math.ceil((b - a) / 16);
  const [down, across] = {
    ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
    PageUp: [-page, 0], PageDown: [page, 0],
  }[key] ?? [];
  if (key === "Home" || key === "End") return { row: cursor?.row ?? a, window: key === "Home" ? c : d - 1 };
  if (down === undefined) return null;
  return cursor ? { row: cursor.row + down, window: cursor.window + across } : { row: a, window: c };
}
export function actionOf(key, hasMark) {
  if (key === "Enter") return hasMark ? "in" : "pin";
  return ACTIONS[key.length === 1 ? key.toLowerCase() : key];
}

// A quarter of the ranges and half of the windows of a part, around the cursor or its middle.
export function closerPart({ a, b, c, d }, cursor) {
  const row = cursor?.row ?? (a + b) / 2, window = cursor?.window ?? (c + d) / 2;
  const rows = Math.max(1, Math.ceil((b - a) / 4)), windows = Math.max(1, Math.ceil((d - c) / 2));
  const top = clamp(Math.round(row - rows / 2), a, b - rows);
  const left = clamp(Math.round(window - windows / 2), c, d - windows);
  return { a: top, b: top + rows, c: left, d: left + windows };
}
export function partAround({ a, b, c, d }, row) {                        // with the ranges around one
  const rows = Math.min(b - a, NEAR_RANGES), top = Math.round(clamp(row - rows / 2, a, b - rows));
  return { a: top, b: top + rows, c, d };
}
export function hottestCell({ panes, state }) {                          // of what is shown; the first of equal ones
  let hottest = null;
  for (const pane of panes) {
    const part = pane.part(state.view), grid = pane.grid(state.of, part);
    for (let row = part.a; row < part.b; row += grid.together) {
      for (let window = part.c; window < part.d; window++) {
        const value = grid.values[pane.level(grid, row, window)];
        if (!hottest || value > hottest.value) hottest = { pane, row, window, value };
      }
    }
  }
  return hottest;
}

// --- wiring

async function copy(map, button, text) {
  await copyText(text);
  button.focus();
  sayCopied(button, map.first.head.words.copied);
  map.announce(map.first.head.words.copied);
}

export function listen(map, started) {
  const actions = createActions(map);
  // The form is only a group of controls; Enter in it must not load the page anew.
  map.form.addEventListener("submit", (event) => event.preventDefault());
  map.form.addEventListener("input", async ({ target }) => {
    if (target.name === "of" && !await map.choose(target.value)) return;
    if (target.name === "against") map.state.against = target.value;
    if (target.name === "brightness") {
      map.state.brightness = Number(target.value);
      try { localStorage.setItem("map-brightness", target.value); } catch { /* not remembered, but applied */ }
    }
    map.draw();
    map.update();
    if (target.name === "brightness") map.announce(map.output.textContent);
  });
  map.root.addEventListener("click", async ({ target, clientX }) => {
    await started;                                                       // the table of ranges is there before the map
    if (!map.ready) return;
    const button = target.closest("[data-do]"), range = target.closest("[data-range]");
    const dates = target.closest(".map-times"), label = target.closest(".map-keys span");
    const holder = (part, what) => map.panes.find((pane) => pane[part].contains(what));
    if (button) actions[button.dataset.do](button);
    if (range) showNear(map, holder("hot", range), Number(range.dataset.range), Number(range.dataset.window));
    if (dates && map.days) openDay(map, actions, holder("times", dates), dates, clientX);
    if (label) showRows(map, holder("keys", label), label.dataset.rows);
  });
  for (const pane of map.panes) {
    pane.stage.addEventListener("keydown", (event) => {
      if (!map.ready || event.ctrlKey || event.metaKey || event.altKey) return;
      if (pressKey(map, actions, pane, event)) event.preventDefault();
    });
    pane.field.addEventListener("pointermove", (event) => {
      if (map.ready && event.pointerType !== "touch") map.showReadout({ pane, ...pane.cellAt(event, map.state.view) });
    });
    pane.field.addEventListener("pointerleave", () => { if (map.ready) map.showReadout(); });
    pane.field.addEventListener("pointerdown", (event) => {
      if (!event.button && map.ready) startDrag(map, pane, event);
    });
  }
  addEventListener("hashchange", async () => {
    await started;
    if (map.page || !map.ready || !await recall(map, { back: true })) return;
    map.showAll();
    map.announce(map.first.extent.textContent);
    map.root.scrollIntoView({ block: "nearest" });
  });
  document.addEventListener("schemechange", () => map.recolour());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => map.recolour());
}

function createActions(map) {
  let finding = null;                                                   // the hottest cell, which the next key is about
  return {
    async in() {
      await finding;
      const { cursor, mark, view } = map.state, pane = cursor?.pane ?? map.first;
      map.look(pane.view(mark ? map.box() : closerPart(pane.part(view), cursor)));
    },
    back() { if (map.trail.length) map.look(map.trail.pop(), { back: false }); },
    reset() { if (!map.isWhole()) map.look(WHOLE); },
    hottest() { finding = this.find(); },
    async find() {
      const hottest = hottestCell(map);
      if (!hottest) return;
      const { pane, row, window } = hottest, { together } = pane.grid(map.state.of, pane.part(map.state.view));
      if (together > 1) {                                                // which of the ranges that share a line it is
        const query = `ranges=${row}-${row + together}&windows=${window}-${window + 1}`;
        try {
          const near = unpackGrid(await (await get(`${pane.address}${map.state.of}.bin?${query}`)).arrayBuffer());
          hottest.row = near.a + near.levels.indexOf(Math.max(...near.levels));
        } catch { /* the first of them */ }
      }
      map.go(hottest);
    },
    async pin() {
      await finding;
      if (map.state.cursor) togglePin(map, map.state.cursor);
    },
    day(window = map.state.cursor?.window) {
      if (window === undefined) return;
      const date = map.first.time(window).toISOString().slice(0, 10);
      map.days?.querySelector(`[data-day="${date}"]`)?.click();
    },
    copy(button) {
      const texts = [...map.pinned.querySelectorAll("li")].map((item) => item.dataset.text);
      copy(map, button, texts.join("\n\n"));
    },
    link(button) { copy(map, button, new URL(addressOf(map) + remember(map), location.href).href); },
  };
}

function showNear(map, pane, row, window) {                              // ranges around one that a table names
  map.look(pane.view(partAround(pane.part(map.state.view), row)));
  pane.stage.focus();
  map.go({ pane, row, window });
}

function openDay(map, actions, pane, dates, x) {                            // below the picture, where days are written
  const { left, width } = dates.getBoundingClientRect(), { c, d } = pane.part(map.state.view);
  actions.day(c + Math.floor(clamp((x - left) / width, 0, .99999) * (d - c)));
}

function showRows(map, pane, rows) {                                     // what a label beside the picture begins
  const [a, b] = rows.split("-").map(Number), { c, d } = pane.part(map.state.view);
  if (b > a) map.look(pane.view({ a, b, c, d }));
}

function pressKey(map, actions, pane, event) {                           // → whether the key means something here
  const cursor = map.state.cursor?.pane === pane ? map.state.cursor : null;
  const cell = nextCell(event.key, cursor, pane.part(map.state.view)), change = BRIGHTNESS_KEYS[event.key];
  const action = actionOf(event.key, map.state.mark !== null);
  if (cell) map.go({ pane, ...cell }, { marking: event.shiftKey });
  else if (action) actions[action]();
  else if (change) {
    map.brightness.value = map.state.brightness + change;
    map.brightness.dispatchEvent(new Event("input", { bubbles: true }));
  } else if (event.key === "Escape" && map.state.mark) {
    map.state.mark = null;
    map.drawMarks();
  } else return false;
  return true;
}

function startDrag(map, pane, event) {                                   // a pointer goes down: on a cell, or for a box
  const from = pane.cellAt(event, map.state.view);
  const partTo = (to) => between(from, pane.cellAt(to, map.state.view));
  const drag = (next) => {
    if (next.pointerId !== event.pointerId) return;                      // another finger
    const distance = Math.hypot(next.clientX - event.clientX, next.clientY - event.clientY);
    pane.dragging ||= distance > DRAG_MIN_PX;
    if (pane.dragging) pane.cover(pane.box, partTo(next), map.state.view);
  };
  const end = (last) => {
    if (last.pointerId !== event.pointerId) return;
    for (const [name, listener] of listeners) removeEventListener(name, listener);
    const isBox = pane.dragging;
    pane.dragging = false;
    pane.box.hidden = true;
    if (last.type === "pointercancel") return;
    if (isBox) return map.look(pane.view(partTo(last)));
    map.go({ pane, ...from });
    if (event.pointerType !== "touch") togglePin(map, map.state.cursor);
    const detail = { of: map.state.of, row: from.row, time: pane.time(from.window) };
    pane.stage.dispatchEvent(new CustomEvent("kw:cell", { bubbles: true, detail }));
  };
  const listeners = [["pointermove", drag], ["pointerup", end], ["pointercancel", end]];
  // On the window: a drag goes on, and ends, outside of the map as well.
  for (const [name, listener] of listeners) addEventListener(name, listener);
  pane.stage.focus({ preventScroll: true });
  event.preventDefault();
}
