// The address says what is shown: a link to it shows the same to somebody else.
import { clamp } from "./map-pane.js";

export const MOST_PINS = 4;

export const addressOf = ({ page }) => (page ? new URL(page, location.href).href : location.pathname + location.search);

export function remember(map) {
  const { a, b, c, d } = map.first.part(map.state.view), said = new URLSearchParams();
  if (map.state.of !== map.usual) said.set("of", map.state.of);
  if (map.state.against !== "relative") said.set("against", map.state.against);
  if (!map.whole()) said.set("view", `${a}-${b}.${c}-${d}`);
  const pins = map.state.pins.map(({ pane, row, window }) => `${map.panes.indexOf(pane)}.${row}.${window}`);
  if (pins.length) said.set("pin", pins.join("_"));
  const { brightness } = map.state;
  if (brightness || said.toString()) said.set("bright", brightness);     // a link shows what its sender saw
  const hash = said.toString() ? `#${said}` : "";
  if (!map.page && location.hash !== hash) history.replaceState(history.state, "", addressOf(map) + hash);
  return hash;
}

export async function recall(map, { back = false } = {}) {
  const { hash } = location, said = new URLSearchParams(map.page ? "" : hash.slice(1));
  if (!["of", "against", "bright", "view", "pin"].some((name) => said.has(name))) return false;
  if (!await map.want(map.metrics.includes(said.get("of")) ? said.get("of") : map.state.of)) return false;
  if (location.hash !== hash) return false;                              // the address says something else by now
  if (said.has("against")) map.state.against = said.get("against") === "absolute" ? "absolute" : "relative";
  if (said.has("bright")) map.state.brightness = clamp(Number(said.get("bright")) || 0, 0, 12);
  const numbers = (said.get("view") ?? "").split(/[-.]/).map(Number);
  if (back) map.trail.push(map.state.view);
  if (numbers.length === 4 && numbers.every(Number.isInteger)) {
    const { ranges, windows } = map.first.head, [a, , c] = numbers;
    const b = Math.min(numbers[1], ranges), d = Math.min(numbers[3], windows);
    if (a < b && c < d) map.state.view = map.first.view({ a, b, c, d });
  }
  if (said.has("pin")) map.state.pins = pinsIn(map, said.get("pin"));
  return true;
}

function pinsIn(map, text) {
  const cells = text.split("_").slice(0, MOST_PINS).map((one) => one.split(".").map(Number));
  const within = ([n, row, window]) => {
    const { head } = map.panes[n] ?? {};
    return head && row >= 0 && row < head.ranges && window >= 0 && window < head.windows;
  };
  return cells.filter(within).map(([n, row, window]) => ({ pane: map.panes[n], row, window }));
}
