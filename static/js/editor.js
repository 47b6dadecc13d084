// The editor: what is saved is computed. Saving, company, connection and what is open are modules of their own.
import { PATIENCE, becomes, broken, heard } from "./connection.js";
import "./saving.js";
import "./company.js";

const editor = document.getElementById("editor");
const insight = document.getElementById("insight");

// --- the head moves on: by a save of this window, by news of others

document.body.addEventListener("kw:saved", ({ detail }) => advance(detail));
document.addEventListener("kw:head", ({ detail }) => advance(detail));
document.addEventListener("kw:back", () => fill(document));

function advance({ sequence, sha256 }) {
  if (sequence < Number(editor.dataset.sequence)) return;               // older than what is shown
  editor.dataset.sequence = sequence;
  if (editor.dataset.sha256 !== sha256) {
    editor.dataset.sha256 = sha256;
    document.querySelectorAll("a[data-content]").forEach((link) => { link.href = current(link.href); });
  }
  fill(document);                                                       // what was undone meanwhile may still be asked for
}

// --- slots: what the estimator computes of this very content, at an address below the content's hash

function current(address) { return address.replace(/[0-9a-f]{64}/, editor.dataset.sha256); }
const asked = new WeakMap();                                            // slot → the request under way or done
const failures = new WeakMap();                                         // slot → how often the server failed in a row
const LONG = 3 * PATIENCE;                                              // what is computed may take longer than what is read

function fill(within) { within.querySelectorAll("[data-slot]").forEach(load); }

async function load(slot) {
  const address = current(editor.dataset.content) + slot.dataset.slot, before = asked.get(slot);
  if (before?.address === address) return;
  before?.abort.abort();                                                // a newer question ends the older one
  const abort = new AbortController(), mine = { address, abort };
  const patience = setTimeout(() => abort.abort(new Error("no answer")), LONG);
  asked.set(slot, mine);
  slot.classList.add("stale");
  slot.dispatchEvent(new CustomEvent("kw:asked"));
  try {
    const answer = await fetch(address, { signal: abort.signal, headers: { "HX-Request": "true" } });
    slot.classList.toggle("failed", answer.status >= 500);
    if (!heard(answer.status) || answer.status >= 500) throw new Error(answer.statusText);
    if (!answer.ok || answer.status === 204) return void asked.delete(slot);  // it was typed over: the next one is of it
    const text = await answer.text();
    if (asked.get(slot) === mine) put(slot, text, mine);                // an older answer never overwrites a newer one
  } catch (problem) {
    if (problem.name === "AbortError") return;
    asked.delete(slot);
    if (problem instanceof TypeError) becomes("lost");
    else later(slot);
  } finally { clearTimeout(patience); }
}
function put(slot, text, mine) {
  const again = () => { if (asked.get(slot) === mine) { asked.delete(slot); load(slot); } };
  if (typedIn(slot)) return void slot.addEventListener("focusout", again, { once: true });
  if (slot.querySelector("form.saving")) {                              // its answer needs its place
    return void document.addEventListener("kw:answered", again, { once: true });
  }
  failures.delete(slot);
  slot.dispatchEvent(new CustomEvent("kw:before"));
  htmx.swap(slot, present(text), { swapStyle: "innerHTML" });
  slot.classList.remove("stale");
  slot.dispatchEvent(new CustomEvent("kw:after"));
}
function later(slot) {                                                  // asked again, with longer and longer pauses
  const times = failures.get(slot) ?? 0, pause = Math.min(1000 * 2 ** times, PATIENCE);
  failures.set(slot, times + 1);
  setTimeout(() => { if (slot.isConnected && !broken() && !asked.has(slot)) load(slot); }, pause);
}
function typedIn(slot) {                                                 // what somebody types in is never swapped
  const input = slot.querySelector("form.control input:focus");
  return input && input.value !== input.defaultValue;
}
function present(text) {                                                // without what goes to places that are not here
  const parts = new DOMParser().parseFromString(text, "text/html");
  parts.querySelectorAll("[hx-swap-oob]").forEach((part) => document.getElementById(part.id) || part.remove());
  return parts.body.innerHTML;
}
document.addEventListener("htmx:afterSettle", ({ detail }) => {
  if (detail.target?.id !== "centre") return;                           // another element is open
  const open = detail.target.querySelector("[data-at]");
  const [view, query] = insight.dataset.slot.split("?"), asks = new URLSearchParams(query);
  if (open) asks.set("at", open.dataset.at);
  insight.dataset.slot = `${view}?${asks}`;
  fill(document);
});
document.addEventListener("kw:load", ({ target }) => load(target));
fill(document);
document.addEventListener("kw:part", ({ target }) => fill(target));

// --- what asked may be swapped before its answer comes: htmx looks for the places of its other parts from there

document.addEventListener("htmx:beforeRequest", ({ detail: { elt, xhr } }) => {
  xhr.addEventListener("readystatechange", () => {
    if (xhr.readyState !== XMLHttpRequest.DONE || elt.isConnected) return;
    const stand = Object.assign(document.createElement("div"), { hidden: true });
    stand.append(elt);
    document.body.append(stand);
    xhr.addEventListener("loadend", () => stand.remove());
  });
});

// --- shortcuts: a key named on a button presses it

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input, textarea, select");
  const control = event.ctrlKey || event.metaKey ? "Control+" : "", shift = event.shiftKey ? "Shift+" : "";
  const name = `${control}${shift}${event.key?.toLowerCase()}`;         // Chromium tells of a taken suggestion by no key
  const button = [...document.querySelectorAll("[data-key]")].find((one) => one.dataset.key === name);
  if (!button || typing) return;
  event.preventDefault();
  button.click();
});
