// One map: its figures, which come as levels (maps/levels.py), and how they are drawn between their axes.
import { calendar, CLOCK, commonStart, datedLabels, dayOnce, keyLabel, shortenDated, timeTicks } from "./map-axes.js";
import { fetchComputed } from "./text.js";

export const LEVELS = 65536;
const DAY_S = 86400;
const NOTHING = ["", ""];
export const DAY = { day: "numeric", month: "short" };
export const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
export async function get(address) {
  const answer = await fetchComputed(address);
  if (!answer.ok) throw new Error(answer.statusText);
  return answer;
}

export const cellOf = ({ row, window }) => ({ a: row, b: row + 1, c: window, d: window + 1 });
export function between(one, other) {                                    // ranges a…b, windows c…d with both cells
  const [a, b] = [Math.min(one.row, other.row), Math.max(one.row, other.row) + 1];
  const [c, d] = [Math.min(one.window, other.window), Math.max(one.window, other.window) + 1];
  return { a, b, c, d };
}

export function unpackGrid(buffer) {
  const head = new DataView(buffer), [low, growth] = [head.getFloat64(0, true), head.getFloat64(8, true)];
  const [a, b, c, d, together] = [16, 20, 24, 28, 32].map((at) => head.getUint32(at, true));
  const rows = Math.ceil((b - a) / together), columns = d - c, cells = rows * columns;
  const bytes = new Uint8Array(buffer, 36), levels = new Uint16Array(cells), values = new Float64Array(LEVELS);
  // Low and high bytes come apart (maps/levels.py), since the high ones, being alike, are compressed well.
  for (let i = 0; i < cells; i++) levels[i] = bytes[i] | bytes[cells + i] << 8;
  for (let level = 1; level < LEVELS; level++) values[level] = low * Math.exp(growth * (level - 1));
  // A copy: a view of floats has to begin at a multiple of four bytes.
  const edges = new Float32Array(buffer.slice(36 + 2 * cells));
  const sides = edges.subarray(0, rows), tops = edges.subarray(rows);
  return { a, b, c, d, together, rows, columns, levels, values, sides, tops };
}

const BESIDE = ["mini", "top", "side", "keys", "times", "common", "legend"];
const PARTS = ["stage", "picture", "field", "box", "cursor", ...BESIDE];

export class Pane {                                                      // one map: its figures and how they are drawn
  constructor(place) {
    this.place = place;
    this.address = place.dataset.map;
    for (const name of PARTS) this[name] = place.querySelector(`.map-${name}`);
    this.extent = place.querySelector(".map-view");
    this.grids = new Map();
  }
  async load(of) {
    const head = async () => (await get(`${this.address}head.json`)).json();
    const buffer = async () => (await get(`${this.address}${of}.bin`)).arrayBuffer();
    const grid = async () => this.grids.set(of, unpackGrid(await buffer()));
    [this.head] = await Promise.all([this.head ?? head(), this.grids.has(of) || grid()]);
  }
  part({ top, bottom, left, right }) {                                   // a view in shares → ranges a…b, windows c…d
    const { ranges, windows } = this.head;
    const a = clamp(Math.round(top * ranges), 0, ranges - 1), b = clamp(Math.round(bottom * ranges), a + 1, ranges);
    const c = clamp(Math.round(left * windows), 0, windows - 1), d = clamp(Math.round(right * windows), c + 1, windows);
    return { a, b, c, d };
  }
  view({ a, b, c, d }) {
    const { ranges, windows } = this.head;
    return { top: a / ranges, bottom: b / ranges, left: c / windows, right: d / windows };
  }
  grid(of, { a, b, c, d }) {                                             // the finest that has this part
    const { fine } = this;
    const holds = fine && fine.of === of && fine.a <= a && fine.b >= b && fine.c <= c && fine.d >= d;
    return holds ? fine : this.grids.get(of);
  }
  level(grid, row, window) {
    return grid.levels[Math.floor((row - grid.a) / grid.together) * grid.columns + window - grid.c];
  }
  start(row) { return row > 0 ? this.head.keys[row - 1] : this.head.words.first; }
  end(row) { return this.head.keys[row] ?? this.head.words.last; }
  time(window) { return new Date((this.head.start + window * this.head.window) * 1000); }
  get days() { return this.head.windows * this.head.window > DAY_S + 3600; }  // more than one, rounding aside
  moment(window, date = this.days ? DAY : {}) {
    return new Intl.DateTimeFormat(calendar(), { timeZone: "UTC", ...date, ...CLOCK }).format(this.time(window));
  }
  until(window) {
    const end = window === this.head.windows && !this.days;
    // The end of a day would otherwise read as its beginning.
    return end ? this.moment(window).replace(/00:00$/, "24:00") : this.moment(window);
  }

