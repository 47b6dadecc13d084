// Saving: what is typed is sent, one request a form at a time; what could not be sent or stored stays and is said.
// drafts.js decides; here it meets the page.
import { withPlaces } from "./answers.js";
import { PATIENCE_MS, connection, renewToken, requestHeaders } from "./connection.js";
import { Draft, SendQueue } from "./drafts.js";
import { beforeReload, readRelease, release } from "./release.js";
import { fetchComputed, pauseAfter } from "./text.js";

const INPUTS = "input:not([type=hidden]), select, textarea";
const CONTROL = "form.control[hx-post]";
const NOT_UNDERSTOOD = [400, 404, 405];                                 // by a later release, what this page sends
const SENTENCE_MAX = 80;                                                // letters of what is not saved yet
const LAST_WAIT_MS = 3000;

let editor, parking, parked;
let underway = 0;                                                       // requests
let answering = null;                                                   // the form whose answer is being read
const drafts = new WeakMap();                                           // form → Draft
const typedMeanwhile = new Map();                                       // id → the form, and what was typed in it since

const queue = new SendQueue({
  connection,
  prepare: async () => !document.body.hasAttribute("hx-headers") || renewToken(),
  send: sendWaiting,
  onEnd: () => document.dispatchEvent(new Event("kw:answered")),
});

function draftOf(form) {
  if (!drafts.has(form)) drafts.set(form, new Draft());
  return drafts.get(form);
}
export const isSaving = () => underway > 0 || queue.isRunning;
export const isUnsaved = (form) => form.matches(".saving, .unsaved, .typed");
export const isBusy = (form) => isUnsaved(form) || isTypedIn(form);
function isTypedIn(form) {
  const active = document.activeElement;
  return form.contains(active) && active.matches(`${INPUTS}, [contenteditable]`);
}
const inputsOf = (form) => [...form.querySelectorAll(INPUTS)].filter((input) => input.name);
export const valueOf = (input) => (input.type === "checkbox" && !input.checked ? "" : input.value);

// --- typing, and the requests that come of it

function noteTyping({ type, target }) {
  const form = target.closest?.(CONTROL);
  if (!form) return;
  if (draftOf(form).type([...new FormData(form)], { isChange: type === "change" })) form.classList.add("typed");
}

// htmx takes the button that has the focus for pressed: also for what was typed before, if that waited for an answer.
function choosePressed({ detail: { elt, formData, triggeringEvent } }) {
  if (!elt.matches("form.control")) return;
  for (const { name } of elt.querySelectorAll("button[name]")) formData.delete(name);
  const { name, value } = triggeringEvent?.submitter ?? {};
  if (name) formData.set(name, value);
}
function checkRequest(event) {
  const { elt, requestConfig } = event.detail;
  if (requestConfig.verb !== "post") return;
  // While nothing can be sent, a button that posts would do nothing without a word; the bar above says why.
  if (!elt.matches("form.control")) {
    if (connection.isBroken) event.preventDefault();
    return;
  }
  const draft = draftOf(elt), entries = [...requestConfig.formData];
  const isSubmit = requestConfig.triggeringEvent?.type === "submit";
  const situation = { isBroken: connection.isBroken, isRemoved: elt.closest(".is-gone") !== null, isSubmit };
  const choice = draft.chooseRequest(entries, situation);
  if (choice !== "send") event.preventDefault();
  if (choice === "wait") {                                              // kept, and sent in its turn
    elt.classList.add("unsaved");
    queue.waiting.add(elt);
  } else if (choice === "skip") {
    draft.skip();
    elt.classList.remove("typed");
  } else {
    elt.classList.add("saving");
    draft.send(entries);
    underway++;
  }
}

