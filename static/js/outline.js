// The outline and what is opened from it: arrow keys, marks of findings, search; the focus goes to what was opened.
const parts = document.getElementById("parts"), centre = document.getElementById("centre");
const find = document.getElementById("find"), found = document.getElementById("found");
const marks = document.getElementById("marks");
const toggle = parts.querySelector(".outline-toggle"), said = document.getElementById("said");
const open = () => centre.querySelector("section[data-at]");
let shown = open()?.dataset.at, first = "", lost = -1;

// --- one stop of the Tab key; arrows go from entry to entry

const seen = (item) => item.offsetParent !== null;
const items = () => [...parts.querySelectorAll(".entries :is(a, button)")].filter(seen);
const links = () => items().filter((item) => item.matches("a[id]"));
const above = (item) => item.closest("ul")?.closest("li")?.querySelector(":scope > :is(a, button)") ?? null;

function rove(to) {
  for (const item of parts.querySelectorAll(".entries :is(a, button)")) item.tabIndex = item === to ? 0 : -1;
}
function arranged() {                                                    // after the outline came anew
  const now = items();
  rove(now.includes(document.activeElement) ? document.activeElement : parts.querySelector("[aria-current]") ?? now[0]);
  place();
}
parts.addEventListener("focusin", ({ target }) => { if (target.closest(".entries")) rove(target); });
parts.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const all = items(), at = all.indexOf(event.target);
  if (event.target === find) {
    if (event.key === "ArrowDown" && all.length) go(event, all[0]);
    if (event.key === "Enter") { event.preventDefault(); enter(); }
    if (event.key === "Escape") { clear(); event.preventDefault(); }
    return;
  }
  if (at < 0) return;
  const holder = above(event.target), inside = event.target.parentElement.querySelector(":scope > ul :is(a, button)");
  const inline = { ArrowDown: all[at + 1], ArrowUp: all[at - 1] ?? find, Home: all[0], End: all.at(-1) };
  const across = { ArrowLeft: holder ?? upwards(event.target), ArrowRight: inside };
  const to = { ...inline, ...across }[event.key];
  if (to) go(event, to);
  if (event.key === "Delete" && event.target.matches("a[id^=o-]")) remove(event);
});
function upwards(item) {                                                 // out of a group: to the entry above it
  for (let li = item.closest("li"); li; li = li.parentElement.closest("li")) {
    const link = li.parentElement.closest("li")?.querySelector(":scope > a[id]");
    if (link) return link;
  }
}
function go(event, to) { event.preventDefault(); to.focus(); to.scrollIntoView({ block: "nearest" }); }

function remove(event) {
  const link = event.target;
  if (!/\/at\/[^/]+$/.test(link.pathname) || !parts.querySelector("button.add")) return;
  event.preventDefault();
  lost = links().indexOf(link);
  post(`${link.pathname}/remove`, { open: open()?.dataset.at ?? "" });
}
let posts = Promise.resolve();
function post(address, values) {                                         // by what stays: a button may be swapped
  const sent = () => htmx.ajax("POST", address, { source: "#said", target: "#said", swap: "innerHTML", values });
  posts = posts.then(sent).catch(() => {});                              // in turn: of those that wait htmx keeps only one
}
document.addEventListener("htmx:afterRequest", ({ detail }) => {         // nothing was added or removed
  if (detail.elt === said && !detail.successful) [first, lost] = ["", -1];
});
document.addEventListener("click", ({ target }) => {
  const { add, values } = target.closest?.("button[data-add]")?.dataset ?? {};
  if (add) post(add, JSON.parse(values));
});

// --- marks of findings: computed once per content, put beside the entries that are here

function place() {
  for (const mark of marks.children) {
    const copies = [...mark.childNodes].map((node) => node.cloneNode(true));
    document.getElementById(`mark-${mark.dataset.of}`)?.replaceChildren(...copies);
  }
}
new MutationObserver(() => {
  for (const spot of parts.querySelectorAll(".mark")) spot.replaceChildren();
  place();
}).observe(marks, { childList: true });
new MutationObserver((changes) => {
  const anew = ({ target, addedNodes }) => target === found || [...addedNodes].some(({ id }) => id === "outline");
  if (changes.some(anew)) arranged();
}).observe(parts, { childList: true, subtree: true });

// --- search: what is shown is of the words that stand there; Enter before it has come opens the first of it then

let foundOf = "", entered = false;
function clear() {
  [find.value, foundOf, entered] = ["", "", false];
  found.replaceChildren();
  parts.classList.remove("searching");
}
function enter() {
  entered = foundOf !== find.value;
  if (!entered) found.querySelector("a")?.click();
}
find.addEventListener("input", () => { entered = false; parts.classList.toggle("searching", find.value !== ""); });
found.addEventListener("htmx:beforeSwap", ({ detail }) => {              // of other words: theirs is under way, or none
  if (detail.requestConfig.formData.get("words") !== find.value) detail.shouldSwap = false;
});
found.addEventListener("htmx:afterSwap", () => { foundOf = find.value; if (entered) enter(); });

