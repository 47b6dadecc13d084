// Others in the design: who is here and where, what they changed. What nobody here types in is swapped in place; the
// rest is said.
import { PATIENCE, becomes, broken, heard, tryWith } from "./connection.js";
import { reading } from "./centre.js";
import { besides, busy, saving, unpark, unsaved } from "./saving.js";

const editor = document.getElementById("editor"), centre = document.getElementById("centre");
const company = document.getElementById("company"), happened = document.getElementById("happened");
const window_ = (sessionStorage.window ||= crypto.getRandomValues(new Uint32Array(1))[0].toString(16));
const IN_COMPANY = 1000, ALONE = 1500, CALM = 500, FAILED = 3000;
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
    const answer = await asked(`${editor.dataset.news}?${query}`, PATIENCE / 2);
    const text = await answer.text();
    if ([403, 404].includes(answer.status)) becomes("gone");
    else if (heard(answer.status) && answer.status === 200) {
      news.push({ ...JSON.parse(answer.headers.get("HX-Trigger"))["kw:news"], text });
      hear();
    }
  } catch { becomes("lost"); } finally { asking = false; }
}
const asked = (address, patience) =>
  fetch(address, { headers: { "HX-Request": "true" }, signal: AbortSignal.timeout(patience) });
tryWith(ask);
function again() { if (!broken()) ask(); setTimeout(again, here.length ? IN_COMPANY : ALONE); }
setTimeout(again, CALM);
document.addEventListener("visibilitychange", ask);
for (const event of ["pageshow", "focus"]) window.addEventListener(event, ask);

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
    if (!theirs.length) continue;
    happened.textContent = theirs.map(({ who, what }) => `${who}: ${what}`).join(" · ");
    refresh();
  }
}
function said({ who, by }) {
  return String(by) === editor.dataset.me ? editor.dataset.elsewhere : editor.dataset.changed.replace("{who}", who);
}

function mark() {                                                       // in the outline, beside what each has open
  document.querySelectorAll("#outline .here").forEach((old) => old.remove());
  for (const { way } of here) {
    const person = company.querySelectorAll("a.person")[here.findIndex((one) => one.way === way)];
    const link = ends(way).map((end) => document.querySelector(`#outline a[href$="${end}"]`)).find(Boolean);
    if (!link || !person) continue;
    const tint = [...person.classList].find((name) => name.startsWith("tint-"));
    const dot = document.createElement("span");
    Object.assign(dot, { className: `here person ${tint}`, title: person.title });
    dot.textContent = person.querySelector("[aria-hidden]").textContent;
    dot.setAttribute("aria-hidden", "true");
    link.append(dot);
  }
}
function ends(way) {                                                    // of addresses, from the element outwards
  if (!way.length) return [`/designs/${editor.dataset.key}/`];
  return way.map((id) => (id === "-instance" ? "/instance" : `/at/${id}`));
}
new MutationObserver((seen) => {                                        // the outline came anew: it is marked again
  if (seen.some(({ addedNodes }) => [...addedNodes].some((node) => node.id === "outline"))) mark();
}).observe(editor, { childList: true, subtree: true });

// --- what the element that is open looks like now, part by part

let untold = false;                                                     // a change was read that no news told of yet
let taken = "";                                                         // the control that theirs was taken in
let timer = 0, refreshing = false, wanted = false;
function later(after = CALM) { clearTimeout(timer); timer = setTimeout(refresh, after); }

