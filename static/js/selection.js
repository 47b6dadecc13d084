// Several elements at once, and the actions of one: chosen in the outline, on cards and in lists by Ctrl, Shift or
// Space; the menu by a right click, a long press or ".". Reads, writes and families can be dragged to another table, or
// cut and pasted, and columns to another family.
const ENTRIES = "#outline a[id^='o-']";
const LINKS = `${ENTRIES}, #schema a[href*='/at/'], #centre .elements li > a[href*='/at/']`;
const LONG_PRESS_MS = 500;
const MOVED_LISTS = ["reads", "writes", "families"];
const FAMILIES = "#outline .list-of[data-list=families] > ul > li";

export const idOf = (path) => /\/at\/([\w-]+)$/.exec(path)?.[1] ?? "";

// The ids that are chosen after a click or key: with Ctrl one more or less, with Shift all from the last one.
export function nextChoice({ chosen, anchor, ids, id, isRange, isToggle }) {
  if (isRange && anchor && ids.includes(anchor)) {
    const [from, to] = [ids.indexOf(anchor), ids.indexOf(id)].toSorted((one, other) => one - other);
    return { chosen: ids.slice(from, to + 1), anchor };
  }
  if (!isToggle) return { chosen: [], anchor: id };
  return { chosen: chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id], anchor: id };
}
// What the actions of the menu are about: all that is chosen, if the thing is one of it.
export const subjects = (chosen, id) => (chosen.includes(id) ? chosen : [id]);

let page, menu, announcements;
let chosen = [], anchor = "", opener = null, cut = [];
let pressTimer = 0;
let isChoosing = false;                                                 // touch has no Ctrl: then each tap chooses

// What stands beside a link, each once: the outline is one list, the sheet another.
function entriesAround(link) {
  const links = [...(link.closest("#outline, #schema") ?? page.getElementById("centre")).querySelectorAll(LINKS)];
  const isFirst = (each, place) => links.findIndex(({ pathname }) => pathname === each.pathname) === place;
  return links.filter((each, place) => each.offsetParent && idOf(each.pathname) && isFirst(each, place));
}
// The link that is clicked; with Ctrl or Shift anywhere on a card it is the card's own.
function linkAt({ target, ctrlKey, metaKey, shiftKey }) {
  const link = target.closest?.(LINKS);
  if (link || !(ctrlKey || metaKey || shiftKey) || target.closest?.("a, button, input, label")) return link;
  return target.closest?.("#schema article")?.querySelector("h3 a");
}
// The link of an element that tells its list: of the outline, or where that is folded, of the sheet or of a list.
const entryOf = (id) =>
  page.getElementById(`o-${id}`) ?? page.querySelector(`:is([data-list], .elements a)[href$='/at/${id}']`);
const listOf = (id) => entryOf(id)?.closest("[data-list]").dataset.list;
const tables = () => [...page.querySelectorAll("#outline .list-of[data-list=tables] > ul > li > a")];
// Each once: of a large design the outline folds most, and the sheet shows them.
function families() {
  const links = [...page.querySelectorAll(`${FAMILIES} > a, #schema a[data-list=families]`)];
  return links.filter(({ pathname }, place) => links.findIndex((link) => link.pathname === pathname) === place);
}
// Reads, writes and families go to any table, columns to any family.
export const areColumns = (lists) => lists.length > 0 && lists.every((list) => list === "columns");
export const canMove = (lists) =>
  areColumns(lists) || (lists.length > 0 && lists.every((list) => MOVED_LISTS.includes(list)));

function choose(link, { isRange = false, isToggle = false }) {
  const ids = entriesAround(link).map((each) => idOf(each.pathname));
  ({ chosen, anchor } = nextChoice({ chosen, anchor, ids, id: idOf(link.pathname), isRange, isToggle }));
  isChoosing &&= chosen.length > 0;
  show();
  if (isRange) getSelection().removeAllRanges();                        // what the browser chose with Shift
  if (chosen.length) announcements.textContent = menu.dataset.chosen.replace("{count}", chosen.length);
}
function clear() { [chosen, anchor, cut, isChoosing] = [[], "", [], false]; show(); }
function show() {
  for (const link of page.querySelectorAll(LINKS)) {
    const isChosen = chosen.includes(idOf(link.pathname)), isCut = cut.includes(idOf(link.pathname));
    link.classList.toggle("chosen", isChosen);
    link.classList.toggle("is-cut", isCut);
    const words = [isChosen && menu.dataset.chosenOne, isCut && menu.dataset.cutOne].filter(Boolean).join(", ");
    if (words) link.setAttribute("aria-description", words);
    else link.removeAttribute("aria-description");
  }
}

