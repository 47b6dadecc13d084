// What was copied is said on its button until something else is done.
import { createElement } from "./text.js";

let restore = () => {};

export function sayCopied(button, text) {
  restore();                                                            // a second click was quicker than the answer
  const before = button.textContent;
  restore = () => { button.textContent = before; restore = () => {}; };
  button.textContent = text;
}
export async function copyText(text) {
  try { await navigator.clipboard.writeText(text); } catch {             // without HTTPS there is no clipboard
    const field = createElement("textarea", { value: text });
    document.body.append(field);
    field.select();
    // Deprecated, but the only way on a page without HTTPS, as in an office's network.
    document.execCommand("copy");
    field.remove();
  }
}
export function startClipboard(document) {
  for (const event of ["pointerdown", "keydown"]) document.addEventListener(event, () => restore(), true);
}
