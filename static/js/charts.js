// Lines to explore: who points at a chart with a mouse or tabs to it gets it from plotly, with figures at each moment
// and a closer look at a span of time. Until then, in print and without scripts it is the server's SVG.
const own = document.querySelector("script[data-plotly]");
let loading;

function plotly() {
  loading ??= new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = own.dataset.plotly;
    script.onload = () => done(window.Plotly);
    script.onerror = () => { loading = undefined; script.remove(); failed(new Error(script.src)); };
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

async function described(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(answer.statusText);
  return answer.json();
}

async function draw(figure) {
  const [Plotly, told] = await Promise.all([plotly(), described(figure.dataset.figure)]);
  const drawing = figure.querySelector(".drawing"), { height } = drawing.firstElementChild.getBoundingClientRect();
  if (!height) throw new Error("not to be seen any more");               // swapped away or folded meanwhile
  const { data, layout } = inked(figure, told), reads = reading(data);
  const place = document.createElement("div"), said = document.createElement("output");
  place.className = "plot";
  place.style.height = `${height}px`;                                    // nothing below it moves
  said.className = "visually-hidden";
  drawing.append(place, said);
  try {
    await Plotly.newPlot(place, data, { ...layout, dragmode: "zoom" }, { displayModeBar: false, responsive: true });
  } catch (problem) {
    place.remove();
    said.remove();
    throw problem;
  }
  drawing.classList.add("drawn");
  return (key) => {
    if (key.toLowerCase() === "r") return Plotly.relayout(place, { "xaxis.autorange": true });
    const { points, text } = reads(key);
    Plotly.Fx.hover(place, points);
    said.value = text;
  };
}

// One moment after another: where a key leads, as plotly's points and in words.
function reading(data) {
  const lines = data.map((trace, i) => i).filter((i) => data[i].text), last = data[lines[0]].text.length - 1;
  let at = -1;
  return (key) => {
    const goes = { ArrowRight: at + 1, ArrowLeft: at < 0 ? last : at - 1, Home: 0, End: last };
    at = Math.max(0, Math.min(last, goes[key]));
    const points = lines.map((curveNumber) => ({ curveNumber, pointNumber: at }));
    return { points, text: lines.map((i) => data[i].text[at]).join(", ") };
  };
}

const explored = new WeakMap();                          // figure → a promise of what its keys do; nothing if it fails
const figureOf = (target) => target.closest?.("figure[data-figure] .drawing")?.closest("figure");
function explore({ target, pointerType }) {
  const figure = figureOf(target);
  if (!figure || explored.has(figure)) return;
  if (pointerType ? pointerType === "touch" : !target.matches(":focus-visible")) return;  // a finger scrolls past it
  explored.set(figure, draw(figure).catch(() => { explored.delete(figure); }));  // the SVG stays
}
document.addEventListener("pointerover", explore);
document.addEventListener("focusin", explore);
explore({ target: document.activeElement ?? document });  // who was quicker than this script

const KEYS = ["ArrowRight", "ArrowLeft", "Home", "End", "r", "R"];
document.addEventListener("keydown", async (event) => {
  const drawn = explored.get(figureOf(event.target));
  if (!drawn || !KEYS.includes(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  (await drawn)?.(event.key);                            // a key that is pressed while it loads waits for it
});

function recolour() {
  for (const place of document.querySelectorAll(".plot.js-plotly-plot")) {
    const { data, layout } = inked(place.closest("figure"), place);
    window.Plotly.react(place, data, layout);
  }
}
document.addEventListener("schemechange", recolour);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
