// Slots: what the estimator computes of this very content, at an address below the content's hash. What is saved is
// computed; an older answer never overwrites a newer one. Where none has come yet, the place says why not.
import { withPlaces } from "./answers.js";
import { PATIENCE_MS, connection } from "./connection.js";
import { park, unpark } from "./saving.js";
import { pauseAfter } from "./text.js";

const COMPUTING_MS = 3 * PATIENCE_MS;                                   // may take longer than what is read

let editor, insight;
const requests = new WeakMap();                                         // slot → the request under way or done
const failures = new WeakMap();                                         // slot → how often the server failed in a row

export const contentAddress = (address, sha256) => address.replace(/[0-9a-f]{64}/, sha256);
export const retryPause = (failureCount) => Math.min(1000 * 2 ** failureCount, PATIENCE_MS);
export function withQuery(address, values) {
  const [path, query] = address.split("?"), parameters = new URLSearchParams(query);
  for (const [name, value] of values) parameters.set(name, value);
  return `${path}?${parameters}`;
}

const current = (address) => contentAddress(address, editor.dataset.sha256);

function advance({ sequence, sha256 }) {                                // the head moves: by a save, by news of others
  if (sequence < Number(editor.dataset.sequence)) return;               // older than what is shown
  editor.dataset.sequence = sequence;
  if (editor.dataset.sha256 !== sha256) {
    editor.dataset.sha256 = sha256;
    document.querySelectorAll("a[data-content]").forEach((link) => { link.href = current(link.href); });
  }
  fill(document);                                                    // what was undone meanwhile may still be asked for
}

function fill(root) { root.querySelectorAll("[data-slot]").forEach(load); }

// --- parts that one edit changes together are asked for in one request

const TOGETHER = ["insight", "effects", "marks", "review"];
const waiting = [];                                                     // asked for in this moment: not sent yet

// The address of several parts in one; "" where they are of different contents or elements.
export function commonAddress(addresses) {
  const base = (address) => address.slice(0, address.lastIndexOf("/") + 1), names = [], values = new Map();
  for (const address of addresses) {
    const [path, query] = address.split("?"), name = path.slice(base(path).length);
    if (!TOGETHER.includes(name) || names.includes(name) || base(path) !== base(addresses[0].split("?")[0])) return "";
    names.push(name);
    for (const [key, value] of new URLSearchParams(query)) {
      if ((values.get(key) ?? value) !== value) return "";
      values.set(key, value);
    }
  }
  return `${base(addresses[0].split("?")[0])}parts?${new URLSearchParams([["names", names], ...values])}`;
}
const nameOf = (address) => address.split("?")[0].split("/").at(-1);
const ask = (address, signal) => fetch(address, { signal, headers: { "HX-Request": "true" } });

function askTogether(address, signal) {                                 // → its own answer, as if it was asked alone
  if (!TOGETHER.includes(nameOf(address))) return ask(address, signal);
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
    // All slots of the page are filled in one task; behind it, what they ask for is sent together.
    if (!waiting.length) queueMicrotask(send);
    waiting.push({ address, signal, resolve, reject });
  });
}
export function signalOfAll(signals) {                                  // → is aborted once all of them are
  const all = new AbortController(), look = () => { if (signals.every((each) => each.aborted)) all.abort(); };
  for (const signal of signals) signal.addEventListener("abort", look);
  return all.signal;
}
async function send() {
  const questions = waiting.splice(0).filter(({ signal }) => !signal.aborted);
  const address = questions.length > 1 && commonAddress(questions.map((each) => each.address));
  if (!address) {
    for (const { address: own, signal, resolve, reject } of questions) ask(own, signal).then(resolve, reject);
    return;
  }
  try {                                                                 // until none of them is asked any more
    const answer = await ask(address, signalOfAll(questions.map((each) => each.signal)));
    const parts = answer.status === 200 ? await answer.json() : {};
    const { status, headers, statusText } = answer;
    for (const { address: own, resolve } of questions) {
      // The constructor refuses a body, even an empty one, with the status 204.
      resolve(new Response(status === 204 ? null : parts[nameOf(own)] ?? "", { status, headers, statusText }));
    }
  } catch (problem) { for (const { reject } of questions) reject(problem); }
}

