// Editors of parts: the focus after a button, the bars of a day, prices.

let focusIds = "";                                                 // where the focus goes after the button pressed last

// --- after a button changed what inputs there are, the focus goes where the button says

function moveFocus({ detail }) {
  if (!focusIds || !detail.requestConfig?.formData?.get("do")) return;  // an earlier save may end in between
  const place = focusIds.split(" ").map((id) => document.getElementById(id)).find(Boolean);
  focusIds = "";
  place?.focus();
}

// --- the shape of a day: bars are sliders; a pointer draws across them, arrow keys change one or go to the next

export const nextBar = (index, by, count) => (index + by + count) % count;  // the last hour leads to the first
export function barChange(key, { isFine, max }) {                       // null for every other key
  const steps = { ArrowUp: 1, ArrowDown: -1, PageUp: 5, PageDown: -5 }[key];
  return steps ? steps * (isFine ? 1 : Math.round(max / 20)) : null;
}

const within = (share) => Math.min(1, Math.max(0, share));
export function barAt({ clientX, clientY }, box, count) {               // the bar under a pointer, and how high it is
  const index = Math.floor((clientX - box.left) / box.width * count);
  return { index: Math.min(count - 1, Math.max(0, index)), share: within((box.bottom - clientY) / box.height) };
}
export function barsBetween(before, index) {                            // those that a pointer passed since `before`
  if (before === null || before === index) return [index];
  const step = Math.sign(index - before);
  return Array.from({ length: Math.abs(index - before) }, (_, n) => before + (n + 1) * step);
}

const barsBeside = (bar) => [...bar.closest("[data-bars]").querySelectorAll("input.bar")];
function setTabStop(bar) {
  for (const each of barsBeside(bar)) each.tabIndex = each === bar ? 0 : -1;
}
function setBar(bar, value) {
  bar.value = value;
  const field = document.getElementById(bar.id.replace("-bar-", "-hour-"));
  if (field) field.value = bar.value;
}
function pressKey(event) {
  const bar = event.target;
  if (!bar.matches?.("input.bar")) return;
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const change = barChange(event.key, { isFine: event.shiftKey, max: Number(bar.max) });
  if (by) {
    const bars = barsBeside(bar);
    bars[nextBar(bars.indexOf(bar), by, bars.length)].focus();
  } else if (change !== null) {
    setBar(bar, Number(bar.value) + change);
    bar.dispatchEvent(new Event("input", { bubbles: true }));
  } else return;
  event.preventDefault();
}
function startDrawing(event) {
  const row = event.target.closest?.("[data-bars] .of-day"), first = row?.querySelector("input.bar");
  if (!first || event.button || first.matches(":disabled")) return;
  const bars = [...row.querySelectorAll("input.bar")], box = row.getBoundingClientRect();
  let last = null;
  const draw = (move) => {
    if (!move.buttons) return end();                                    // let go where nobody told of it
    const { index, share } = barAt(move, box, bars.length);
    for (const n of barsBetween(last, index)) setBar(bars[n], Math.round(share * first.max));
    last = index;
  };
  const ends = ["pointerup", "pointercancel"];
  const end = () => {
    removeEventListener("pointermove", draw);
    for (const name of ends) removeEventListener(name, end);
    bars[last].focus();
    // One change at the end: a request for each bar that is passed would be a revision for each.
    bars[last].dispatchEvent(new Event("change", { bubbles: true }));
  };
  event.preventDefault();
  draw(event);
  bars[last].focus();                                                   // what is being drawn in is not swapped
  addEventListener("pointermove", draw);
  for (const name of ends) addEventListener(name, end);
}

// --- prices: what was saved is no longer being typed, so the answer may take its place

function keepPrices({ target, detail }) {
  if (!detail.successful || !target.matches?.("form.prices")) return;
  for (const [name, value] of detail.requestConfig.formData) {
    const input = target.elements[name];
    if (input?.type === "text") input.defaultValue = value;
  }
}

export function startPartEditors(document) {
  document.addEventListener("click", ({ target }) => {
    focusIds = target.closest?.("form.control button[data-then]")?.dataset.then ?? "";
  });
  document.addEventListener("htmx:afterRequest", moveFocus);
  document.addEventListener("focusin", ({ target }) => { if (target.matches?.("input.bar")) setTabStop(target); });
  document.addEventListener("keydown", pressKey);
  document.addEventListener("input", ({ target }) => {
    if (target.matches?.("input.bar")) setBar(target, target.value);
  });
  document.addEventListener("pointerdown", startDrawing);
  document.addEventListener("htmx:afterRequest", keepPrices);
}
