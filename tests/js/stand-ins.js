// Stand-ins for what a page has, as little as the tests need.

export class StandIn extends EventTarget {                              // an element
  constructor(properties = {}) {
    super();
    this.attributes = new Map();
    this.children = [];
    this.classes = new Set();
    this.classList = {
      add: (name) => this.classes.add(name),
      remove: (...names) => names.forEach((name) => this.classes.delete(name)),
      toggle: (name, has) => (has ? this.classes.add(name) : this.classes.delete(name)),
      contains: (name) => this.classes.has(name),
    };
    this.dataset = {};
    Object.assign(this, properties);
  }
  setAttribute(name, value) { this.attributes.set(name, value); }
  getAttribute(name) { return this.attributes.get(name) ?? null; }
  removeAttribute(name) { this.attributes.delete(name); }
  replaceChildren(...children) { this.children = children; }
  hasAttribute(name) { return this.attributes.has(name); }
  matches(selector) { return selector.split(",").some((each) => isMatch(this, each.trim())); }
  closest(selector) { return this.matches(selector) ? this : this.parentElement?.closest(selector) ?? null; }
  contains(other) { return other === this || this.children.some((child) => child.contains?.(other)); }
  focus() { globalThis.document.activeElement = this; }
  setSelectionRange(...range) { this.selection = range; }
  scrollIntoView() { this.isScrolledTo = true; }
  get firstText() { return this.children[0]?.textContent; }
}

function isMatch(element, selector) {                                   // of a tag, classes and names of attributes
  const [, tag, classes, attributes] = selector.match(/^(\w*)((?:\.[\w-]+)*)((?:\[[\w-]+\])*)$/) ?? [];
  if (tag === undefined || (tag && tag !== element.tagName?.toLowerCase())) return false;
  const hasClasses = classes.split(".").filter(Boolean).every((name) => element.classes.has(name));
  return hasClasses && [...attributes.matchAll(/[\w-]+/g)].every(([name]) => element.attributes.has(name));
}

export class DocumentStandIn extends StandIn {                          // of elements by their ids
  constructor(elements = {}) {
    super({ elements, documentElement: new StandIn({ lang: "en" }), body: new StandIn() });
  }
  getElementById(id) { return this.elements[id] ?? null; }
  querySelector() { return null; }
  querySelectorAll() { return []; }
  createElement(tagName) { return new StandIn({ tagName }); }
}

export function dispatch(page, name, properties = {}) {             // `target`: as of an event that bubbles to the page
  const event = new Event(name, { cancelable: true });
  for (const [key, value] of Object.entries(properties)) Object.defineProperty(event, key, { value });
  page.dispatchEvent(event);
  return event;
}
