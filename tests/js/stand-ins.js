// Stand-ins for what a page has, as little as the tests need.

export class StandIn extends EventTarget {                              // an element
  constructor(properties = {}) {
    super();
    this.attributes = new Map();
    this.children = [];
    this.classes = new Set();
    this.classList = {
      add: (name) => this.classes.add(name),
      remove: (name) => this.classes.delete(name),
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
  focus() { globalThis.document.activeElement = this; }
  setSelectionRange(...range) { this.selection = range; }
  scrollIntoView() { this.isScrolledTo = true; }
  get firstText() { return this.children[0]?.textContent; }
}

export class DocumentStandIn extends StandIn {                          // of elements by their ids
  constructor(elements = {}) {
    super({ elements, documentElement: new StandIn({ lang: "en" }), body: new StandIn() });
  }
  getElementById(id) { return this.elements[id] ?? null; }
  createElement(tagName) { return new StandIn({ tagName }); }
}

export function dispatch(target, name, properties = {}) {
  const event = Object.assign(new Event(name, { cancelable: true }), properties);
  target.dispatchEvent(event);
  return event;
}
