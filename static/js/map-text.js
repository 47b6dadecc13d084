// Words and elements that the parts of a map are made of.

export function filled(text, values) {                                   // each {name} by its value
  return Object.entries(values).reduce((said, [name, value]) => said.replace(`{${name}}`, () => value), text);
}

export const made = (tag, properties) => Object.assign(document.createElement(tag), properties);

let unsaid = () => {};                                                   // said until something else is done
for (const event of ["pointerdown", "keydown"]) document.addEventListener(event, () => unsaid(), true);
export async function give(map, button, text) {                          // to the clipboard
  try { await navigator.clipboard.writeText(text); } catch {             // without HTTPS there is no clipboard
    const field = made("textarea", { value: text });
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
    button.focus();
  }
  unsaid();                                                              // a second click was quicker than the answer
  const said = button.textContent;
  unsaid = () => { button.textContent = said; unsaid = () => {}; };
  button.textContent = map.first.head.words.copied;
  map.announce(map.first.head.words.copied);
}
