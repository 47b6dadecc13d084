// A revision's name is stored when the line is left; whether that worked is said beside it.
document.addEventListener("htmx:afterRequest", ({ target, detail }) => {
  const form = target.closest?.("form[data-saved]");
  if (!form) return;
  const status = form.querySelector("[role=status]");
  status.textContent = detail.successful ? form.dataset.saved : form.dataset.failed;
  status.classList.toggle("error", !detail.successful);
});
