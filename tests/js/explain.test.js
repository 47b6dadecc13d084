import assert from "node:assert/strict";
import { test } from "node:test";

import { startExplanation } from "../../static/js/explain.js";

// What the explanation needs of elements, without a browser.
function element(more = {}) {
  const heard = {}, attributes = { "aria-pressed": "false" }, classes = new Set(), properties = {};
  return {
    attributes, classes, properties, dataset: {},
    addEventListener: (type, hear) => { heard[type] = hear; },
    fire(type) { heard[type]({ currentTarget: this }); },
    getAttribute: (name) => attributes[name],
    setAttribute: (name, value) => { attributes[name] = String(value); },
    classList: { toggle: (name, isOn) => (isOn ? classes.add(name) : classes.delete(name)) },
    style: { setProperty: (name, value) => { properties[name] = value; } },
    ...more,
  };
}
function explanation() {
  const slider = element({ value: "0" });
  Object.defineProperty(slider, "valueAsNumber", { get: () => Number(slider.value) });
  slider.dataset = { now: "now", fixed: "with the fix" };
  const steps = ["cause", "node", "fix"].map((name) => {
    const button = element();
    return element({ button, dataset: { step: name }, querySelector: () => button });
  });
  const titles = ["now", "fixed"].map((name) => element({ dataset: { explainTitle: name }, hidden: name === "fixed" }));
  const ownerDocument = { querySelectorAll: () => titles };
  const figure = element({ ownerDocument, querySelector: () => slider, querySelectorAll: () => steps });
  startExplanation(figure);
  return { figure, slider, steps, titles };
}

test("the slider turns the map into the one with the fix, and says so", () => {
  const { figure, slider, titles } = explanation();
  assert.equal(figure.properties["--fixed"], 0);
  assert.deepEqual(titles.map((title) => title.hidden), [false, true]);
  assert.equal(slider.attributes["aria-valuetext"], "now");
  slider.value = "80";
  slider.fire("input");
  assert.equal(figure.properties["--fixed"], 0.8);
  assert.ok(figure.classes.has("is-fixed"));
  assert.deepEqual(titles.map((title) => title.hidden), [true, false]);
  assert.equal(slider.attributes["aria-valuetext"], "with the fix");
});
test("one step is pressed at a time; that of the fix shows the fixed map, another the map now", () => {
  const { figure, slider, steps: [cause, , fix] } = explanation();
  fix.button.fire("click");
  assert.equal(Number(slider.value), 100);
  assert.equal(figure.dataset.at, "fix");
  cause.button.fire("click");
  assert.deepEqual([cause.button.attributes["aria-pressed"], fix.button.attributes["aria-pressed"]], ["true", "false"]);
  assert.equal(Number(slider.value), 0);
  assert.equal(figure.properties["--fixed"], 0);
});
test("a step that is pressed again dims nothing", () => {
  const { figure, steps: [cause] } = explanation();
  cause.button.fire("click");
  cause.button.fire("click");
  assert.equal(figure.dataset.at, "");
  assert.equal(cause.button.attributes["aria-pressed"], "false");
});