function endRequest({ requestConfig: { elt, verb }, xhr }) {
  if (verb !== "post" || !elt.matches("form.control") || !elt.classList.contains("saving")) return;
  elt.classList.remove("saving");
  underway--;
  const pauseMs = pauseAfter({ headers: { get: (name) => xhr.getResponseHeader(name) } });
  readAnswer(elt, xhr.status, isForeign(xhr.status, xhr.getResponseHeader("HX-Trigger")), pauseMs);
  document.dispatchEvent(new Event("kw:answered"));
}
export const isForeign = (status, events) => status === 200 && events === null;

function readAnswer(form, status, foreign, pauseMs = 0) {
  const draft = draftOf(form), isFine = status >= 200 && status < 300 && !foreign;
  const isConnected = isFine || connection.readAnswer(status, pauseMs);
  const action = draft.readAnswer(status, { isForeign: foreign, isConnected, pauseMs });
  form.querySelectorAll(INPUTS).forEach((input) => input.setAttribute("aria-invalid", status === 422));
  form.classList.toggle("unsaved", !action.isStored);
  if (action.isStored && !draft.hasUnsent) form.classList.remove("typed");
  if (action.waits) queue.waiting.add(form);
  if (action.waits === false) queue.waiting.delete(form);
  if (!action.isStored && release.isOld && NOT_UNDERSTOOD.includes(status)) showProblem(form, editor.dataset.outdated);
  else if (action.problem) showProblem(form, editor.dataset[action.problem]);
  if (status === 404 && !release.isOld) connection.become("gone");
  if (action.retryMs === 0) queue.run();
  if (action.retryMs) setTimeout(() => { if (!connection.isBroken) queue.run(); }, action.retryMs);
  settleParked();
}
function showProblem(form, text) {
  const line = Object.assign(document.createElement("p"), { className: "error", textContent: text });
  form.querySelector(".problem")?.replaceChildren(line);
}

// --- the control comes anew with the answer (its inputs changed): what was typed since it was sent goes on

function keepTyping({ detail }) {
  const form = detail.target;
  if (!form.matches?.("form.control")) return;
  if (form !== answering && isBusy(form)) {                             // with another page, and somebody types in it
    detail.shouldSwap = false;
    return;
  }
  copyComputed(form, detail.fragment);
  const active = form.contains(document.activeElement) ? document.activeElement : null;
  const changes = findUnsentInputs(form).map((input) => [input.name, valueOf(input)]);
  typedMeanwhile.set(form.id, { form, changes, button: active?.matches("button") ? active.value : null });
}
function findUnsentInputs(form) {
  const { sentEntries, hasUnsent } = draftOf(form);
  if (!sentEntries || !hasUnsent) return [];
  const wasSent = (input) => sentEntries.some(([name, value]) => name === input.name && value === valueOf(input));
  return inputsOf(form).filter((input) => !wasSent(input));
}
function restoreTyping() {                                              // htmx sends nothing before it has settled
  for (const [id, earlier] of typedMeanwhile) {
    const form = document.getElementById(id);
    if (form && form !== earlier.form) putBack(form, earlier);
  }
  typedMeanwhile.clear();
}
function putBack(form, { changes, button }) {
  const pressed = [...form.querySelectorAll("button")].find((each) => each.value === button);
  if (button !== null) (pressed ?? inputsOf(form)[0])?.focus();
  let changed = null;
  for (const [name, value] of changes) {
    const input = inputsOf(form).find((each) => each.name === name);
    if (!input) continue;
    if (input.type === "checkbox") input.checked = Boolean(value); else input.value = value;
    changed = input;
  }
  changed?.dispatchEvent(new Event("change", { bubbles: true }));
}
export function copyComputed(from, to) {                                // what was computed stays until newer comes
  for (const place of to.querySelectorAll("[id]:empty:not(.problem, input, textarea)")) {
    const source = from.querySelector(`#${CSS.escape(place.id)}`);
    if (source) place.replaceChildren(...[...source.childNodes].map((node) => node.cloneNode(true)));
  }
}

// --- what is unsaved is sent when the connection is back, in the order in which it was typed

