// A revision's name is stored when the line is left; whether that worked is said beside it.
function sayStored({ target, detail }) {
  const form = target.closest?.("form[data-saved]");
  if (!form) return;
  const status = form.querySelector("[role=status]");
  const isStored = detail.xhr.status === 204;                           // what can be shown is no error to htmx
  status.textContent = isStored ? form.dataset.saved : form.dataset.failed;
  status.classList.toggle("error", !isStored);
  if (isStored) form.elements.name.defaultValue = detail.requestConfig.formData.get("name");  // going back keeps it
}

export function start(document) { document.addEventListener("htmx:afterRequest", sayStored); }
if (globalThis.document) start(document);
