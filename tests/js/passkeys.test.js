import assert from "node:assert/strict";
import { test } from "node:test";

import { askDevice, canUsePasskeys } from "../../static/js/passkeys.js";

const asked = [];
const PublicKeyCredential = {
  parseCreationOptionsFromJSON: (options) => ({ create: options }),
  parseRequestOptionsFromJSON: (options) => ({ request: options }),
};
const credential = { toJSON: () => ({ id: "key" }) };
const credentials = {
  create: async (options) => { asked.push(["create", options]); return credential; },
  get: async (options) => { asked.push(["get", options]); return credential; },
};
const answering = (status) => async (address, { body }) => {
  asked.push([address, `${body}`]);
  return { ok: status === 200, status, json: async () => ({ publicKey: "options" }) };
};

test("a new passkey is made of the options that the site gives for it", async () => {
  asked.length = 0;
  const answer = await askDevice("new", "/o", "t&k", { fetch: answering(200), credentials, PublicKeyCredential });
  assert.equal(answer, '{"id":"key"}');
  assert.deepEqual(asked[0], ["/o", "for=new&csrfmiddlewaretoken=t%26k"]);
  assert.deepEqual(asked[1], ["create", { publicKey: { create: "options" } }]);
});

test("to sign in one is shown, not made", async () => {
  asked.length = 0;
  await askDevice("sign_in", "/o", "t", { fetch: answering(200), credentials, PublicKeyCredential });
  assert.deepEqual(asked[1], ["get", { publicKey: { request: "options" } }]);
});

test("a site that refuses asks nothing of the device", async () => {
  asked.length = 0;
  await assert.rejects(askDevice("sign_in", "/o", "t", { fetch: answering(429), credentials, PublicKeyCredential }));
  assert.equal(asked.length, 1);
});

test("browsers that cannot read the options are left with codes", () => {
  assert.equal(canUsePasskeys({ navigator: { credentials }, PublicKeyCredential }), true);
  assert.equal(canUsePasskeys({ navigator: { credentials }, PublicKeyCredential: {} }), false);
  assert.equal(canUsePasskeys({ navigator: {} }), false);
});
