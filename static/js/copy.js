// A button beside a text field copies what is in it, and says so.
document.addEventListener("click", async ({ target }) => {
  const field = target.dataset?.copy && document.getElementById(target.dataset.copy);
  if (!field) return;
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    document.execCommand("copy");                                       // without HTTPS there is no clipboard
  }
  const said = target.textContent;
  target.textContent = target.dataset.done;
  setTimeout(() => { target.textContent = said; }, 2000);
});
document.querySelectorAll("[data-copy]").forEach((button) => { button.hidden = false; });
