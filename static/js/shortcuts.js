// Keys that work wherever nobody types: `?` lists them, `/` searches, `g` and a letter goes somewhere. Undo and redo
// are in editor.js.
import { jumpTo } from "./outline.js";

const list = document.getElementById("shortcuts"), said = document.getElementById("said");
const toggle = document.querySelector(".outline-toggle");
const GOES = {
  o: () => (document.querySelector("#parts .entries [tabindex='0']") ?? toggle).focus(),
  e: () => jumpTo(document.querySelector("#centre h2")),
  i: () => jumpTo(document.getElementById("insight")),
  d: () => document.getElementById("o-design").click(),
};
let going = false;

const TYPED_IN = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]";
document.addEventListener("keydown", (event) => {
  const hears = said.childElementCount && !document.querySelector(":popover-open");
  if (event.key === "Escape" && hears) return said.replaceChildren();
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.(TYPED_IN)) return;
  const goes = going && GOES[event.key];                                // however slowly: whatever else is done ends it
  going = event.key === "g";
  if (goes) goes();
  else if (event.key === "?") list.togglePopover();
  else if (event.key === "/") search();
  else return;
  event.preventDefault();
});
document.addEventListener("pointerdown", () => { going = false; });
function search() {
  if (toggle.offsetParent) toggle.setAttribute("aria-expanded", "true");
  document.getElementById("find").select();
}
list.addEventListener("toggle", ({ newState }) => { if (newState === "open") list.querySelector(".close").focus(); });
