// The sheet: thin lines from what happens to the writes it makes.
const NS = "http://www.w3.org/2000/svg";

// A line from the right edge of an activity to the left edge of a write, in a picture of that width.
export function linePath(from, to, width) {
  const middle = width / 2;
  return Math.abs(to - from) < 2 ? `M0 ${to}H${width}` : `M0 ${from}C${middle} ${from} ${middle} ${to} ${width} ${to}`;
}

function drawLines(sheet) {
  const svg = sheet.querySelector("svg.wires"), box = svg?.getBoundingClientRect();
  if (!box?.width) return;
  const middle = (part, offset = 0) => {
    const place = part.getBoundingClientRect();
    return place.top - box.top + place.height / 2 + offset;
  };
  const lines = [];
  for (const activity of sheet.querySelectorAll("[data-writes]")) {
    const writes = [...sheet.querySelectorAll(`[data-activity="${activity.dataset.writes}"]`)];
    writes.forEach((write, place) => {
      const line = document.createElementNS(NS, "path");
      const start = middle(activity, (place - (writes.length - 1) / 2) * 8);
      line.setAttribute("d", linePath(start, middle(write), box.width));
      lines.push(line);
    });
  }
  svg.replaceChildren(...lines);
}

export function startSheet(document) {
  const draw = () => document.querySelectorAll(".schema").forEach(drawLines);
  draw();
  addEventListener("resize", draw);
  document.fonts?.ready.then(draw);
  document.addEventListener("htmx:afterSettle", draw);
  document.addEventListener("kw:after", draw, true);
}

if (typeof document !== "undefined") startSheet(document);
