// The open element as it is now: read anew after a change, part by part. What somebody types in is never swapped.
import { PATIENCE_MS, connection } from "./connection.js";
import { chooseNotice, chooseUpdate, describeChange, withoutNewIds } from "./news.js";
import { isReading } from "./open-element.js";
import { copyComputed, isBusy, isSaving, isUnsaved, unpark } from "./saving.js";
import { pauseAfter } from "./text.js";

const PAUSE_MS = 500, PAUSE_AFTER_FAILURE_MS = 3000;
const UNITS = "form.control, section.elements, .instance section.block, [data-part]";
const INPUTS = "input:not([type=hidden]), select, textarea";

let editor, centre, log, ask;
let timer = 0, isRefreshing = false, isWanted = false;
let isUnreported = false;                                               // a change was read that no news told of yet
let takenControl = "";                                                  // the id of the one that theirs was taken in
const sentParts = new Map();                                            // id → what stands there, as it was sent
const newestForms = new WeakMap();                                      // form → as it looks with what the other did

const openSection = () => centre.querySelector("section.element");
const sequenceOf = (part) => Number(part?.dataset.sequence);

// --- reading the element anew

export function refreshLater(pauseMs = PAUSE_MS) {
  clearTimeout(timer);
  timer = setTimeout(refresh, pauseMs);
}
export function refreshIfWanted() { if (timer || isWanted) refreshLater(); }

export async function refresh(sent = "") {                              // the element, if it came with the news
  clearTimeout(timer);
  timer = 0;
  if (isRefreshing || isSaving() || isReading()) { isWanted = true; return; }
  [isRefreshing, isWanted] = [true, false];
  const address = location.pathname;
  let hasFailed = true, pauseMs = PAUSE_MS;                             // then it is read again
  try {
    if (sent) {
      hasFailed = false;
      return showElement(parse(sent));
    }
    // The sequence number keeps a server that heard of less from answering with an older element.
    const headers = { "HX-Request": "true", "X-Sequence": editor.dataset.sequence };
    const options = { headers, signal: AbortSignal.timeout(PATIENCE_MS) };
    const answer = await fetch(address, options), text = await answer.text();
    const busyMs = pauseAfter(answer);
    if (!connection.readAnswer(answer.status, busyMs) || location.pathname !== address) return;
    if (answer.status >= 500) { pauseMs = busyMs || PAUSE_AFTER_FAILURE_MS; return; }
    hasFailed = false;
    const page = parse(text);
    if (answer.status !== 404) return showElement(page);
    showRemoval(page.querySelector("#removed"));
    swapOthers(page);
  } catch { hasFailed = true; connection.become("lost"); } finally {
    isRefreshing = false;
    isWanted ||= hasFailed;
    if (isWanted && !connection.isBroken) refreshLater(pauseMs);
  }
}
function parse(text) {
  const page = document.createElement("template");
  page.innerHTML = text;
  return page.content;
}
function showElement(page) {
  const fresh = page.querySelector("section.element");
  if (!fresh) return;
  const sequence = sequenceOf(fresh);
  // What is being saved is not in this answer yet; it would take back on the page what was just typed.
  if (isSaving() || sequence < sequenceOf(editor)) { isWanted = true; return; }
  if (!openSection()) centre.replaceChildren(document.createElement("section"));
  hideRemoval();
  isUnreported = log.hasUnreported(sequence);
  merge(openSection() ?? centre.firstChild, document.importNode(fresh, true));
  swapOthers(page);
  log.clear();
  if (takenControl) document.getElementById(takenControl)?.querySelector(INPUTS)?.focus();
  takenControl = "";
}

// --- merging: unit by unit where the units are the same, else the whole element but for what is being typed

const nameOf = (unit) => unit.id || unit.getAttribute("aria-labelledby");
function unitsOf(section, kinds = UNITS) {                              // by name, the outermost ones
  const isNested = (unit) => unit.parentElement !== section && section.contains(unit.parentElement.closest(kinds));
  const outermost = [...section.querySelectorAll(kinds)].filter((unit) => nameOf(unit) && !isNested(unit));
  return new Map(outermost.map((unit) => [nameOf(unit), unit]));
}
const wasOf = (form) => form.querySelector("[name=was]");

