// The heatmap explorer: one map, or two side by side that share metric, scale, brightness, view and pins. What is drawn
// is to three digits (map-pane.js); what is pinned, copied or saved as a file is exact, from the server.
import { calendar, unitOf } from "./map-axes.js";
import { clamp, get, LEVELS, Pane, unpacked } from "./map-pane.js";

const MOST_PINS = 4, PIN_NAMES = "①②③④";
const WHOLE = { top: 0, bottom: 1, left: 0, right: 1 };

function explore(root) {
  const panes = [...root.querySelectorAll("[data-map]")].map((place) => new Pane(place)), first = panes[0], tables = root.querySelectorAll("[data-hot]");
  panes.forEach((pane, n) => { pane.hot = tables[n]; });
  const form = root.querySelector("[data-controls]"), live = root.querySelector("[data-live]"), pinned = root.querySelector("[data-pins]");
  const brightness = form.elements.brightness, output = form.querySelector("output");
  const metrics = [...form.querySelectorAll("[name=of]")].map((input) => input.value);
  const usual = form.elements.of.value, state = { of: usual, against: form.elements.against.value, brightness: Number(localStorage.getItem("map-brightness") ?? 0), view: WHOLE, cursor: null, mark: null, pins: [] };
  const { page } = root.dataset, address = () => (page ? new URL(page, location.href).href : location.pathname + location.search);  // the address is that of a map by itself
  const days = root.closest("section")?.querySelector("[data-days]");      // of a month: each leads to its quarters of an hour
  let trail = [], saying, files;

  const metric = (pane = first) => pane.head.metrics[state.of];
  const limit = () => panes.reduce((most, pane) => Math.max(most, metric(pane).limit ?? 0), 0);
  const absolute = () => state.against === "absolute" && limit() > 0;
  const top = () => (absolute() ? limit() : panes.reduce((most, pane) => Math.max(most, metric(pane).top), 0)) / 2 ** state.brightness;
  const amount = (value, pane = first) => unitOf(metric(pane).unit)(value);
  const whole = () => Object.keys(WHOLE).every((side) => state.view[side] === WHOLE[side]);

  function colours(grid) {
    const ramp = first.ramp ??= new Uint32Array(first.head.palette.map(([r, g, b]) => (255 << 24 | b << 16 | g << 8 | r) >>> 0));
    const made = new Uint32Array(LEVELS), bright = top(), over = absolute() ? limit() : Infinity, last = ramp.length - 2;
    for (let level = 0; level < LEVELS; level++) {
      const value = grid.values[level];
      made[level] = value > over * 1.0005 ? ramp[last + 1] : ramp[bright > 0 ? Math.min(last, Math.ceil(value / bright * last)) : 0];
    }
    return made;
  }
  let asked = false;
  function draw() {                                                      // at most once a frame
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => { asked = false; panes.forEach((pane) => { pane.draw(state.of, state.view, colours(pane.grid(state.of, pane.part(state.view)))); }); marks(); });
  }
  function marks() {
    for (const pane of panes) {
      const here = state.cursor?.pane === pane ? state.cursor : null;
      pane.cursor.hidden = !here;
      if (here) pane.cover(pane.cursor, { a: here.row, b: here.row + 1, c: here.window, d: here.window + 1 }, state.view);
      if (!pane.dragging) { pane.box.hidden = !(here && state.mark); if (here && state.mark) pane.cover(pane.box, box(), state.view); }
      pane.field.querySelectorAll(".map-pin").forEach((pin) => pin.remove());
    }
    state.pins.forEach((pin, n) => {
      const sign = Object.assign(document.createElement("div"), { className: "map-pin", textContent: PIN_NAMES[n] });
      pin.pane.field.append(sign);
      pin.pane.cover(sign, { a: pin.row, b: pin.row + 1, c: pin.window, d: pin.window + 1 }, state.view);
    });
  }
  const box = () => ({ a: Math.min(state.mark.row, state.cursor.row), b: Math.max(state.mark.row, state.cursor.row) + 1, c: Math.min(state.mark.window, state.cursor.window), d: Math.max(state.mark.window, state.cursor.window) + 1 });

  function spell(pane) {                                                 // how much of the map is shown, and how finely
    const { words } = first.head, part = pane.part(state.view), { a, b, c, d } = part, { together } = pane.grid(state.of, part);
    const span = whole() ? words.whole : words.zoomed.replace("{ranges}", (b - a).toLocaleString(document.documentElement.lang)).replace("{from}", moment(pane, c)).replace("{to}", until(pane, d));
    pane.said.textContent = together > 1 ? `${span}. ${words.together.replace("{count}", together)}` : span;
    return part;
  }
  function told() {                                                      // legend, view, files, table, address
    const steps = 2 ** state.brightness, { words } = first.head;
    output.textContent = `×${steps} · ${words.bright.replace("{amount}", amount(top()))}`;
    for (const pane of panes) {
      const legend = pane.legend, canvas = legend.querySelector("canvas"), { ramp } = first;
      const image = new ImageData(256, 1), pixels = new Uint32Array(image.data.buffer);
      for (let n = 0; n < 256; n++) pixels[n] = ramp?.[Math.round(n / 255 * (ramp.length - 2))] ?? 0;
      canvas.getContext("2d").putImageData(image, 0, 0);
      legend.querySelector("[data-half]").textContent = amount(top() / 2, pane);
      legend.querySelector("[data-top]").textContent = `${state.brightness || (!absolute() && metric(pane).top > top()) ? "≥ " : ""}${amount(top(), pane)}`;
      const over = legend.querySelector("[data-over]"), mark = legend.querySelector("[data-mark]");
      mark.hidden = !limit() || limit() > top();
      mark.style.left = `${limit() / top() * 100}%`;
      over.hidden = !limit();
      over.classList.toggle("past", absolute());
      over.textContent = limit() ? `${absolute() ? "> " : ""}${metric(pane).limited ?? metric().limited}: ${amount(limit(), pane)}` : "";
      const { a, b, c, d } = spell(pane);
      const query = new URLSearchParams({ ranges: `${a}-${b}`, windows: `${c}-${d}`, against: absolute() ? "absolute" : "relative", brightness: state.brightness });
      pane.place.querySelectorAll("[data-file]").forEach((link) => { link.href = `${pane.address}${state.of}.${link.dataset.file}?${query}`; });
    }
    form.querySelector("[name=against][value=absolute]").disabled = !limit();
    form.querySelector("[data-do=back]").disabled = !trail.length;
    form.querySelector("[data-do=reset]").disabled = whole();
    readout();
    remember();
    clearTimeout(files);
    files = setTimeout(table, 250);
  }
  const moment = (pane, window) => new Intl.DateTimeFormat(calendar(), { timeZone: "UTC", ...(pane.head.windows * pane.head.window > 90000 ? { day: "numeric", month: "short" } : {}), hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(pane.time(window));
  const until = (pane, window) => moment(pane, window).replace(/00:00$/, () => (window === pane.head.windows && pane.head.windows * pane.head.window <= 90000 ? "24:00" : "00:00"));

  let shownTable = first.hot.childElementCount ? `${state.of}?` : "";
  async function table() {                                               // the hottest ranges of what is shown, and finer figures
    const mine = files;
    for (const pane of panes) {
      const part = pane.part(state.view), query = whole() ? "" : `ranges=${part.a}-${part.b}&windows=${part.c}-${part.d}`;
      try {
        if (pane.grids.get(state.of)?.together > 1 && query && !(pane.grid(state.of, part).together === 1)) {
          const of = state.of, finer = unpacked(await (await get(`${pane.address}${of}.bin?${query}`)).arrayBuffer());
          pane.fine = { of, ...finer };
          draw(); spell(pane);
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
    const { pane, row, window } = cell, grid = pane.grid(state.of, { a: row, b: row + 1, c: window, d: window + 1 });
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
  function announce(text) { clearTimeout(saying); saying = setTimeout(() => { live.textContent = text; }, 120); }
  function spoken(cell) {
    const { when, value, percent } = words(cell), { pane, row } = cell;
    return pane.head.words.cell.replace("{from}", pane.start(row)).replace("{to}", pane.end(row)).replace("{when}", when).replace("{value}", [value, percent].filter(Boolean).join(", "));
  }

  function go(cell, { marking = false } = {}) {                          // the cursor; what it leaves comes into view
    const { ranges, windows } = cell.pane.head;
    const next = { pane: cell.pane, row: clamp(cell.row, 0, ranges - 1), window: clamp(cell.window, 0, windows - 1) };
    state.mark = marking ? state.mark ?? state.cursor ?? next : null;
    state.cursor = next;
    const { a, b, c, d } = next.pane.part(state.view);
    if (next.row < a || next.row >= b || next.window < c || next.window >= d) {
      const down = next.row < a ? next.row - a : next.row >= b ? next.row - b + 1 : 0, across = next.window < c ? next.window - c : next.window >= d ? next.window - d + 1 : 0;
      state.view = next.pane.view({ a: a + down, b: b + down, c: c + across, d: d + across });
      draw(); told();
    }
    marks(); readout(); announce(spoken(next));
  }
  function look(view, { back = true } = {}) {
    if (back) trail.push(state.view);
    state.view = view; state.mark = null;
    draw(); told();
    announce(first.said.textContent);
  }
  const does = {
    in() {
      const pane = state.cursor?.pane ?? first;
      if (state.mark) return look(pane.view(box()));
      const { a, b, c, d } = pane.part(state.view), row = state.cursor?.row ?? (a + b) / 2, window = state.cursor?.window ?? (c + d) / 2;
      const [high, wide] = [Math.max(1, Math.ceil((b - a) / 4)), Math.max(1, Math.ceil((d - c) / 2))];
      const from = clamp(Math.round(row - high / 2), a, b - high), left = clamp(Math.round(window - wide / 2), c, d - wide);
      look(pane.view({ a: from, b: from + high, c: left, d: left + wide }));
    },
    back() { if (trail.length) look(trail.pop(), { back: false }); },
    reset() { if (!whole()) look(WHOLE); },
    async hottest() {
      let best = null;
      for (const pane of panes) {
        const part = pane.part(state.view), grid = pane.grid(state.of, part);
        for (let row = part.a; row < part.b; row += grid.together) for (let window = part.c; window < part.d; window++) {
          const value = grid.values[pane.level(grid, row, window)];
          if (!best || value > best.value) best = { pane, row, window, value };
        }
      }
      if (!best) return;
      const { pane, row, window } = best, { together } = pane.grid(state.of, pane.part(state.view));
      if (together > 1) {                                                // which of the ranges that share a line it is
        const near = unpacked(await (await get(`${pane.address}${state.of}.bin?ranges=${row}-${row + together}&windows=${window}-${window + 1}`)).arrayBuffer());
        best.row = near.a + near.levels.indexOf(Math.max(...near.levels));
      }
      go(best);
    },
    pin() { if (state.cursor) pin(state.cursor); },
    day(window = state.cursor?.window) { if (window !== undefined) days?.querySelector(`[data-day="${first.time(window).toISOString().slice(0, 10)}"]`)?.click(); },
    copy(button) { give(button, [...pinned.querySelectorAll("li")].map((item) => item.dataset.text).join("\n\n")); },
    link(button) { give(button, new URL(address() + remember(), location.href).href); },
  };

  // --- pins: exact figures of up to four cells

  function pin(cell) {
    const same = state.pins.findIndex((one) => one.pane === cell.pane && one.row === cell.row && one.window === cell.window);
    if (same >= 0) state.pins.splice(same, 1);
    else if (state.pins.length === MOST_PINS) return announce(first.head.words.full);
    else { state.pins.push({ ...cell }); announce(first.head.words.pinned.replace("{cell}", spoken(cell))); }
    list(); marks(); remember();
  }
  function list() {
    pinned.hidden = !state.pins.length;
    pinned.querySelector("ol").replaceChildren(...state.pins.map((one, n) => {
      const item = document.createElement("li"), text = document.createElement("span"), remove = document.createElement("button");
      Object.assign(remove, { type: "button", className: "small plain", textContent: first.head.words.remove });
      remove.setAttribute("aria-label", `${first.head.words.remove} ${n + 1}`);
      remove.addEventListener("click", () => { state.pins.splice(n, 1); list(); marks(); remember(); form.querySelector("[data-do=pin]").focus(); });
      text.textContent = spoken(one);
      item.dataset.text = spoken(one);
      item.append(`${PIN_NAMES[n]} `, text, " ", remove);
      get(`${one.pane.address}cell.json?range=${one.row}&window=${one.window}`).then((answer) => answer.json()).then((cell) => {
        const { head } = one.pane, figures = cell.figures.map(({ label, said, share }) => `${label} ${said}${share ? ` (${share})` : ""}`).join(" · ");
        const title = panes.length > 1 ? `${one.pane.place.querySelector("h3").textContent} · ` : "";
        item.dataset.text = `${title}${head.title} · ${moment(one.pane, one.window)} UTC\n${cell.start || head.words.first} → ${cell.end || head.words.last}\n${figures}`;
        const key = Object.assign(document.createElement("span"), { className: "key", textContent: `${cell.start || head.words.first} → ${cell.end || head.words.last}` });
        text.replaceChildren(`${title}${moment(one.pane, one.window)} `, key, ` ${figures}`);
      }).catch(() => { /* the read-out stands */ });
      return item;
    }));
  }
  async function give(button, text) {
    try { await navigator.clipboard.writeText(text); } catch {           // without HTTPS there is no clipboard
      const field = Object.assign(document.createElement("textarea"), { value: text });
      document.body.append(field); field.select(); document.execCommand("copy"); field.remove(); button.focus();
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
    if (state.pins.length) said.set("pin", state.pins.map((one) => `${panes.indexOf(one.pane)}.${one.row}.${one.window}`).join("_"));
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
      const { ranges, windows } = first.head, [a, c] = [numbers[0], numbers[2]], [b, d] = [Math.min(numbers[1], ranges), Math.min(numbers[3], windows)];
      if (a < b && c < d) state.view = first.view({ a, b, c, d });
    }
    if (said.has("pin")) state.pins = said.get("pin").split("_").slice(0, MOST_PINS).map((one) => one.split(".").map(Number))
      .filter(([n, row, window]) => panes[n] && row >= 0 && row < panes[n].head.ranges && window >= 0 && window < panes[n].head.windows).map(([n, row, window]) => ({ pane: panes[n], row, window }));
    return true;
  }
  function shown() {
    for (const name of ["of", "against"]) form.querySelectorAll(`[name=${name}]`).forEach((input) => { input.checked = input.value === state[name]; });
    brightness.value = state.brightness;
    list(); draw(); told();
  }

  // --- what people do

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", async ({ target }) => {
    if (target.name === "brightness") { state.brightness = Number(target.value); localStorage.setItem("map-brightness", target.value); }
    else if (target.name) state[target.name] = target.value;
    try { await Promise.all(panes.map((pane) => pane.load(state.of))); } catch { return announce(root.dataset.failed); }
    draw(); told();
    if (target.name === "brightness") announce(output.textContent);
  });
  root.addEventListener("click", (event) => {
    const { target } = event, button = target.closest("[data-do]"), range = target.closest("[data-range]");
    if (button) does[button.dataset.do](button);
    if (range) {
      const pane = panes.find((one) => one.hot.contains(range)), row = Number(range.dataset.range), window = Number(range.dataset.window);
      const { a, b, c, d } = pane.part(state.view), high = Math.min(b - a, 32), from = clamp(row - high / 2, a, b - high);
      look(pane.view({ a: Math.round(from), b: Math.round(from) + high, c, d }));
      pane.stage.focus();
      go({ pane, row, window });
    }
    const label = target.closest(".map-keys span");
    const dates = target.closest(".map-times");
    if (dates && days) {
      const pane = panes.find((one) => one.times.contains(dates)), { left, width } = dates.getBoundingClientRect(), { c, d } = pane.part(state.view);
      does.day(c + Math.floor(clamp((event.clientX - left) / width, 0, .99999) * (d - c)));
    }
    if (label) {
      const pane = panes.find((one) => one.keys.contains(label)), [a, b] = label.dataset.rows.split("-").map(Number), { c, d } = pane.part(state.view);
      if (b > a) look(pane.view({ a, b, c, d }));
    }
  });
  for (const pane of panes) {
    pane.stage.addEventListener("keydown", (event) => {
      const { a, b, c, d } = pane.head ? pane.part(state.view) : {}, here = state.cursor?.pane === pane ? state.cursor : null;
      const [down, across] = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], PageUp: [-Math.ceil((b - a) / 16), 0], PageDown: [Math.ceil((b - a) / 16), 0] }[event.key] ?? [];
      const name = { z: "in", Z: "in", Backspace: "back", r: "reset", R: "reset", h: "hottest", H: "hottest", p: "pin", P: "pin", " ": "pin", d: "day", D: "day", Enter: state.mark ? "in" : "pin" }[event.key];
      const step = { "+": 1, "=": 1, "-": -1, "−": -1 }[event.key];
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (down !== undefined) go(here ? { pane, row: here.row + down, window: here.window + across } : { pane, row: a, window: c }, { marking: event.shiftKey });
      else if (event.key === "Home" || event.key === "End") go({ pane, row: here?.row ?? a, window: event.key === "Home" ? c : d - 1 }, { marking: event.shiftKey });
      else if (name) does[name]();
      else if (step) { brightness.value = state.brightness + step; brightness.dispatchEvent(new Event("input", { bubbles: true })); }
      else if (event.key === "Escape" && state.mark) { state.mark = null; marks(); }
      else return;
      event.preventDefault();
    });
    pane.field.addEventListener("pointermove", (event) => { if (pane.head && event.pointerType !== "touch") readout({ pane, ...pane.at(event, state.view) }); });
    pane.field.addEventListener("pointerleave", () => { if (pane.head) readout(); });
    pane.field.addEventListener("pointerdown", (event) => {
      if (event.button || !pane.head) return;
      const from = pane.at(event, state.view), [x, y] = [event.clientX, event.clientY];
      const part = (to) => ({ a: Math.min(from.row, to.row), b: Math.max(from.row, to.row) + 1, c: Math.min(from.window, to.window), d: Math.max(from.window, to.window) + 1 });
      const drag = (next) => {
        pane.dragging = pane.dragging || Math.hypot(next.clientX - x, next.clientY - y) > 5;
        if (pane.dragging) pane.cover(pane.box, part(pane.at(next, state.view)), state.view);
      };
      const done = (last) => {
        for (const [name, does] of [["pointermove", drag], ["pointerup", done], ["pointercancel", done]]) removeEventListener(name, does);
        const dragged = pane.dragging;
        pane.dragging = false;
        pane.box.hidden = true;
        if (last.type === "pointercancel") return;
        if (dragged) return look(pane.view(part(pane.at(last, state.view))));
        go({ pane, ...from });
        if (event.pointerType !== "touch") pin(state.cursor);
        pane.stage.dispatchEvent(new CustomEvent("kw:cell", { bubbles: true, detail: { of: state.of, row: from.row, time: pane.time(from.window) } }));
      };
      for (const [name, does] of [["pointermove", drag], ["pointerup", done], ["pointercancel", done]]) addEventListener(name, does);
      pane.stage.focus({ preventScroll: true });
      event.preventDefault();
    });
  }
  addEventListener("hashchange", async () => { if (!page && first.head && await recall({ back: true })) { shown(); announce(first.said.textContent); root.scrollIntoView({ block: "nearest" }); } });
  document.addEventListener("schemechange", draw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);

  (async () => {
    try {
      const asked = await recall();
      if (!asked) await Promise.all(panes.map((pane) => pane.load(state.of)));
      for (const pane of panes) { pane.drawn.hidden = false; new ResizeObserver(draw).observe(pane.field); }
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
  for (const { isIntersecting, target } of entries) if (isIntersecting) { seen.unobserve(target); explore(target); }
}, { rootMargin: "1000px" });
document.querySelectorAll("[data-explorer]").forEach((root) => { if (root.dataset.page) seen.observe(root); else explore(root); });
