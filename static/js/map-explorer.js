// One map, or two side by side that share metric, scale, brightness, view and pins: what is looked at, drawn and said.
import { heatRamp } from "./heat.js";
import { BRIGHTNESS_MAX, recall, remember } from "./map-address.js";
import { unitFormat } from "./map-axes.js";
import { between, cellOf, clamp, get, LEVELS, Pane, unpackGrid } from "./map-pane.js";
import { listPins, PIN_NAMES } from "./map-pins.js";
import { createElement, fillIn } from "./text.js";

function storedBrightness() {                                            // chosen last, on any map
  // Where cookies are blocked, reading localStorage throws.
  try { return clamp(Number(localStorage.getItem("map-brightness")) || 0, 0, BRIGHTNESS_MAX); } catch { return 0; }
}

export const WHOLE = { top: 0, bottom: 1, left: 0, right: 1 };

const isSame = (view, other) => Object.keys(WHOLE).every((side) => view[side] === other[side]);

// A part of the same size with a cell in it: the same part where it has it already.
export function scrollTo(part, { row, window }) {
  const { a, b, c, d } = part;
  const down = row < a ? row - a : Math.max(row - b + 1, 0);
  const across = window < c ? window - c : Math.max(window - d + 1, 0);
  return down || across ? { a: a + down, b: b + down, c: c + across, d: d + across } : part;
}

export class Explorer {
  constructor(root) {
    this.root = root;
    this.panes = [...root.querySelectorAll("[data-map]")].map((place) => new Pane(place));
    [this.first] = this.panes;
    const tables = root.querySelectorAll("[data-hot]");
    this.panes.forEach((pane, n) => { pane.hot = tables[n]; });
    this.form = root.querySelector("[data-controls]");
    this.live = root.querySelector("[data-live]");
    this.failure = root.querySelector("[data-failure]");
    this.pinned = root.querySelector("[data-pins]");
    this.brightness = this.form.elements.brightness;
    this.output = this.form.querySelector("output");
    this.metrics = [...this.form.querySelectorAll("[name=of]")].map((input) => input.value);
    const first = (name) => this.form.querySelector(`[name=${name}][checked]`).value;  // others may be restored
    this.usual = first("of");
    this.usualScale = first("against");
    this.page = root.dataset.page;                                       // the address is that of a map by itself
    this.days = root.closest("section")?.querySelector("[data-days]");   // of a month, as links
    this.trail = [];
    this.opening = WHOLE;
    this.ready = false;                                                  // from the first figures on
    this.wanted = this.usual;                                          // may still be on its way; `of` is what is shown
    this.state = {
      of: this.usual,
      against: this.usualScale,
      brightness: storedBrightness(),
      view: WHOLE,
      cursor: null,
      mark: null,
      pins: [],
    };
    this.shownTable = this.first.hot.childElementCount ? `${this.state.of}?` : "";
  }
  async choose(of) {                                                     // → whether it is shown now
    this.wanted = of;
    let failed = "";
    try { await Promise.all(this.panes.map((pane) => pane.load(of))); } catch { failed = this.root.dataset.failed; }
    // The answers of two choices can come in the other order.
    if (this.wanted !== of) return false;                                // something else was asked for since
    this.failure.textContent = failed;
    if (failed) this.wanted = this.state.of;
    else this.state.of = of;
    this.showChoices();
    return !failed;
  }
  showChoices() {
    const choices = { of: this.wanted, against: this.state.against };
    for (const [name, value] of Object.entries(choices)) {
      for (const input of this.form.querySelectorAll(`[name=${name}]`)) input.checked = input.value === value;
    }
  }

  metric(pane = this.first) { return pane.head.metrics[this.state.of]; }
  limit() { return this.panes.reduce((largest, pane) => Math.max(largest, this.metric(pane).limit ?? 0), 0); }
  isAbsolute() { return this.state.against === "absolute" && this.limit() > 0; }
  maximum() { return this.panes.reduce((largest, pane) => Math.max(largest, this.metric(pane).top), 0); }
  top() { return (this.isAbsolute() ? 2 * this.limit() : this.maximum()) / 2 ** this.state.brightness; }
  amount(value, pane = this.first) { return unitFormat(this.metric(pane).unit)(value); }
  isWhole() { return isSame(this.state.view, WHOLE); }
  isOpening() { return isSame(this.state.view, this.opening); }
  open() {                                                               // where the load is, of all maps together
    const parts = this.panes.map((pane) => ({ pane, active: this.metric(pane).active ?? [0, pane.head.ranges] }));
    const top = Math.min(...parts.map(({ pane, active }) => active[0] / pane.head.ranges));
    const bottom = Math.max(...parts.map(({ pane, active }) => active[1] / pane.head.ranges));
    this.opening = { ...WHOLE, top, bottom };
    this.state.view = this.opening;
  }

