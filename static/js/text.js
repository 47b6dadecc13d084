// Texts with {names} in them, and elements.

export function fillIn(text, values) {                                  // each {name} by its value
  return Object.entries(values).reduce((filled, [name, value]) => filled.replace(`{${name}}`, () => value), text);
}
export const createElement = (tag, properties) => Object.assign(document.createElement(tag), properties);
