// The sheet: thin lines from what happens to the writes it makes.
import { showQuestion, startQuestions } from "./questions.js";

const NS = "http://www.w3.org/2000/svg";

// An arrow from the right edge of an activity to the left edge of a write, in a picture of that width.
export function linePath(from, to, width) {
  const middle = width / 2, head = "m-5 -4 5 4 -5 4";
  if (Math.abs(to - from) < 2) return `M0 ${to}H${width}${head}`;
  return `M0 ${from}C${middle} ${from} ${middle} ${to} ${width} ${to}${head}`;
}

function drawLines(sheet) {
  const svg = sheet.querySelector("svg.wires"), box = svg?.getBoundingClientRect();
  if (!box?.width) return;
  const middle = (part, offset = 0) => {
    const place = part.getBoundingClientRect();
    return place.top - box.top + place.height / 2 + offset;
  };
  const lines = [];
  for (const activity of sheet.querySelectorAll("[data-writes]")) {
    const writes = [...sheet.querySelectorAll(`[data-activity="${activity.dataset.writes}"]`)];
    writes.forEach((write, place) => {
      const line = document.createElementNS(NS, "path");
      const start = middle(activity, (place - (writes.length - 1) / 2) * 8);
      line.setAttribute("d", linePath(start, middle(write), box.width));
      lines.push(line);
    });
  }
  svg.replaceChildren(...lines);
}

// A new sheet takes the place of the one that had the focus: what has the same name has it then.
function keepFocus(document) {
  let id = "", isViewChosen = false;
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {        // another view of the tables: its title
    if (detail.target.id === "centre") isViewChosen = document.activeElement?.id.startsWith("view-") ?? false;
  });
  document.addEventListener("kw:before", ({ target }) => {
    id = target.id === "schema" && target.contains(document.activeElement) ? document.activeElement.id : "";
  }, true);
  document.addEventListener("kw:after", ({ target }) => {
    if (isViewChosen && target.id === "schema") {
      isViewChosen = false;
      return document.getElementById("verdict")?.focus({ preventScroll: true });
    }
    if (id) (document.getElementById(id) ?? placeOf(document, id))?.focus({ preventScroll: true });
    id = "";
  }, true);
}

// An answered question is gone: the next one has the focus.
const placeOf = (document, id) => (id.startsWith("answer-") ? document.getElementById("questions") : null);

// --- lines of many tables: those that hold every word, in the order that is chosen

export const isFound = (text, words) => words.toLowerCase().split(/\s+/).every((word) => text.includes(word));
export function compareLines(by) {
  // "table2" before "table10".
  const collator = new Intl.Collator(undefined, { numeric: true });
  const byName = (one, other) => collator.compare(one.name, other.name);
  if (by === "name") return byName;
  const direction = by === "gravity" ? 1 : -1;                          // the gravest, the dearest, the largest first
  const byLoad = (one, other) => Number(other.load) - Number(one.load);
  return (one, other) => direction * (Number(one[by]) - Number(other[by])) || byLoad(one, other) || byName(one, other);
}
export const prefixOf = (name) => name.split(/[_\-./:]/, 1)[0];
// Rows in the order given, those with the same beginning of their name together; groups in the order of their first.
export function groupLines(rows) {
  const groups = new Map();
  for (const row of rows) {
    const prefix = prefixOf(row.dataset.name);
    if (!groups.has(prefix)) groups.set(prefix, []);
    groups.get(prefix).push(row);
  }
  return [...groups].map(([prefix, members]) => ({ prefix, members }));
}
const MOST_LINES = 40;                                                  // until all are asked for, or some are searched
let chosen = { words: "", by: "gravity", isGrouped: false, isWhole: false };  // kept while new figures come

function arrangeLines(list) {
  const rows = [...list.querySelectorAll("tr[data-words]")], compare = compareLines(chosen.by);
  for (const row of rows) row.hidden = !isFound(row.dataset.words, chosen.words);
  const sorted = rows.toSorted((one, other) => compare(one.dataset, other.dataset));
  list.querySelectorAll("tr.group").forEach((title) => title.remove());
  const wanted = chosen.isGrouped ? groupLines(sorted).flatMap(withTitle) : sorted;
  if (wanted.some((row, place) => row !== rows[place])) rows[0]?.parentElement.append(...wanted);
  const found = wanted.filter((row) => row.dataset.words && !row.hidden), more = list.querySelector("[data-whole]");
  const isCut = !chosen.isWhole && !chosen.isGrouped && found.length > MOST_LINES;
  if (isCut) found.slice(MOST_LINES).forEach((row) => { row.hidden = true; });
  const total = Number(list.dataset.total), isPart = rows.length < total && !chosen.words;
  more.hidden = !isCut && !isPart;
  const count = isPart ? total : found.length, status = list.querySelector("[role=status]");
  status.textContent = status.dataset.message.replace("{count}", count).replace("{total}", total);
}
// The server sends the first lines; the others are asked for once they are needed.
function askForMore(list) {
  const rest = list.querySelector("[data-more]");
  rest?.removeAttribute("data-more");
  rest?.dispatchEvent(new CustomEvent("kw:more"));
}
function withTitle({ prefix, members }) {
  const title = document.createElement("tr"), cell = document.createElement("th");
  const count = members.filter((row) => !row.hidden).length;
  Object.assign(cell, { colSpan: members[0].cells.length, scope: "rowgroup", textContent: `${prefix} (${count})` });
  Object.assign(title, { className: "group", hidden: count === 0 });
  title.append(cell);
  return [title, ...members];
}
function showLines(document) {
  for (const list of document.querySelectorAll("[data-lines]")) {
    list.querySelector("#lines-find").value = chosen.words;
    list.querySelector("#lines-sort").value = chosen.by;
    list.querySelector("#lines-group").checked = chosen.isGrouped;
    if (chosen.words || chosen.by !== "gravity" || chosen.isGrouped || chosen.isWhole) askForMore(list);
    arrangeLines(list);
  }
}
function changeLines({ target }) {
  const list = target.closest?.("[data-lines]");
  if (!list) return;
  chosen = {
    ...chosen,
    words: list.querySelector("#lines-find").value,
    by: list.querySelector("#lines-sort").value,
    isGrouped: list.querySelector("#lines-group").checked,
  };
  askForMore(list);
  arrangeLines(list);
}

function showAllLines({ target }) {
  const list = target.closest?.("[data-whole]")?.closest("[data-lines]");
  if (!list) return;
  const next = [...list.querySelectorAll("tr[data-words]:not([hidden])")].at(-1);
  chosen.isWhole = true;
  askForMore(list);
  arrangeLines(list);
  next?.nextElementSibling?.querySelector("a")?.focus();
}

// An example of a first table, put into the form to be changed or added as it is.
function fillIn({ target }) {
  const button = target.closest?.("[data-fill]");
  if (!button) return;
  const inputs = [...button.closest("form").querySelectorAll("input[type=text]")];
  JSON.parse(button.dataset.fill).forEach((text, place) => { inputs[place].value = text; });
  inputs[0].select();
}

export function startSheet(document) {
  keepFocus(document);
  startQuestions(document);
  document.addEventListener("input", changeLines);
  document.addEventListener("click", fillIn);
  document.addEventListener("click", showAllLines);
  const draw = () => {
    showLines(document);
    showQuestion(document);
    document.querySelectorAll(".schema").forEach(drawLines);
  };
  draw();
  addEventListener("resize", draw);
  // Another font moves the cards that the lines go between.
  document.fonts?.ready.then(draw);
  document.addEventListener("htmx:afterSettle", draw);
  document.addEventListener("kw:after", draw, true);
}

