// Editors of parts. After a button changed what inputs there are, the focus goes where the button says.
let then = "";
document.addEventListener("click", ({ target }) => {
  then = target.closest?.("form.control button[data-then]")?.dataset.then ?? "";
});
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (!then || !detail.requestConfig?.formData?.get("do")) return;      // an earlier save may end in between
  const found = then.split(" ").map((id) => document.getElementById(id)).find(Boolean);
  then = "";
  found?.focus();
});

// --- the shape of a day: bars are sliders; a pointer draws across them, arrow keys change one or go to the next

const bars = (one) => [...one.closest("[data-bars]").querySelectorAll("input.bar")];

function reach(bar) {                                                   // one of them is in the order of Tab
  for (const each of bars(bar)) each.tabIndex = each === bar ? 0 : -1;
}
function lift(bar, value) {
  bar.value = value;
  const twin = document.getElementById(bar.id.replace("-bar-", "-hour-"));
  if (twin) twin.value = bar.value;
}

document.addEventListener("focusin", ({ target }) => { if (target.matches?.("input.bar")) reach(target); });
document.addEventListener("keydown", (event) => {
  const bar = event.target;
  if (!bar.matches?.("input.bar")) return;
  const across = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const up = { ArrowUp: 1, ArrowDown: -1, PageUp: 5, PageDown: -5 }[event.key];
  if (across) {
    const all = bars(bar);
    all[(all.indexOf(bar) + across + all.length) % all.length].focus();
  } else if (up) {
    lift(bar, Number(bar.value) + up * (event.shiftKey ? 1 : Math.round(bar.max / 20)));
    bar.dispatchEvent(new Event("input", { bubbles: true }));
  } else return;
  event.preventDefault();
});
document.addEventListener("input", ({ target }) => {
  if (target.matches?.("input.bar")) lift(target, target.value);
});

document.addEventListener("pointerdown", (event) => {
  const row = event.target.closest?.("[data-bars] .of-day"), first = row?.querySelector("input.bar");
  if (!first || event.button || first.matches(":disabled")) return;
  const all = [...row.querySelectorAll("input.bar")], box = row.getBoundingClientRect();
  let last = null;
  const draw = ({ clientX, clientY, buttons }) => {
    if (!buttons) return done();                                        // let go where nobody told of it
    const place = Math.min(all.length - 1, Math.max(0, Math.floor((clientX - box.left) / box.width * all.length)));
    const share = Math.min(1, Math.max(0, (box.bottom - clientY) / box.height));
    const before = last === null ? place : all.indexOf(last);
    for (let n = Math.min(before, place); n <= Math.max(before, place); n++) {
      if (n !== before || n === place) lift(all[n], Math.round(share * first.max));
    }
    last = all[place];
  };
  const ends = ["pointerup", "pointercancel"];
  const done = () => {
    removeEventListener("pointermove", draw);
    for (const end of ends) removeEventListener(end, done);
    last.focus();
    last.dispatchEvent(new Event("change", { bubbles: true }));
  };
  event.preventDefault();
  draw(event);
  last.focus();                                                         // what is being drawn in is not swapped
  addEventListener("pointermove", draw);
  for (const end of ends) addEventListener(end, done);
});

// --- prices: what was saved is no longer being typed, so the answer may take its place

document.addEventListener("htmx:afterRequest", ({ target, detail }) => {
  if (!detail.successful || !target.matches?.("form.prices")) return;
  for (const [name, value] of detail.requestConfig.formData) {
    const input = target.elements[name];
    if (input?.type === "text") input.defaultValue = value;
  }
});