async function refresh() {
  clearTimeout(timer);
  timer = 0;
  if (refreshing || saving() || reading()) { wanted = true; return; }
  [refreshing, wanted] = [true, false];
  const address = location.pathname;
  let failed = true, pause = CALM;                                      // then it is read again
  try {
    const answer = await asked(address, PATIENCE);
    const text = await answer.text();
    if (!heard(answer.status) || location.pathname !== address) return;
    if (answer.status >= 500) { pause = FAILED; return; }
    failed = false;
    const page = document.createElement("template");
    page.innerHTML = text;
    if (answer.status !== 404) return shown(page.content);
    gone(page.content.querySelector("#removed"));
    wholes(page.content);
  } catch { failed = true; becomes("lost"); } finally {
    refreshing = false;
    wanted ||= failed;
    if (wanted && !broken()) later(pause);
  }
}
document.addEventListener("htmx:afterSettle", ({ detail }) => {         // opened as it was before what is known by now
  if (detail.target?.id !== "centre") return;
  if (wanted || Number(open()?.dataset.sequence) < Number(editor.dataset.sequence)) later(0);
});
function shown(page) {
  const fresh = page.querySelector("section.element");
  if (!fresh) return;
  const now = Number(fresh.dataset.sequence);
  if (saving() || now < Number(editor.dataset.sequence)) { wanted = true; return; }
  if (!open()) centre.replaceChildren(document.createElement("section"));
  there();
  untold = false;
  for (let sequence = read + 1; sequence <= now; sequence++) untold ||= !own.has(sequence);
  merge(open() ?? centre.firstChild, document.importNode(fresh, true));
  wholes(page);
  changes = [];
  if (taken) document.getElementById(taken)?.querySelector(INPUTS)?.focus();
  taken = "";
}
document.addEventListener("kw:back", ask);

const UNITS = "form.control, section.elements, .instance section.block, [data-part]";
const INPUTS = "input:not([type=hidden]), select, textarea";
const named = (unit) => unit.id || unit.getAttribute("aria-labelledby");
function units(section, kinds = UNITS) {                                // by name, the outermost ones
  const within = (unit) => unit.parentElement !== section && section.contains(unit.parentElement.closest(kinds));
  const outermost = [...section.querySelectorAll(kinds)].filter((unit) => named(unit) && !within(unit));
  return new Map(outermost.map((unit) => [named(unit), unit]));
}
const was = (form) => form.querySelector("[name=was]");

