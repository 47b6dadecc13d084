// A review: what is said opens beside the page; the signs beside things follow it.
const panel = document.getElementById("panel");

// Answers may come in another order than they were asked for: only the newest is shown, and while something is being
// sent nothing else is opened, so that what is said of it is read.
let newest = null, sending = null;
document.addEventListener("htmx:beforeRequest", (event) => {
  const { target, xhr, requestConfig } = event.detail;
  if (target?.id !== "panel-body") return;
  if (sending) return event.preventDefault();
  newest = xhr;
  if (requestConfig.verb !== "get") sending = xhr;
});
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target.id === "panel-body" && event.detail.xhr !== newest) event.preventDefault();
});
document.addEventListener("htmx:afterRequest", ({ detail }) => { if (detail.xhr === sending) sending = null; });

document.addEventListener("htmx:afterSwap", ({ detail }) => {
  if (detail.target?.id !== "panel-body") return;
  if (!panel.matches(":popover-open")) panel.showPopover();
  (panel.querySelector("[aria-invalid=true], #say-name[value=''], textarea") ?? panel).focus({ preventScroll: true });
});

document.body.addEventListener("kw:talked", ({ detail }) => {
  for (const { address, open, total } of detail.spots) {
    for (const sign of document.querySelectorAll("a.talk")) {
      if (sign.getAttribute("href") !== address) continue;
      sign.classList.toggle("has", total > 0);
      sign.classList.toggle("open", open > 0);
      sign.querySelector(".talk-sign").textContent = total || "+";
    }
  }
});

// Who one is needs to be said once.
document.addEventListener("change", ({ target }) => {
  if (target.name !== "name") return;
  for (const field of document.querySelectorAll("input[name=name]")) field.value ||= target.value;
});

// A cell that is clicked in a map is talked about.
document.addEventListener("kw:cell", ({ target, detail }) => {
  const section = target.closest("section"), talk = section?.querySelector(".of-heat a.talk");
  if (!talk) return;
  const of = detail.of === "reads" ? "reads" : "writes", clock = `${detail.time.toISOString().slice(11, 13)}:00`;
  const asks = new URLSearchParams({ of, row: detail.row, clock });
  htmx.ajax("GET", `${talk.getAttribute("href")}?${asks}`, "#panel-body").catch(() => { /* unanswered.js says so */ });
});