// --- the menu

function openMenu(link, x, y) {
  const ids = subjects(chosen, idOf(link.pathname)), names = menu.querySelector(".names");
  opener = link;
  names.textContent = ids.length > 1 ? menu.dataset.chosen.replace("{count}", ids.length) : link.textContent.trim();
  menu.dataset.ids = JSON.stringify(ids);
  menu.querySelector("[data-act=open]").hidden = ids.length > 1;
  offerTargets(ids);
  menu.showPopover();
  const { width, height } = menu.getBoundingClientRect();
  menu.style.left = `${Math.max(8, Math.min(x, innerWidth - width - 8))}px`;
  menu.style.top = `${Math.max(8, Math.min(y, innerHeight - height - 8))}px`;
  menu.querySelector("button:not([hidden])").focus();
}
function offerTargets(ids) {
  const group = menu.querySelector(".move-to"), lists = ids.map(listOf);
  const links = ids.map(entryOf);
  const places = areColumns(lists) && families().length ? families() : tables();
  const others = places.filter((place) => links.some((entry) => !isIn(place, entry)));
  group.hidden = !canMove(lists) || !others.length;
  group.querySelector(".tables").replaceChildren(...others.map((place) => {
    const button = page.createElement("button");
    Object.assign(button, { type: "button", textContent: nameBeside(place, links[0]) });
    Object.assign(button.dataset, { act: "move", target: idOf(place.pathname) });
    return button;
  }));
}
const isIn = (place, entry) => [tableAt(entry), familyAt(entry)].some((spot) => spot?.id === idOf(place.pathname));
// A family of another table than the link's is called by both names.
function nameBeside(place, link) {
  const id = tableAt(place)?.id, table = tables().find((each) => each !== place && idOf(each.pathname) === id);
  const names = table && !isIn(table, link) ? [table, place] : [place];
  return names.map(({ textContent }) => textContent.trim()).join(" › ");
}
function openMenuAt(link) {
  const { left, bottom } = link.getBoundingClientRect();
  openMenu(link, left + 8, bottom);
}
function act(button) {
  const ids = JSON.parse(menu.dataset.ids);
  menu.hidePopover();
  if (button.dataset.act === "choose") {
    isChoosing = true;
    return void choose(opener, { isToggle: true });
  }
  if (button.dataset.act === "open") {
    isChoosing = false;
    return void opener?.click();
  }
  send(button.dataset.act, ids, button.dataset.target);
}
function send(action, ids, target = "") {
  const open = page.querySelector("#centre section[data-at]")?.dataset.at ?? "";
  const values = { id: ids, do: action, target, open };
  htmx.ajax("POST", menu.dataset.address, { source: "#said", target: "#said", swap: "innerHTML", values });
  clear();
}
function pressInMenu(event) {
  const buttons = [...menu.querySelectorAll("button")].filter((button) => button.offsetParent);
  const index = buttons.indexOf(page.activeElement);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  buttons.at((index + step) % buttons.length).focus();
}

// --- keys and pointers

