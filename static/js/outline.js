// The outline and what is opened from it: arrow keys, marks of findings, search; the focus goes to what was opened.
import { addCommands } from "./page-commands.js";

const SAID_FOR_MS = 12000;
const ENTRIES = ".entries :is(a, button)";
const NAMES = "[data-field=name] input:not([type=hidden]), [data-field=qualifier] input:not([type=hidden])";
const FIRST_INPUT = `${NAMES}, form.control :is(input:not([type=hidden]), select)`;

let parts, centre, find, results, marks, toggle, said;
let openAt = "";                                                        // of the element that is open
let focusId = "";                                                       // where the focus goes in what is opened next
let removedIndex = -1;                                                  // of the entry that was removed from here
let askedFrom = null, askedText = "";                                   // the focus when an element was asked for
let posts = Promise.resolve();

const openSection = () => centre.querySelector("section[data-at]");

// --- one stop of the Tab key; arrows go from entry to entry

// Where a key leads from the entry at `index`: an entry, the search field, or nowhere. `parent`: what holds the entry;
// `child`: the first thing in it.
export function nextEntry(key, { entries, index, parent, child, search }) {
  switch (key) {
    case "ArrowDown": return entries[index + 1];
    case "ArrowUp": return entries[index - 1] ?? search;
    case "Home": return entries[0];
    case "End": return entries.at(-1);
    case "ArrowLeft": return parent;
    case "ArrowRight": return child;
    default: return undefined;
  }
}
export const canBeRemoved = (path) => /\/at\/[^/]+$/.test(path);
export const entryAfterRemoval = (entries, index) => entries[Math.min(index, entries.length - 1)];

const isVisible = (item) => item.offsetParent !== null;
const visibleEntries = () => [...parts.querySelectorAll(ENTRIES)].filter(isVisible);
const elementLinks = () => visibleEntries().filter((item) => item.matches("a[id]"));

function setTabStop(entry) {
  for (const item of parts.querySelectorAll(ENTRIES)) item.tabIndex = item === entry ? 0 : -1;
}
function arrange() {                                                    // after the outline came anew
  const entries = visibleEntries(), active = document.activeElement;
  setTabStop(entries.includes(active) ? active : parts.querySelector("[aria-current]") ?? entries[0]);
  placeMarks();
}
function pressKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { key, target } = event, entries = visibleEntries(), index = entries.indexOf(target);
  if (target === find) return pressKeyInSearch(event, entries);
  if (index < 0) return;
  if (key === "Escape" && results.contains(target)) return leaveSearch();
  const child = target.parentElement.querySelector(":scope > ul :is(a, button)");
  const entry = nextEntry(key, { entries, index, parent: parentOf(target), child, search: find });
  if (entry) goTo(event, entry);
  if (key === "Delete" && target.matches("a[id^=o-]")) remove(event);
}
function pressKeyInSearch(event, entries) {
  if (event.key === "ArrowDown" && entries.length) goTo(event, entries[0]);
  if (event.key === "Enter") openResult();
  if (event.key === "Escape") leaveSearch();
  if (["Enter", "Escape"].includes(event.key)) event.preventDefault();
}
function parentOf(item) {
  const holder = item.closest("ul")?.closest("li")?.querySelector(":scope > :is(a, button)");
  if (holder) return holder;
  for (let li = item.closest("li"); li; li = li.parentElement.closest("li")) {  // out of a group: to the entry above it
    const link = li.parentElement.closest("li")?.querySelector(":scope > a[id]");
    if (link) return link;
  }
  return undefined;
}
function goTo(event, entry) {
  event.preventDefault();
  entry.focus();
  entry.scrollIntoView({ block: "nearest" });
}
function remove(event) {
  const link = event.target;
  if (!canBeRemoved(link.pathname) || !parts.querySelector("button.add")) return;
  event.preventDefault();
  removedIndex = elementLinks().indexOf(link);
  post(`${link.pathname}/remove`, { open: openSection()?.dataset.at ?? "" });
}
function post(address, values) {                                        // by what stays: a button may be swapped
  const send = () => htmx.ajax("POST", address, { source: "#said", target: "#said", swap: "innerHTML", values });
  posts = posts.then(send).catch(() => {});                           // in turn: of those that wait htmx keeps only one
}
function focusAfterRemoval() {
  // When the element with the focus is removed, browsers give it to the body.
  if (removedIndex < 0 || document.activeElement !== document.body) return;
  entryAfterRemoval(elementLinks(), removedIndex)?.focus();
  removedIndex = -1;
}

