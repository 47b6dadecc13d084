// Pins: exact figures of up to four cells, from the server.
import { PINS_MAX, remember } from "./map-address.js";
import { DAY, get } from "./map-pane.js";
import { createElement } from "./text.js";

export const PIN_NAMES = "①②③④";

export function findPin(pins, { pane, row, window }) {                   // → its index, or -1
  return pins.findIndex((pin) => pin.pane === pane && pin.row === row && pin.window === window);
}

export function togglePin(map, cell) {
  const index = findPin(map.state.pins, cell);
  if (index >= 0) return unpin(map, index);
  if (map.state.pins.length === PINS_MAX) return map.announce(map.first.head.words.full);
  map.state.pins.push({ ...cell });
  map.announce(map.first.head.words.pinned.replace("{cell}", map.describe(cell)));
  update(map);
}

function unpin(map, index) {
  map.state.pins.splice(index, 1);
  update(map);
}

function update(map) {
  listPins(map);
  map.drawMarks();
  remember(map);
}

export function listPins(map) {
  map.pinned.hidden = !map.state.pins.length;
  map.pinned.querySelector("ol").replaceChildren(...map.state.pins.map((pin, n) => createItem(map, pin, n)));
}

function createItem(map, pin, n) {
  const { remove: word } = map.first.head.words, item = document.createElement("li");
  const text = createElement("span", { textContent: map.describe(pin) });
  const remove = createElement("button", { type: "button", className: "small plain", textContent: word });
  remove.setAttribute("aria-label", `${word} ${n + 1}`);
  remove.addEventListener("click", () => {
    unpin(map, n);
    // The button that had the focus is gone with its pin.
    map.form.querySelector("[data-do=pin]").focus();
  });
  item.dataset.text = map.describe(pin);
  item.append(`${PIN_NAMES[n]} `, text, " ", remove);
  showExact(map, pin, item, text).catch(() => { /* the read-out stands */ });
  return item;
}

async function showExact(map, { pane, row, window }, item, text) {         // the server's, in the place of three digits
  const cell = await (await get(`${pane.address}cell.json?range=${row}&window=${window}`)).json(), { head } = pane;
  const describe = ({ label, said, share }) => `${label} ${said}${share ? ` (${share})` : ""}`;
  const figures = cell.figures.map(describe).join(" · ");
  const title = map.panes.length > 1 ? `${pane.place.querySelector("h3").textContent} · ` : "";
  const keys = `${cell.start || head.words.first} → ${cell.end || head.words.last}`, when = pane.moment(window);
  const dated = pane.moment(window, { ...DAY, year: "numeric" });        // what is pasted elsewhere says its day
  item.dataset.text = `${title}${head.title} · ${dated} UTC\n${keys}\n${figures}`;
  const range = createElement("span", { className: "key", textContent: keys });
  text.replaceChildren(`${title}${when} `, range, ` ${figures}`);
}
