// A button beside a text field copies what is in it, and says so until something else is done.
let unsaid = () => {};
for (const event of ["pointerdown", "keydown"]) document.addEventListener(event, () => unsaid(), true);
document.addEventListener("click", async ({ target }) => {
  const field = target.dataset?.copy && document.getElementById(target.dataset.copy);
  if (!field) return;
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    if (!document.execCommand("copy")) return;                          // without HTTPS there is no clipboard
  }
  unsaid();                                                             // a second click was quicker than the answer
  const text = target.textContent;
  unsaid = () => { target.textContent = text; unsaid = () => {}; };
  target.textContent = target.dataset.done;
});
document.querySelectorAll("[data-copy]").forEach((button) => { button.classList.remove("without-script"); });
