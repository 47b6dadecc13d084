// Others in the design: who is here and where, what they changed. What nobody here types in is swapped in place; the rest is said.
import { PATIENCE, becomes, broken, heard, tryWith } from "./connection.js";
import { besides, busy, saving, unpark, unsaved } from "./saving.js";

const editor = document.getElementById("editor"), centre = document.getElementById("centre");
const company = document.getElementById("company"), happened = document.getElementById("happened");
const window_ = (sessionStorage.window ||= crypto.getRandomValues(new Uint32Array(1))[0].toString(16));
const IN_COMPANY = 1000, ALONE = 1500, CALM = 500;
const own = new Set();                                                  // sequence numbers that this window stored
let read = Number(editor.dataset.sequence);                             // all that was stored up to here is shown
let here = [], known = "", asking = false, news = [], changes = [];

const open = () => centre.querySelector("section.element");

// --- asking: often, never while hidden, one question at a time

async function ask() {
  if (asking || (document.hidden && !broken())) return;
  asking = true;
  try {
    const query = new URLSearchParams({ since: read, window: window_, at: open()?.dataset.at ?? "", company: known });
    const answer = await fetch(`${editor.dataset.news}?${query}`, { headers: { "HX-Request": "true" }, signal: AbortSignal.timeout(PATIENCE / 2) });
    const text = await answer.text();
    if ([403, 404].includes(answer.status)) becomes("gone");
    else if (heard(answer.status) && answer.status === 200) {
      news.push({ ...JSON.parse(answer.headers.get("HX-Trigger"))["kw:news"], text });
      hear();
    }
  } catch { becomes("lost"); } finally { asking = false; }
}
tryWith(ask);
function again() { if (!broken()) ask(); setTimeout(again, here.length ? IN_COMPANY : ALONE); }
setTimeout(again, CALM);
for (const [event, where] of [["visibilitychange", document], ["pageshow", window], ["focus", window]]) where.addEventListener(event, ask);

// --- hearing: news wait while something of this window is under way, so that it knows what was its own

document.addEventListener("kw:answered", () => { hear(); if (timer || wanted) later(); });
document.body.addEventListener("kw:saved", ({ detail }) => {
  if (detail.changed) {                                                 // else the number is of what another stored
    own.add(detail.sequence);
    if (detail.sequence === read + 1) read = detail.sequence;           // nothing of others lies between
  }
  later(detail.structure ? 0 : CALM);
});
function hear() {
  if (saving()) return;
  for (const one of news.splice(0)) {
    [here, known] = [one.here, one.company];
    company.innerHTML = one.text;
    htmx.process(company);
    mark();
    if (one.sequence <= read) continue;
    read = one.sequence;
    const theirs = one.changes.filter((change) => !own.has(change.sequence));
    changes.push(...theirs);
    document.dispatchEvent(new CustomEvent("kw:head", { detail: one }));
    if (theirs.length) { happened.textContent = theirs.map(({ who, what }) => `${who}: ${what}`).join(" · "); refresh(); }
  }
}
const said = ({ who, by }) => (String(by) === editor.dataset.me ? editor.dataset.elsewhere : editor.dataset.changed.replace("{who}", who));

function mark() {                                                       // in the outline, beside what each has open
  document.querySelectorAll("#outline .here").forEach((old) => old.remove());
  for (const { way } of here) {
    const person = company.querySelectorAll("a.person")[here.findIndex((one) => one.way === way)];
    const addresses = way.length ? way.map((id) => (id === "-instance" ? "/instance" : `/at/${id}`)) : [`/designs/${editor.dataset.key}/`];
    const link = addresses.map((end) => document.querySelector(`#outline a[href$="${end}"]`)).find(Boolean);
    if (!link || !person) continue;
    const dot = Object.assign(document.createElement("span"), { className: `here person ${[...person.classList].find((c) => c.startsWith("tint-"))}`, title: person.title });
    dot.textContent = person.querySelector("[aria-hidden]").textContent;
    dot.setAttribute("aria-hidden", "true");
    link.append(dot);
  }
}
new MutationObserver((seen) => {                                        // the outline came anew: it is marked again
  if (seen.some(({ addedNodes }) => [...addedNodes].some((node) => node.id === "outline"))) mark();
}).observe(editor, { childList: true, subtree: true });

// --- what the element that is open looks like now, part by part

let untold = false;                                                     // what was read has a change that no news told of yet
let taken = "";                                                         // the control that theirs was taken in
let timer = 0, refreshing = false, wanted = false;
function later(after = CALM) { clearTimeout(timer); timer = setTimeout(refresh, after); }

