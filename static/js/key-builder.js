// The key builder: chips are reached and moved by keyboard and dragged; facts of the estimate are put beside them.
import { fillIn } from "./text.js";

const MOVE = "#builder [data-move]:not([aria-disabled])";

let announcements;
let facts = new Map();                                                  // id of a place → HTML
let dragged = null;                                                     // a segment

const builder = () => document.getElementById("builder");
const segmentsIn = (list) => [...list.querySelectorAll(":scope > .segment")];
const keyLists = () => [...builder().querySelectorAll(".segments[data-group]")];
const sequence = () => Number(builder()?.closest("[data-sequence]")?.dataset.sequence);

// --- moves in turn: a press while one is under way waits until the chips stand where that one brought them

export class MoveQueue {
  #waiting = null;                                                      // [id, by]; null while nothing is under way
  #awaited = Infinity;                                                  // the state of the design that they wait for

  constructor({ press, sequence: read }) {                              // press → whether the segment could be moved
    Object.assign(this, { press, readSequence: read });
  }
  // Until the page shows the state that the move led to, the buttons still say where the chip stood before.
  get isMoving() { return this.#waiting !== null && !(this.readSequence() >= this.#awaited); }

  add(id, by) { if (this.isMoving) this.#waiting.push([id, by]); else this.#start([[id, by]]); }
  hold(id, by) {                                                        // of a button → whether the move has to wait
    if (this.isMoving) this.#waiting.push([id, by]);
    return this.isMoving;
  }
  send() { [this.#waiting, this.#awaited] = [this.#waiting ?? [], Infinity]; }
  store(awaited) { this.#awaited = awaited; }
  clear() { this.#waiting = null; }
  goOn() { if (this.#waiting !== null && !this.isMoving) this.#start(this.#waiting); }

  #start([first, ...rest]) {                                          // what cannot be moved any further is passed over
    this.#waiting = null;
    if (!first) return;
    if (this.press(...first)) this.#waiting?.push(...rest);             // without a connection nothing is sent or waits
    else this.#start(rest);
  }
}
const moves = new MoveQueue({ press: pressMove, sequence });

function pressMove(id, by) {
  const segment = builder()?.querySelector(`.segment[data-id="${CSS.escape(id)}"]`);
  const button = segment?.querySelector(`[data-move="${by}"]:not([aria-disabled])`);
  button?.click();
  return Boolean(button);
}

// --- keyboard: arrows go from chip to chip, with Shift they move it, Delete takes it out

function pressKey(event) {
  const chip = event.target.closest?.("#builder .chip");
  if (!chip || event.altKey || event.ctrlKey || event.metaKey) return;
  const segment = chip.closest(".segment"), by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (event.key === "Delete") segment.querySelector("[data-remove]")?.click();
  else if (!by) return;
  else if (event.shiftKey) moves.add(segment.dataset.id, by);
  else {
    const chips = [...builder().querySelectorAll(".segment .chip")];
    chips[chips.indexOf(chip) + by]?.focus();
  }
  event.preventDefault();
}
function holdMove(event) {
  const button = event.target.closest?.(MOVE);
  if (!button || !moves.hold(button.closest(".segment").dataset.id, Number(button.dataset.move))) return;
  event.preventDefault();
  // htmx listens on the button itself; captured at the document, the press does not reach it.
  event.stopImmediatePropagation();
}
function startMoves(document) {
  const isMove = (elt) => elt.matches("[data-move]");
  document.addEventListener("keydown", pressKey);
  document.addEventListener("click", holdMove, { capture: true });
  document.addEventListener("htmx:beforeSend", ({ detail }) => { if (isMove(detail.elt)) moves.send(); });
  document.body.addEventListener("kw:saved", ({ target, detail }) => {
    if (isMove(target)) moves.store(detail.sequence);
  });
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (isMove(detail.elt) && detail.xhr.status !== 200) moves.clear();
  });
  document.addEventListener("kw:part", ({ target }) => { if (target.contains(builder())) moves.goOn(); });
  document.addEventListener("htmx:afterSwap", ({ detail }) => {         // another element is open
    if (detail.target?.id === "centre") moves.clear();
  });
  document.addEventListener("click", announceMove);
}

// --- what will have happened is said aloud

// The list and the place in it that a move leads to: within its own, else the next list that takes segments.
export function moveTarget({ index, by, count, list, lists }) {
  const place = index + by;
  return { list: place >= 0 && place < count ? list : lists[lists.indexOf(list) + by], place: place + 1 };
}
function announceMove({ target }) {
  const button = target.closest?.(MOVE);
  if (!button) return;
  const segment = button.closest(".segment"), list = segment.parentElement, all = segmentsIn(list);
  const move = { index: all.indexOf(segment), by: Number(button.dataset.move), count: all.length, list };
  const { list: into, place } = moveTarget({ ...move, lists: keyLists() });
  announce(segment.dataset.name, into, list, place, all.length);
}
function announce(name, list, from, place, count) {
  const { moved, carried } = builder().dataset;
  const values = { name, place, count, column: list.dataset.name };
  announcements.textContent = fillIn(list === from ? moved : carried, values);
}

// --- dragging: a line shows where the chip will stand; dropped, it is the same edit as a move

// Where a dragged segment comes to stand among the others, by their ids; null where it stands there already.
export function dropIndex(ids, draggedId, overId, isBehind, isOwnList) {
  const rest = ids.filter((id) => id !== draggedId);
  const index = overId === undefined ? rest.length : rest.indexOf(overId) + (isBehind ? 1 : 0);
  if (isOwnList && index === ids.indexOf(draggedId)) return null;
  return { index, before: rest[index] ?? "" };
}
function findDropPlace(event) {                                         // in its own list or in another, maybe empty
  const list = event.target.closest?.("#builder .key-group")?.querySelector(".segments[data-group]");
  if (!dragged || !list) return null;
  const segment = event.target.closest(".segment");
  const isOwn = list === dragged.parentElement;
  if (!segment) return isOwn ? null : { list, segment: segmentsIn(list).at(-1), isBehind: true };
  if (segment === dragged) return null;
  const box = segment.getBoundingClientRect();
  return { list, segment, isBehind: event.clientX > box.left + box.width / 2 };
}
function clearMarks() {
  const marked = document.querySelectorAll(".drop-before, .drop-behind");
  for (const each of marked) each.classList.remove("drop-before", "drop-behind");
}
function startDrag(event) {
  const segment = event.target.closest?.("#builder .segment[draggable]"), active = document.activeElement;
  if (!segment) return;
  // Dragging in a field selects text.
  if (active?.matches("input") && segment.contains(active)) return event.preventDefault();
  dragged = segment;
  event.dataTransfer.effectAllowed = "move";
  // Firefox begins no drag without data.
  event.dataTransfer.setData("text/plain", segment.dataset.name);
}
function dragOver(event) {
  const place = findDropPlace(event);
  if (!place) return;
  event.preventDefault();
  clearMarks();
  place.segment?.classList.add(place.isBehind ? "drop-behind" : "drop-before");
}
function drop(event) {
  const place = findDropPlace(event);
  if (!place) return;
  event.preventDefault();
  const { list, segment, isBehind } = place, { id, name } = dragged.dataset, from = dragged.parentElement;
  const ids = segmentsIn(list).map((each) => each.dataset.id);
  const target = dropIndex(ids, id, segment?.dataset.id, isBehind, list === from);
  if (!target) return;
  announce(name, list, from, target.index + 1, ids.length);
  const values = { id, before: target.before, to: list.dataset.group };
  htmx.ajax("POST", builder().dataset.move, { source: "#builder", target: "#said", values }).catch(() => {});
}
function startDragging(document) {
  document.addEventListener("dragstart", startDrag);
  document.addEventListener("dragover", dragOver);
  document.addEventListener("drop", drop);
  document.addEventListener("dragend", () => { dragged = null; clearMarks(); });
}

// --- facts about segments come with the sample keys and are put beside their chips, also beside chips that come later

function placeFacts() {
  const sent = [...document.querySelectorAll("#key-facts [data-for]")];
  if (sent.length) facts = new Map(sent.map((fact) => [fact.dataset.for, fact.innerHTML.trim()]));
  for (const [id, html] of facts) {
    const place = document.getElementById(id);
    if (!place || (!sent.length && place.hasChildNodes()) || (!html && !place.hasChildNodes())) continue;
    place.innerHTML = html;
    htmx.process(place);
  }
  sent.forEach((fact) => fact.remove());
}

export function startKeyBuilder(document) {
  announcements = Object.assign(document.createElement("div"), { className: "visually-hidden", role: "status" });
  document.body.append(announcements);
  startMoves(document);
  startDragging(document);
  document.addEventListener("htmx:beforeRequest", ({ target }) => {     // a segment that is open may be gone after this
    const close = document.getElementById("close-opened");
    const removes = target.closest?.(".segment.open [data-remove], .column-head.open [data-remove]");
    // Otherwise a reload would ask for an element that is gone.
    if (close && (target.id === "key-text" || removes)) history.replaceState(history.state, "", close.href);
  });
  document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {     // while it is typed, when a chip was saved
    const form = detail.target;
    if (form.id !== "key-text") return;
    const { text, was } = form.elements;
    if (form.contains(document.activeElement) || text.value !== was.value) detail.shouldSwap = false;
  });
  for (const event of ["htmx:load", "kw:part"]) document.addEventListener(event, placeFacts);
  document.addEventListener("htmx:afterRequest", ({ target, detail }) => {  // a proposal that was taken is done
    if (!target.matches?.("form.proposal") || detail.xhr.status !== 200) return;
    target.closest("details").open = false;
    target.remove();
  });
}
