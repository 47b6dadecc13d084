// Lines to explore: who points at a chart with a mouse or tabs to it gets it from plotly, with figures at each moment
// and a closer look at a span of time. Until then, in print and without scripts it is the server's SVG.
const own = document.querySelector("script[data-plotly]");
let loading;

function plotly() {
  loading ??= new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = own.dataset.plotly;
    script.onload = () => done(window.Plotly);
    script.onerror = () => { loading = undefined; failed(); };
    document.head.append(script);
  });
  return loading;
}

// The page's own colours: of text and grid from its tokens, of a line from the class that it has in the SVG.
function inked(figure, { data, layout }) {
  const style = getComputedStyle(document.documentElement), drawing = figure.querySelector(".drawing");
  const probe = document.createElement("span");          // light-dark() is resolved on an element's own colour
  drawing.append(probe);
  const colour = (name) => { probe.style.color = `var(${name})`; return getComputedStyle(probe).color; };
  const ink = colour("--ink-2"), line = colour("--line"), ground = colour("--ground-2"), text = colour("--ink");
  probe.remove();
  const painted = (name) => {
    const drawn = name && figure.querySelector(`svg text.${name}`);
    return drawn && getComputedStyle(drawn).fill;
  };
  for (const note of layout.annotations ?? []) note.font = { ...note.font, color: painted(note.name) ?? ink };
  for (const trace of data) {
    const paint = painted(trace.meta?.paint);
    if (!paint) continue;
    trace.line = { ...trace.line, color: paint };
    if (trace.fill) trace.fillcolor = paint;
  }
  layout.font = { ...layout.font, color: ink, family: style.getPropertyValue("--font") };
  const label = { color: text, size: 11 };
  layout.hoverlabel = { bgcolor: ground, bordercolor: line, font: label, align: "left", namelength: -1 };
  for (const axis of [layout.xaxis, layout.yaxis]) axis.gridcolor = line;
  return { data, layout };
}

async function draw(figure) {
  const [Plotly, answer] = await Promise.all([plotly(), fetch(figure.dataset.figure)]);
  if (!answer.ok || !figure.isConnected) return;
  const { data, layout } = inked(figure, await answer.json());
  const drawing = figure.querySelector(".drawing");
  const place = document.createElement("div"), said = document.createElement("output");
  place.className = "plot";
  place.style.height = `${drawing.firstElementChild.getBoundingClientRect().height}px`;  // nothing below it moves
  said.className = "visually-hidden";
  drawing.append(place, said);
  await Plotly.newPlot(place, data, { ...layout, dragmode: "zoom" }, { displayModeBar: false, responsive: true });
  drawing.classList.add("drawn");

  const lines = data.map((trace, i) => i).filter((i) => data[i].text);
  const last = data[lines[0]].text.length - 1;
  let at = -1;
  const read = (moment) => {
    at = Math.max(0, Math.min(last, moment));
    Plotly.Fx.hover(place, lines.map((curveNumber) => ({ curveNumber, pointNumber: at })));
    said.value = lines.map((i) => data[i].text[at]).join(", ");
  };
  drawing.addEventListener("keydown", (event) => {
    const goes = { ArrowRight: at + 1, ArrowLeft: at < 0 ? last : at - 1, Home: 0, End: last }[event.key];
    if (goes !== undefined) read(goes);
    else if (event.key === "r" || event.key === "R") Plotly.relayout(place, { "xaxis.autorange": true });
    else return;
    event.preventDefault();
  });
}

const drawn = new WeakSet();
function explore({ target, pointerType }) {
  const drawing = target.closest?.("figure[data-figure] .drawing"), figure = drawing?.closest("figure");
  if (!figure || drawn.has(figure)) return;
  if (pointerType ? pointerType === "touch" : !drawing.matches(":focus-visible")) return;  // a finger scrolls past it
  drawn.add(figure);
  draw(figure).catch(() => drawn.delete(figure));        // the SVG stays
}
document.addEventListener("pointerover", explore);
document.addEventListener("focusin", explore);

function recolour() {
  for (const place of document.querySelectorAll(".plot.js-plotly-plot")) {
    const { data, layout } = inked(place.closest("figure"), place);
    window.Plotly.react(place, data, layout);
  }
}
document.addEventListener("schemechange", recolour);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