  colours(grid, ramp = heatRamp()) {
    const last = ramp.length - 1;
    // One look-up for each pixel: a table of all 65,536 levels costs less than a logarithm for each of 100,000 cells.
    const colours = new Uint32Array(LEVELS), top = this.top();
    for (let level = 0; level < LEVELS; level++) {
      colours[level] = ramp[top > 0 ? Math.min(last, Math.ceil(grid.values[level] / top * last)) : 0];
    }
    return colours;
  }
  draw() {                                                               // at most once a frame
    // Wheel and pointer fire many times in a frame.
    if (this.isDrawing || !this.ready) return;
    this.isDrawing = true;
    requestAnimationFrame(() => {
      this.isDrawing = false;
      const { of, view } = this.state;
      const ramp = heatRamp();
      for (const pane of this.panes) pane.draw(of, view, (grid) => this.colours(grid, ramp));
      this.drawMarks();
    });
  }
  drawMarks() {
    for (const pane of this.panes) {
      const here = this.state.cursor?.pane === pane ? this.state.cursor : null;
      pane.cursor.hidden = !here;
      if (here) pane.cover(pane.cursor, cellOf(here), this.state.view);
      if (!pane.dragging) {
        pane.box.hidden = !(here && this.state.mark);
        if (here && this.state.mark) pane.cover(pane.box, this.box(), this.state.view);
      }
      pane.field.querySelectorAll(".map-pin").forEach((pin) => pin.remove());
    }
    this.state.pins.forEach((pin, n) => {
      const sign = createElement("div", { className: "map-pin", textContent: PIN_NAMES[n] });
      pin.pane.field.append(sign);
      pin.pane.cover(sign, cellOf(pin), this.state.view);
    });
  }
  box() { return between(this.state.mark, this.state.cursor); }

  showExtent(pane) {                                                     // how much of the map is shown, and how finely
    const say = this.first.head.words, part = pane.part(this.state.view), { a, b, c, d } = part;
    const { together } = pane.grid(this.state.of, part);
    const ranges = (b - a).toLocaleString(document.documentElement.lang);
    const zoomed = () => fillIn(say.zoomed, { ranges, from: pane.moment(c), to: pane.until(d) });
    const span = this.isWhole() ? say.whole : zoomed();
    pane.extent.textContent = together > 1 ? `${span}. ${say.together.replace("{count}", together)}` : span;
    return part;
  }
  showLegend(pane) {                                                     // the legend
    const { legend } = pane, ramp = heatRamp();
    const image = new ImageData(256, 1), pixels = new Uint32Array(image.data.buffer);
    pixels.set(ramp);
    legend.querySelector("canvas").getContext("2d").putImageData(image, 0, 0);
    const more = this.state.brightness || (!this.isAbsolute() && this.metric(pane).top > this.top());
    legend.querySelector("[data-half]").textContent = this.amount(this.top() / 2, pane);
    legend.querySelector("[data-top]").textContent = `${more ? "≥ " : ""}${this.amount(this.top(), pane)}`;
    const over = legend.querySelector("[data-over]"), mark = legend.querySelector("[data-mark]");
    // Beyond the end of the scale, the mark would be drawn outside of it.
    mark.hidden = !this.limit() || this.limit() > this.top();
    mark.style.left = `${this.limit() / this.top() * 100}%`;
    over.hidden = !this.limit();
    const limited = () => `${this.metric(pane).limited ?? this.metric().limited}: ${this.amount(this.limit(), pane)}`;
    over.textContent = this.limit() ? limited() : "";
  }
  recolour() {
    for (const pane of this.panes) this.showLegend(pane);
    this.draw();
  }
  update() {                                                             // legend, view, files, table, address
    const against = this.isAbsolute() ? "absolute" : "relative", steps = this.state.brightness;
    const bright = this.first.head.words.bright.replace("{amount}", this.amount(this.top()));
    this.output.textContent = `×${2 ** steps} · ${bright}`;
    for (const pane of this.panes) {
      this.showLegend(pane);
      const { a, b, c, d } = this.showExtent(pane);
      const query = new URLSearchParams({ ranges: `${a}-${b}`, windows: `${c}-${d}`, against, brightness: steps });
      for (const link of pane.place.querySelectorAll("[data-file]")) {
        link.href = `${pane.address}${this.state.of}.${link.dataset.file}?${query}`;
      }
    }
    this.form.querySelector("[name=against][value=absolute]").disabled = !this.limit();
    this.form.querySelector("[data-do=back]").disabled = !this.trail.length;
    this.form.querySelector("[data-do=reset]").disabled = this.isWhole();
    this.showReadout();
    remember(this);
    clearTimeout(this.files);
    // After a pause, as each step of zooming would otherwise ask the server for a table that is gone at once.
    this.files = setTimeout(() => this.loadTables(), 250);
  }
  async loadTables() {                                                   // hottest ranges of what is shown, finer
    const mine = this.files;
    for (const pane of this.panes) {
      const part = pane.part(this.state.view), { a, b, c, d } = part;
      const query = this.isWhole() ? "" : `ranges=${a}-${b}&windows=${c}-${d}`;
      const rows = this.isOpening() ? "" : query;                        // what is said at first is said of all
      try {
        const { of } = this.state;
        if (query && pane.grids.get(of)?.together > 1 && pane.grid(of, part).together > 1) {
          const answer = await get(`${pane.address}${of}.bin?${query}`);
          pane.fine = { of, ...unpackGrid(await answer.arrayBuffer()) };
          this.draw();
          this.showExtent(pane);
        }
        const wanted = `${this.state.of}?${rows}`;
        if (wanted === this.shownTable && pane === this.first) break;
        const table = await (await get(`${pane.address}${wanted.replace("?", ".rows?")}`)).text();
        if (this.files !== mine) return;                                 // something else is shown by now
        pane.hot.innerHTML = table;
        pane.place.querySelector("[data-title]").textContent = pane.hot.querySelector("[data-finding]").dataset.finding;
        if (pane === this.panes.at(-1)) this.shownTable = wanted;
      } catch { /* what was there stays */ }
    }
  }