export async function refresh() {
  clearTimeout(timer);
  timer = 0;
  if (refreshing || saving()) { wanted = true; return; }
  [refreshing, wanted] = [true, false];
  const address = location.pathname;
  try {
    const answer = await fetch(address, { headers: { "HX-Request": "true" }, signal: AbortSignal.timeout(PATIENCE) });
    const text = await answer.text();
    if (location.pathname !== address || !heard(answer.status)) return;
    const page = document.createElement("template");
    page.innerHTML = text;
    if (answer.status === 404) gone(page.content.querySelector("#removed"));
    if (answer.status === 404) return page.content.querySelectorAll("[hx-swap-oob]").forEach((part) => whole(document.importNode(part, true)));
    const fresh = page.content.querySelector("section.element");
    if (!fresh) return;
    if (saving() || Number(fresh.dataset.sequence) < Number(editor.dataset.sequence)) { wanted = true; return; }
    if (!open()) centre.replaceChildren(document.createElement("section"));
    there();
    untold = false;
    for (let sequence = read + 1; sequence <= Number(fresh.dataset.sequence); sequence++) untold ||= !own.has(sequence);
    merge(open() ?? centre.firstChild, document.importNode(fresh, true));
    for (const part of page.content.querySelectorAll("[hx-swap-oob]")) whole(document.importNode(part, true));
    changes = [];
    if (taken) document.getElementById(taken)?.querySelector("input:not([type=hidden]), select, textarea")?.focus();
    taken = "";
  } catch { becomes("lost"); wanted = true; } finally {
    refreshing = false;
    if (wanted && !broken()) later(CALM);
  }
}
document.addEventListener("kw:back", ask);

const UNITS = "form.control, section.elements, .instance section.block, [data-part]";
const named = (unit) => unit.id || unit.getAttribute("aria-labelledby");
const units = (section, kinds = UNITS) => new Map([...section.querySelectorAll(kinds)].filter((unit) => named(unit) && !(unit.parentElement !== section && section.contains(unit.parentElement.closest(kinds)))).map((unit) => [named(unit), unit]));
const was = (form) => form.querySelector("[name=was]");

function merge(old, fresh) {
  const before = units(old), after = units(fresh);
  besides(old, fresh);
  if (old.dataset.at !== fresh.dataset.at || [...before.keys()].join() !== [...after.keys()].join()) return carried(old, fresh);
  old.dataset.sequence = fresh.dataset.sequence;
  swap(old.querySelector("h2"), fresh.querySelector("h2"));
  for (const [id, unit] of before) one(unit, after.get(id));
}
function one(old, fresh) {
  if (!old.matches("form")) {
    const now = document.activeElement;
    if (now?.closest("[data-slot] form.control") && old.contains(now)) return void now.addEventListener("focusout", () => later(0), { once: true });  // to move it would take it from under the hands
    const text = fresh.outerHTML.replace(/(&quot;id\\&quot;: ?\\&quot;)[0-9a-f]{10}/g, "$1");  // new elements get new ids at every reading
    if (places.get(named(fresh)) === text) return;
    carried(old, fresh);
    places.set(named(fresh), text);
    return;
  }
  const [mine, theirs] = [was(old), was(fresh)];
  if ((mine?.dataset.version ?? mine?.value) === (theirs?.dataset.version ?? theirs?.value)) return;
  if (busy(old) && (unsaved(old) || !alike(old, fresh))) return noted(old, fresh);
  fresh.classList.toggle("fresh", mine?.value !== theirs?.value && changes.length > 0);
  swap(old, fresh);
}
const inputs = (form) => [...form.querySelectorAll("input:not([type=hidden]), select, textarea")].map((input) => `${input.name}=${input.type === "checkbox" ? input.checked : input.value}`).join("&");
const alike = (old, fresh) => inputs(old) === inputs(fresh);
function carried(old, fresh) {                                          // all of it is new but for what is being typed
  const focus = focused(), after = units(fresh, "form.control");
  for (const [id, unit] of units(old, "form.control")) {
    if (!busy(unit)) continue;
    const place = after.get(id);
    if (!place) { if (unsaved(unit) && !unit.closest("[data-slot]")) fresh.append(unit); continue; }  // slots go over with what is in them
    if (!unsaved(unit) && alike(unit, place)) continue;
    noted(unit, place);
    place.replaceWith(unit);
  }
  const begun = [...old.querySelectorAll("form:not(.control)")].filter((form) => [...form.elements].some((input) => input.matches("input[type=text], textarea") && input.value !== input.defaultValue));
  for (const form of begun) fresh.querySelector(`form[hx-post="${form.getAttribute("hx-post")}"]`)?.replaceWith(form);
  keepSlots(old, fresh);
  old.replaceWith(fresh);
  htmx.process(fresh);
  unpark(fresh);
  focus();
  loaded(fresh);
}
function swap(old, fresh) {
  if (!old || !fresh) return;
  const focus = old.contains(document.activeElement) ? focused() : () => {};
  keepSlots(old, fresh);
  old.replaceWith(fresh);
  htmx.process(fresh);
  focus();
  loaded(fresh);
}
const loaded = (part) => part.dispatchEvent(new CustomEvent("kw:part", { bubbles: true }));
function keepSlots(old, fresh) {                                        // nor does what was opened close
  const opened = [...old.querySelectorAll("details[open] > summary")].map((summary) => summary.textContent.trim());
  for (const summary of fresh.querySelectorAll("details > summary")) if (opened.includes(summary.textContent.trim())) summary.parentElement.open = true;
  for (const slot of fresh.querySelectorAll("[data-slot]")) {
    const now = [...old.querySelectorAll("[data-slot]")].find((one) => one.dataset.slot === slot.dataset.slot);
    if (now) slot.replaceWith(now);
  }
}
const places = new Map();                                               // id → what of the page stands there as the server sent it
for (const event of ["htmx:oobAfterSwap", "htmx:afterSwap"]) document.addEventListener(event, () => places.clear());
function whole(fresh) {
  const old = document.getElementById(fresh.id), text = fresh.outerHTML;
  fresh.removeAttribute("hx-swap-oob");
  if (!old || places.get(fresh.id) === text || (old.matches("form.control") && busy(old))) return;
  places.set(fresh.id, text);
  fresh.classList.toggle("stale", old.classList.contains("stale"));
  const at = old.scrollTop;
  swap(old, fresh);
  fresh.scrollTop = at;
}
function focused() {                                                    // gives the focus back to what took the place of what had it
  const now = document.activeElement, box = now?.closest(`[id]:not(#${CSS.escape(now?.id || "-")})`);
  const nth = box ? [...box.querySelectorAll(now.tagName)].indexOf(now) : -1;
  const [start, end] = [now?.selectionStart, now?.selectionEnd];
  return () => {
    if (!now || now === document.body || (now.isConnected && document.activeElement === now)) return;
    const next = now.isConnected ? now : (now.id && document.getElementById(now.id)) || document.getElementById(box?.id)?.querySelectorAll(now.tagName)[nth];
    next?.focus({ preventScroll: true });
    if (next && typeof start === "number") try { next.setSelectionRange(start, end); } catch { /* not a text */ }
  };
}

