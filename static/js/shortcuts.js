// Keys that work wherever nobody types: `?` lists them, `/` searches, `a` adds a sentence, `n` and `p` go through the
// findings, `g` and a letter goes somewhere, a key named on a button presses it.
import { jumpTo } from "./outline.js";
import { focusText } from "./text-panel.js";

const FIELDS = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]";
const CONTROLS = "input, textarea, select";

// A key as a button names it (data-key): "Control+Shift+z".
export function keyName({ key, ctrlKey, metaKey, shiftKey }) {
  const control = ctrlKey || metaKey ? "Control+" : "", shift = shiftKey ? "Shift+" : "";
  return `${control}${shift}${key?.toLowerCase()}`;                    // Chromium tells of a taken suggestion by no key
}

export class Shortcuts {
  #isGoing = false;                                                     // `g` was pressed, however long ago

  read(key) {                                                           // → what the key means: "go to o", "list", …
    const place = this.#isGoing && ["o", "e", "i", "d", "t"].includes(key) ? key : "";
    this.#isGoing = key === "g";
    if (place) return `go to ${place}`;
    return { "?": "list", "/": "search", a: "sentence", n: "next finding", p: "previous finding" }[key] ?? "";
  }
  stop() { this.#isGoing = false; }                                     // whatever else is done ends it
}

// The place after or before one of so many, from the last to the first and back; of none (-1), an end.
export function nextPlace(count, place, step) {
  if (place < 0) return step > 0 ? Math.min(0, count - 1) : count - 1;
  return (place + step + count) % count;
}

// Open the finding after or before that with the focus, and close that one.
function goThroughFindings(document, step) {
  const all = [...document.querySelectorAll("#insight .remark > summary")].filter((each) => each.checkVisibility());
  const place = all.findIndex(({ parentElement }) => parentElement.contains(document.activeElement));
  const next = all[nextPlace(all.length, place, step)];
  if (!next) return;
  if (place >= 0) all[place].parentElement.open = false;
  next.parentElement.open = true;
  next.focus();
}

export function startShortcuts(document) {
  const list = document.getElementById("shortcuts"), said = document.getElementById("said");
  const toggle = document.querySelector(".outline-toggle"), shortcuts = new Shortcuts();
  const actions = {
    "go to o": () => (document.querySelector("#parts .entries [tabindex='0']") ?? toggle).focus(),
    "go to e": () => jumpTo(document.querySelector("#centre h2")),
    "go to i": () => jumpTo(document.getElementById("insight")),
    "go to d": () => document.getElementById("o-design").click(),
    "go to t": focusText,
    "next finding": () => goThroughFindings(document, 1),
    "previous finding": () => goThroughFindings(document, -1),
    list: () => list.togglePopover(),
    sentence: () => document.getElementById("add-sentence")?.focus(),
    search() {
      if (toggle.offsetParent) toggle.setAttribute("aria-expanded", "true");
      document.getElementById("find").select();
    },
  };

  document.addEventListener("keydown", (event) => {
    if (keyName(event) !== "Control+k") return;
    event.preventDefault();                                             // also while somebody types
    actions.search();
  });
  document.addEventListener("keydown", (event) => {
    // Checkboxes count here, as Space and arrow keys are theirs.
    const name = keyName(event), isTyping = event.target.closest?.(CONTROLS);
    const button = [...document.querySelectorAll("[data-key]")].find((each) => each.dataset.key === name);
    if (!button || isTyping) return;
    event.preventDefault();
    button.click();
  });
  document.addEventListener("keydown", (event) => {
    const isSaid = said.childElementCount && !document.querySelector(":popover-open");
    if (event.key === "Escape" && isSaid) return said.replaceChildren();
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.(FIELDS)) return;
    const action = shortcuts.read(event.key);
    if (!action) return;
    actions[action]();
    event.preventDefault();
  });
  document.addEventListener("pointerdown", () => shortcuts.stop());
  list.addEventListener("toggle", ({ newState }) => { if (newState === "open") list.querySelector(".close").focus(); });
}
