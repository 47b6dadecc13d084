// What is offered while a design is written as text, and which fields its keys name: decided from the lines alone.
import { choose, completionInKey, DERIVED, option } from "./key-words.js";

// --- lines

// Where a line's name and value are: `indent` of the dash or name, `column` of the name, `key` ("" without one),
// `value`: where the value begins.
export function readLine(text) {
  const indent = /^ */.exec(text)[0].length, dashes = /^(- +)*/.exec(text.slice(indent))[0].length;
  const column = indent + dashes, body = text.slice(column);
  const line = { indent, column, isItem: dashes > 0, key: "", value: column, isBlank: body === "" || body[0] === "#" };
  const quoted = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')\s*:(?=\s|$)/.exec(body);
  const plain = quoted ? null : /^([^\s"'#[{:][^#]*?)\s*:(?=\s|$)/.exec(body);
  const match = quoted ?? plain;
  if (!match) return line;
  line.key = quoted ? unquote(match[1]) : match[1];
  line.value = column + match[0].length;
  return line;
}
const unquote = (text) => (text[0] === "'" ? text.slice(1, -1).replaceAll("''", "'") : parse(text));
function parse(text) {
  try { return JSON.parse(text); } catch { return text.slice(1, -1); }
}

// The names that a line stands under, the outermost first; an item of a list is "-".
export function wayTo(lines, number, column = readLine(lines[number]).column) {
  const own = readLine(lines[number]), way = [];
  let limit = column, dash = Infinity;                                  // what holds it begins before this column
  const leaveItem = (line) => {
    way.unshift("-");
    [limit, dash] = [line.indent + 1, line.indent];                     // items beside it have their dash there, too
  };
  if (own.isItem && column >= own.column) leaveItem(own);
  for (let above = number - 1; above >= 0 && limit > 0; above--) {
    const line = readLine(lines[above]);
    if (line.isBlank || line.indent >= limit || (line.isItem && line.indent >= dash)) continue;
    if (line.isItem) {
      if (line.column < limit && line.key) way.unshift(line.key);
      leaveItem(line);
    } else if (line.key && line.column < limit) {
      way.unshift(line.key);
      limit = line.column;
    }
  }
  return way;
}

// The line on which what goes on here begins: a line that ends in a comma goes on, further in, on the next.
function firstOf(lines, number) {
  let first = number;
  while (first > 0) {
    const line = readLine(lines[first]), above = lines[first - 1];
    if (line.key || !/,\s*$/.test(above) || line.indent < readLine(above).indent) break;
    first--;
  }
  return first;
}

// Every name that stands directly in a block of this name, anywhere in the text: of fields, activities, columns.
export function namesIn(lines, block) {
  const names = new Set();
  const open = [];                                                      // [column, name] of what holds the line
  for (const text of lines) {
    const line = readLine(text);
    if (line.isBlank || !line.key) continue;
    while (open.length && open.at(-1)[0] >= line.column) open.pop();
    if (open.at(-1)?.[1] === block && !line.isItem) names.add(line.key);
    open.push([line.column, line.key]);
  }
  return [...names];
}

// --- what a place in the text may hold

const BLOCKS = {
  field: "fields", activity: "activities", table: "tables", column: "columns", "column family": "families",
  family: "families", cluster: "clusters", "app profile": "app_profiles",
};

function join(words, names) {                                           // parts of which one stands there, as one
  const parts = names.map((name) => words.parts[name]);
  return {
    names: Object.assign({}, ...parts.map((part) => part.names)),
    kinds: parts.map((part) => part.kind).filter(Boolean),
    first: parts.length === 1 ? parts[0].first ?? [] : [],
    takesItems: parts.length === 1 && Boolean(parts[0].items),
  };
}
// → { part } or { list } (of parts) or { name } (a value), or null where the text leads nowhere.
export function findPlace(words, way) {
  let place = { part: join(words, [words.root]) };
  for (const step of way) {
    if (place.list) place = { part: join(words, place.list.parts) };
    else if (step === "-") return place.name?.refers || place.name?.list ? place : null;
    else {
      const name = place.part?.names[step];
      if (!name) return null;
      if (name.many) place = { list: name };
      else if (name.parts) place = { part: join(words, name.parts), name };
      else place = { name };
    }
  }
  return place;
}
export const kindPart = (words, kind) => {
  const name = Object.keys(words.parts).find((each) => words.parts[each].kind === kind);
  return name ? join(words, [name]) : null;
};

// The argument that is being written in a line such as `4.5k/s by user, profile=diurnal(pe`: the text in front of it
// that says whose argument it is, its number, its name before "=".
export function readArguments(text) {
  const open = [{ head: "", count: 0, start: 0 }];
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (isQuoted) {
      if (sign === "\\") at++;
      else if (sign === '"') isQuoted = false;
    } else if (sign === '"') isQuoted = true;
    else if (sign === "(") open.push({ head: /[\w]*$/.exec(text.slice(0, at))[0], count: 0, start: at + 1 });
    else if (sign === ")" && open.length > 1) open.pop();
    else if (sign === "," && !isInList(text.slice(open.at(-1).start, at))) {
      open.at(-1).count++;
      open.at(-1).start = at + 1;
    }
  }
  const { head, count, start } = open.at(-1), written = text.slice(start).replace(/^ +/, "");
  const match = /^(\w+)=(.*)$/.exec(written), value = match ? match[2] : written;
  return { head, count, name: match?.[1] ?? "", value, isQuoted };
}
const isInList = (text) => text.lastIndexOf("[") > text.lastIndexOf("]");

// --- completion

// What may be written at a place: { from, options }, or null. `from` is a column of the line.
export function completionAt(words, lines, number, column) {
  const first = firstOf(lines, number);
  if (first < number) {                                                 // the same as one long line
    const before = lines.slice(first, number).map((line, at) => `${at ? line.trim() : line.trimEnd()} `).join("");
    const { indent } = readLine(lines[number]), shift = before.length - indent;
    const joined = lines.with(first, before + lines[number].slice(indent));
    const found = completionAt(words, joined, first, column + shift);
    return found && { ...found, from: found.from - shift };
  }
  const text = lines[number].slice(0, column), line = readLine(text);
  if (/(^|\s)#/.test(text) && !/["'][^"']*#[^"']*$/.test(text)) return null;
  const full = readLine(lines[number]), way = wayTo(lines, number, full.column);
  const parent = findPlace(words, way);
  const name = full.key ? parent?.part?.names[full.key] : parent?.name;
  const braces = /\{([^{}]*)$/.exec(text);
  if (braces && (name?.key || /["'][^"']*$/.test(text))) {
    return completionInKey(namesIn(lines, "fields"), braces[1], column);
  }
  if (!line.key) return atName(parent, lines, number, { text, line, words });
  const place = findPlace(words, [...way, full.key]), written = text.slice(line.value).replace(/^ +/, "");
  if (place?.part) return inLine(words, place.part, lines, written, column);
  return place?.name ? asValue(words, place.name, lines, written, column) : null;
}
function atName(parent, lines, number, { text, line, words }) {
  const typed = text.slice(line.column);
  if (parent?.name && !parent.part) return asValue(words, parent.name, lines, typed, text.length);
  if (!parent?.part || !/^\w*$/.test(typed)) {
    return parent?.part && line.isItem ? inLine(words, parent.part, lines, typed, text.length) : null;
  }
  const there = new Set(siblingNames(lines, number, line.column));
  const names = Object.entries(parent.part.names).filter(([name]) => !there.has(name));
  const options = names.map(([name, { title, many }]) => (
    option(name, { detail: title, apply: many ? `${name}:` : `${name}: `, type: "property" })
  ));
  const inItem = line.isItem ? inLine(words, parent.part, lines, typed, text.length).options : [];
  return { from: line.column, options: [...inItem.filter(({ label }) => !label.endsWith("=")), ...options] };
}
function siblingNames(lines, number, column) {
  const names = [];
  for (const step of [-1, 1]) {
    for (let at = number + step; at >= 0 && at < lines.length; at += step) {
      const line = readLine(lines[at]);
      if (line.isBlank) continue;
      if (line.column < column) break;
      if (line.column === column && line.key) names.push(line.key);
      if (step > 0 ? line.isItem : false) break;
    }
  }
  return names;
}
function inLine(words, part, lines, written, column) {
  const { head, count, name, value, isQuoted } = readArguments(written);
  if (isQuoted) return null;
  const inner = head ? kindPart(words, head) ?? part : part;
  if (name) return inner.names[name] ? asValue(words, inner.names[name], lines, value, column) : null;
  const by = /(?:^| )by (?:.*& )?(\w*)$/.exec(value);
  const fields = namesIn(lines, "fields");
  if (by && inner.names.binds) return { from: column - by[1].length, options: choose(fields, "variable") };
  const first = inner.names[inner.takesItems ? inner.first[0] : inner.first[count]];
  const told = first ? asValue(words, first, lines, value, column)?.options ?? [] : [];
  const kinds = count === 0 && !head ? choose(inner.kinds, "type") : [];
  const given = [...written.matchAll(/(\w+)=/g)].map((match) => match[1]);
  const said = new Set([...inner.first.slice(0, count + 1), ...given]);
  const free = Object.entries(inner.names).filter(([label, { many, key }]) => (!many || key) && !said.has(label));
  const named = free.map(([label, { title }]) => option(`${label}=`, { detail: title, type: "property" }));
  const typed = /[^\s&]*$/.exec(value)[0];
  return { from: column - typed.length, options: [...told, ...kinds, ...named] };
}
function asValue(words, name, lines, written, column) {
  const number = /^[\d.]+$/.exec(written);
  if (number && name.units) {
    return { from: column - written.length, options: choose(name.units.map((unit) => written + unit), "constant") };
  }
  const typed = name.list ? /[^\s,[]*$/.exec(written)[0] : written, from = column - typed.length;
  if (name.values) return { from, options: choose(name.values, "enum") };
  if (name.refers) return { from, options: choose(namesIn(lines, BLOCKS[name.refers]), "variable") };
  if (!name.parts) return null;
  const open = readArguments(written);
  if (open.head) return inLine(words, kindPart(words, open.head) ?? join(words, name.parts), lines, written, column);
  const part = join(words, name.parts);
  return { from, options: part.kinds.map((kind) => option(kind, { type: "type" })) };
}

// --- the colours of fields: where a line names them in key text

// → [{ from, to, colour, isDerived }] of the segments in braces; the time has colour 2.
export function findFields(text, colours) {
  const found = [];
  for (const match of text.matchAll(/\{([^{}]+)\}/g)) {
    const inner = match[1].replace(/^field\(\\?"?|\\?"?\)$/g, ""), isDerived = DERIVED.test(inner);
    const word = isDerived ? /\(([^,:)]*)/.exec(inner)[1] : /^[^:]*/.exec(inner)[0];
    const colour = colours[word.trim()] ?? (word.trim() === "time" ? 2 : 0);
    if (colour) found.push({ from: match.index, to: match.index + match[0].length, colour, isDerived });
  }
  return found;
}

// --- tokens for the colours of the text: "comment", "propertyName", "string", "number", "keyword", "punctuation"

export function nextToken(stream, state) {
  if (stream.sol()) {
    state.isValue = false;
    if (state.block >= 0 && stream.indentation() > state.block) { stream.skipToEnd(); return null; }
    state.block = -1;                                                   // where a text of several lines was begun
  }
  if (stream.eatSpace()) return null;
  if (stream.peek() === "#") { stream.skipToEnd(); return "comment"; }
  if (!state.isValue) {
    if (stream.match(/^- /)) return "punctuation";
    if (stream.match(/^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'#[{:][^#]*?)(?=\s*:(\s|$))/)) return "propertyName";
    if (stream.match(/^:(?=\s|$)/)) { state.isValue = true; return "punctuation"; }
    state.isValue = true;
  }
  if (stream.match(/^[|>][-+]?\s*$/)) { state.block = stream.indentation(); return "punctuation"; }
  if (stream.match(/^"(?:[^"\\]|\\.)*"?|^'(?:[^']|'')*'?/)) return "string";
  if (stream.match(/^[a-z_]+(?==)/)) return "propertyName";
  if (stream.match(/^[+-]?\d[\d.]*(?:[eE][+-]?\d+)?[A-Za-z%]*(?:\/[a-z]+)?(?![\w.-])/)) return "number";
  if (stream.match(/^(?:true|false|null|by)(?![\w-])/)) return "keyword";
  if (stream.match(/^[\w]+(?=\()/)) return "typeName";
  if (stream.match(/^[\w./%+:;'-]+/)) return null;
  stream.next();
  return "punctuation";
}
