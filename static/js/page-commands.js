// What the page can do, for the search: its tools, its views and what is marked with data-command, by its label.
const SOURCES = ".site-header :is(a[href], button), .views :is(a[href], button), [data-command]";
const MOST = 8;

// Of commands with names those that have these words, at their start first; each name once.
export function matchingCommands(words, commands) {
  const sought = words.trim().toLocaleLowerCase();
  if (sought.length < 2) return [];
  const named = new Map(commands.map((command) => [command.name, command]));
  const place = ({ name }) => name.toLocaleLowerCase().indexOf(sought);
  const matching = [...named.values()].filter((command) => place(command) >= 0);
  return matching.toSorted((a, b) => Math.min(place(a), 1) - Math.min(place(b), 1)).slice(0, MOST);
}

function nameOf(item) {
  if (item.dataset.command || item.ariaLabel) return item.dataset.command || item.ariaLabel;
  const copy = item.cloneNode(true);
  for (const part of copy.querySelectorAll("kbd, small")) part.remove();
  return copy.textContent.replace(/\s+/g, " ").trim();
}
function commandsOf(document) {
  const items = [...document.querySelectorAll(SOURCES)].filter((item) => !item.disabled);
  return items.map((item) => ({ name: nameOf(item), item })).filter(({ name }) => name);
}
function run(item) {
  for (let fold = item.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  const place = (item.matches("summary") && item.parentElement.querySelector("input, select, textarea")) || item;
  place.scrollIntoView({ block: "center" });
  place.focus();
  if (!item.matches("summary")) item.click();
}

// Add to the results of a search the commands of the page with these words, but for what stands there already.
export function addCommands(results, words) {
  const names = new Set([...results.querySelectorAll("a, button")].map(nameOf));
  const matching = matchingCommands(words, commandsOf(results.ownerDocument)).filter(({ name }) => !names.has(name));
  if (!matching.length) return;
  const list = results.querySelector(".entries");
  if (!list.querySelector("a, button")) list.replaceChildren();        // that there is no result
  for (const { name, item } of matching) {
    const button = Object.assign(results.ownerDocument.createElement("button"), { type: "button", className: "quiet" });
    button.textContent = name;
    button.addEventListener("click", () => run(item));
    const entry = results.ownerDocument.createElement("li");
    entry.append(button);
    list.append(entry);
  }
}