function merge(old, fresh) {
  const before = units(old), after = units(fresh);
  besides(old, fresh);
  const same = old.dataset.at === fresh.dataset.at && [...before.keys()].join() === [...after.keys()].join();
  if (!same) return carried(old, fresh);
  old.dataset.sequence = fresh.dataset.sequence;
  swap(old.querySelector("h2"), fresh.querySelector("h2"));
  for (const [id, unit] of before) one(unit, after.get(id));
}
function one(old, fresh) {
  if (!old.matches("form")) return block(old, fresh);
  const [mine, theirs] = [was(old), was(fresh)];
  const told = old.querySelector(".conflict [data-was]");               // of what is taken back: nothing stands against mine any more
  if (told && mine?.value === theirs?.value && told.dataset.was !== theirs.value) return void htmx.trigger(old, "submit");
  if ((mine?.dataset.version ?? mine?.value) === (theirs?.dataset.version ?? theirs?.value)) return;
  if (busy(old) && (unsaved(old) || !alike(old, fresh))) return noted(old, fresh);
  fresh.classList.toggle("fresh", mine?.value !== theirs?.value && changes.length > 0);
  swap(old, fresh);
}
function block(old, fresh) {
  const now = document.activeElement;
  if (now?.closest("[data-slot] form.control") && old.contains(now)) {  // to move it would take it from under the hands
    now.addEventListener("focusout", () => later(0), { once: true });
    return;
  }
  const newIds = /(&quot;id\\&quot;: ?\\&quot;)[0-9a-f]{10}/g;          // of what could be added: never the same
  const text = fresh.outerHTML.replace(newIds, "$1");
  if (places.get(named(fresh)) === text) return;
  carried(old, fresh);
  places.set(named(fresh), text);
}
const entry = (input) => `${input.name}=${input.type === "checkbox" ? input.checked : input.value}`;
const inputs = (form) => [...form.querySelectorAll(INPUTS)].map(entry).join("&");
const alike = (old, fresh) => inputs(old) === inputs(fresh);
function carried(old, fresh) {                                          // all of it is new but for what is being typed
  const focus = focused(), after = units(fresh, "form.control");
  for (const [id, unit] of units(old, "form.control")) {
    if (!busy(unit)) continue;
    const place = after.get(id);
    if (!place) {
      if (unsaved(unit) && !unit.closest("[data-slot]")) fresh.append(unit);  // slots go over with what is in them
      continue;
    }
    if (!unsaved(unit) && alike(unit, place)) continue;
    noted(unit, place);
    place.replaceWith(unit);
  }
  for (const form of [...old.querySelectorAll("form:not(.control)")].filter(begun)) {
    fresh.querySelector(`form[hx-post="${form.getAttribute("hx-post")}"]`)?.replaceWith(form);
  }
  keepSlots(old, fresh);
  old.replaceWith(fresh);
  htmx.process(fresh);
  unpark(fresh);
  focus();
  loaded(fresh);
}
function begun(form) {                                                  // a text that nothing was posted of yet
  const typed = (input) => input.matches("input[type=text], textarea") && input.value !== input.defaultValue;
  return [...form.elements].some(typed);
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
  const text = (summary) => summary.textContent.trim();
  const opened = [...old.querySelectorAll("details[open] > summary")].map(text);
  for (const summary of fresh.querySelectorAll("details > summary")) {
    if (opened.includes(text(summary))) summary.parentElement.open = true;
  }
  for (const slot of fresh.querySelectorAll("[data-slot]")) {
    const now = [...old.querySelectorAll("[data-slot]")].find((one) => one.dataset.slot === slot.dataset.slot);
    if (now) slot.replaceWith(now);
  }
}
const places = new Map();                                               // id → what stands there, as it was sent
for (const event of ["htmx:oobAfterSwap", "htmx:afterSwap"]) document.addEventListener(event, () => places.clear());
function wholes(page) {
  for (const part of page.querySelectorAll("[hx-swap-oob]")) whole(document.importNode(part, true));
}
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
function focused() {                                                    // → gives it to what came in the place of that
  const now = document.activeElement, box = now?.closest(`[id]:not(#${CSS.escape(now?.id || "-")})`);
  const nth = box ? [...box.querySelectorAll(now.tagName)].indexOf(now) : -1;
  const [start, end] = [now?.selectionStart, now?.selectionEnd];
  return () => {
    if (!now || now === document.body || (now.isConnected && document.activeElement === now)) return;
    const anew = () => (now.id && document.getElementById(now.id))
      || document.getElementById(box?.id)?.querySelectorAll(now.tagName)[nth];
    const next = now.isConnected ? now : anew();
    next?.focus({ preventScroll: true });
    if (next && typeof start === "number") try { next.setSelectionRange(start, end); } catch { /* not a text */ }
  };
}

// --- a part that is being typed in: "Ben changed this · Show"

const newest = new WeakMap();                                           // form → as it looks with what the other did
function noted(form, fresh) {
  if (was(form)?.value === was(fresh)?.value) return;
  const field = `${form.elements.at?.value} ${form.elements.name?.value}`;
  const about = changes.filter(({ fields }) => fields.includes(field)).at(-1) ?? changes.at(-1);
  if (untold) return void ask();                                        // the page was quicker than the news of it
  const told = form.querySelector(".theirs, .conflict");                // of another's change that nobody looked at yet
  if (!about && !told) { was(form).value = was(fresh).value; return; }  // it was this window's own, told by the page
  newest.set(form, fresh.cloneNode(true));
  const offered = form.querySelector(".conflict [data-was]");           // theirs, to choose from
  if (offered && offered.dataset.was !== was(fresh).value) htmx.trigger(form, "submit");  // it is another by now
  if (offered) return;
  const before = form.querySelector(".theirs");
  if (before) return void (about && (before.firstChild.data = `${said(about)} · `));
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
document.addEventListener("focusout", ({ target }) => {                 // left with nothing typed: theirs comes at once
  const form = target.closest?.("form.control");
  const theirs = () => form?.querySelector(".theirs");
  const left = () => form.isConnected && !busy(form) && !form.contains(document.activeElement);
  if (theirs()) setTimeout(() => { if (theirs() && left()) show(form); });
});

document.addEventListener("kw:theirs", ({ target }) => {                // mine is given up for it: read anew
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
