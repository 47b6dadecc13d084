// The heatmap explorer: one map, or two side by side that share metric, scale, brightness, view and pins. What is drawn
// is to three digits (map-pane.js); what is pinned, copied or saved as a file is exact, from the server.
import { calendar, CLOCK, unitOf } from "./map-axes.js";
import { clamp, get, LEVELS, Pane, unpacked } from "./map-pane.js";

const MOST_PINS = 4, PIN_NAMES = "①②③④";
const WHOLE = { top: 0, bottom: 1, left: 0, right: 1 };
const DAY_S = 86400;
const DOES = { z: "in", Backspace: "back", r: "reset", h: "hottest", p: "pin", " ": "pin", d: "day" };
const STEPS = { "+": 1, "=": 1, "-": -1, "−": -1 };                      // of brightness

const cellOf = ({ row, window }) => ({ a: row, b: row + 1, c: window, d: window + 1 });
function between(one, other) {                                           // ranges a…b and windows c…d, both cells included
  const [a, b] = [Math.min(one.row, other.row), Math.max(one.row, other.row) + 1];
  const [c, d] = [Math.min(one.window, other.window), Math.max(one.window, other.window) + 1];
  return { a, b, c, d };
}
function filled(text, values) {                                          // each {name} by its value, whatever signs that has
  return Object.entries(values).reduce((said, [name, value]) => said.replace(`{${name}}`, () => value), text);
}
const made = (tag, properties) => Object.assign(document.createElement(tag), properties);