async function load(slot) {
  const address = current(editor.dataset.content) + slot.dataset.slot, before = requests.get(slot);
  if (before?.address === address) return;
  before?.abort.abort();                                                // a newer question ends the older one
  const abort = new AbortController(), request = { address, abort };
  const patience = setTimeout(() => abort.abort(new Error("no answer")), COMPUTING_MS);
  requests.set(slot, request);
  slot.classList.toggle("stale", !noteIn(slot));
  try {
    const answer = await askTogether(address, abort.signal);
    const pauseMs = pauseAfter(answer);
    if (pauseMs) {
      requests.delete(slot);
      if (answer.status !== 503) sayMissing(slot, "busy");             // 503: it is being computed
      return void loadLater(slot, pauseMs);
    }
    slot.classList.toggle("failed", answer.status >= 500);
    if (!connection.readAnswer(answer.status) || answer.status >= 500) throw new Error(answer.statusText);
    if (!answer.ok || answer.status === 204) return void requests.delete(slot);  // typed over: the next one is of it
    const text = await answer.text();
    if (requests.get(slot) === request) show(slot, text, request);
  } catch (problem) {
    if (problem.name === "AbortError") return;
    requests.delete(slot);
    if (problem instanceof TypeError) connection.become("lost");
    else retry(slot);
    sayMissing(slot, connection.state || "failed");
  } finally { clearTimeout(patience); }
}
// --- what has never come: its place says why not, and what failed is tried again at a press
const noteIn = (slot) => slot.querySelector(".missing");

function sayMissing(slot, cause) {
  const placeholder = slot.querySelector("[data-waiting]");
  if (placeholder || !slot.childElementCount) slot.classList.remove("stale");  // nothing older is there
  if (!placeholder || noteIn(slot)?.dataset.cause === cause) return;
  const note = document.getElementById("missing").content.firstElementChild.cloneNode(true);
  note.dataset.cause = cause;
  for (const text of note.querySelectorAll("[data-when]")) text.hidden = !text.dataset.when.split(" ").includes(cause);
  noteIn(slot)?.remove();
  placeholder.hidden = true;
  placeholder.after(note);
}
function tryAgain({ target }) {
  if (!target.closest("[data-again]")) return;
  for (const note of document.querySelectorAll(".missing")) {
    const slot = note.closest("[data-slot]");
    slot.querySelector("[data-waiting]").hidden = false;
    note.remove();
    load(slot);
  }
}
function show(slot, text, request) {
  const again = () => { if (requests.get(slot) === request) { requests.delete(slot); load(slot); } };
  if (isTypedIn(slot)) return void slot.addEventListener("focusout", again, { once: true });
  if (slot.querySelector("form.saving")) {                              // its answer needs its place
    return void document.addEventListener("kw:answered", again, { once: true });
  }
  failures.delete(slot);
  slot.dispatchEvent(new CustomEvent("kw:before"));
  park(slot);
  htmx.swap(slot, withPlaces(text), { swapStyle: "innerHTML" });
  unpark(slot);
  slot.classList.remove("stale");
  slot.dispatchEvent(new CustomEvent("kw:after"));
}
function retry(slot) {
  const count = failures.get(slot) ?? 0;
  failures.set(slot, count + 1);
  loadLater(slot, retryPause(count));
}
function loadLater(slot, pauseMs) {
  setTimeout(() => {
    if (slot.isConnected && !connection.isBroken && !requests.has(slot)) load(slot);
  }, pauseMs);
}
function isTypedIn(slot) {                                              // what somebody types in is never swapped
  const input = slot.querySelector("form.control input:focus");
  return input && input.value !== input.defaultValue;
}
export function startSlots(document) {
  editor = document.getElementById("editor");
  insight = document.getElementById("insight");
  document.body.addEventListener("kw:saved", ({ detail }) => advance(detail));
  document.addEventListener("kw:head", ({ detail }) => advance(detail));
  document.addEventListener("kw:back", () => fill(document));
  document.addEventListener("htmx:afterSettle", ({ detail }) => {
    if (detail.target?.matches("section.elements")) fill(document);     // a list is shown in whole
    if (detail.target?.id !== "centre") return;                         // another element is open
    const section = detail.target.querySelector("[data-at]");
    insight.dataset.slot = withQuery(insight.dataset.slot, section ? [["at", section.dataset.at]] : []);
    fill(document);
  });
  document.addEventListener("click", tryAgain);
  document.addEventListener("kw:load", ({ target }) => load(target));
  fill(document);
  document.addEventListener("kw:part", ({ target }) => fill(target));
}