// --- marks of findings: computed once per content, put beside the entries that are here

function placeMarks() {
  for (const mark of marks.children) {
    const copies = [...mark.childNodes].map((node) => node.cloneNode(true));
    document.getElementById(`mark-${mark.dataset.of}`)?.replaceChildren(...copies);
  }
}
function replaceMarks() {
  for (const place of parts.querySelectorAll(".mark")) place.replaceChildren();
  placeMarks();
}

// --- search: what is shown is of the words that stand there; Enter before it has come opens the first of it then

export class Search {
  #answered = "";                                                       // the words that the results are of
  #isEntered = false;

  type() { this.#isEntered = false; }
  enter(words) {                                                        // → whether to open the first result now
    this.#isEntered = words !== this.#answered;
    return !this.#isEntered;
  }
  answer(words) {                                                       // → whether to open the first result now
    this.#answered = words;
    return this.#isEntered && this.enter(words);
  }
  clear() { [this.#answered, this.#isEntered] = ["", false]; }
}
const search = new Search();

const openFirst = () => results.querySelector("a, button")?.click();
function openResult() { if (search.enter(find.value)) openFirst(); }
function closeSearch() {
  clearSearch();
  foldOutline();
}
function leaveSearch() {
  closeSearch();
  if (isVisible(toggle)) toggle.focus();                                // where the outline is folded
}
const foldOutline = () => toggle.setAttribute("aria-expanded", false);
function clearSearch() {
  find.value = "";
  search.clear();
  results.replaceChildren();
  parts.classList.remove("searching");
}

// --- what was opened has the focus: its heading, or the name of what was added; the title of the window follows

export const windowTitle = (names) => [...new Set(names.filter(Boolean))].join(" · ");

function showOpened() {
  const at = openSection()?.dataset.at, isAnother = at !== openAt;
  openAt = at;
  updateTitle();
  markPlace();
  if (!isAnother && !focusId) return;
  if (isAnother) {
    foldOutline();
    clearSearch();
    said.querySelector(".in-use")?.remove();
  }
  // After the other listeners of this event, which may put the focus somewhere themselves.
  queueMicrotask(() => { if (isAnother) scrollToTop(); focusOpened(); });
}
function scrollToTop() {
  const { top } = centre.getBoundingClientRect(), header = document.querySelector(".site-header");
  if (top < 0 || top > innerHeight / 2) scrollBy(0, top - header.offsetHeight - 16);
}
function rememberFocus({ target }) {
  const active = document.activeElement;
  if (target === centre || target === said) [askedFrom, askedText] = [active, active?.value];
}
function isTyping() {                                                   // meanwhile, in the design's name or the search
  const active = document.activeElement;
  if (!active?.matches("input") || centre.contains(active)) return false;
  return active !== askedFrom || (active !== find && active.value !== askedText);
}
function focusOpened() {
  const id = focusId;
  focusId = "";
  if (isTyping()) return;
  if (!id && centre.contains(document.activeElement)) return;           // somebody else put it there
  const input = id && (document.getElementById(id) ?? centre.querySelector(FIRST_INPUT));
  const place = input || centre.querySelector("h2");
  if (!place) return;
  for (let fold = place.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  place.focus({ preventScroll: place.matches("h2") });
  place.select?.();
}
function ownText(node) {                                                // its first, without what is in its children
  const texts = [...(node?.childNodes ?? [])].filter((child) => child.nodeType === Node.TEXT_NODE);
  return texts.map((text) => text.data.trim()).find(Boolean);
}
function updateTitle() {
  const headings = [centre.querySelector("h2"), document.getElementById("design-title")];
  document.title = windowTitle([...headings.map(ownText), "Keywright"]);
}
function markPlace() {                                                  // in the bar of a phone
  for (const link of parts.querySelectorAll(".bottom-bar > [hx-get]")) {
    if (link.pathname === location.pathname) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}
export function jumpTo(part) {
  if (!part) return;
  part.tabIndex = -1;
  part.focus({ preventScroll: true });
  part.scrollIntoView({ block: "start" });
}
function clickJump(event) {
  const jump = event.target.closest?.("[data-jump]");
  if (!jump) return;
  event.preventDefault();
  jumpTo(document.getElementById(jump.dataset.jump));
}

function startEntries(document) {
  parts.addEventListener("focusin", ({ target }) => { if (target.closest(".entries")) setTabStop(target); });
  parts.addEventListener("keydown", pressKey);
  document.addEventListener("htmx:afterRequest", ({ detail }) => {      // nothing was added or removed
    if (detail.elt === said && !detail.successful) [focusId, removedIndex] = ["", -1];
  });
  document.addEventListener("click", ({ target }) => {
    const { add, values } = target.closest?.("button[data-add]")?.dataset ?? {};
    if (add) post(add, JSON.parse(values));
  });
  new MutationObserver(replaceMarks).observe(marks, { childList: true });
  new MutationObserver((records) => {
    const isNew = ({ target, addedNodes }) => target === results || [...addedNodes].some(({ id }) => id === "outline");
    if (records.some(isNew)) arrange();
  }).observe(parts, { childList: true, subtree: true });
}
function startSearch() {
  find.addEventListener("input", () => { search.type(); parts.classList.toggle("searching", find.value !== ""); });
  results.addEventListener("htmx:beforeSwap", ({ detail }) => {         // of other words: theirs is under way, or none
    if (detail.requestConfig.formData.get("words") !== find.value) detail.shouldSwap = false;
  });
  results.addEventListener("htmx:afterSwap", () => {
    addCommands(results, find.value);
    if (search.answer(find.value)) openFirst();
  });
  results.addEventListener("click", ({ target }) => { if (target.closest("button")) closeSearch(); });
}
function startOpening(document) {
  toggle.addEventListener("click", () => {                              // small screens: the outline folds
    const isOpened = toggle.getAttribute("aria-expanded") !== "true";
    toggle.setAttribute("aria-expanded", isOpened);
    if (isOpened && matchMedia("(pointer: fine)").matches) find.focus();
  });
  for (const event of ["pointerdown", "focusin"]) {
    document.addEventListener(event, ({ target }) => { if (!parts.contains(target)) foldOutline(); });
  }
  document.addEventListener("click", clickJump);
  document.addEventListener("click", ({ target }) => {
    focusId = target.closest?.("[data-focus]")?.dataset.focus ?? focusId;
  }, true);
  document.addEventListener("htmx:afterSettle", ({ detail }) => { if (detail.target?.id === "centre") showOpened(); });
  document.addEventListener("htmx:beforeSend", ({ detail }) => rememberFocus(detail));
  document.body.addEventListener("kw:saved", () => queueMicrotask(updateTitle));
  document.addEventListener("kw:part", updateTitle);
  document.addEventListener("submit", ({ target }) => {                 // the language switch comes back to it
    if (target.matches(".site-header form") && target.elements.next) target.elements.next.value = location.pathname;
  });
  new MutationObserver(focusAfterRemoval).observe(parts, { childList: true, subtree: true });
  document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {     // a name is not swapped while it is typed
    const form = detail.target;
    if (form.id !== "c-design-name") return;
    if (form.contains(document.activeElement) || form.matches(".saving, .unsaved, .typed")) detail.shouldSwap = false;
  });
}
// What is said goes away by itself, a while after something else was done: who looked away finds it.
function startMessages(document) {
  let timer = 0;
  const clear = () => { timer = 0; if (!said.matches(":hover, :focus-within")) said.replaceChildren(); };
  new MutationObserver(() => {
    clearTimeout(timer);
    timer = 0;
    if (document.activeElement === document.body && removedIndex < 0) said.querySelector(".done button")?.focus();
  }).observe(said, { childList: true });
  for (const event of ["pointermove", "pointerdown", "keydown"]) {
    document.addEventListener(event, () => {
      if (said.querySelector(".done, .error:only-child")) timer ||= setTimeout(clear, SAID_FOR_MS);
    });
  }
  said.addEventListener("click", ({ target }) => {
    if (!target.matches("[data-close]")) return;
    said.replaceChildren();
    parts.querySelector("[tabindex='0']")?.focus();
  });
}

export function startOutline(document) {
  const element = (id) => document.getElementById(id);
  [parts, centre, find, results, marks, said] = ["parts", "centre", "find", "found", "marks", "said"].map(element);
  toggle = parts.querySelector(".outline-toggle");
  openAt = openSection()?.dataset.at;
  startEntries(document);
  startSearch();
  startOpening(document);
  startMessages(document);
  arrange();
  updateTitle();
}
