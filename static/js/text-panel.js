// The design as text beside its sheet: opened and closed, saved as any other control, kept equal to the design.
import { PATIENCE_MS, connection, requestHeaders } from "./connection.js";
import { restoreKept } from "./release.js";
import { isUnsaved } from "./saving.js";
import { contentAddress } from "./slots.js";
import { fetchComputed } from "./text.js";

const RETRY_MS = 3000;

let editor, panel;
let form = null, text = null;                                           // of the panel; CodeMirror, when it is there
let base = null;                                                        // { sha256, text } that it is made from
let timer = 0, isFollowing = false;

const partOf = (id) => panel.querySelector(`#${id}`);
const dataOf = (id) => JSON.parse(partOf(id)?.textContent || "null");
const isOpen = () => !panel.hidden;

// --- opening and closing

async function open() {
  panel.hidden = false;
  arrange();
  sessionStorage.setItem("text", editor.dataset.key);
  if (!text) await load();
  if (isOpen()) text?.focus();
}
function close() {
  keepComments();
  const hadFocus = panel.contains(document.activeElement);
  panel.hidden = true;
  arrange();
  sessionStorage.removeItem("text");
  if (hadFocus) [...toggles()].find((each) => each.offsetParent)?.focus();
}
const toggles = () => document.querySelectorAll("[data-text-toggle]");
const markToggles = () => toggles().forEach((toggle) => toggle.setAttribute("aria-expanded", isOpen()));
function arrange() {
  editor.classList.toggle("with-text", isOpen());
  markToggles();
  dispatchEvent(new Event("resize"));                                   // what is drawn beside it has another width
}
async function load() {
  let answer, html, module;
  try {
    const options = { headers: requestHeaders(), patienceMs: PATIENCE_MS };
    [answer, module] = await Promise.all([fetchComputed(panel.dataset.text, options), import("./text-editor.js")]);
    html = await answer.text();
  } catch { return connection.become("lost"); }
  if (text || !connection.readAnswer(answer.status) || !answer.ok) return;
  panel.innerHTML = html;
  start(module.createTextEditor);
  htmx.process(panel);
  restoreKept(panel);
}
function start(createTextEditor) {
  form = partOf("c-design-text");
  const place = partOf("text-editor"), { words, phrases } = dataOf("text-words"), now = dataOf("text-answer");
  const kept = keptComments();
  text = createTextEditor(place, {
    text: kept?.text ?? now.text, words, phrases, label: place.dataset.label, isReadOnly: "readOnly" in place.dataset,
    onChange: noteChange, onSubmit: submit,
  });
  form.addEventListener("kw:restored", () => text.replace(form.elements.text.value));
  if (kept && kept.base !== now.text && !text.merge(kept.base, now.text)) text.replace(now.text);
  place.addEventListener("keydown", (event) => event.stopPropagation());  // the page's keys are not for what is written
  adopt(now);
  follow();
}

// --- comments: the design has no place for them, so this browser keeps the text that says the same as the design

const keptAs = () => `text-${editor.dataset.key}`;
function keptComments() {
  try { return JSON.parse(localStorage.getItem(keptAs())); } catch { return null; }
}
function keepComments() {
  if (!text || isUnsaved(form)) return;                                 // what is not saved yet is no comment
  try {
    if (text.text === base.text) localStorage.removeItem(keptAs());
    else localStorage.setItem(keptAs(), JSON.stringify({ base: base.text, text: text.text }));
  } catch { /* not kept where the browser has no room for it */ }
}

// --- writing: the form holds the text and is saved as the other controls are

function adopt(now) {                                                   // the design that the text is made from
  base = now;
  form.elements.was.value = JSON.stringify(now.sha256);
  form.elements.was.dataset.version = now.sha256;
  form.elements.text.value = text.text;
  partOf("text-behind").hidden = true;
  text.setColours(now.colours);
}
function noteChange({ isMuch }) {
  form.elements.text.value = text.text;
  form.elements.review.disabled &&= !isMuch;
  form.elements.text.dispatchEvent(new Event("input", { bubbles: true }));
}
function submit() {
  const confirm = form.querySelector("button[name=confirm]");
  if (confirm) confirm.click();
  else if (isUnsaved(form)) htmx.trigger(form, "submit");
}
function begin() {                                                      // the next is sent, even if it was before
  form.elements.round.value = Number(form.elements.round.value) + 1;
}