function merge(old, fresh) {
  const before = unitsOf(old), after = unitsOf(fresh);
  copyComputed(old, fresh);
  const isSame = old.dataset.at === fresh.dataset.at && [...before.keys()].join() === [...after.keys()].join();
  if (!isSame) return replace(old, fresh);
  old.dataset.sequence = fresh.dataset.sequence;
  swap(old.querySelector("h2"), fresh.querySelector("h2"));
  for (const [name, unit] of before) {
    if (unit.matches("form")) mergeControl(unit, after.get(name));
    else mergeBlock(unit, after.get(name));
  }
}
function mergeControl(old, fresh) {
  const before = stateOf(old), after = stateOf(fresh);
  const update = chooseUpdate({
    before, after, conflictWas: conflictOf(old)?.dataset.was,
    isBusy: isBusy(old), isUnsaved: isUnsaved(old), isAlike: haveSameInputs(old, fresh),
  });
  if (update === "submit") htmx.trigger(old, "submit");
  if (update === "notify") notify(old, fresh);
  if (update !== "swap") return;
  fresh.classList.toggle("fresh", before.was !== after.was && log.changes.length > 0);
  swap(old, fresh);
}
const stateOf = (form) => ({ was: wasOf(form)?.value, version: wasOf(form)?.dataset.version });
const conflictOf = (form) => form.querySelector(".conflict [data-was]");
function mergeBlock(old, fresh) {
  const active = document.activeElement;
  if (active?.closest("[data-slot] form.control") && old.contains(active)) {  // to move it would take the focus from it
    active.addEventListener("focusout", () => refreshLater(0), { once: true });
    return;
  }
  // What is equal to what was sent is left alone: swapping it would lose the focus and what is open.
  const text = withoutNewIds(fresh.outerHTML);
  if (sentParts.get(nameOf(fresh)) === text) return;
  replace(old, fresh);
  sentParts.set(nameOf(fresh), text);
}
const entryOf = (input) => `${input.name}=${input.type === "checkbox" ? input.checked : input.value}`;
const entriesOf = (form) => [...form.querySelectorAll(INPUTS)].map(entryOf).join("&");
const haveSameInputs = (old, fresh) => entriesOf(old) === entriesOf(fresh);

function replace(old, fresh) {                                          // all of it is new but for what is being typed
  const restoreFocus = rememberFocus();
  keepTypedControls(old, fresh);
  const kept = [...old.querySelectorAll("form:not(.control)")].filter(hasTypedInput);
  for (const [form, place] of kept.map((each) => [each, counterpart(each, old, fresh)])) place?.replaceWith(form);
  keepOpenParts(old, fresh);
  old.replaceWith(fresh);
  htmx.process(fresh);
  unpark(fresh);
  restoreFocus();
  announceLoad(fresh);
}
function keepTypedControls(old, fresh) {
  const after = unitsOf(fresh, "form.control");
  for (const [name, form] of unitsOf(old, "form.control")) {
    if (!isBusy(form)) continue;
    const place = after.get(name);
    if (!place) {
      if (isUnsaved(form) && !form.closest("[data-slot]")) fresh.append(form);  // slots go over with what is in them
      continue;
    }
    if (!isUnsaved(form) && haveSameInputs(form, place)) continue;
    notify(form, place);
    place.replaceWith(form);
  }
}
export function isTypedInput(input) {                                    // or chosen, in a list
  if (input.matches("select")) {
    const options = [...input.options];
    return !(options.find((each) => each.defaultSelected) ?? options[0])?.selected;
  }
  return input.matches("input[type=text], textarea") && input.value !== input.defaultValue;
}
const hasTypedInput = (form) => [...form.elements].some(isTypedInput);  // that nothing was posted of yet
function counterpart(form, old, fresh) {                                // several forms may post to one address
  const alike = (root) => [...root.querySelectorAll(`form[hx-post="${form.getAttribute("hx-post")}"]`)];
  return alike(fresh)[alike(old).indexOf(form)];
}

function swap(old, fresh) {
  if (!old || !fresh) return;
  const restoreFocus = old.contains(document.activeElement) ? rememberFocus() : () => {};
  keepOpenParts(old, fresh);
  old.replaceWith(fresh);
  htmx.process(fresh);
  restoreFocus();
  announceLoad(fresh);
}
const announceLoad = (part) => part.dispatchEvent(new CustomEvent("kw:part", { bubbles: true }));
const textOf = (summary) => summary.textContent.trim();
function keepOpenParts(old, fresh) {                                    // nor does what was opened close
  const opened = new Set([...old.querySelectorAll("details[open] > summary")].map(textOf));
  for (const summary of fresh.querySelectorAll("details > summary")) {
    if (opened.has(textOf(summary))) summary.parentElement.open = true;
  }
  for (const slot of fresh.querySelectorAll("[data-slot]")) {
    const filled = [...old.querySelectorAll("[data-slot]")].find((each) => each.dataset.slot === slot.dataset.slot);
    if (filled) slot.replaceWith(filled);
  }
}
function swapOthers(page) {                                             // outside the element
  for (const part of page.querySelectorAll("[hx-swap-oob]")) swapOther(document.importNode(part, true));
}
function swapOther(fresh) {
  const old = document.getElementById(fresh.id), text = fresh.outerHTML;
  fresh.removeAttribute("hx-swap-oob");
  if (!old || sentParts.get(fresh.id) === text || (old.matches("form.control") && isBusy(old))) return;
  sentParts.set(fresh.id, text);
  fresh.classList.toggle("stale", old.classList.contains("stale"));
  const { scrollTop } = old;
  swap(old, fresh);
  fresh.scrollTop = scrollTop;
}
function rememberFocus() {                                              // → gives it to what came in the place of that
  const active = document.activeElement, box = active?.closest(`[id]:not(#${CSS.escape(active?.id || "-")})`);
  const index = box ? [...box.querySelectorAll(active.tagName)].indexOf(active) : -1;
  const [start, end] = [active?.selectionStart, active?.selectionEnd];
  const findSuccessor = () => (active.id && document.getElementById(active.id))
    || document.getElementById(box?.id)?.querySelectorAll(active.tagName)[index];
  return () => {
    if (!active || active === document.body || (active.isConnected && document.activeElement === active)) return;
    const next = active.isConnected ? active : findSuccessor();
    next?.focus({ preventScroll: true });
    // Inputs of type number and checkboxes throw here.
    if (next && typeof start === "number") try { next.setSelectionRange(start, end); } catch { /* not a text */ }
  };
}

