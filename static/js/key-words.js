// What is offered while a key is written as text, in its own field and in the text of the design.
const TRANSFORMS = [
  "pad6", "reverse", "domain", "lower", "upper", "first8", "plus1000", "minus5", "from=", "hex8", "bytes8", "percent",
];
const TIME_OPTIONS = [
  "second", "minute", "hour", "day", "month", "year", "bucket=5m", "rev", "raw", "unit=s", "from=", '"%Y%m%d"',
];
const BUCKETS = ["minute", "hour", "day", "week", "month", "year", "bucket=5m", '"%Y%m%d"'];
const HASH_OPTIONS = ["md5", "sha1", "sha256", "4", "8"];
const CALLS = ["hash(", "salt(", "bucket(", "part("];
export const DERIVED = /^(hash|salt|bucket|part)\(/;

export const option = (label, { detail = "", apply = label, type = "" } = {}) => ({ label, detail, apply, type });
export const choose = (labels, type) => labels.map((label) => option(label, { type }));

// What may be written behind a brace: `inner` is what stands there up to `column` → { from, options }.
export function completionInKey(fields, inner, column) {
  const call = /^(\w+)\(([^)]*)$/.exec(inner);
  if (call) {
    const typed = /[^,(:]*$/.exec(call[2])[0];
    if (call[2].includes(":")) return { from: column - typed.length, options: choose(BUCKETS, "keyword") };
    if (call[1] === "hash" && !call[2].includes(",")) {
      const time = option("time", { type: "variable" });
      return { from: column - typed.length, options: [...choose(fields, "variable"), time] };
    }
    return { from: column - typed.length, options: choose(fields, "variable") };
  }
  if (inner.includes(":")) {
    const typed = /[^:]*$/.exec(inner)[0], head = inner.replace(/\(.*\)/, "()").split(":")[0];
    const known = head === "time" ? TIME_OPTIONS : DERIVED.test(head) ? HASH_OPTIONS : TRANSFORMS;
    return { from: column - typed.length, options: choose(known, "keyword") };
  }
  const options = [...choose(fields, "variable"), option("time", { type: "variable" }), ...choose(CALLS, "function")];
  return { from: column - inner.length, options };
}

// What a field for a key offers at the caret: those that begin as it is typed, none once one is written whole.
export function wordsAt(fields, text, column) {
  const inner = /\{([^{}]*)$/.exec(text.slice(0, column))?.[1];
  if (inner === undefined) return null;
  const { from, options } = completionInKey(fields, inner, column);
  const typed = text.slice(from, column).toLowerCase();
  const words = options.map(({ apply }) => apply).filter((word) => word.toLowerCase().startsWith(typed));
  return words.length && !words.some((word) => word.toLowerCase() === typed) ? { from, words } : null;
}
