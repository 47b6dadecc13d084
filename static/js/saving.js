// Saving: what is typed is sent, one request a form at a time; what could not be sent or stored stays and is said.
import { PATIENCE, becomes, broken, headers, heard, renewed } from "./connection.js";

htmx.config.timeout = PATIENCE;
const editor = document.getElementById("editor");
const parking = document.getElementById("parking"), parked = document.getElementById("parked");
const forms = new WeakMap();                                            // form → what was typed, sent, left unanswered
const waiting = new Set();                                              // forms to be sent again, the oldest first
let underway = 0, resending = false, more = false;

const PAUSE = 500;
const INPUTS = "input:not([type=hidden]), select, textarea";

function of(form) {
  if (!forms.has(form)) forms.set(form, { typed: 0, sent: 0, data: null, unanswered: null, failures: 0 });
  return forms.get(form);
}
const values = (data) => JSON.stringify(data.filter(([name]) => name !== "was"));
const alive = (form) => form.isConnected;
export const saving = () => underway > 0 || resending;
export const unsaved = (form) => form.matches(".saving, .unsaved, .typed");
export const busy = (form) => unsaved(form) || typingIn(form);
function typingIn(form) {
  const now = document.activeElement;
  return form.contains(now) && now.matches(`${INPUTS}, [contenteditable]`);
}

for (const event of ["input", "change"]) document.addEventListener(event, typed, true);
document.addEventListener("submit", ({ target, submitter }) => { if (submitter) typed({ target }); }, true);
function typed({ type, target }) {
  const form = target.closest?.("form.control[hx-post]");
  if (!form) return;
  const now = values([...new FormData(form)]);
  if (type === "change" && of(form).now === now) return;               // the field is left as it was typed
  of(form).now = now;
  of(form).typed++;
  form.classList.add("typed");
}

document.addEventListener("htmx:beforeRequest", (event) => {
  const { elt, requestConfig } = event.detail;
  if (requestConfig.verb !== "post") return;
  if (!elt.matches("form.control")) { if (broken()) event.preventDefault(); return; }
  const form = of(elt);
  if (broken() || form.unanswered || elt.closest(".is-gone")) {         // kept, and sent in its turn
    event.preventDefault();
    elt.classList.add("unsaved");
    waiting.add(elt);
    return;
  }
  const data = [...requestConfig.formData];
  const asSent = form.data && values(data) === values(form.data);
  if (requestConfig.triggeringEvent?.type !== "submit" && asSent) {
    event.preventDefault();
    form.sent = form.typed;
    elt.classList.remove("typed");
    return;
  }
  elt.classList.add("saving");
  [form.sent, form.data] = [form.typed, data];
  underway++;
});

document.addEventListener("htmx:afterRequest", ({ detail }) => {
  const { elt, verb } = detail.requestConfig;
  if (verb !== "post" || !elt.matches("form.control") || !elt.classList.contains("saving")) return;
  elt.classList.remove("saving");
  underway--;
  const strange = detail.xhr.getResponseHeader("HX-Trigger") === null && detail.xhr.status === 200;
  answered(elt, detail.xhr.status, strange);
  document.dispatchEvent(new Event("kw:answered"));
});

function answered(elt, status, strange = false) {
  const form = of(elt);
  invalid(elt, status === 422);
  if (status >= 200 && status < 300 && !strange) {
    elt.classList.remove("unsaved");
    if (form.typed === form.sent) { elt.classList.remove("typed"); waiting.delete(elt); }
  } else {
    elt.classList.add("unsaved");
    if (!heard(status) || status === 403) { form.unanswered = form.data; waiting.add(elt); }
    if (status === 403) refused(elt);
    if (status === 404) becomes("gone");
    if (status === 500 || status === 400 || strange) say(elt, editor.dataset.failed);
    if (status === 500) failed(elt);
  }
  if (status && status !== 403) form.refused = false;
  if (status && status !== 500) form.failures = 0;
  settle();
}
const invalid = (elt, is) => elt.querySelectorAll(INPUTS).forEach((input) => input.setAttribute("aria-invalid", is));
function say(form, text) {
  const line = Object.assign(document.createElement("p"), { className: "error", textContent: text });
  form.querySelector(".problem")?.replaceChildren(line);
}
function refused(elt) {                                                 // forbidden: an old token, else a lesser role
  const form = of(elt);
  form.refused = !form.refused;
  if (form.refused) return resend();                                    // with a new token, once
  waiting.delete(elt);
  form.unanswered = null;
  say(elt, editor.dataset.forbidden);
}
function failed(elt) {                                                  // who knows whether it was stored: again, a few times
  const form = of(elt);
  if (form.failures >= 3) return;
  form.failures++;
  form.unanswered = form.data;
  waiting.add(elt);
  setTimeout(() => { if (!broken()) resend(); }, PAUSE * 2 ** form.failures);
}

