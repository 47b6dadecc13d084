// The colours of heat, from the page's tokens: 256 steps between --heat-0 and --heat-8 in the present colour scheme.
const STOPS = 9;

// → 256 pixels as a canvas holds them
export function rampOf(stops) {
  return Uint32Array.from({ length: 256 }, (_, n) => {
    const at = n / 255 * (stops.length - 1), from = Math.min(stops.length - 2, Math.floor(at));
    const [r, g, b] = stops[from].map((part, i) => Math.round(part + (stops[from + 1][i] - part) * (at - from)));
    // Little-endian, as on all machines that browsers run on: the bytes in memory are r, g, b, alpha.
    return (255 << 24 | b << 16 | g << 8 | r) >>> 0;
  });
}

export function heatRamp() {
  const probe = document.body.appendChild(document.createElement("i"));  // light-dark() is resolved on its own colour
  probe.style.forcedColorAdjust = "none";                                // else every stop is the colour of text
  const stops = Array.from({ length: STOPS }, (_, n) => {
    probe.style.color = `var(--heat-${n})`;
    return getComputedStyle(probe).color.match(/[\d.]+/g).slice(0, 3).map(Number);
  });
  probe.remove();
  return rampOf(stops);
}
