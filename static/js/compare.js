// Through the changes by `n` and `p`; the page works without it.
const FIELDS = "input:not([type=checkbox], [type=radio]), textarea, select";

let last = null;                                                        // the change that had the focus last

// Where a step leads from the change at `index` of `count`; -1: none has the focus.
export function nextChange(index, by, count) {
  if (index < 0) return by > 0 ? 0 : count - 1;
  return Math.min(Math.max(index + by, 0), count - 1);
}

function walk(by) {
  const changes = [...document.querySelectorAll(".changes > .change")];
  const index = nextChange(changes.indexOf(document.activeElement?.closest(".change")), by, changes.length);
  if (!changes[index]) return;
  changes[index].focus({ preventScroll: true });
  changes[index].scrollIntoView({ block: "nearest" });
  const place = document.querySelector("[data-at]");
  if (place) place.textContent = `${index + 1} / ${changes.length}`;
}
function pressKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.(FIELDS)) return;
  const by = { n: 1, p: -1 }[event.key];
  if (!by) return;
  event.preventDefault();
  walk(by);
}
function clickStep({ target }) {
  const button = target.closest("[data-walk]");
  if (!button) return;
  if (last?.isConnected) last.focus({ preventScroll: true });
  walk(Number(button.dataset.walk));
}

export function start(document) {
  const reveal = () => document.querySelectorAll(".walk").forEach((part) => part.classList.remove("without-script"));
  document.addEventListener("keydown", pressKey);
  document.addEventListener("click", clickStep);
  document.addEventListener("focusin", ({ target }) => { last = target.closest(".change") ?? last; });
  document.addEventListener("htmx:afterSettle", reveal);
  reveal();
}
if (globalThis.document) start(document);
