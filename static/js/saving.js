// Saving: what is typed is sent, one request a form at a time; what could not be sent or stored stays and is said.
import { PATIENCE, becomes, broken, headers, heard, renewed } from "./connection.js";

htmx.config.timeout = PATIENCE;
const editor = document.getElementById("editor");
const parking = document.getElementById("parking"), parked = document.getElementById("parked");
const forms = new WeakMap();                                            // form → what of it was typed, sent, left unanswered
const waiting = new Set();                                              // forms to be sent again, the oldest first
let underway = 0, resending = false;

const of = (form) => { if (!forms.has(form)) forms.set(form, { typed: 0, sent: 0, data: null, unanswered: null }); return forms.get(form); };
const values = (data) => JSON.stringify(data.filter(([name]) => name !== "was"));
const alive = (form) => form.isConnected;
export const saving = () => underway > 0 || resending;
export const unsaved = (form) => form.matches(".saving, .unsaved, .typed");
export const busy = (form) => unsaved(form) || typingIn(form);
const typingIn = (form) => form.contains(document.activeElement) && document.activeElement.matches("input:not([type=hidden]), select, textarea, [contenteditable]");

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
  if (requestConfig.triggeringEvent?.type !== "submit" && form.data && values(data) === values(form.data)) {  // left as it was sent
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
  answered(elt, detail.xhr.status, detail.xhr.getResponseHeader("HX-Trigger") === null && detail.xhr.status === 200);
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
    if (status === 403) renew(elt);
    if (status === 404) becomes("gone");
    if (status === 500 || status === 400) say(elt, editor.dataset.failed);
  }
  settle();
}
const invalid = (elt, is) => elt.querySelectorAll("input, select, textarea").forEach((input) => input.type !== "hidden" && input.setAttribute("aria-invalid", is));
function say(form, text) {
  form.querySelector(".problem")?.replaceChildren(Object.assign(document.createElement("p"), { className: "error", textContent: text }));
}
async function renew(form) {                                            // forbidden: the token is old, or the person's role is less now
  try {
    const anew = await renewed();
    if (anew === undefined) return;
    if (anew) return resend();
  } catch { return becomes("lost"); }
  waiting.delete(form);
  of(form).unanswered = null;
  say(form, editor.dataset.forbidden);
}

// --- the control comes anew with the answer (its inputs changed): what was typed since it was sent goes on

let answering = null;                                                   // the form whose answer is being read
document.addEventListener("htmx:beforeOnLoad", ({ detail }) => { answering = detail.requestConfig.elt; });
const going = new Map();                                                // id → what was typed meanwhile
document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
  const old = detail.target;
  if (!old.matches?.("form.control")) return;
  if (old !== answering && busy(old)) { detail.shouldSwap = false; return; }  // comes with another page, and is being typed in
  besides(old, detail.fragment);
  const { data, typed: now, sent } = of(old);
  const since = now > sent && data ? inputs(old).filter((input) => !data.some(([name, value]) => name === input.name && value === held(input))) : [];
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  going.set(old.id, { since: since.map((input) => [input.name, held(input)]), button: focused?.matches("button") ? focused.value : null });
});
document.addEventListener("htmx:oobAfterSwap", ({ detail }) => {
  const id = detail.target?.id, kept = going.get(id), form = document.getElementById(id);
  if (!kept || !form) return;
  going.delete(id);
  if (kept.button !== null) ([...form.querySelectorAll("button")].find((button) => button.value === kept.button) ?? inputs(form)[0])?.focus();
  let changed = null;
  for (const [name, value] of kept.since) {
    const input = inputs(form).find((each) => each.name === name);
    if (!input) continue;
    if (input.type === "checkbox") input.checked = Boolean(value); else input.value = value;
    changed = input;
  }
  changed?.dispatchEvent(new Event("change", { bubbles: true }));
});
export function besides(old, fresh) {                                   // what the estimator put there stays until it has newer
  for (const place of fresh.querySelectorAll("[id]:empty:not(.problem, input, textarea)")) {
    const now = old.querySelector(`#${CSS.escape(place.id)}`);
    if (now) place.replaceChildren(...[...now.childNodes].map((node) => node.cloneNode(true)));
  }
}
const inputs = (form) => [...form.querySelectorAll("input:not([type=hidden]), select, textarea")].filter((input) => input.name);
const held = (input) => (input.type === "checkbox" ? (input.checked ? input.value : "") : input.value);

