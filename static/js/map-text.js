// Words and elements that the parts of a map are made of.

export function filled(text, values) {                                   // each {name} by its value
  return Object.entries(values).reduce((said, [name, value]) => said.replace(`{${name}}`, () => value), text);
}

export const made = (tag, properties) => Object.assign(document.createElement(tag), properties);

export async function give(map, button, text) {                          // to the clipboard
  try { await navigator.clipboard.writeText(text); } catch {             // without HTTPS there is no clipboard
    const field = made("textarea", { value: text });
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
    button.focus();
  }
  const said = button.textContent;
  if (said === map.first.head.words.copied) return;
  button.textContent = map.first.head.words.copied;
  map.announce(map.first.head.words.copied);
  setTimeout(() => { button.textContent = said; }, 2000);
}
