// A list of fields and transforms below a key that is written as text, after "{": arrows choose, Enter or Tab takes,
// Escape closes. Nothing is chosen before an arrow is pressed, so that Enter keeps what was typed.
import { wordsAt } from "./key-words.js";

const MOST = 12;

let page, list;
let input = null;                                                       // the field whose list is open
let from = 0, chosen = -1;

const fieldNames = () => (page.getElementById("outline")?.dataset.fields ?? "").split("\n").filter(Boolean);

function offer(field) {
  const column = field.selectionEnd;
  const match = field.selectionStart === column ? wordsAt(fieldNames(), field.value, column) : null;
  if (!match) return close();
  [input, from, chosen] = [field, match.from, -1];
  list.replaceChildren(...match.words.slice(0, MOST).map((word, index) => (
    Object.assign(page.createElement("li"), { id: `key-word-${index}`, role: "option", textContent: word })
  )));
  input.after(list);
  list.style.top = `${input.offsetTop + input.offsetHeight}px`;
  list.style.left = `${input.offsetLeft}px`;
  list.hidden = false;
  const state = { role: "combobox", "aria-autocomplete": "list", "aria-controls": list.id, "aria-expanded": "true" };
  for (const [name, value] of Object.entries(state)) input.setAttribute(name, value);
}
function close() {
  if (!input) return;
  input.setAttribute("aria-expanded", "false");
  input.removeAttribute("aria-activedescendant");
  [input, chosen] = [null, -1];
  list.hidden = true;
}
function choose(index) {
  const words = [...list.children];
  chosen = (index + words.length) % words.length;
  words.forEach((word, place) => word.setAttribute("aria-selected", String(place === chosen)));
  input.setAttribute("aria-activedescendant", words[chosen].id);
}
function take(word) {
  const field = input;
  field.setRangeText(word, from, field.selectionEnd, "end");
  close();
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
function pressKey(event) {
  if (!input || event.target !== input || event.ctrlKey || event.metaKey || event.altKey) return;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) choose(chosen < 0 && step < 0 ? -1 : chosen + step);
  else if (["Enter", "Tab"].includes(event.key) && chosen >= 0) take(list.children[chosen].textContent);
  else if (event.key === "Escape") close();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

export function startKeyCompletion(document) {
  page = document;
  list = Object.assign(document.createElement("ul"), { id: "key-words", className: "key-words", hidden: true });
  list.setAttribute("role", "listbox");
  document.addEventListener("input", ({ target }) => { if (target.matches?.("input.key[type=text]")) offer(target); });
  document.addEventListener("keydown", pressKey, { capture: true });
  document.addEventListener("focusout", ({ target }) => { if (target === input) close(); });
  list.addEventListener("pointerdown", (event) => {                     // the focus stays in the field
    event.preventDefault();
    const word = event.target.closest("li");
    if (word) take(word.textContent);
  });
}
