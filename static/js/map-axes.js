// Words on a map's edges: beginnings of keys that can be told apart, round times, amounts with their unit.
const lang = () => document.documentElement.lang;
export const calendar = () => (lang() === "en" ? "en-GB" : lang());       // the day before the month, as on the pages
const BINARY = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
export const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
const STEPS = [900, 1800, 3600, 7200, 10800, 14400, 21600, 28800, 43200, 86400, 172800, 345600, 604800, 1209600];

// An amount in words: the server says the pattern, its factor and whether it counts bytes.
export function unitFormat({ pattern, one, factor, binary, small }) {
  const short = new Intl.NumberFormat(lang(), { maximumSignificantDigits: 3 });
  const long = new Intl.NumberFormat(lang(), { notation: "compact", maximumSignificantDigits: 3 });
  const whole = new Intl.NumberFormat(lang(), { maximumFractionDigits: 0 });
  const less = small && unitFormat(small);                                   // by the hour what is too slow for seconds
  return (value) => {
    if (less && value > 0 && value < small.below) return less(value);
    let amount = value * factor, unit = 0;
    while (binary && amount >= 1000 && unit < BINARY.length - 1) {
      amount /= 1024;
      unit += 1;
    }
    const text = (amount >= 1e6 ? long : amount >= 1000 ? whole : short).format(amount);
    if (text === "1" && one && !binary) return one;                      // not "1 nodes"
    return pattern.replace("{}", text).replace(binary ? " B" : "\0", ` ${BINARY[unit]}`);
  };
}

export function commonStart(key, other) {
  let n = 0;
  while (n < key.length && n < other.length && key[n] === other[n]) n += 1;
  return key.slice(0, n).replace(/\\x?[0-9a-f]?$/, "");                  // an escaped byte stays whole
}

const isWord = (letter) => /[\p{L}\p{N}\\]/u.test(letter);

// The shortest readable beginning that tells a key from the one before, without what all have in common.
export function keyLabel(before, key, strip, most) {
  let end = Math.max(commonStart(before, key).length + 1, strip + 1);
  const limit = Math.min(key.length, strip + most);
  const goesOn = () => isWord(key[end]) && (end === strip + 1 || isWord(key[end - 1]));  // a lone sign tells nothing
  while (end < limit && goesOn()) end += 1;
  const text = (strip ? "…" : "") + key.slice(strip, end);
  if (text.length <= most) return text;
  return `${text.slice(0, Math.floor(most / 3))}…${text.slice(-Math.ceil(most * 2 / 3) + 1)}`;
}

// A label that came whole and without the day it begins with: its day is said once, as the one before has the same.
export function dayOnce([before, beforeShort], [text, short]) {
  const day = text.slice(0, text.length - short.length);
  const dayBefore = before.slice(0, before.length - beforeShort.length);
  return day && text.endsWith(short) && day === dayBefore ? short : text;
}

// Labels of the ranges that are shown, each whole and without its day; without the year if all are of the same one.
export function datedLabels(labels) {
  const years = new Set(labels.filter(([text, short]) => text !== short).map(([text]) => /\d{4}/.exec(text)?.[0]));
  return years.size < 2 ? labels.map(([, short, yearless]) => [yearless, short]) : labels;
}

// A label in a narrow place: what follows its time in the key gives way first.
export const shortenDated = (text, most) => (text.length > most ? text.replace(/(\d\d:\d\d).*/u, "$1") : text);

export function timeTicks(from, to, width) {
  const most = Math.max(2, Math.floor(width / 64)), ticks = [];
  const step = STEPS.find((seconds) => (to - from) / seconds <= most) ?? STEPS.at(-1);
  const date = new Intl.DateTimeFormat(calendar(), { timeZone: "UTC", day: "numeric", month: "short" });
  const clock = new Intl.DateTimeFormat(calendar(), { timeZone: "UTC", ...CLOCK });
  for (let at = Math.ceil(from / step) * step; at < to; at += step) {
    const midnight = at % 86400 === 0 && to - from > 86400, when = new Date(at * 1000);
    ticks.push({ share: (at - from) / (to - from), text: midnight ? date.format(when) : clock.format(when) });
  }
  return ticks;
}
