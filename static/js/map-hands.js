// What people do with a map: its controls, its keys, the pointer.
import { addressOf, recall, remember } from "./map-address.js";
import { WHOLE } from "./map-explorer.js";
import { between, clamp, get, unpacked } from "./map-pane.js";
import { pin } from "./map-pins.js";
import { give } from "./map-text.js";

const DOES = { z: "in", Backspace: "back", r: "reset", h: "hottest", p: "pin", " ": "pin", d: "day" };
const STEPS = { "+": 1, "=": 1, "-": -1, "−": -1 };                      // of brightness

export function listen(map, started) {
  const does = actions(map);
  map.form.addEventListener("submit", (event) => event.preventDefault());
  map.form.addEventListener("input", async ({ target }) => {
    if (target.name === "of" && !await map.want(target.value)) return;
    if (target.name === "against") map.state.against = target.value;
    if (target.name === "brightness") {
      map.state.brightness = Number(target.value);
      try { localStorage.setItem("map-brightness", target.value); } catch { /* not remembered, but applied */ }
    }
    map.draw();
    map.told();
    if (target.name === "brightness") map.announce(map.output.textContent);
  });
  map.root.addEventListener("click", async ({ target, clientX }) => {
    await started;                                                       // the table of ranges is there before the map
    if (!map.ready) return;
    const button = target.closest("[data-do]"), range = target.closest("[data-range]");
    const dates = target.closest(".map-times"), label = target.closest(".map-keys span");
    const holder = (part, what) => map.panes.find((pane) => pane[part].contains(what));
    if (button) does[button.dataset.do](button);
    if (range) near(map, holder("hot", range), Number(range.dataset.range), Number(range.dataset.window));
    if (dates && map.days) dayAt(map, does, holder("times", dates), dates, clientX);
    if (label) labelled(map, holder("keys", label), label.dataset.rows);
  });
  for (const pane of map.panes) {
    pane.stage.addEventListener("keydown", (event) => {
      if (!map.ready || event.ctrlKey || event.metaKey || event.altKey) return;
      if (pressed(map, does, pane, event)) event.preventDefault();
    });
    pane.field.addEventListener("pointermove", (event) => {
      if (map.ready && event.pointerType !== "touch") map.readout({ pane, ...pane.at(event, map.state.view) });
    });
    pane.field.addEventListener("pointerleave", () => { if (map.ready) map.readout(); });
    pane.field.addEventListener("pointerdown", (event) => { if (!event.button && map.ready) grasp(map, pane, event); });
  }
  addEventListener("hashchange", async () => {
    await started;
    if (map.page || !map.ready || !await recall(map, { back: true })) return;
    map.shown();
    map.announce(map.first.said.textContent);
    map.root.scrollIntoView({ block: "nearest" });
  });
  document.addEventListener("schemechange", () => map.draw());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => map.draw());
}

function actions(map) {
  let finding = null;                                                    // the hottest cell, which the next key is about
  return {
    async in() {
      await finding;
      const pane = map.state.cursor?.pane ?? map.first;
      if (map.state.mark) return map.look(pane.view(map.box()));
      const { a, b, c, d } = pane.part(map.state.view);
      const row = map.state.cursor?.row ?? (a + b) / 2, window = map.state.cursor?.window ?? (c + d) / 2;
      const high = Math.max(1, Math.ceil((b - a) / 4)), wide = Math.max(1, Math.ceil((d - c) / 2));
      const from = clamp(Math.round(row - high / 2), a, b - high);
      const left = clamp(Math.round(window - wide / 2), c, d - wide);
      map.look(pane.view({ a: from, b: from + high, c: left, d: left + wide }));
    },
    back() { if (map.trail.length) map.look(map.trail.pop(), { back: false }); },
    reset() { if (!map.whole()) map.look(WHOLE); },
    hottest() { finding = this.find(); },
    async find() {
      let best = null;
      for (const pane of map.panes) {
        const part = pane.part(map.state.view), grid = pane.grid(map.state.of, part);
        for (let row = part.a; row < part.b; row += grid.together) {
          for (let window = part.c; window < part.d; window++) {
            const value = grid.values[pane.level(grid, row, window)];
            if (!best || value > best.value) best = { pane, row, window, value };
          }
        }
      }
      if (!best) return;
      const { pane, row, window } = best, { together } = pane.grid(map.state.of, pane.part(map.state.view));
      if (together > 1) {                                                // which of the ranges that share a line it is
        const query = `ranges=${row}-${row + together}&windows=${window}-${window + 1}`;
        try {
          const near = unpacked(await (await get(`${pane.address}${map.state.of}.bin?${query}`)).arrayBuffer());
          best.row = near.a + near.levels.indexOf(Math.max(...near.levels));
        } catch { /* the first of them */ }
      }
      map.go(best);
    },
    async pin() {
      await finding;
      if (map.state.cursor) pin(map, map.state.cursor);
    },
    day(window = map.state.cursor?.window) {
      if (window === undefined) return;
      const date = map.first.time(window).toISOString().slice(0, 10);
      map.days?.querySelector(`[data-day="${date}"]`)?.click();
    },
    copy(button) {
      const texts = [...map.pinned.querySelectorAll("li")].map((item) => item.dataset.text);
      give(map, button, texts.join("\n\n"));
    },
    link(button) { give(map, button, new URL(addressOf(map) + remember(map), location.href).href); },
  };
}