// --- the control comes anew with the answer (its inputs changed): what was typed since it was sent goes on

let answering = null;                                                   // the form whose answer is being read
document.addEventListener("htmx:beforeOnLoad", ({ detail }) => { answering = detail.requestConfig.elt; });
const going = new Map();                                                // id → what was typed meanwhile
document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
  const old = detail.target;
  if (!old.matches?.("form.control")) return;
  if (old !== answering && busy(old)) {                                 // with another page, and somebody types in it
    detail.shouldSwap = false;
    return;
  }
  besides(old, detail.fragment);
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  const since = typedSince(old).map((input) => [input.name, held(input)]);
  going.set(old.id, { since, button: focused?.matches("button") ? focused.value : null });
});
function typedSince(form) {                                             // the inputs that changed after it was sent
  const { data, typed: now, sent } = of(form);
  if (!data || now <= sent) return [];
  return inputs(form).filter((input) => !data.some(([name, value]) => name === input.name && value === held(input)));
}
document.addEventListener("htmx:oobAfterSwap", ({ detail }) => {
  const id = detail.target?.id, kept = going.get(id), form = document.getElementById(id);
  if (!kept || !form) return;
  going.delete(id);
  const pressed = [...form.querySelectorAll("button")].find((button) => button.value === kept.button);
  if (kept.button !== null) (pressed ?? inputs(form)[0])?.focus();
  let changed = null;
  for (const [name, value] of kept.since) {
    const input = inputs(form).find((each) => each.name === name);
    if (!input) continue;
    if (input.type === "checkbox") input.checked = Boolean(value); else input.value = value;
    changed = input;
  }
  changed?.dispatchEvent(new Event("change", { bubbles: true }));
});
export function besides(old, fresh) {                                   // what was computed stays until newer comes
  for (const place of fresh.querySelectorAll("[id]:empty:not(.problem, input, textarea)")) {
    const now = old.querySelector(`#${CSS.escape(place.id)}`);
    if (now) place.replaceChildren(...[...now.childNodes].map((node) => node.cloneNode(true)));
  }
}
const inputs = (form) => [...form.querySelectorAll(INPUTS)].filter((input) => input.name);
const held = (input) => (input.type === "checkbox" && !input.checked ? "" : input.value);

// --- what is unsaved is sent when the connection is back, in the order in which it was typed

document.addEventListener("kw:back", resend);
async function resend() {
  if (resending) { more = true; return; }                               // what came to wait meanwhile goes after that
  [resending, more] = [true, false];
  try {
    if (document.body.hasAttribute("hx-headers") && !(await renewed())) return;
    for (const form of [...waiting]) if (!(await sent(form))) break;
  } catch { becomes("lost"); } finally {
    resending = false;
    if (more && !broken()) resend();
    document.dispatchEvent(new Event("kw:answered"));
  }
}
async function sent(form) {
  const held_ = of(form), whole = held_.unanswered;
  if (!alive(form) || broken()) return alive(form) ? false : waiting.delete(form);
  if (form.closest(".is-gone")) return true;
  if (whole) {                                // the very request whose answer was lost: stored twice is stored once
    const answer = await post(form, whole, { signal: AbortSignal.timeout(PATIENCE) });
    const text = await answer.text();
    if (!heard(answer.status)) return false;
    const events = answer.headers.get("HX-Trigger"), strange = answer.status === 200 && events === null;
    held_.unanswered = null;
    if ([200, 409, 422].includes(answer.status) && !strange) take(form, text, events);
    waiting.delete(form);
    answered(form, answer.status, strange);
    if (held_.unanswered || strange) return true;                       // it is tried once more, after the others
  } else waiting.delete(form);
  if (alive(form) && held_.typed > held_.sent) await posted(form);
  return !broken();
}
function post(form, data, options) {
  const body = new URLSearchParams(data);
  return fetch(form.getAttribute("hx-post"), { method: "POST", body, headers: headers(), ...options });
}
function take(form, text, events) {
  answering = form;
  for (const [name, detail] of Object.entries(JSON.parse(events ?? "{}"))) {
    form.dispatchEvent(new CustomEvent(name, { bubbles: true, detail }));
  }
  const place = form.hasAttribute("hx-target") ? form.querySelector(".problem") : null;  // where it says what is wrong
  htmx.swap(place ?? form, text, { swapStyle: place ? "innerHTML" : "none" });
}
function posted(form) {
  return new Promise((done) => {
    const end = () => { document.removeEventListener("htmx:afterRequest", heardOf); done(); };
    const heardOf = ({ detail }) => { if (detail.requestConfig.elt === form) end(); };
    document.addEventListener("htmx:afterRequest", heardOf);
    setTimeout(end, PATIENCE);
    htmx.trigger(form, "submit");
    if (!form.matches(".saving")) done();
  });
}

