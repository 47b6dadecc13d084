// The editor: what is typed is saved, what is saved is computed, what others do is shown. No state but the page's own.
const editor = document.getElementById("editor");
const insight = document.getElementById("insight");
const window_ = (sessionStorage.window ||= crypto.getRandomValues(new Uint32Array(1))[0].toString(16));
let company = "";

// --- saving: one request a form at a time, the last one kept (hx-sync); a lost connection is said and tried again

document.addEventListener("htmx:beforeRequest", ({ target }) => target.closest?.("form.control")?.classList.add("saving"));
document.addEventListener("htmx:afterRequest", ({ target, detail }) => {
  const form = target.closest?.("form.control");
  if (!form) return;
  form.classList.remove("saving");
  form.classList.toggle("unsaved", !detail.successful);
  form.querySelectorAll("input, select, textarea").forEach((input) => input.type !== "hidden" && input.setAttribute("aria-invalid", detail.xhr.status === 422));
});
document.addEventListener("htmx:sendError", ({ target }) => {
  lost(true);
  const form = target.closest?.("form.control");
  if (form) setTimeout(() => htmx.trigger(form, "submit"), 2000);
});
addEventListener("beforeunload", (event) => { if (document.querySelector("form.saving, form.unsaved")) event.preventDefault(); });

document.addEventListener("click", ({ target }) => {                    // a conflict: mine goes over theirs
  const form = target.dataset?.keep && document.getElementById(target.dataset.keep);
  if (!form) return;
  form.elements.was.value = target.dataset.was;
  htmx.trigger(form, "submit");
});

// --- after a save, and when others changed something

document.body.addEventListener("kw:saved", ({ detail }) => {
  advance(detail);
  if (detail.structure) centre();
});
document.body.addEventListener("kw:news", ({ detail }) => {
  company = detail.company;
  lost(false);
  if (detail.sequence <= Number(editor.dataset.sequence)) return;
  advance(detail);
  const typing = document.activeElement?.closest("form.control");
  if (typing || document.querySelector("form.saving, form.unsaved")) note(detail.changes, typing);
  else centre();
});

function advance({ sequence, sha256 }) {
  if (sequence < Number(editor.dataset.sequence)) return;               // older than what is shown
  editor.dataset.sequence = sequence;
  if (editor.dataset.sha256 === sha256) return;
  editor.dataset.sha256 = sha256;
  document.querySelectorAll("a[data-content]").forEach((link) => { link.href = current(link.href); });
  fill(document);
}

// --- slots: what the estimator computes of this very content, at an address below the content's hash

function current(address) { return address.replace(/[0-9a-f]{64}/, editor.dataset.sha256); }
const asked = new WeakMap();                                            // slot → the request under way or done

function fill(within) { within.querySelectorAll("[data-slot]").forEach(load); }

async function load(slot) {
  const address = current(editor.dataset.content) + slot.dataset.slot, before = asked.get(slot);
  if (before?.address === address) return;
  before?.abort.abort();                                                // a newer question ends the older one
  const abort = new AbortController();
  asked.set(slot, { address, abort });
  slot.classList.add("stale");
  slot.dispatchEvent(new CustomEvent("kw:asked"));
  try {
    const answer = await fetch(address, { signal: abort.signal, headers: { "HX-Request": "true" } });
    if (!answer.ok) throw new Error(answer.statusText);
    const text = await answer.text();
    if (asked.get(slot)?.address !== address) return;                   // an older answer never overwrites a newer one
    slot.dispatchEvent(new CustomEvent("kw:before"));
    htmx.swap(slot, present(text), { swapStyle: "innerHTML" });
    slot.classList.remove("stale");
    slot.dispatchEvent(new CustomEvent("kw:after"));
  } catch (problem) {
    if (problem.name === "AbortError") return;
    asked.delete(slot);
    if (!navigator.onLine || problem instanceof TypeError) lost(true);
  }
}
function present(text) {                                                // without what goes to places that are not here (any more)
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

function centre() {
  htmx.ajax("GET", location.pathname, { source: "#centre", target: "#centre", swap: "innerHTML" }).catch(() => lost(true));
}
function note(changes, typing) {
  const who = [...new Set(changes.map((change) => change.who))].join(", ");
  const said = document.getElementById("said");
  if (!who || !typing) return;
  said.textContent = "";
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: `${who} ✎ ↻` });
  button.addEventListener("click", () => { said.textContent = ""; centre(); });
  said.append(button);
}

// --- news: every second in company, every five alone, never while hidden

async function ask() {
  if (document.hidden) return;
  const query = new URLSearchParams({ since: editor.dataset.sequence, window: window_, at: document.querySelector("[data-at].element")?.dataset.at ?? "", company });
  htmx.ajax("GET", `${editor.dataset.news}?${query}`, { source: "#company", target: "#company", swap: "innerHTML" }).catch(() => lost(true));
}
function again() { ask(); setTimeout(again, company ? 1000 : 5000); }
document.addEventListener("visibilitychange", ask);
setTimeout(again, 1000);

function lost(isLost) {
  document.body.classList.toggle("offline", isLost);
}

// --- shortcuts: a key named on a button presses it

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input, textarea, select");
  const name = `${event.ctrlKey || event.metaKey ? "Control+" : ""}${event.shiftKey ? "Shift+" : ""}${event.key.toLowerCase()}`;
  const button = document.querySelector(`[data-key="${CSS.escape(name)}"]`) ?? [...document.querySelectorAll("[data-key]")].find((b) => b.dataset.key === name);
  if (!button || typing) return;
  event.preventDefault();
  button.click();
});