// --- a part that is being typed in: "Ben changed this · Show"

const newest = new WeakMap();                                           // form → as it looks with what the other did
function noted(form, fresh) {
  if (was(form)?.value === was(fresh)?.value) return;
  const about = changes.filter(({ fields }) => fields.includes(`${form.elements.at?.value} ${form.elements.name?.value}`)).at(-1) ?? changes.at(-1);
  if (!about && untold) return void ask();                              // the page was quicker than the news of it
  const told = form.querySelector(".theirs, .conflict");                // of another's change, which nobody has looked at yet
  if (!about && !told) { was(form).value = was(fresh).value; return; }  // this window's own change, told by the whole page
  newest.set(form, fresh.cloneNode(true));
  const shown = form.querySelector(".conflict [data-was]");
  if (shown && shown.dataset.was !== was(fresh).value) htmx.trigger(form, "submit");  // another version than the one to choose from
  if (shown || form.querySelector(".theirs")) return;
  const line = Object.assign(document.createElement("p"), { className: "theirs" });
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: editor.dataset.show });
  line.setAttribute("role", "status");
  line.append(`${said(about)} · `, button);
  button.addEventListener("click", () => show(form));
  form.append(line);
}
function show(form) {
  form.querySelector(".theirs")?.remove();
  if (unsaved(form)) htmx.trigger(form, "submit");                      // both versions side by side, to choose from
  else swap(form, newest.get(form).cloneNode(true));
}
document.addEventListener("focusout", ({ target }) => {                 // left without a word typed: theirs comes at once
  const form = target.closest?.("form.control");
  if (form?.querySelector(".theirs")) setTimeout(() => { if (form.isConnected && form.querySelector(".theirs") && !busy(form) && !form.contains(document.activeElement)) show(form); });
});

document.addEventListener("kw:theirs", ({ target }) => {               // mine is given up for it: read anew, whatever it was
  was(target).dataset.version = "";
  taken = target.id;
  places.clear();
  later(0);
});

// --- the open element was removed by somebody: it stays readable, and can come back

function gone(notice) {
  const section = open();
  if (!notice || !section) return;
  document.getElementById("removed")?.remove();
  section.classList.add("is-gone");
  const typed = [...section.querySelectorAll("form.control")].some(unsaved);
  const shown = document.importNode(notice, true);
  shown.querySelector(".typed").hidden = !typed;
  section.before(shown);
  htmx.process(shown);
}
function there() {
  document.getElementById("removed")?.remove();
  if (!open()?.classList.contains("is-gone")) return;
  open().classList.remove("is-gone");
  document.dispatchEvent(new Event("kw:there"));
}
