// Uses the types that were generated, by openapi-fetch: `node use_client.js ADDRESS TOKEN DOCUMENT`.
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

declare const process: { argv: string[]; stdout: { write(text: string): void } };
const [address, token, document] = process.argv.slice(2) as [string, string, string];
const client = createClient<paths>({ baseUrl: address, headers: { Authorization: `Bearer ${token}` } });
const body = JSON.parse(document) as components["schemas"]["Spec"];
const header = { "Idempotency-Key": "typescript" };
const made = await client.POST("/api/v1/designs", { params: { header }, body });
const again = await client.POST("/api/v1/designs", { params: { header }, body });
const path = { key: made.data?.key ?? "" };
const read = await client.GET("/api/v1/designs/{key}/document", { params: { path } });
const rename: components["schemas"]["Set"] = {
  kind: "set", at: "readings", name: "name", value: "events", was: "readings",
};
const change = await client.POST("/api/v1/designs/{key}/edits", { params: { path }, body: rename });
const findings = await client.GET("/api/v1/designs/{key}/findings", { params: { path } });
const fixes = (findings.data?.items ?? []).map((one) => one.fix).filter((fix) => fix !== null);
const asked: components["schemas"]["SampleKeysAsked"] = { kind: "sample_keys", parameters: { row_kind: "reading" } };
const run = await client.POST("/api/v1/designs/{key}/runs", { params: { path }, body: asked });
const thread = await client.POST("/api/v1/designs/{key}/threads", {
  params: { path }, body: { on: ["section", "keys"], text: "Why?" },
});
const file = await client.GET("/api/v1/designs/{key}/exports/{name}/file", {
  params: { path: { ...path, name: "terraform" } }, parseAs: "text",
});
const advice = await client.GET("/api/v1/designs/{key}/advice/{row_kind}", {
  params: { path: { ...path, row_kind: "reading" } },
});
const present = advice.data?.report.present;
const missing = await client.GET("/api/v1/designs/{key}/findings", { params: { path: { key: "none" } } });
process.stdout.write(JSON.stringify({
  same: made.data?.key === again.data?.key,
  tables: read.data?.tables?.map((table) => table.name),
  revision: change.data?.revision,
  fixes_are_typed: fixes.every((fix) => typeof fix?.kind === "string"),
  advice: [present?.key, present?.measures.errors],
  run: [run.data?.kind, run.data?.state],
  thread: thread.data?.number,
  terraform: String(file.data).includes('"events"'),
  missing: [missing.error !== undefined, missing.error?.status, missing.error?.type],
}));