// --- a control that is being typed in: "Ben changed this · Show"

function notify(form, fresh) {
  const newWas = wasOf(fresh)?.value, conflictWas = conflictOf(form)?.dataset.was;
  const change = log.find(`${form.elements.at?.value} ${form.elements.name?.value}`);
  const notice = form.querySelector(".theirs"), was = wasOf(form)?.value;
  const choice = chooseNotice({
    was, newWas, isUnreported, conflictWas, hasChange: Boolean(change), hasNotice: Boolean(notice),
    hasConflict: form.querySelector(".conflict") !== null,
  });
  if (choice === "ask") return void ask();
  if (choice === "adopt") wasOf(form).value = newWas;
  else if (was !== newWas) newestForms.set(form, fresh.cloneNode(true));
  if (choice === "submit") htmx.trigger(form, "submit");
  if (choice === "update") notice.firstChild.data = `${describeChange(change, editor.dataset)} · `;
  if (choice === "show") form.append(createNotice(form, change));
}
function createNotice(form, change) {
  const line = Object.assign(document.createElement("p"), { className: "theirs" });
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: editor.dataset.show });
  line.setAttribute("role", "status");
  line.append(`${describeChange(change, editor.dataset)} · `, button);
  button.addEventListener("click", () => showTheirs(form));
  return line;
}
function showTheirs(form) {
  form.querySelector(".theirs")?.remove();
  if (isUnsaved(form)) htmx.trigger(form, "submit");                    // both versions side by side, to choose from
  else swap(form, newestForms.get(form).cloneNode(true));
}
function showTheirsWhenLeft({ target }) {                               // with nothing typed
  const form = target.closest?.("form.control");
  const hasNotice = () => form?.querySelector(".theirs");
  const isLeft = () => form.isConnected && !isBusy(form) && !form.contains(document.activeElement);
  if (hasNotice()) setTimeout(() => { if (hasNotice() && isLeft()) showTheirs(form); });
}

// --- the open element was removed by somebody: it stays readable, and can come back

function showRemoval(notice) {
  const section = openSection();
  if (!notice || !section) return;
  document.getElementById("removed")?.remove();
  section.classList.add("is-gone");
  const hasTyped = [...section.querySelectorAll("form.control")].some(isUnsaved);
  const copy = document.importNode(notice, true);
  copy.querySelector(".typed").hidden = !hasTyped;
  section.before(copy);
  htmx.process(copy);
}
function hideRemoval() {
  document.getElementById("removed")?.remove();
  if (!openSection()?.classList.contains("is-gone")) return;
  openSection().classList.remove("is-gone");
  document.dispatchEvent(new Event("kw:there"));
}

export function startRefresh(document, people) {
  ({ log, ask } = people);
  editor = document.getElementById("editor");
  centre = document.getElementById("centre");
  document.addEventListener("htmx:afterSettle", ({ detail }) => {       // opened as it was before what is known by now
    if (detail.target?.id !== "centre") return;
    if (isWanted || sequenceOf(openSection()) < sequenceOf(editor)) refreshLater(0);
  });
  document.addEventListener("kw:back", ask);
  for (const event of ["htmx:oobAfterSwap", "htmx:afterSwap"]) {
    document.addEventListener(event, () => sentParts.clear());
  }
  document.addEventListener("focusout", showTheirsWhenLeft);
  document.addEventListener("kw:theirs", ({ target }) => {              // mine is given up for it: read anew
    wasOf(target).dataset.version = "";
    takenControl = target.id;
    sentParts.clear();
    refreshLater(0);
  });
}