// --- answers

function readAnswer({ detail }) {
  const id = detail.target?.id;
  if (!text) return;
  if (id === "text-stored") readStored(dataOf("text-answer"));
  if (id === "c-design-text-problem") readProblems();
}
function readStored(now) {
  form.elements.review.disabled = true;
  if (now.mine !== null) {                                              // with what others changed meanwhile
    if (!text.merge(now.mine, now.text)) {
      if (form.matches(".typed")) return showBehind();
      text.replace(now.text);
    }
    begin();
  }
  adopt(now);
}
function readProblems() {
  const marked = [...form.querySelectorAll("[data-line]")];
  text.setProblems(marked.map((part) => ({
    line: Number(part.dataset.line), column: Number(part.dataset.column), severity: part.dataset.severity,
    message: (part.matches(".said") ? part : part.parentElement.querySelector(".said")).textContent.trim(),
  })));
  text.showReview(form.querySelector("[data-review]") ? base.text : null);
}
function clickPart({ target }) {
  if (target.closest("[data-text-close]")) close();
  const { line, column } = target.closest("button[data-line]")?.dataset ?? {};
  if (line) text.goTo(Number(line), Number(column));
}
async function discard() {                                              // the design's own text instead
  const now = await fetchText(editor.dataset.sha256) ?? base;
  text.replace(now.text);
  form.elements.review.disabled = true;
  partOf("c-design-text-problem").replaceChildren();
  begin();
  adopt(now);
  readProblems();
  text.focus();
}

// --- what changes elsewhere: on the sheet, by others

const isCurrent = () => base.sha256 === editor.dataset.sha256;
function followLater(pauseMs = 0) {
  clearTimeout(timer);
  timer = setTimeout(follow, pauseMs);
}
async function follow() {
  if (!text || isFollowing || isCurrent() || form.matches(".saving") || connection.isBroken) return;
  isFollowing = true;
  try {
    const now = await fetchText(editor.dataset.sha256);
    if (now && now.sha256 === editor.dataset.sha256 && !form.matches(".saving") && !isCurrent()) put(now);
  } finally { isFollowing = false; }
  if (!isCurrent() && partOf("text-behind").hidden) followLater(RETRY_MS);
}
function put(now) {
  const isWritten = isUnsaved(form);
  if (!text.merge(base.text, now.text)) {
    if (isWritten) return showBehind();
    text.replace(now.text);
  }
  begin();
  adopt(now);
  if (isWritten) form.elements.text.dispatchEvent(new Event("input", { bubbles: true }));
}
function showBehind() { partOf("text-behind").hidden = false; }
async function fetchText(sha256) {
  const address = `${contentAddress(editor.dataset.content, sha256)}text`;
  const options = { headers: { "HX-Request": "true" }, patienceMs: PATIENCE_MS };
  try {
    const answer = await fetchComputed(address, options);
    return answer.status === 200 ? await answer.json() : null;
  } catch { return null; }
}

export function toggleText() { if (isOpen()) close(); else open(); }
export const focusText = () => open();

export function startTextPanel(document) {
  editor = document.getElementById("editor");
  panel = document.getElementById("text");
  document.addEventListener("kw:after", markToggles, true);              // a view of the tables comes with its own
  document.addEventListener("click", ({ target }) => { if (target.closest?.("[data-text-toggle]")) toggleText(); });
  panel.addEventListener("click", clickPart);
  document.addEventListener("htmx:oobAfterSwap", readAnswer);
  document.addEventListener("kw:theirs", ({ target }) => { if (target === form) discard(); });
  document.body.addEventListener("kw:saved", () => followLater());
  document.addEventListener("kw:head", () => followLater());
  document.addEventListener("kw:answered", () => followLater());
  document.addEventListener("kw:back", () => { if (isOpen() && !text) load(); else followLater(); });
  addEventListener("pagehide", keepComments);
  if (location.hash === "#text" || sessionStorage.getItem("text") === editor.dataset.key) open();
}
