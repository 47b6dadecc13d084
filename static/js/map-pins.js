// Pins: exact figures of up to four cells, from the server.
import { MOST_PINS, remember } from "./map-address.js";
import { DAY, get } from "./map-pane.js";
import { made } from "./map-text.js";

export const PIN_NAMES = "①②③④";

export function pin(map, cell) {
  const is = (one) => one.pane === cell.pane && one.row === cell.row && one.window === cell.window;
  const same = map.state.pins.findIndex(is);
  if (same >= 0) return unpin(map, same);
  if (map.state.pins.length === MOST_PINS) return map.announce(map.first.head.words.full);
  map.state.pins.push({ ...cell });
  map.announce(map.first.head.words.pinned.replace("{cell}", map.spoken(cell)));
  repin(map);
}

function unpin(map, place) {
  map.state.pins.splice(place, 1);
  repin(map);
}

function repin(map) {
  listPins(map);
  map.marks();
  remember(map);
}

export function listPins(map) {
  map.pinned.hidden = !map.state.pins.length;
  map.pinned.querySelector("ol").replaceChildren(...map.state.pins.map((one, n) => listed(map, one, n)));
}

function listed(map, one, n) {
  const { remove: word } = map.first.head.words, item = document.createElement("li");
  const text = made("span", { textContent: map.spoken(one) });
  const remove = made("button", { type: "button", className: "small plain", textContent: word });
  remove.setAttribute("aria-label", `${word} ${n + 1}`);
  remove.addEventListener("click", () => {
    unpin(map, n);
    map.form.querySelector("[data-do=pin]").focus();
  });
  item.dataset.text = map.spoken(one);
  item.append(`${PIN_NAMES[n]} `, text, " ", remove);
  exact(map, one, item, text).catch(() => { /* the read-out stands */ });
  return item;
}

async function exact(map, { pane, row, window }, item, text) {           // the server's, in the place of three digits
  const cell = await (await get(`${pane.address}cell.json?range=${row}&window=${window}`)).json(), { head } = pane;
  const figure = ({ label, said, share }) => `${label} ${said}${share ? ` (${share})` : ""}`;
  const figures = cell.figures.map(figure).join(" · ");
  const title = map.panes.length > 1 ? `${pane.place.querySelector("h3").textContent} · ` : "";
  const keys = `${cell.start || head.words.first} → ${cell.end || head.words.last}`, when = pane.moment(window);
  const dated = pane.moment(window, { ...DAY, year: "numeric" });        // what is pasted elsewhere says its day
  item.dataset.text = `${title}${head.title} · ${dated} UTC\n${keys}\n${figures}`;
  text.replaceChildren(`${title}${when} `, made("span", { className: "key", textContent: keys }), ` ${figures}`);
}