// --- another element is opened: what is not saved yet is parked, goes on being saved, and is there when one comes back

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.target.id !== "centre" || !detail.shouldSwap) return;
  detail.target.querySelectorAll("form.control").forEach((form) => {
    if (!unsaved(form)) return;
    form.dataset.home = form.closest("[data-at].element")?.dataset.at ?? "";
    parking.append(form);
  });
});
export function unpark(root) {                                          // parked forms take their places again
  for (const form of [...parking.children]) {
    const place = root.querySelector(`#${CSS.escape(form.id)}`);
    if (!place) continue;
    place.replaceWith(form);
    if (unsaved(form) && !form.matches(".saving")) htmx.trigger(form, "submit");  // what was removed may be back
  }
  settle();
}
document.addEventListener("htmx:afterSwap", ({ detail }) => {
  if (detail.target?.id === "centre") unpark(detail.target);
});

function settle() {
  for (const form of [...parking.children]) if (!unsaved(form)) form.remove();
  const left = [...parking.children].filter((form) => form.matches(".unsaved"));
  parked.replaceChildren(...left.map(reminder));
}
function reminder(form) {
  const at = form.dataset.home, base = editor.dataset.news.replace(/news$/, "");
  const link = document.createElement("a"), line = document.createElement("p");
  const [before, after] = parked.dataset.text.split("{what}");
  const label = form.querySelector("label")?.textContent ?? "";
  link.textContent = `${label} “${inputs(form).map(held).join(" ").slice(0, 80)}”`;
  link.href = at ? `${base}at/${at}` : base;
  const attributes = { "hx-get": link.href, "hx-target": "#centre", "hx-push-url": "true" };
  for (const [name, value] of Object.entries(attributes)) link.setAttribute(name, value);
  line.append(before, link, after ?? "");
  queueMicrotask(() => htmx.process(line));
  return line;
}

const mine = () => [...document.querySelectorAll("form.control[hx-post]")].filter(unsaved);
function risky(form) {
  return broken() || form.matches(".unsaved") || (form.matches(".saving") && of(form).typed > of(form).sent);
}
addEventListener("beforeunload", (event) => { if (mine().some(risky)) event.preventDefault(); });
addEventListener("pagehide", () => {                                    // typed just now: sent after the page is gone
  for (const form of mine()) {
    const data = form.matches(".saving") ? of(form).data : new FormData(form);
    if (!risky(form)) post(form, data, { keepalive: true }).catch(() => {});
  }
});

document.addEventListener("click", ({ target }) => {                    // a conflict: mine goes over theirs
  const form = target.dataset?.keep && document.getElementById(target.dataset.keep);
  if (!form) return;
  form.elements.was.value = target.dataset.was;
  htmx.trigger(form, "submit");
});
document.addEventListener("click", ({ target }) => {                    // or theirs is taken: mine is given up
  const form = target.closest?.("[data-theirs]")?.closest("form.control");
  if (!form) return;
  form.classList.remove("unsaved", "typed");
  of(form).sent = of(form).typed;
  waiting.delete(form);
  form.dispatchEvent(new CustomEvent("kw:theirs", { bubbles: true }));
});
document.addEventListener("htmx:beforeSwap", ({ detail }) => {          // no other word of a control hides a conflict
  const over = detail.target.matches(".problem:has(.conflict)");
  if (over && !detail.requestConfig.elt.matches("form")) detail.shouldSwap = false;
});
document.addEventListener("kw:there", () => {                           // refused while its element was away: again
  for (const form of document.querySelectorAll("form.control.unsaved")) { waiting.add(form); of(form).typed++; }
  resend();
});