function near(map, pane, row, window) {                                  // some ranges around one that a table names
  const { a, b, c, d } = pane.part(map.state.view), high = Math.min(b - a, 32);
  const from = Math.round(clamp(row - high / 2, a, b - high));
  map.look(pane.view({ a: from, b: from + high, c, d }));
  pane.stage.focus();
  map.go({ pane, row, window });
}

function dayAt(map, does, pane, dates, x) {                              // below the picture, where days are written
  const { left, width } = dates.getBoundingClientRect(), { c, d } = pane.part(map.state.view);
  does.day(c + Math.floor(clamp((x - left) / width, 0, .99999) * (d - c)));
}

function labelled(map, pane, rows) {                                     // what a label beside the picture begins
  const [a, b] = rows.split("-").map(Number), { c, d } = pane.part(map.state.view);
  if (b > a) map.look(pane.view({ a, b, c, d }));
}

function step(map, pane, { key, shiftKey }) {                            // where a key leads the cursor, if anywhere
  const { a, b, c, d } = pane.part(map.state.view);
  const here = map.state.cursor?.pane === pane ? map.state.cursor : null, far = Math.ceil((b - a) / 16);
  const [down, across] = {
    ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], PageUp: [-far, 0], PageDown: [far, 0],
  }[key] ?? [];
  let to = null;
  if (down !== undefined) to = here ? { row: here.row + down, window: here.window + across } : { row: a, window: c };
  else if (key === "Home" || key === "End") to = { row: here?.row ?? a, window: key === "Home" ? c : d - 1 };
  if (to) map.go({ pane, ...to }, { marking: shiftKey });
  return to !== null;
}

function pressed(map, does, pane, event) {                               // whether the key means something here
  const { key } = event, does_ = DOES[key.length === 1 ? key.toLowerCase() : key];
  const name = key === "Enter" ? (map.state.mark ? "in" : "pin") : does_;
  if (step(map, pane, event)) return true;
  if (name) does[name]();
  else if (STEPS[key]) {
    map.brightness.value = map.state.brightness + STEPS[key];
    map.brightness.dispatchEvent(new Event("input", { bubbles: true }));
  } else if (key === "Escape" && map.state.mark) {
    map.state.mark = null;
    map.marks();
  } else return false;
  return true;
}

function grasp(map, pane, event) {                                       // a pointer goes down: on a cell, or for a box
  const from = pane.at(event, map.state.view);
  const part = (to) => between(from, pane.at(to, map.state.view));
  const drag = (next) => {
    if (next.pointerId !== event.pointerId) return;                      // another finger
    const way = Math.hypot(next.clientX - event.clientX, next.clientY - event.clientY);
    pane.dragging = pane.dragging || way > 5;
    if (pane.dragging) pane.cover(pane.box, part(next), map.state.view);
  };
  const done = (last) => {
    if (last.pointerId !== event.pointerId) return;
    for (const [name, does] of follows) removeEventListener(name, does);
    const dragged = pane.dragging;
    pane.dragging = false;
    pane.box.hidden = true;
    if (last.type === "pointercancel") return;
    if (dragged) return map.look(pane.view(part(last)));
    map.go({ pane, ...from });
    if (event.pointerType !== "touch") pin(map, map.state.cursor);
    const detail = { of: map.state.of, row: from.row, time: pane.time(from.window) };
    pane.stage.dispatchEvent(new CustomEvent("kw:cell", { bubbles: true, detail }));
  };
  const follows = [["pointermove", drag], ["pointerup", done], ["pointercancel", done]];
  for (const [name, does] of follows) addEventListener(name, does);
  pane.stage.focus({ preventScroll: true });
  event.preventDefault();
}