function explore(root) {
  const panes = [...root.querySelectorAll("[data-map]")].map((place) => new Pane(place)), first = panes[0];
  const tables = root.querySelectorAll("[data-hot]");
  panes.forEach((pane, n) => { pane.hot = tables[n]; });
  const form = root.querySelector("[data-controls]");
  const live = root.querySelector("[data-live]"), pinned = root.querySelector("[data-pins]");
  const brightness = form.elements.brightness, output = form.querySelector("output");
  const metrics = [...form.querySelectorAll("[name=of]")].map((input) => input.value);
  const usual = form.elements.of.value;
  const state = {
    of: usual,
    against: form.elements.against.value,
    brightness: Number(localStorage.getItem("map-brightness") ?? 0),
    view: WHOLE,
    cursor: null,
    mark: null,
    pins: [],
  };
  const { page } = root.dataset;                                         // the address is that of a map by itself
  const address = () => (page ? new URL(page, location.href).href : location.pathname + location.search);
  const days = root.closest("section")?.querySelector("[data-days]");    // of a month: each leads to its quarters of an hour
  let trail = [], saying, files;

  const metric = (pane = first) => pane.head.metrics[state.of];
  const limit = () => panes.reduce((most, pane) => Math.max(most, metric(pane).limit ?? 0), 0);
  const absolute = () => state.against === "absolute" && limit() > 0;
  const most = () => panes.reduce((found, pane) => Math.max(found, metric(pane).top), 0);
  const top = () => (absolute() ? limit() : most()) / 2 ** state.brightness;
  const amount = (value, pane = first) => unitOf(metric(pane).unit)(value);
  const whole = () => Object.keys(WHOLE).every((side) => state.view[side] === WHOLE[side]);

  function colours(grid) {
    const ramp = first.ramp ??= new Uint32Array(
      first.head.palette.map(([r, g, b]) => (255 << 24 | b << 16 | g << 8 | r) >>> 0),
    );
    const found = new Uint32Array(LEVELS), last = ramp.length - 2;
    const bright = top(), over = absolute() ? limit() : Infinity;
    for (let level = 0; level < LEVELS; level++) {
      const value = grid.values[level];
      const step = bright > 0 ? Math.min(last, Math.ceil(value / bright * last)) : 0;
      found[level] = ramp[value > over * 1.0005 ? last + 1 : step];
    }
    return found;
  }
  let asked = false;
  function draw() {                                                      // at most once a frame
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      for (const pane of panes) pane.draw(state.of, state.view, colours(pane.grid(state.of, pane.part(state.view))));
      marks();
    });
  }
  function marks() {
    for (const pane of panes) {
      const here = state.cursor?.pane === pane ? state.cursor : null;
      pane.cursor.hidden = !here;
      if (here) pane.cover(pane.cursor, cellOf(here), state.view);
      if (!pane.dragging) {
        pane.box.hidden = !(here && state.mark);
        if (here && state.mark) pane.cover(pane.box, box(), state.view);
      }
      pane.field.querySelectorAll(".map-pin").forEach((pin) => pin.remove());
    }
    state.pins.forEach((pin, n) => {
      const sign = made("div", { className: "map-pin", textContent: PIN_NAMES[n] });
      pin.pane.field.append(sign);
      pin.pane.cover(sign, cellOf(pin), state.view);
    });
  }
  const box = () => between(state.mark, state.cursor);

  function spell(pane) {                                                 // how much of the map is shown, and how finely
    const { words } = first.head, part = pane.part(state.view), { a, b, c, d } = part;
    const { together } = pane.grid(state.of, part), ranges = (b - a).toLocaleString(document.documentElement.lang);
    const zoomed = () => filled(words.zoomed, { ranges, from: moment(pane, c), to: until(pane, d) });
    const span = whole() ? words.whole : zoomed();
    pane.said.textContent = together > 1 ? `${span}. ${words.together.replace("{count}", together)}` : span;
    return part;
  }
  function explain(pane) {                                               // the legend
    const { legend } = pane, { ramp } = first;
    const image = new ImageData(256, 1), pixels = new Uint32Array(image.data.buffer);
    for (let n = 0; n < 256; n++) pixels[n] = ramp?.[Math.round(n / 255 * (ramp.length - 2))] ?? 0;
    legend.querySelector("canvas").getContext("2d").putImageData(image, 0, 0);
    const more = state.brightness || (!absolute() && metric(pane).top > top());
    legend.querySelector("[data-half]").textContent = amount(top() / 2, pane);
    legend.querySelector("[data-top]").textContent = `${more ? "≥ " : ""}${amount(top(), pane)}`;
    const over = legend.querySelector("[data-over]"), mark = legend.querySelector("[data-mark]");
    mark.hidden = !limit() || limit() > top();
    mark.style.left = `${limit() / top() * 100}%`;
    over.hidden = !limit();
    over.classList.toggle("past", absolute());
    const limited = () => `${metric(pane).limited ?? metric().limited}: ${amount(limit(), pane)}`;
    over.textContent = limit() ? `${absolute() ? "> " : ""}${limited()}` : "";
  }
  function told() {                                                      // legend, view, files, table, address
    const { words } = first.head, against = absolute() ? "absolute" : "relative", { brightness } = state;
    output.textContent = `×${2 ** brightness} · ${words.bright.replace("{amount}", amount(top()))}`;
    for (const pane of panes) {
      explain(pane);
      const { a, b, c, d } = spell(pane);
      const query = new URLSearchParams({ ranges: `${a}-${b}`, windows: `${c}-${d}`, against, brightness });
      for (const link of pane.place.querySelectorAll("[data-file]")) {
        link.href = `${pane.address}${state.of}.${link.dataset.file}?${query}`;
      }
    }
    form.querySelector("[name=against][value=absolute]").disabled = !limit();
    form.querySelector("[data-do=back]").disabled = !trail.length;
    form.querySelector("[data-do=reset]").disabled = whole();
    readout();
    remember();
    clearTimeout(files);
    files = setTimeout(table, 250);
  }
  const ofDays = ({ head }) => head.windows * head.window > DAY_S + 3600;  // rounding aside
  const DAY = { day: "numeric", month: "short" };
  const moment = (pane, window, date = ofDays(pane) ? DAY : {}) => {
    return new Intl.DateTimeFormat(calendar(), { timeZone: "UTC", ...date, ...CLOCK }).format(pane.time(window));
  };
  const until = (pane, window) => {
    const end = window === pane.head.windows && !ofDays(pane);
    return end ? moment(pane, window).replace(/00:00$/, "24:00") : moment(pane, window);
  };

  let shownTable = first.hot.childElementCount ? `${state.of}?` : "";
  async function table() {                                               // hottest ranges of what is shown, finer figures
    const mine = files;
    for (const pane of panes) {
      const part = pane.part(state.view), { a, b, c, d } = part;
      const query = whole() ? "" : `ranges=${a}-${b}&windows=${c}-${d}`;
      try {
        if (pane.grids.get(state.of)?.together > 1 && query && !(pane.grid(state.of, part).together === 1)) {
          const of = state.of, answer = await get(`${pane.address}${of}.bin?${query}`);
          pane.fine = { of, ...unpacked(await answer.arrayBuffer()) };
          draw();
          spell(pane);
        }
        const wanted = `${state.of}?${query}`;
        if (wanted === shownTable && pane === first) break;
        const rows = await (await get(`${pane.address}${wanted.replace("?", ".rows?")}`)).text();
        if (files !== mine) return;                                      // something else is shown by now
        pane.hot.innerHTML = rows;
        pane.place.querySelector("[data-title]").textContent = pane.hot.querySelector("[data-finding]").dataset.finding;
        if (pane === panes.at(-1)) shownTable = wanted;
      } catch { /* what was there stays */ }
    }
  }

  function words(cell) {
    const { pane, row, window } = cell, grid = pane.grid(state.of, cellOf(cell));
    const value = grid.values[pane.level(grid, row, window)], all = pane.grids.get(state.of).tops[window];
    const share = metric(pane).adds && all > 0 ? value / all : null;
    const percent = share === null ? "" : pane.head.words.of.replace("{share}", unitOf(pane.head.share)(share));
    return { when: moment(pane, window), value: amount(value, pane), percent };
  }
  function readout(cell = state.cursor) {
    for (const pane of panes) {
      const place = pane.place.querySelector(".map-readout"), here = cell?.pane === pane;
      place.classList.toggle("blank", !here);
      if (!here) continue;
      const { when, value, percent } = words(cell);
      place.querySelector("[data-from]").textContent = pane.start(cell.row);
      place.querySelector("[data-to]").textContent = pane.end(cell.row);
      place.querySelector("[data-said]").textContent = [when, value, percent].filter(Boolean).join(" · ");
    }
  }
  function announce(text) {
    clearTimeout(saying);
    saying = setTimeout(() => { live.textContent = text; }, 120);
  }
  function spoken(cell) {
    const { when, value, percent } = words(cell), { pane, row } = cell;
    const amounts = [value, percent].filter(Boolean).join(", ");
    return filled(pane.head.words.cell, { from: pane.start(row), to: pane.end(row), when, value: amounts });
  }

  function go(cell, { marking = false } = {}) {                          // the cursor; what it leaves comes into view
    const { ranges, windows } = cell.pane.head;
    const next = { pane: cell.pane, row: clamp(cell.row, 0, ranges - 1), window: clamp(cell.window, 0, windows - 1) };
    state.mark = marking ? state.mark ?? state.cursor ?? next : null;
    state.cursor = next;
    const { a, b, c, d } = next.pane.part(state.view);
    if (next.row < a || next.row >= b || next.window < c || next.window >= d) {
      const down = next.row < a ? next.row - a : Math.max(next.row - b + 1, 0);
      const across = next.window < c ? next.window - c : Math.max(next.window - d + 1, 0);
      state.view = next.pane.view({ a: a + down, b: b + down, c: c + across, d: d + across });
      draw();
      told();
    }
    marks();
    readout();
    announce(spoken(next));
  }
  function look(view, { back = true } = {}) {
    if (back) trail.push(state.view);
    state.view = view;
    state.mark = null;
    draw();
    told();
    announce(first.said.textContent);
  }
  const does = {
    in() {
      const pane = state.cursor?.pane ?? first;
      if (state.mark) return look(pane.view(box()));
      const { a, b, c, d } = pane.part(state.view);
      const row = state.cursor?.row ?? (a + b) / 2, window = state.cursor?.window ?? (c + d) / 2;
      const high = Math.max(1, Math.ceil((b - a) / 4)), wide = Math.max(1, Math.ceil((d - c) / 2));
      const from = clamp(Math.round(row - high / 2), a, b - high);
      const left = clamp(Math.round(window - wide / 2), c, d - wide);
      look(pane.view({ a: from, b: from + high, c: left, d: left + wide }));
    },
    back() { if (trail.length) look(trail.pop(), { back: false }); },
    reset() { if (!whole()) look(WHOLE); },
    async hottest() {
      let best = null;
      for (const pane of panes) {
        const part = pane.part(state.view), grid = pane.grid(state.of, part);
        for (let row = part.a; row < part.b; row += grid.together) {
          for (let window = part.c; window < part.d; window++) {
            const value = grid.values[pane.level(grid, row, window)];
            if (!best || value > best.value) best = { pane, row, window, value };
          }
        }
      }
      if (!best) return;
      const { pane, row, window } = best, { together } = pane.grid(state.of, pane.part(state.view));
      if (together > 1) {                                                // which of the ranges that share a line it is
        const query = `ranges=${row}-${row + together}&windows=${window}-${window + 1}`;
        const near = unpacked(await (await get(`${pane.address}${state.of}.bin?${query}`)).arrayBuffer());
        best.row = near.a + near.levels.indexOf(Math.max(...near.levels));
      }
      go(best);
    },
    pin() { if (state.cursor) pin(state.cursor); },
    day(window = state.cursor?.window) {
      if (window === undefined) return;
      const date = first.time(window).toISOString().slice(0, 10);
      days?.querySelector(`[data-day="${date}"]`)?.click();
    },
    copy(button) { give(button, [...pinned.querySelectorAll("li")].map((item) => item.dataset.text).join("\n\n")); },
    link(button) { give(button, new URL(address() + remember(), location.href).href); },
  };

  // --- pins: exact figures of up to four cells

  function pin(cell) {
    const is = (one) => one.pane === cell.pane && one.row === cell.row && one.window === cell.window;
    const same = state.pins.findIndex(is);
    if (same >= 0) return unpin(same);
    if (state.pins.length === MOST_PINS) return announce(first.head.words.full);
    state.pins.push({ ...cell });
    announce(first.head.words.pinned.replace("{cell}", spoken(cell)));
    repin();
  }
  function unpin(place) {
    state.pins.splice(place, 1);
    repin();
  }
  function repin() {
    list();
    marks();
    remember();
  }
  function list() {
    pinned.hidden = !state.pins.length;
    pinned.querySelector("ol").replaceChildren(...state.pins.map(listed));
  }
  function listed(one, n) {
    const { remove: word } = first.head.words, item = document.createElement("li");
    const text = made("span", { textContent: spoken(one) });
    const remove = made("button", { type: "button", className: "small plain", textContent: word });
    remove.setAttribute("aria-label", `${word} ${n + 1}`);
    remove.addEventListener("click", () => {
      unpin(n);
      form.querySelector("[data-do=pin]").focus();
    });
    item.dataset.text = spoken(one);
    item.append(`${PIN_NAMES[n]} `, text, " ", remove);
    exact(one, item, text).catch(() => { /* the read-out stands */ });
    return item;
  }
  async function exact({ pane, row, window }, item, text) {
    const cell = await (await get(`${pane.address}cell.json?range=${row}&window=${window}`)).json(), { head } = pane;
    const figure = ({ label, said, share }) => `${label} ${said}${share ? ` (${share})` : ""}`;
    const figures = cell.figures.map(figure).join(" · ");
    const title = panes.length > 1 ? `${pane.place.querySelector("h3").textContent} · ` : "";
    const keys = `${cell.start || head.words.first} → ${cell.end || head.words.last}`, when = moment(pane, window);
    const whole = moment(pane, window, { ...DAY, year: "numeric" });         // what is pasted elsewhere says which day it was
    item.dataset.text = `${title}${head.title} · ${whole} UTC\n${keys}\n${figures}`;
    text.replaceChildren(`${title}${when} `, made("span", { className: "key", textContent: keys }), ` ${figures}`);
  }
  async function give(button, text) {
    try { await navigator.clipboard.writeText(text); } catch {           // without HTTPS there is no clipboard
      const field = made("textarea", { value: text });
      document.body.append(field);
      field.select();
      document.execCommand("copy");
      field.remove();
      button.focus();
    }
    const said = button.textContent;
    if (said === first.head.words.copied) return;
    button.textContent = first.head.words.copied;
    announce(first.head.words.copied);
    setTimeout(() => { button.textContent = said; }, 2000);
  }

  // --- the address says what is shown

  function remember() {
    const { a, b, c, d } = first.part(state.view), said = new URLSearchParams();
    if (state.of !== usual) said.set("of", state.of);
    if (state.against !== "relative") said.set("against", state.against);
    if (!whole()) said.set("view", `${a}-${b}.${c}-${d}`);
    const pins = state.pins.map(({ pane, row, window }) => `${panes.indexOf(pane)}.${row}.${window}`);
    if (pins.length) said.set("pin", pins.join("_"));
    if (state.brightness || said.toString()) said.set("bright", state.brightness);  // a link shows what its sender saw
    const hash = said.toString() ? `#${said}` : "";
    if (!page && location.hash !== hash) history.replaceState(history.state, "", address() + hash);
    return hash;
  }
  async function recall({ back = false } = {}) {
    const said = new URLSearchParams(page ? "" : location.hash.slice(1));
    if (![..."of against bright view pin".split(" ")].some((name) => said.has(name))) return false;
    if (metrics.includes(said.get("of"))) state.of = said.get("of");
    if (said.has("against")) state.against = said.get("against") === "absolute" ? "absolute" : "relative";
    if (said.has("bright")) state.brightness = clamp(Number(said.get("bright")) || 0, 0, 12);
    await Promise.all(panes.map((pane) => pane.load(state.of)));
    const numbers = (said.get("view") ?? "").split(/[-.]/).map(Number);
    if (back) trail.push(state.view);
    if (numbers.length === 4 && numbers.every(Number.isInteger)) {
      const { ranges, windows } = first.head, [a, , c] = numbers;
      const b = Math.min(numbers[1], ranges), d = Math.min(numbers[3], windows);
      if (a < b && c < d) state.view = first.view({ a, b, c, d });
    }
    if (said.has("pin")) state.pins = pinsIn(said.get("pin"));
    return true;
  }
  function pinsIn(text) {
    const cells = text.split("_").slice(0, MOST_PINS).map((one) => one.split(".").map(Number));
    const within = ([n, row, window]) => {
      const { head } = panes[n] ?? {};
      return head && row >= 0 && row < head.ranges && window >= 0 && window < head.windows;
    };
    return cells.filter(within).map(([n, row, window]) => ({ pane: panes[n], row, window }));
  }
  function shown() {
    for (const name of ["of", "against"]) {
      for (const input of form.querySelectorAll(`[name=${name}]`)) input.checked = input.value === state[name];
    }
    brightness.value = state.brightness;
    list();
    draw();
    told();
  }

  // --- what people do

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", async ({ target }) => {
    if (target.name === "brightness") {
      state.brightness = Number(target.value);
      localStorage.setItem("map-brightness", target.value);
    } else if (target.name) state[target.name] = target.value;
    try { await Promise.all(panes.map((pane) => pane.load(state.of))); } catch { return announce(root.dataset.failed); }
    draw();
    told();
    if (target.name === "brightness") announce(output.textContent);
  });

  function near(pane, row, window) {                                     // some ranges around one that a table names
    const { a, b, c, d } = pane.part(state.view), high = Math.min(b - a, 32);
    const from = Math.round(clamp(row - high / 2, a, b - high));
    look(pane.view({ a: from, b: from + high, c, d }));
    pane.stage.focus();
    go({ pane, row, window });
  }
  function dayAt(pane, dates, x) {                                       // below the picture, where its days are written
    const { left, width } = dates.getBoundingClientRect(), { c, d } = pane.part(state.view);
    does.day(c + Math.floor(clamp((x - left) / width, 0, .99999) * (d - c)));
  }
  function labelled(pane, rows) {                                        // the ranges that a label beside the picture begins
    const [a, b] = rows.split("-").map(Number), { c, d } = pane.part(state.view);
    if (b > a) look(pane.view({ a, b, c, d }));
  }
  root.addEventListener("click", ({ target, clientX }) => {
    const button = target.closest("[data-do]"), range = target.closest("[data-range]");
    const dates = target.closest(".map-times"), label = target.closest(".map-keys span");
    const holder = (part, what) => panes.find((pane) => pane[part].contains(what));
    if (button) does[button.dataset.do](button);
    if (range) near(holder("hot", range), Number(range.dataset.range), Number(range.dataset.window));
    if (dates && days) dayAt(holder("times", dates), dates, clientX);
    if (label) labelled(holder("keys", label), label.dataset.rows);
  });

  function step(pane, { key, shiftKey }) {                               // where a key leads the cursor, if anywhere
    const { a, b, c, d } = pane.head ? pane.part(state.view) : {};
    const here = state.cursor?.pane === pane ? state.cursor : null, far = Math.ceil((b - a) / 16);
    const [down, across] = {
      ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], PageUp: [-far, 0], PageDown: [far, 0],
    }[key] ?? [];
    let to = null;
    if (down !== undefined) to = here ? { row: here.row + down, window: here.window + across } : { row: a, window: c };
    else if (key === "Home" || key === "End") to = { row: here?.row ?? a, window: key === "Home" ? c : d - 1 };
    if (to) go({ pane, ...to }, { marking: shiftKey });
    return to !== null;
  }
  function pressed(pane, event) {                                        // whether the key means something here
    const { key } = event, does_ = DOES[key.length === 1 ? key.toLowerCase() : key];
    const name = key === "Enter" ? (state.mark ? "in" : "pin") : does_;
    if (step(pane, event)) return true;
    if (name) does[name]();
    else if (STEPS[key]) {
      brightness.value = state.brightness + STEPS[key];
      brightness.dispatchEvent(new Event("input", { bubbles: true }));
    } else if (key === "Escape" && state.mark) {
      state.mark = null;
      marks();
    } else return false;
    return true;
  }

  function grasp(pane, event) {                                          // a pointer goes down: on a cell, or for a box
    const from = pane.at(event, state.view);
    const part = (to) => between(from, pane.at(to, state.view));
    const drag = (next) => {
      const way = Math.hypot(next.clientX - event.clientX, next.clientY - event.clientY);
      pane.dragging = pane.dragging || way > 5;
      if (pane.dragging) pane.cover(pane.box, part(next), state.view);
    };
    const done = (last) => {
      for (const [name, does] of follows) removeEventListener(name, does);
      const dragged = pane.dragging;
      pane.dragging = false;
      pane.box.hidden = true;
      if (last.type === "pointercancel") return;
      if (dragged) return look(pane.view(part(last)));
      go({ pane, ...from });
      if (event.pointerType !== "touch") pin(state.cursor);
      const detail = { of: state.of, row: from.row, time: pane.time(from.window) };
      pane.stage.dispatchEvent(new CustomEvent("kw:cell", { bubbles: true, detail }));
    };
    const follows = [["pointermove", drag], ["pointerup", done], ["pointercancel", done]];
    for (const [name, does] of follows) addEventListener(name, does);
    pane.stage.focus({ preventScroll: true });
    event.preventDefault();
  }

  for (const pane of panes) {
    pane.stage.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (pressed(pane, event)) event.preventDefault();
    });
    pane.field.addEventListener("pointermove", (event) => {
      if (pane.head && event.pointerType !== "touch") readout({ pane, ...pane.at(event, state.view) });
    });
    pane.field.addEventListener("pointerleave", () => { if (pane.head) readout(); });
    pane.field.addEventListener("pointerdown", (event) => { if (!event.button && pane.head) grasp(pane, event); });
  }
  addEventListener("hashchange", async () => {
    if (page || !first.head || !await recall({ back: true })) return;
    shown();
    announce(first.said.textContent);
    root.scrollIntoView({ block: "nearest" });
  });
  document.addEventListener("schemechange", draw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);

  (async () => {
    try {
      const asked = await recall();
      if (!asked) await Promise.all(panes.map((pane) => pane.load(state.of)));
      for (const pane of panes) {
        pane.drawn.hidden = false;
        new ResizeObserver(draw).observe(pane.field);
      }
      form.hidden = root.querySelector("[data-hint]").hidden = false;
      colours(first.grids.get(state.of));
      shown();
      root.dataset.ready = "";
      if (asked) root.scrollIntoView({ block: "nearest" });
    } catch (problem) {
      live.textContent = root.dataset.failed;
      throw problem;
    }
  })();
}

// Maps within a page begin before they come into view: what is in sight does not move.
const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    explore(target);
  }
}, { rootMargin: "1000px" });
for (const root of document.querySelectorAll("[data-explorer]")) {
  if (root.dataset.page) seen.observe(root);
  else explore(root);
}
