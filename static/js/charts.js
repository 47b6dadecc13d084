// Heatmaps to explore: the server's SVG is replaced by plotly once it is in view. Print and no-script keep the SVG.
const own = document.querySelector("script[data-plotly]");
let loading;

function plotly() {
  loading ??= new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = own.dataset.plotly;
    script.onload = () => done(window.Plotly);
    script.onerror = failed;
    document.head.append(script);
  });
  return loading;
}

function inked(layout) {
  const style = getComputedStyle(document.documentElement);
  const probe = document.createElement("span");          // light-dark() is resolved on an element's own colour
  document.body.append(probe);
  const colour = (name) => { probe.style.color = `var(${name})`; return getComputedStyle(probe).color; };
  const ink = colour("--ink-2"), line = colour("--line"), ground = colour("--ground-2"), text = colour("--ink");
  probe.remove();
  layout.font = { ...layout.font, color: ink, family: style.getPropertyValue("--font") };
  layout.hoverlabel = { bgcolor: ground, bordercolor: line, font: { color: text, family: style.getPropertyValue("--mono"), size: 12 }, align: "left" };
  return layout;
}

async function draw(figure) {
  const [Plotly, answer] = await Promise.all([plotly(), fetch(figure.dataset.figure)]);
  if (!answer.ok || !figure.isConnected) return;
  const { data, layout } = await answer.json();
  for (const trace of data) {
    if (trace.meta?.spans) trace.text = trace.meta.spans.map((span) => trace.x.map(() => span));
  }
  const place = document.createElement("div");
  place.className = "plot";
  const drawing = figure.querySelector(".drawing");
  drawing.append(place);
  await Plotly.newPlot(place, data, inked({ ...layout, dragmode: "zoom" }), { displayModeBar: false, responsive: true });
  drawing.classList.add("drawn");
  place.on("plotly_click", ({ points: [{ pointNumber, data: { x } }] }) => {
    const [range, column] = pointNumber;
    figure.dispatchEvent(new CustomEvent("kw:cell", { bubbles: true, detail: { range, day: column / x.length } }));
  });
  brighten(figure.closest("section"));
  drawing.addEventListener("keydown", (event) => {
    if (event.key === "r" || event.key === "R" || event.key === "Backspace") {
      event.preventDefault();
      Plotly.relayout(place, { "xaxis.autorange": true, "yaxis.autorange": "reversed" });
    }
  });
}

// Brightness: each step doubles what is seen of the small values; the scale's words follow.
function brighten(section) {
  const slider = section?.querySelector("[data-brightness]"), place = section?.querySelector(".plot.js-plotly-plot");
  if (!slider || !place) return;
  const scale = place.data[0], relative = section.querySelector("[name=against]:checked")?.value !== "absolute";
  slider.parentElement.hidden = !relative;
  scale.top ??= scale.zmax;
  if (relative) window.Plotly.restyle(place, { zmax: scale.top / 2 ** slider.value, "colorbar.tickmode": slider.value > 0 ? "auto" : "array" });
}
document.addEventListener("input", (event) => {
  if (event.target.matches("[data-brightness]")) brighten(event.target.closest("section"));
});

const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (isIntersecting) { seen.unobserve(target); draw(target).catch(() => { /* the SVG stays */ }); }
  }
}, { rootMargin: "200px" });

const watched = new WeakSet();                          // who is observed again while in view is drawn again
const watch = (root) => root.querySelectorAll("figure[data-figure]").forEach((figure) => {
  if (!watched.has(figure)) seen.observe(figure);
  watched.add(figure);
});
watch(document);
document.addEventListener("htmx:afterSwap", () => watch(document));

function recolour() {
  for (const place of document.querySelectorAll(".plot.js-plotly-plot")) window.Plotly?.relayout(place, inked({ font: { size: 12 } }));
}
document.addEventListener("schemechange", recolour);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);

// A link to a finding opens it.
function open() {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let part = target; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
  if (target) target.scrollIntoView({ block: "nearest" });
}
addEventListener("hashchange", open);
open();
