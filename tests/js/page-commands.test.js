import assert from "node:assert/strict";
import { test } from "node:test";

import { matchingCommands } from "../../static/js/page-commands.js";

const named = (...names) => names.map((name) => ({ name }));
const matches = (words, ...names) => matchingCommands(words, named(...names)).map(({ name }) => name);

test("commands have the words in any case, those that begin with them first", () => {
  assert.deepEqual(matches(" TA", "Data", "Add table", "Tables", "Undo"), ["Tables", "Data", "Add table"]);
});

test("one letter is too little, and a name comes once", () => {
  assert.deepEqual(matches("u", "Undo"), []);
  assert.deepEqual(matches("un", "Undo", "Undo"), ["Undo"]);
});

test("a list of commands has an end", () => {
  assert.equal(matches("row", ...Array.from({ length: 20 }, (_, number) => `Row ${number}`)).length, 8);
});