async function sendWaiting(form) {                                      // → whether to go on with the next
  const draft = draftOf(form), entries = draft.unanswered;
  if (!form.isConnected) return queue.waiting.delete(form);
  if (connection.isBroken) return false;
  if (form.closest(".is-gone")) return true;
  if (entries) {                              // the very request whose answer was lost: stored twice is stored once
    const answer = await post(form, entries, { patienceMs: PATIENCE_MS });
    const text = await answer.text();
    readRelease(answer);
    if (!connection.readAnswer(answer.status)) return false;
    const events = answer.headers.get("HX-Trigger"), foreign = isForeign(answer.status, events);
    draft.unanswered = null;
    if ([200, 409, 422].includes(answer.status) && !foreign) applyAnswer(form, text, events);
    queue.waiting.delete(form);
    readAnswer(form, answer.status, foreign);
    if (draft.unanswered || foreign) return true;                       // it is tried once more, after the others
  } else queue.waiting.delete(form);
  if (form.isConnected && draft.hasUnsent) await submit(form);
  return !connection.isBroken;
}
function post(form, entries, options) {
  const body = new URLSearchParams(entries);
  return fetchComputed(form.getAttribute("hx-post"), { method: "POST", body, headers: requestHeaders(), ...options });
}
function applyAnswer(form, text, events) {
  answering = form;
  for (const [name, detail] of Object.entries(JSON.parse(events ?? "{}"))) {
    form.dispatchEvent(new CustomEvent(name, { bubbles: true, detail }));
  }
  const place = form.hasAttribute("hx-target") ? form.querySelector(".problem") : null;  // where it says what is wrong
  htmx.swap(place ?? form, withPlaces(text), { swapStyle: place ? "innerHTML" : "none" });
}
function submit(form) {                                                 // → a promise of its answer
  return new Promise((resolve) => {
    const end = () => { document.removeEventListener("htmx:afterRequest", listen); resolve(); };
    const listen = ({ detail }) => { if (detail.requestConfig.elt === form) end(); };
    document.addEventListener("htmx:afterRequest", listen);
    setTimeout(end, PATIENCE_MS);
    htmx.trigger(form, "submit");
    // Nothing was sent, as it is what the server has already: no answer will come.
    if (!form.matches(".saving")) resolve();
  });
}

// --- another element is opened, or its sheet comes anew: what is not saved yet is parked, goes on being saved, and is
// there when one comes back

export function park(root) {
  for (const form of root.querySelectorAll("form.control")) {
    if (!isUnsaved(form)) continue;
    // Noted now: once parked, the form stands in no element any more.
    form.dataset.home = form.closest("[data-at].element")?.dataset.at ?? "";
    form.dataset.page = elementAddress(editor.dataset.news, form.dataset.home);
    parking.append(form);
  }
}
export function unpark(root) {                                          // parked forms take their places again
  for (const form of [...parking.children]) {
    const place = root.querySelector(`#${CSS.escape(form.id)}`);
    if (!place) continue;
    place.replaceWith(form);
    if (isUnsaved(form) && !form.matches(".saving")) htmx.trigger(form, "submit");  // what was removed may be back
  }
  settleParked();
}
function settleParked() {
  for (const form of [...parking.children]) if (!isUnsaved(form)) form.remove();
  const unsaved = [...parking.children].filter((form) => form.matches(".unsaved"));
  parked.replaceChildren(...unsaved.map(createReminder));
}
function createReminder(form) {
  const link = document.createElement("a"), line = document.createElement("p");
  const [before, after] = parked.dataset.text.split("{what}");
  const label = form.querySelector("label")?.textContent ?? "";
  link.textContent = describeUnsaved(label, inputsOf(form).map(valueOf));
  link.href = form.dataset.page;
  const attributes = { "hx-get": link.href, "hx-target": "#centre", "hx-push-url": "true" };
  for (const [name, value] of Object.entries(attributes)) link.setAttribute(name, value);
  line.append(before, link, after ?? "");
  queueMicrotask(() => htmx.process(line));
  return line;
}
export const describeUnsaved = (label, values) => `${label} “${values.join(" ").slice(0, SENTENCE_MAX)}”`;
export function elementAddress(newsAddress, id) {                       // beside that of the design's news
  const design = newsAddress.replace(/news$/, "");
  return id ? `${design}at/${id}` : design;
}