  words(cell) {
    const { pane, row, window } = cell, grid = pane.grid(this.state.of, cellOf(cell));
    const value = grid.values[pane.level(grid, row, window)], all = pane.grids.get(this.state.of).tops[window];
    const share = this.metric(pane).adds && all > 0 ? value / all : null;
    const percent = share === null ? "" : pane.head.words.of.replace("{share}", unitFormat(pane.head.share)(share));
    return { when: pane.moment(window), value: this.amount(value, pane), percent };
  }
  showReadout(cell = this.state.cursor) {
    for (const pane of this.panes) {
      const place = pane.place.querySelector(".map-readout"), here = cell?.pane === pane;
      place.classList.toggle("blank", !here);
      if (!here) continue;
      const { when, value, percent } = this.words(cell);
      place.querySelector("[data-from]").textContent = pane.start(cell.row);
      place.querySelector("[data-to]").textContent = pane.end(cell.row);
      place.querySelector("[data-said]").textContent = [when, value, percent].filter(Boolean).join(" · ");
    }
  }
  announce(text) {
    clearTimeout(this.saying);
    // After a moment: with a key held down, a screen reader would read every cell on the way.
    this.saying = setTimeout(() => { this.live.textContent = text; }, 120);
  }
  describe(cell) {
    const { when, value, percent } = this.words(cell), { pane, row } = cell;
    const amounts = [value, percent].filter(Boolean).join(", ");
    return fillIn(pane.head.words.cell, { from: pane.start(row), to: pane.end(row), when, value: amounts });
  }

  go(cell, { marking = false } = {}) {                                   // the cursor; what it leaves comes into view
    const { ranges, windows } = cell.pane.head;
    const next = { pane: cell.pane, row: clamp(cell.row, 0, ranges - 1), window: clamp(cell.window, 0, windows - 1) };
    this.state.mark = marking ? this.state.mark ?? this.state.cursor ?? next : null;
    this.state.cursor = next;
    const part = next.pane.part(this.state.view), scrolled = scrollTo(part, next);
    if (scrolled !== part) {
      this.state.view = next.pane.view(scrolled);
      this.draw();
      this.update();
    }
    this.drawMarks();
    this.showReadout();
    this.announce(this.describe(next));
  }
  look(view, { back = true } = {}) {
    if (back) this.trail.push(this.state.view);
    this.state.view = view;
    this.state.mark = null;
    this.draw();
    this.update();
    this.announce(this.first.extent.textContent);
  }
  showAll() {
    this.showChoices();
    this.brightness.value = this.state.brightness;
    listPins(this);
    this.draw();
    this.update();
  }
  async start() {
    const isRecalled = await recall(this);
    if (!isRecalled) {
      if (!await this.choose(this.usual)) return;
      this.open();
    }
    this.ready = true;
    // An observer reports once at the start, which makes the first drawing.
    for (const pane of this.panes) new ResizeObserver(() => this.draw()).observe(pane.field);
    this.colours(this.first.grids.get(this.state.of));
    this.showAll();
    this.root.dataset.ready = "";
    if (isRecalled) this.root.scrollIntoView({ block: "nearest" });
  }
}
