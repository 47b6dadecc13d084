// The key builder: chips are reached and moved by keyboard and dragged; facts of the estimate are put beside them.
const live = Object.assign(document.createElement("div"), { className: "visually-hidden", role: "status" });
document.body.append(live);
const builder = () => document.getElementById("builder");
const chips = (list) => [...list.querySelectorAll(":scope > .segment")];

// --- keyboard: arrows go from chip to chip, with Shift they move it, Delete takes it out

document.addEventListener("keydown", (event) => {
  const chip = event.target.closest?.("#builder .chip");
  if (!chip || event.altKey || event.ctrlKey || event.metaKey) return;
  const own = chip.closest(".segment"), by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (event.key === "Delete") own.querySelector("[data-remove]")?.click();
  else if (!by) return;
  else if (event.shiftKey) { if (underway()) kept.push([own.dataset.id, by]); else press(own.dataset.id, by); }
  else {
    const all = [...builder().querySelectorAll(".segment .chip")];
    all[all.indexOf(chip) + by]?.focus();
  }
  event.preventDefault();
});

// --- a press while a move is under way is kept until the chips stand where that one brought them: it goes on from there

let kept = null, awaited = Infinity;                                    // presses that wait; the state that they wait for
const underway = () => kept !== null && !(Number(builder()?.closest("[data-sequence]")?.dataset.sequence) >= awaited);
function press(id, by, rest = []) {                                     // what cannot be moved any further is passed over
  const button = builder()?.querySelector(`.segment[data-id="${CSS.escape(id)}"] [data-move="${by}"]:not([aria-disabled])`);
  kept = button ? null : rest;
  if (!button) return next();
  button.click();
  kept?.push(...rest);                                                  // without a connection nothing is sent, and nothing waits
}
function next() {
  const [first, ...rest] = kept;
  kept = null;
  if (first) press(...first, rest);
}
document.addEventListener("click", (event) => {
  const button = event.target.closest?.("#builder [data-move]:not([aria-disabled])");
  if (!button || !underway()) return;
  kept.push([button.closest(".segment").dataset.id, Number(button.dataset.move)]);
  event.preventDefault();
  event.stopImmediatePropagation();
}, { capture: true });
document.addEventListener("htmx:beforeSend", ({ detail }) => { if (detail.elt.matches("[data-move]")) [kept, awaited] = [kept ?? [], Infinity]; });
document.body.addEventListener("kw:saved", ({ target, detail }) => { if (target.matches("[data-move]")) awaited = detail.sequence; });
document.addEventListener("htmx:afterRequest", ({ detail }) => { if (detail.elt.matches("[data-move]") && detail.xhr.status !== 200) kept = null; });
document.addEventListener("kw:part", ({ target }) => { if (kept !== null && target.contains(builder()) && !underway()) next(); });
document.addEventListener("htmx:afterSwap", ({ detail }) => { if (detail.target?.id === "centre") kept = null; });  // another element is open

document.addEventListener("click", ({ target }) => {                    // what will have happened is said aloud
  const button = target.closest?.("#builder [data-move]:not([aria-disabled])");
  if (!button) return;
  const own = button.closest(".segment"), list = own.parentElement, all = chips(list), by = Number(button.dataset.move);
  const to = all.indexOf(own) + by, lists = takers();
  say(own.dataset.name, to in all ? list : lists[lists.indexOf(list) + by], list, to + 1, all.length);
});
const takers = () => [...builder().querySelectorAll(".segments[data-group]")];
function say(name, list, from, place, count) {
  const { moved, carried } = builder().dataset, into = list === from ? moved : carried;
  const holders = { name, place, count, column: list.dataset.name };
  live.textContent = Object.entries(holders).reduce((text, [key, value]) => text.replace(`{${key}}`, value), into);
}

// --- dragging: a line shows where the chip will stand; dropped, it is the same edit as a move

let dragged = null;
document.addEventListener("dragstart", (event) => {
  const own = event.target.closest?.("#builder .segment[draggable]");
  if (!own) return;
  if (document.activeElement?.matches("input") && own.contains(document.activeElement)) return event.preventDefault();
  dragged = own;
  event.dataTransfer.effectAllowed = "move";
  event.dataTransfer.setData("text/plain", own.dataset.name);
});
document.addEventListener("dragover", (event) => {
  const over = place(event);
  if (!over) return;
  event.preventDefault();
  marks();
  over.segment?.classList.add(over.behind ? "drop-behind" : "drop-before");
});
document.addEventListener("drop", (event) => {
  const over = place(event), own = dragged;
  if (!over) return;
  event.preventDefault();
  const from = own.parentElement, all = chips(over.list);
  const rest = all.filter((each) => each.dataset.id !== own.dataset.id);
  const to = over.segment ? rest.indexOf(over.segment) + (over.behind ? 1 : 0) : rest.length;
  if (over.list === from && to === all.indexOf(own)) return;
  say(own.dataset.name, over.list, from, to + 1, all.length);
  const values = { id: own.dataset.id, before: rest[to]?.dataset.id ?? "", to: over.list.dataset.group };
  htmx.ajax("POST", builder().dataset.move, { source: "#builder", target: "#said", values }).catch(() => {});
});
document.addEventListener("dragend", () => { dragged = null; marks(); });

function place(event) {                                                   // in its own list or in another, maybe empty
  const list = event.target.closest?.("#builder .key-group")?.querySelector(".segments[data-group]");
  if (!dragged || !list) return null;
  const segment = event.target.closest(".segment");
  if (!segment) return list === dragged.parentElement ? null : { list, segment: chips(list).at(-1), behind: true };
  if (segment === dragged) return null;
  const box = segment.getBoundingClientRect();
  return { list, segment, behind: event.clientX > box.left + box.width / 2 };
}
function marks() {
  const marked = document.querySelectorAll(".drop-before, .drop-behind");
  for (const each of marked) each.classList.remove("drop-before", "drop-behind");
}

// --- a segment that may be gone after this is no longer what is open

document.addEventListener("htmx:beforeRequest", ({ target }) => {
  const close = document.getElementById("close-opened");
  const removes = target.closest?.(".segment.open [data-remove], .column-head.open [data-remove]");
  if (close && (target.id === "key-text" || removes)) history.replaceState(history.state, "", close.href);
});

// --- what is being typed as text is not swapped when a chip's own setting was saved meanwhile

document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
  const form = detail.target;
  if (form.id !== "key-text") return;
  const { text, was } = form.elements;
  if (form.contains(document.activeElement) || text.value !== was.value) detail.shouldSwap = false;
});

// --- facts about segments come with the sample keys and are put beside their chips, also beside chips that come later

let facts = new Map();
for (const event of ["htmx:load", "kw:part"]) document.addEventListener(event, () => {
  const came = [...document.querySelectorAll("#key-facts [data-for]")];
  if (came.length) facts = new Map(came.map((fact) => [fact.dataset.for, fact.innerHTML.trim()]));
  for (const [id, html] of facts) {
    const to = document.getElementById(id);
    if (!to || (!came.length && to.hasChildNodes()) || (!html && !to.hasChildNodes())) continue;
    to.innerHTML = html;
    htmx.process(to);
  }
  came.forEach((fact) => fact.remove());
});

// --- a proposal that was taken has done its work

document.addEventListener("htmx:afterRequest", ({ target, detail }) => {
  if (!target.matches?.("form.proposal") || detail.xhr.status !== 200) return;
  target.closest("details").open = false;
  target.remove();
});