function pressKey(event) {
  const link = event.target.closest?.(LINKS);
  if (!link || event.altKey) return;
  if (event.ctrlKey || event.metaKey) return void pressWithControl(event, link);
  if (event.key === ".") { event.preventDefault(); return openMenuAt(link); }
  if (event.key === " ") { event.preventDefault(); choose(link, { isToggle: true }); }
  if (event.key === "Escape" && (chosen.length || cut.length)) clear();
  if (event.key === "Delete" && chosen.length > 1) {
    event.preventDefault();
    event.stopPropagation();
    send("remove", chosen);
  }
  if (event.shiftKey && ["ArrowDown", "ArrowUp"].includes(event.key)) {
    const all = entriesAround(link), next = all[all.indexOf(link) + (event.key === "ArrowDown" ? 1 : -1)];
    event.preventDefault();
    event.stopPropagation();
    if (!next) return;
    anchor ||= idOf(link.pathname);
    next.focus();
    choose(next, { isRange: true });
  }
}
function pressWithControl(event, link) {
  const key = event.key.toLowerCase(), target = key === "v" && cut.length ? placeAt(link, cut)?.id : "";
  const ids = key === "x" ? subjects(chosen, idOf(link.pathname)) : [];
  if (canMove(ids.map(listOf))) {
    event.preventDefault();
    cut = ids;
    show();
    const words = areColumns(ids.map(listOf)) && families().length ? menu.dataset.cutColumns : menu.dataset.cut;
    announcements.textContent = words.replace("{count}", cut.length);
  } else if (target) {
    event.preventDefault();
    send("move", cut, target);
  }
}
function click(event) {
  const link = linkAt(event);
  if (!link || !idOf(link.pathname)) return;
  if (isChoosing || event.ctrlKey || event.metaKey || event.shiftKey) {
    event.preventDefault();
    event.stopImmediatePropagation();
    choose(link, { isRange: event.shiftKey, isToggle: true });
  } else if (event.isTrusted) choose(link, {});
// Scripts click links, too, as after a search; that is no choice of a person.
}
function showContext(event) {
  const link = event.target.closest?.(LINKS);
  if (!link || !idOf(link.pathname)) return;
  event.preventDefault();
  openMenu(link, event.clientX, event.clientY);
}
function startPress(event) {
  const link = event.target.closest?.(LINKS);
  clearTimeout(pressTimer);
  if (event.pointerType !== "touch" || !link || !idOf(link.pathname)) return;
  // iOS fires no contextmenu event on a long press.
  pressTimer = setTimeout(() => openMenu(link, event.clientX, event.clientY), LONG_PRESS_MS);
}

// --- dragging to another table or family: its entry in the outline, its place on the sheet

let dragged = [];
function startDrag(event) {
  const link = event.target.closest?.(LINKS), ids = link ? subjects(chosen, idOf(link.pathname)) : [];
  dragged = canMove(ids.map(listOf)) ? ids : [];
  if (dragged.length) event.dataTransfer.setData("text/plain", link.textContent.trim());
}
function tableAt(target) {                                              // → { id, part } of a place in a table
  const part = target?.closest?.("#outline .list-of[data-list=tables] > ul > li, #schema article");
  const link = part?.matches("li") ? part.querySelector(":scope > a") : part?.querySelector("h3 a, h2 a");
  return link ? { id: idOf(link.pathname), part } : null;
}
function familyAt(target) {                                             // also where one of its columns stands
  const part = target?.closest?.(`${FAMILIES}, #schema article section, #schema th`);
  const links = [...(part?.querySelectorAll("a[href*='/at/']") ?? [])];
  const link = links.find(({ pathname }) => listOf(idOf(pathname)) === "families");
  return link ? { id: idOf(link.pathname), part } : null;
}
function placeAt(target, ids) {
  return (areColumns(ids.map(listOf)) && familyAt(target)) || tableAt(target);
}
function dragOver(event) {
  page.querySelectorAll(".drop-here").forEach((part) => part.classList.remove("drop-here"));
  const place = dragged.length ? placeAt(event.target, dragged) : null;
  if (!place) return;
  event.preventDefault();
  if (event.type !== "drop") return void place.part.classList.add("drop-here");
  send("move", dragged, place.id);
  dragged = [];
}

export function startSelection(document) {
  page = document;
  menu = document.getElementById("element-menu");
  announcements = document.getElementById("happened");
  if (!menu) return;                                                    // who only reads has no actions
  document.addEventListener("keydown", pressKey, true);
  document.addEventListener("click", click, true);
  document.addEventListener("contextmenu", showContext);
  document.addEventListener("pointerdown", startPress);
  for (const event of ["pointerup", "pointermove", "pointercancel"]) {
    document.addEventListener(event, () => clearTimeout(pressTimer));
  }
  menu.addEventListener("click", ({ target }) => {
    const button = target.closest("button[data-act]");
    if (button) act(button);
  });
  menu.addEventListener("keydown", pressInMenu);
  menu.addEventListener("toggle", ({ newState }) => { if (newState === "closed") opener?.focus(); });
  document.addEventListener("htmx:afterSettle", show);
  document.addEventListener("kw:after", show, true);
  document.addEventListener("dragstart", startDrag);
  for (const event of ["dragover", "drop"]) document.addEventListener(event, dragOver);
  document.addEventListener("dragend", dragOver);
}
