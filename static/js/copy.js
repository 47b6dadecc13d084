// A button beside a text field copies what is in it.
import { sayCopied, startClipboard } from "./clipboard.js";

async function copyField({ target }) {
  const field = target.dataset?.copy && document.getElementById(target.dataset.copy);
  if (!field) return;
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    if (!document.execCommand("copy")) return;                          // without HTTPS there is no clipboard
  }
  sayCopied(target, target.dataset.done);
}

export function start(document) {
  startClipboard(document);
  document.addEventListener("click", copyField);
  document.querySelectorAll("[data-copy]").forEach((button) => { button.classList.remove("without-script"); });
}
if (globalThis.document) start(document);
