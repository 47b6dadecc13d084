// Lines to explore: who points at a chart with a mouse or tabs to it gets it from plotly, with figures at each moment
// and a closer look at a span of time. Until then, in print and without scripts it is the server's SVG.
import { fetchComputed } from "./text.js";

const KEYS = ["ArrowRight", "ArrowLeft", "Home", "End", "r", "R"];

let loading;                                             // a promise of plotly
const explored = new WeakMap();                          // figure → a promise of what its keys do; nothing if it fails

function loadPlotly() {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = document.querySelector("script[data-plotly]").dataset.plotly;
    script.addEventListener("load", () => resolve(window.Plotly));
    script.addEventListener("error", () => {
      // Forgotten, so that the next pointer tries once more: the connection may have been away.
      loading = undefined;
      script.remove();
      reject(new Error(script.src));
    });
    document.head.append(script);
  });
  return loading;
}

// The page's own colours: of text and grid from its tokens, of a line from the class that it has in the SVG.
function applyColours(figure, { data, layout }) {
  const style = getComputedStyle(document.documentElement), drawing = figure.querySelector(".drawing");
  const probe = document.createElement("span");          // light-dark() is resolved on an element's own colour
  drawing.append(probe);
  const colour = (name) => { probe.style.color = `var(${name})`; return getComputedStyle(probe).color; };
  const ink = colour("--ink-2"), line = colour("--line"), ground = colour("--sunken"), text = colour("--ink");
  probe.remove();
  const paintOf = (name) => {
    const label = name && figure.querySelector(`svg text.${name}`);
    return label && getComputedStyle(label).fill;
  };
  for (const note of layout.annotations ?? []) note.font = { ...note.font, color: paintOf(note.name) ?? ink };
  for (const trace of data) {
    const paint = paintOf(trace.meta?.paint);
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

async function fetchFigure(address) {
  const answer = await fetchComputed(address);
  if (!answer.ok) throw new Error(answer.statusText);
  return answer.json();
}

async function draw(figure) {                            // → what its keys do
  const [Plotly, description] = await Promise.all([loadPlotly(), fetchFigure(figure.dataset.figure)]);
  const drawing = figure.querySelector(".drawing"), { height } = drawing.firstElementChild.getBoundingClientRect();
  if (!height) throw new Error("not to be seen any more");               // swapped away or folded meanwhile
  const { data, layout } = applyColours(figure, description), read = createReader(data);
  const place = document.createElement("div"), output = document.createElement("output");
  place.className = "plot";
  place.style.height = `${height}px`;                                    // nothing below it moves
  output.className = "visually-hidden";
  drawing.append(place, output);
  try {
    // Drawn in a place beside the SVG, which is hidden only when this has worked.
    await Plotly.newPlot(place, data, { ...layout, dragmode: "zoom" }, { displayModeBar: false, responsive: true });
  } catch (problem) {
    place.remove();
    output.remove();
    throw problem;
  }
  drawing.classList.add("drawn");
  return (key) => {
    if (key.toLowerCase() === "r") return Plotly.relayout(place, { "xaxis.autorange": true });
    const { points, text } = read(key);
    Plotly.Fx.hover(place, points);
    output.value = text;
  };
}

// One moment after another: where a key leads, as plotly's points and in words.
export function createReader(data) {
  const curves = data.map((trace, n) => n).filter((n) => data[n].text), last = data[curves[0]].text.length - 1;
  let moment = -1;                                       // none yet: the first key to the left leads to the last
  return (key) => {
    const moments = { ArrowRight: moment + 1, ArrowLeft: moment < 0 ? last : moment - 1, Home: 0, End: last };
    moment = Math.max(0, Math.min(last, moments[key]));
    const points = curves.map((curveNumber) => ({ curveNumber, pointNumber: moment }));
    return { points, text: curves.map((n) => data[n].text[moment]).join(", ") };
  };
}

const figureOf = (target) => target.closest?.("figure[data-figure] .drawing")?.closest("figure");
function explore({ target, pointerType }) {
  const figure = figureOf(target);
  if (!figure || explored.has(figure)) return;
  if (pointerType ? pointerType === "touch" : !target.matches(":focus-visible")) return;  // a finger scrolls past it
  explored.set(figure, draw(figure).catch(() => { explored.delete(figure); }));  // the SVG stays
}
async function pressKey(event) {
  const keys = explored.get(figureOf(event.target));
  if (!keys || !KEYS.includes(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  (await keys)?.(event.key);                             // a key that is pressed while it loads waits for it
}
function recolour() {
  for (const place of document.querySelectorAll(".plot.js-plotly-plot")) {
    const { data, layout } = applyColours(place.closest("figure"), place);
    window.Plotly.react(place, data, layout);
  }
}

export function start(document) {
  document.addEventListener("pointerover", explore);
  document.addEventListener("focusin", explore);
  document.addEventListener("keydown", pressKey);
  document.addEventListener("schemechange", recolour);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
  explore({ target: document.activeElement ?? document });  // who was quicker than this script
}
if (globalThis.document) start(document);