// --- small screens: the outline folds

toggle.addEventListener("click", () => {
  toggle.setAttribute("aria-expanded", toggle.getAttribute("aria-expanded") !== "true");
});
document.addEventListener("click", (event) => {
  const jump = event.target.closest?.("[data-jump]");
  if (!jump) return;
  event.preventDefault();
  jumpTo(document.getElementById(jump.dataset.jump));
});
export function jumpTo(part) {
  if (!part) return;
  part.tabIndex = -1;
  part.focus({ preventScroll: true });
  part.scrollIntoView({ block: "start" });
}

// --- what was opened has the focus: its heading, or the name of what was added; the title of the window follows

document.addEventListener("click", ({ target }) => {
  first = target.closest?.("[data-focus]")?.dataset.focus ?? first;
}, true);
document.addEventListener("htmx:afterSettle", ({ detail }) => {
  if (detail.target?.id !== "centre") return;
  const now = open()?.dataset.at, moved = now !== shown;
  shown = now;
  titled();
  if (!moved && !first) return;
  if (moved) { toggle.setAttribute("aria-expanded", false); clear(); said.querySelector(".in-use")?.remove(); }
  queueMicrotask(() => { if (moved) top_(); focus(); });
});
function top_() {
  const start = centre.getBoundingClientRect().top, header = document.querySelector(".site-header");
  if (start < 0 || start > innerHeight / 2) scrollBy(0, start - header.offsetHeight - 16);
}
const NAMES = "[data-field=name] input:not([type=hidden]), [data-field=qualifier] input:not([type=hidden])";
const FIRST = `${NAMES}, form.control :is(input:not([type=hidden]), select)`;
let from = null, held = "";                                              // where the focus was when it was asked for
document.addEventListener("htmx:beforeSend", ({ detail }) => {
  const now = document.activeElement;
  if (detail.target === centre || detail.target === said) [from, held] = [now, now?.value];
});
function typing() {                                                      // meanwhile, in the name of the design or the search
  const now = document.activeElement;
  return now?.matches("input") && !centre.contains(now) && (now !== from || (now !== find && now.value !== held));
}
function focus() {
  const name = first;
  first = "";
  if (typing()) return;
  if (!name && centre.contains(document.activeElement)) return;          // somebody else put it there
  const input = name && (document.getElementById(name) ?? centre.querySelector(FIRST));
  const to = input || centre.querySelector("h2");
  if (!to) return;
  for (let fold = to.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  to.focus({ preventScroll: to.matches("h2") });
  to.select?.();
}
function titled() {
  const texts = (node) => [...(node?.childNodes ?? [])].filter((child) => child.nodeType === Node.TEXT_NODE);
  const named = (node) => texts(node).map((text) => text.data.trim()).find(Boolean);
  const names = [named(centre.querySelector("h2")), named(document.getElementById("design-title")), "Keywright"];
  document.title = names.filter((name, n) => name && names.indexOf(name) === n).join(" · ");
}
document.body.addEventListener("kw:saved", () => queueMicrotask(titled));
document.addEventListener("kw:part", titled);
document.addEventListener("submit", ({ target }) => {                    // the language switch comes back to it
  if (target.matches(".site-header form") && target.elements.next) target.elements.next.value = location.pathname;
});
new MutationObserver(() => {                                             // the focus of an entry that is gone
  if (lost < 0 || document.activeElement !== document.body) return;
  const left = links();
  left[Math.min(lost, left.length - 1)]?.focus();
  lost = -1;
}).observe(parts, { childList: true, subtree: true });

// --- the name of the design is not swapped while somebody types it

document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
  const form = detail.target;
  if (form.id !== "c-design-name") return;
  if (form.contains(document.activeElement) || form.matches(".saving, .unsaved, .typed")) detail.shouldSwap = false;
});

// --- what is said goes away by itself, a while after something else was done: who looked away finds it

let timer = 0;
new MutationObserver(() => {
  clearTimeout(timer);
  timer = 0;
  if (document.activeElement === document.body && lost < 0) said.querySelector(".done button")?.focus();
}).observe(said, { childList: true });
for (const event of ["pointermove", "pointerdown", "keydown"]) {
  document.addEventListener(event, () => { if (said.querySelector(".done")) timer ||= setTimeout(hush, 12000); });
}
function hush() { timer = 0; if (!said.matches(":hover, :focus-within")) said.replaceChildren(); }
said.addEventListener("click", ({ target }) => {
  if (!target.matches("[data-close]")) return;
  said.replaceChildren();
  parts.querySelector("[tabindex='0']")?.focus();
});

arranged();
titled();