  draw(of, view, coloursOf) {
    const part = this.part(view), grid = this.grid(of, part), ratio = devicePixelRatio || 1;
    const size = this.field.getBoundingClientRect();
    const wide = Math.max(1, Math.round(size.width * ratio)), high = Math.max(1, Math.round(size.height * ratio));
    // In a closed part of the page a map has no size, and a canvas of no width cannot be drawn.
    if (!size.width) return;
    const colours = coloursOf(grid), whole = this.grids.get(of);
    const { image, sides, tops } = binGrid(grid, part, { wide, high, colours, adds: this.head.metrics[of].adds });
    this.picture.width = wide;
    this.picture.height = high;
    const ink = this.picture.getContext("2d");
    // Each cell is to have one colour: smoothed, a single hot range would fade into its neighbours.
    ink.imageSmoothingEnabled = false;
    createImage(image, (canvas) => ink.drawImage(canvas, 0, 0, wide, high));
    bars(this.top, tops, size.width, ratio, false);
    bars(this.side, sides, size.height, ratio, true);
    this.axes(part, size);
    this.drawMini(of, part, high, whole === grid ? colours : coloursOf(whole));
  }
  drawMini(of, { a, b }, high, colours) {                               // the whole key space, what is shown as a frame
    const { ranges, windows, metrics } = this.head, whole = this.grids.get(of);
    const [canvas, frame] = this.mini.children, all = { a: 0, b: ranges, c: 0, d: windows };
    const { image } = binGrid(whole, all, { wide: 1, high, colours, adds: metrics[of].adds });
    [canvas.width, canvas.height] = [1, image.height];
    canvas.getContext("2d").putImageData(image, 0, 0);
    frame.hidden = b - a === ranges;
    Object.assign(frame.style, { top: `${a / ranges * 100}%`, height: `${(b - a) / ranges * 100}%` });
  }
  axes({ a, b, c, d }, size) {
    const { keys, labels: read, words } = this.head, most = Math.max(8, Math.floor((this.keys.clientWidth - 6) / 8));
    const common = a > 0 && b <= keys.length ? commonStart(keys[a - 1], keys[b - 1]) : "";
    const strip = common.length >= 4 ? common.length : 0, labels = [];
    this.common.textContent = strip ? words.all.replace("{start}", common) : "\u00a0";
    const count = clamp(Math.floor(size.height / 26), 2, b - a);
    const rows = Array.from({ length: count }, (_, n) => a + Math.floor(n * (b - a) / count));
    const dated = read && datedLabels(rows.map((row) => read[row - 1] ?? NOTHING));
    let before = "", said = NOTHING;
    for (const [n, row] of rows.entries()) {
      const key = row > 0 ? keys[row - 1] : "";
      const label = document.createElement("span");
      const text = row > 0 && dated?.[n];                                // with its time as a date
      const inKey = () => (key ? keyLabel(before, key, strip, most) : n === 0 ? words.first : "");
      label.textContent = text ? shortenDated(dayOnce(said, text), most) : inKey();
      label.style.top = `${n / count * 100}%`;
      label.title = key;
      label.dataset.rows = `${row}-${rows[n + 1] ?? b}`;
      labels.push(label);
      before = key;
      said = text || NOTHING;
    }
    this.keys.replaceChildren(...labels);
    const ticks = timeTicks(this.head.start + c * this.head.window, this.head.start + d * this.head.window, size.width);
    this.times.replaceChildren(...ticks.map(({ share, text }) => {
      const tick = document.createElement("span");
      tick.textContent = text;
      tick.style.left = `${share * 100}%`;
      return tick;
    }));
  }
  cover(box, { a, b, c, d }, view) {                                     // with a box; hidden where no cell is in view
    const visible = this.part(view);
    box.hidden = b <= visible.a || a >= visible.b || d <= visible.c || c >= visible.d;
    const across = (n) => clamp((n - visible.c) / (visible.d - visible.c), 0, 1) * 100;
    const down = (n) => clamp((n - visible.a) / (visible.b - visible.a), 0, 1) * 100;
    const shares = [across(c), down(a), across(d) - across(c), down(b) - down(a)];
    const [left, top, width, height] = shares.map((n) => `${n}%`);
    Object.assign(box.style, { left, top, width, height });
  }
  cellAt(event, view) {                                                   // the cell under a pointer
    const size = this.field.getBoundingClientRect(), { a, b, c, d } = this.part(view);
    // Below 1: the last pixel belongs to the last cell and not to one behind it.
    const share = (value, low, length) => clamp((value - low) / length, 0, .99999);
    const row = a + Math.floor(share(event.clientY, size.top, size.height) * (b - a));
    const window = c + Math.floor(share(event.clientX, size.left, size.width) * (d - c));
    return { row, window };
  }
}