// --- leaving the page

const unsavedForms = () => [...document.querySelectorAll(CONTROL)].filter(isUnsaved);
function wouldBeLost(form) {
  return connection.isBroken || form.matches(".unsaved") || (form.matches(".saving") && draftOf(form).hasUnsent);
}
async function sendTyped() {                                            // what is not answered in time is kept
  for (const form of unsavedForms()) if (!form.matches(".saving")) htmx.trigger(form, "submit");
  const end = Date.now() + LAST_WAIT_MS;
  while (isSaving() && Date.now() < end) await new Promise((resolve) => { setTimeout(resolve, LAST_WAIT_MS / 50); });
}
function sendLast() {                                                   // typed just now: sent after the page is gone
  for (const form of unsavedForms()) {
    const entries = form.matches(".saving") ? draftOf(form).sentEntries : new FormData(form);
    // keepalive lets the browser finish a request of up to 64 KB after the page is gone.
    if (!wouldBeLost(form) && !release.isReloading) post(form, entries, { keepalive: true }).catch(() => {});
  }
}

// --- conflicts

function keepMine({ target }) {
  const form = target.dataset?.keep && document.getElementById(target.dataset.keep);
  if (!form) return;
  form.elements.was.value = target.dataset.was;
  htmx.trigger(form, "submit");
}
function takeTheirs({ target }) {
  const form = target.closest?.("[data-theirs]")?.closest("form.control");
  if (!form) return;
  form.classList.remove("unsaved", "typed");
  draftOf(form).skip();
  queue.waiting.delete(form);
  form.dispatchEvent(new CustomEvent("kw:theirs", { bubbles: true }));
}
function sendRefused() {                                                // while its element was removed
  for (const form of document.querySelectorAll("form.control.unsaved")) {
    queue.waiting.add(form);
    draftOf(form).typed++;
  }
  queue.run();
}

export function startSaving(document) {
  htmx.config.timeout = PATIENCE_MS;
  editor = document.getElementById("editor");
  parking = document.getElementById("parking");
  parked = document.getElementById("parked");

  for (const event of ["input", "change"]) document.addEventListener(event, noteTyping, true);
  document.addEventListener("submit", ({ target, submitter }) => { if (submitter) noteTyping({ target }); }, true);
  document.addEventListener("htmx:configRequest", choosePressed);
  document.addEventListener("htmx:beforeRequest", checkRequest);
  document.addEventListener("htmx:afterRequest", ({ detail }) => endRequest(detail));
  document.addEventListener("htmx:beforeOnLoad", ({ detail }) => { answering = detail.requestConfig.elt; });
  document.addEventListener("htmx:oobBeforeSwap", keepTyping);
  document.addEventListener("htmx:afterSettle", restoreTyping);
  document.addEventListener("kw:back", () => queue.run());
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (detail.target.id === "centre" && detail.shouldSwap) park(detail.target);
  });
  document.addEventListener("htmx:afterSettle", ({ detail }) => {       // htmx, reading it, forgets what is under way
    if (detail.target?.id === "centre") unpark(detail.target);
  });
  addEventListener("beforeunload", (event) => {
    // Browsers ask whether to leave; their own words, since pages cannot set any.
    if (!release.isReloading && unsavedForms().some(wouldBeLost)) event.preventDefault();
  });
  beforeReload.push(sendTyped);
  addEventListener("pagehide", sendLast);
  document.addEventListener("click", keepMine);
  document.addEventListener("click", takeTheirs);
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {        // no other word of a control hides a conflict
    const hides = detail.target.matches(".problem:has(.conflict)");
    if (hides && !detail.requestConfig.elt.matches("form")) detail.shouldSwap = false;
  });
  document.addEventListener("kw:there", sendRefused);
}
