// A revision's name is stored when the line is left; whether that worked is said beside it.
document.addEventListener("htmx:afterRequest", ({ target, detail }) => {
  const form = target.closest?.("form[data-saved]");
  if (!form) return;
  const status = form.querySelector("[role=status]");
  const saved = detail.xhr.status === 204;                                // what can be shown is no error to htmx
  status.textContent = saved ? form.dataset.saved : form.dataset.failed;
  status.classList.toggle("error", !saved);
  if (saved) form.elements.name.defaultValue = detail.requestConfig.formData.get("name");  // kept by going back, too
});