// The picture of a part with a pixel for each cell, or for several where the screen is too small, and the sums (or the
// most) of its rows and columns for the bars beside it. Colours are those of the hottest cell of a pixel.
export function binGrid(grid, { a, b, c, d }, { wide, high, colours, adds }) {
  const first = Math.floor((a - grid.a) / grid.together), last = Math.ceil((b - grid.a) / grid.together);
  const rows = Math.min(high, last - first), columns = Math.min(wide, d - c), { levels, values } = grid;
  const image = new ImageData(columns, rows), pixels = new Uint32Array(image.data.buffer);
  const sides = new Float64Array(rows), tops = new Float64Array(columns);
  const line = (y) => first + Math.floor(y * (last - first) / rows);
  for (let y = 0; y < rows; y++) {
    const from = line(y), to = line(y + 1);
    for (let x = 0; x < columns; x++) {
      const left = c + Math.floor(x * (d - c) / columns) - grid.c;
      const right = c + Math.floor((x + 1) * (d - c) / columns) - grid.c;
      let most = 0, sum = 0;
      for (let row = from; row < to; row++) {
        for (let window = left; window < right; window++) {
          const level = levels[row * grid.columns + window];
          // The hottest cell of a pixel counts, so that a narrow hot range is not averaged away (decision 23).
          if (level > most) most = level;
          sum += values[level];
        }
      }
      pixels[y * columns + x] = colours[most];
      sides[y] = adds ? sides[y] + sum / (to - from) : Math.max(sides[y], values[most]);
      tops[x] = adds ? tops[x] + sum / (right - left) : Math.max(tops[x], values[most]);
    }
  }
  const whole = grid.together > 1 && grid.a === a && grid.b === b && grid.c === c && grid.d === d;
  if (whole) exactSides(sides, grid, first, last, adds);                 // ranges that share a line: sent beside it
  if (whole && columns === d - c) tops.set(grid.tops);
  return { image, sides, tops };
}
function exactSides(sides, grid, first, last, adds) {
  const rows = sides.length, line = (y) => first + Math.floor(y * (last - first) / rows);
  for (let y = 0; y < rows; y++) {
    const from = line(y), to = line(y + 1);
    const exact = grid.sides.subarray(from, to);
    sides[y] = adds ? exact.reduce((sum, side) => sum + side / (to - from), 0) : Math.max(0, ...exact);
  }
}

let scratch;
function createImage(image, draw) {
  // putImageData does not scale; drawn from a canvas of one pixel a cell, it does.
  scratch ??= document.createElement("canvas");
  scratch.width = image.width;
  scratch.height = image.height;
  scratch.getContext("2d").putImageData(image, 0, 0);
  draw(scratch);
}
function bars(canvas, sums, length, ratio, upright) {
  const [wide, high] = [canvas.clientWidth, canvas.clientHeight].map((n) => Math.max(1, Math.round(n * ratio)));
  canvas.width = wide;
  canvas.height = high;
  const ink = canvas.getContext("2d"), along = Math.round(length * ratio) / sums.length;
  const most = sums.reduce((a, b) => Math.max(a, b), 0);
  ink.fillStyle = getComputedStyle(canvas).color;
  if (most <= 0) return;
  sums.forEach((sum, n) => {
    const reach = sum / most * (upright ? wide : high);
    const from = Math.floor(n * along), size = Math.max(1, Math.floor((n + 1) * along) - from);
    if (upright) ink.fillRect(0, from, reach, size);
    else ink.fillRect(from, high - reach, size, reach);
  });
}
