// The address says what is shown: a link to it shows the same to somebody else.
import { clamp } from "./map-pane.js";

export const PINS_MAX = 4;
export const BRIGHTNESS_MAX = 12;
const NAMES = ["of", "against", "bright", "view", "pin"];

export const addressOf = ({ page }) => (page ? new URL(page, location.href).href : location.pathname + location.search);

// What is shown, as the end of an address; empty where it is what a map shows at first.
export function writeHash(map) {
  const { state } = map, { a, b, c, d } = map.first.part(state.view), parameters = new URLSearchParams();
  if (state.of !== map.usual) parameters.set("of", state.of);
  if (state.against !== (map.usualScale ?? "relative")) parameters.set("against", state.against);
  if (!map.isOpening()) parameters.set("view", `${a}-${b}.${c}-${d}`);
  const pins = state.pins.map(({ pane, row, window }) => `${map.panes.indexOf(pane)}.${row}.${window}`);
  if (pins.length) parameters.set("pin", pins.join("_"));
  const isEmpty = !parameters.toString();
  if (state.brightness || !isEmpty) parameters.set("bright", state.brightness);  // a link shows what its sender saw
  return parameters.toString() && `#${parameters}`;
}

// The part of the state that an address says; what it does not say, or not within this map, is left out.
export function readHash(hash, map) {
  const parameters = new URLSearchParams(hash.slice(1)), state = {};
  if (parameters.has("against")) state.against = parameters.get("against") === "absolute" ? "absolute" : "relative";
  if (parameters.has("bright")) state.brightness = clamp(Number(parameters.get("bright")) || 0, 0, BRIGHTNESS_MAX);
  const part = readPart(parameters.get("view") ?? "", map.first.head);
  if (part) state.view = map.first.view(part);
  if (parameters.has("pin")) state.pins = readPins(parameters.get("pin"), map.panes);
  return state;
}
function readPart(text, { ranges, windows }) {
  const numbers = text.split(/[-.]/).map(Number);
  if (numbers.length !== 4 || !numbers.every(Number.isInteger)) return null;
  const [a, b, c, d] = [numbers[0], Math.min(numbers[1], ranges), numbers[2], Math.min(numbers[3], windows)];
  return a < b && c < d ? { a, b, c, d } : null;
}
function readPins(text, panes) {
  const cells = text.split("_").slice(0, PINS_MAX).map((pin) => pin.split(".").map(Number));
  const isWithin = ([n, row, window]) => {
    const { head } = panes[n] ?? {};
    return head && row >= 0 && row < head.ranges && window >= 0 && window < head.windows;
  };
  return cells.filter(isWithin).map(([n, row, window]) => ({ pane: panes[n], row, window }));
}

export function remember(map) {
  const hash = writeHash(map);
  // Replaced, not pushed: each step of zooming would otherwise be a step of the back button.
  if (!map.page && location.hash !== hash) history.replaceState(history.state, "", addressOf(map) + hash);
  return hash;
}

export async function recall(map, { back = false } = {}) {               // → whether the address says anything
  const { hash } = location, parameters = new URLSearchParams(map.page ? "" : hash.slice(1));
  if (!NAMES.some((name) => parameters.has(name))) return false;
  if (!await map.choose(map.metrics.includes(parameters.get("of")) ? parameters.get("of") : map.state.of)) return false;
  if (location.hash !== hash) return false;                              // the address says something else by now
  if (back) map.trail.push(map.state.view);
  else map.open();
  Object.assign(map.state, readHash(hash, map));
  return true;
}
