// Packs a large access log before it is sent, and says where it is too large even then.

export const SENT_MAX = 7_500_000, READ_MAX = 64 * 2 ** 20;            // bytes of an upload, and of the lines in it
const PACKED = [[0x1f, 0x8b], [0x28, 0xb5, 0x2f, 0xfd], [0x50, 0x41, 0x52, 0x31]];               // gzip, zstd, Parquet

export async function packLog(file) {
  const first = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  if (PACKED.some((sign) => sign.every((byte, place) => first[place] === byte))) return file;
  const read = file.slice(0, READ_MAX + 1);                            // one byte more tells that the log is longer
  const packed = await new Response(read.stream().pipeThrough(new CompressionStream("gzip"))).blob();
  return new File([packed], `${file.name}.gz`, { type: "application/gzip" });
}

async function send(form, input) {
  const packed = await packLog(input.files[0]).catch(() => input.files[0]);          // the server says what is wrong
  const isTooLarge = packed.size > SENT_MAX;
  form.querySelector("[data-too-large]").hidden = !isTooLarge;
  if (isTooLarge) return;
  // Files of an input can only be set by those of a DataTransfer.
  const chosen = new DataTransfer();
  chosen.items.add(packed);
  input.files = chosen.files;
  // submit() fires no submit event, so this is not called again.
  form.submit();
}

export function start(document) {
  document.addEventListener("submit", (event) => {
    const form = event.target, input = form.querySelector("[data-log-file]");
    if (!input?.files[0] || input.files[0].size <= SENT_MAX) return;
    event.preventDefault();
    send(form, input);
  });
}

if (globalThis.document) start(globalThis.document);