// --- what is unsaved is sent when the connection is back, in the order in which it was typed

document.addEventListener("kw:back", resend);
async function resend() {
  if (resending) return;
  resending = true;
  try {
    if (document.body.hasAttribute("hx-headers") && (await renewed()) === undefined) return;
    for (const form of [...waiting]) if (!(await sent(form))) break;
  } catch { becomes("lost"); } finally {
    resending = false;
    document.dispatchEvent(new Event("kw:answered"));
  }
}
async function sent(form) {
  const held_ = of(form), whole = held_.unanswered;
  if (!alive(form) || broken()) return alive(form) ? false : waiting.delete(form);
  if (form.closest(".is-gone")) return true;
  if (whole) {                                                          // first the very request whose answer was lost: storing it twice is storing it once
    const answer = await fetch(form.getAttribute("hx-post"), { method: "POST", body: new URLSearchParams(whole), headers: headers(), signal: AbortSignal.timeout(PATIENCE) });
    const text = await answer.text();
    if (!heard(answer.status)) return false;
    held_.unanswered = null;
    if ([200, 409, 422].includes(answer.status)) take(form, text, answer.headers.get("HX-Trigger"));
    waiting.delete(form);
    answered(form, answer.status);
    if (answer.status === 403) return true;
  } else waiting.delete(form);
  if (alive(form) && held_.typed > held_.sent) await posted(form);
  return !broken();
}
function take(form, text, events) {
  answering = form;
  for (const [name, detail] of Object.entries(JSON.parse(events ?? "{}"))) form.dispatchEvent(new CustomEvent(name, { bubbles: true, detail }));
  htmx.swap(form, text, { swapStyle: "none" });
}
function posted(form) {
  return new Promise((done) => {
    const end = ({ detail }) => { if (detail.requestConfig.elt === form) { document.removeEventListener("htmx:afterRequest", end); done(); } };
    document.addEventListener("htmx:afterRequest", end);
    setTimeout(() => { document.removeEventListener("htmx:afterRequest", end); done(); }, PATIENCE);
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
    if (!form.matches(".saving") && of(form).typed > of(form).sent && !waiting.has(form)) htmx.trigger(form, "submit");
  }
  settle();
}
document.addEventListener("htmx:afterSwap", ({ detail }) => { if (detail.target?.id === "centre") unpark(detail.target); });

function settle() {
  for (const form of [...parking.children]) if (!unsaved(form)) form.remove();
  const left = [...parking.children].filter((form) => form.matches(".unsaved"));
  parked.replaceChildren(...left.map(reminder));
}
function reminder(form) {
  const at = form.dataset.home, base = editor.dataset.news.replace(/news$/, "");
  const link = document.createElement("a"), line = document.createElement("p"), [before, after] = parked.dataset.text.split("{what}");
  link.textContent = `${form.querySelector("label")?.textContent ?? ""} “${inputs(form).map(held).join(" ").slice(0, 80)}”`;
  link.href = at ? `${base}at/${at}` : base;
  for (const [name, value] of [["hx-get", link.href], ["hx-target", "#centre"], ["hx-push-url", "true"]]) link.setAttribute(name, value);
  line.append(before, link, after ?? "");
  queueMicrotask(() => htmx.process(line));
  return line;
}

const mine = () => [...document.querySelectorAll("form.control[hx-post]")].filter(unsaved);
const risky = (form) => broken() || form.matches(".unsaved") || (form.matches(".saving") && of(form).typed > of(form).sent);
addEventListener("beforeunload", (event) => { if (mine().some(risky)) event.preventDefault(); });
addEventListener("pagehide", () => {                                    // typed a moment ago: the browser sends it after the page is gone
  for (const form of mine()) {
    if (!risky(form)) fetch(form.getAttribute("hx-post"), { method: "POST", body: new URLSearchParams(form.matches(".saving") ? of(form).data : new FormData(form)), headers: headers(), keepalive: true }).catch(() => {});
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
document.addEventListener("htmx:beforeSwap", ({ detail }) => {         // what else is said of a control does not hide a conflict
  if (detail.target.matches(".problem:has(.conflict)") && !detail.requestConfig.elt.matches("form")) detail.shouldSwap = false;
});
document.addEventListener("kw:there", () => {                           // what was refused while its element was away is asked again
  for (const form of document.querySelectorAll("form.control.unsaved")) { waiting.add(form); of(form).typed++; }
  resend();
});
