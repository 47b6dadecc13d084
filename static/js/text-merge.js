// Two versions of a text that came from one: what the other changed, put into one's own, line by line.

// Lines as signs, one a line, so that what compares characters compares lines.
function asSigns(texts) {
  const signs = new Map();
  const sign = (line) => {
    // The private use area is one code unit each, so that places in the strings are numbers of lines.
    if (!signs.has(line)) signs.set(line, String.fromCharCode(0xE000 + signs.size));
    return signs.get(line);
  };
  return texts.map((lines) => lines.map(sign).join(""));
}
const MOST_LINES = 0xFFFF - 0xE000;

// What differs between two lists of lines: [{ fromA, toA, fromB, toB }]. `diff` compares two strings.
export function compareLines(one, other, diff) {
  const whole = { fromA: 0, toA: one.length, fromB: 0, toB: other.length };
  // There are no more signs than that.
  if (new Set([...one, ...other]).size > MOST_LINES) return [whole];
  return diff(...asSigns([one, other])).map(({ fromA, toA, fromB, toB }) => ({ fromA, toA, fromB, toB }));
}

// Which lines of `ours` become which, so that what `theirs` changed in `base` is in it too:
// [{ from, to, lines }], or null where both changed the same lines.
export function mergeLines(base, ours, theirs, diff) {
  const mine = compareLines(base, ours, diff), changes = [];
  for (const { fromA, toA, fromB, toB } of compareLines(base, theirs, diff)) {
    const lines = theirs.slice(fromB, toB);
    // With equality: changes that only touch would both claim the border, and their order could not be told.
    const met = mine.filter((each) => each.fromA <= toA && fromA <= each.toA);
    if (met.length) {
      const isSame = met.length === 1 && met[0].fromA === fromA && met[0].toA === toA
        && ours.slice(met[0].fromB, met[0].toB).join("\n") === lines.join("\n");
      if (!isSame) return null;
      continue;
    }
    // Places in `base` become places in `ours` by what was added and removed above them.
    const moved = mine.filter((each) => each.toA <= fromA)
      .reduce((sum, each) => sum + (each.toB - each.fromB) - (each.toA - each.fromA), 0);
    changes.push({ from: fromA + moved, to: toA + moved, lines });
  }
  return changes;
}

// The same as changes of characters: [{ from, to, insert }], for texts of lines that end with "\n".
export function asEdits(lines, changes) {
  const starts = [0];
  for (const line of lines) starts.push(starts.at(-1) + line.length + 1);
  const end = starts.at(-1) - 1;                                        // after the last line is no "\n"
  return changes.map(({ from, to, lines: given }) => {
    // In the middle of a text each line has its "\n" behind it.
    if (from < lines.length && to < lines.length) {
      return { from: starts[from], to: starts[to], insert: given.map((line) => `${line}\n`).join("") };
    }
    const first = from === 0 ? 0 : starts[from] - 1;                    // up to the end: with the "\n" before it
    const insert = given.join("\n");
    return { from: Math.min(first, end), to: end, insert: from > 0 && given.length ? `\n${insert}` : insert };
  });
}

// The changes that make one text the other, as few lines as differ.
export function editsBetween(one, other, diff) {
  const lines = one.split("\n"), wanted = other.split("\n");
  const changes = compareLines(lines, wanted, diff).map(({ fromA, toA, fromB, toB }) => (
    { from: fromA, to: toA, lines: wanted.slice(fromB, toB) }
  ));
  return asEdits(lines, changes);
}
export function editsToMerge(base, ours, theirs, diff) {
  const lines = ours.split("\n"), changes = mergeLines(base.split("\n"), lines, theirs.split("\n"), diff);
  return changes && asEdits(lines, changes);
}
