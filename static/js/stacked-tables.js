// Tables on a phone: a row of a table that does not fit is a card whose figures follow the words of their columns.
const LEAST_COLUMNS = 3;
const HAVE_THEIR_OWN = [
  ".stored", ".variants", ".hours-of", ".price-list", ".differences", ".assumption-list", ".candidates",
  ".api *", ".recommended *", "[data-lines] *",
];
const TABLES = `.scroll-x > table:not(.stacked, ${HAVE_THEIR_OWN.join()})`;

// → the words above each column; of a head of several rows those of the last
export function columnWords(cells) {
  return cells.flatMap(({ textContent, colSpan }) => Array(colSpan).fill(textContent.trim().replace(/\s+/g, " ")));
}

// → what to write before each cell of a row: nothing where a cell heads its row, is alone or has no word above it
export function cellWords(cells, words) {
  let column = 0;
  return cells.map(({ tagName, colSpan }) => {
    const at = column;
    column += colSpan;
    return tagName === "TD" && colSpan === 1 ? words[at] ?? "" : "";
  });
}

// → the width of the words before figures: that of the longest, as far as it leaves room for a figure
const LETTERS = [13, 24], WIDE = /[\u3000-\u9fff\uff00-\uffef]/g;
export function wordsWidth(words) {
  const letters = words.map((word) => word.length + (word.match(WIDE)?.length ?? 0) * .7);
  return `${(Math.min(Math.max(...letters, LETTERS[0]), LETTERS[1]) / 2).toFixed(1)}rem`;
}

function stack(table) {
  const heads = [...table.tHead.rows].at(-1);
  const words = columnWords([...heads.cells]);
  if (words.length < LEAST_COLUMNS) return;
  for (const row of table.querySelectorAll(":scope > :is(tbody, tfoot) > tr")) {
    row.role = "row";
    const cells = [...row.cells];
    cellWords(cells, words).forEach((word, n) => {
      cells[n].role = cells[n].tagName === "TD" ? "cell" : "rowheader";
      if (word) cells[n].dataset.label = word;
      if (!cells[n].childElementCount && !cells[n].textContent.trim()) cells[n].replaceChildren();
    });
  }
  table.role = "table";                                                  // blocks in the place of cells keep it
  for (const part of table.querySelectorAll("tbody, thead, tfoot")) part.role = "rowgroup";
  heads.role = "row";
  for (const cell of heads.cells) cell.role = "columnheader";
  table.style.setProperty("--words", wordsWidth(words.slice(1)));
  table.classList.add("stacked");
}

function stackAll(within) {
  for (const table of within.querySelectorAll?.(TABLES) ?? []) if (table.tHead?.rows.length) stack(table);
}

export function start(document) {
  stackAll(document);
  document.addEventListener("htmx:load", ({ detail }) => stackAll(detail.elt.parentElement ?? detail.elt));
}
if (globalThis.document) start(document);
