// A map explained: a slider turns the map into the one with the fix, and a step shows where on the map it is.
const FIXED_FROM = 50;

export function startExplanation(figure) {
  const titles = [...figure.ownerDocument.querySelectorAll("[data-explain-title]")];
  const slider = figure.querySelector("[type=range]"), steps = [...figure.querySelectorAll("[data-step]")];
  const show = () => {
    const isFixed = slider.valueAsNumber >= FIXED_FROM;
    figure.style.setProperty("--fixed", slider.value / 100);
    figure.classList.toggle("is-fixed", isFixed);
    for (const title of titles) title.hidden = (title.dataset.explainTitle === "fixed") !== isFixed;
    slider.setAttribute("aria-valuetext", isFixed ? slider.dataset.fixed : slider.dataset.now);
  };
  slider.addEventListener("input", show);
  for (const step of steps) {
    step.querySelector("button").addEventListener("click", ({ currentTarget: button }) => {
      const isOn = button.getAttribute("aria-pressed") !== "true";
      for (const one of steps) one.querySelector("button").setAttribute("aria-pressed", isOn && one === step);
      figure.dataset.at = isOn ? step.dataset.step : "";
      // Setting a value fires no "input", so it is shown below.
      slider.value = isOn && step.dataset.step === "fix" ? 100 : 0;
      show();
    });
  }
  show();
}

if (globalThis.document) {
  const start = (root) => root.querySelectorAll("[data-explain]").forEach(startExplanation);
  start(document);
  document.addEventListener("htmx:load", ({ detail }) => { if (detail.elt !== document.body) start(detail.elt); });
}
