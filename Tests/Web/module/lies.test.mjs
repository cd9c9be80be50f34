// SPDX-License-Identifier: MIT
// The connection of gestured.js, in Node, to a server that does not follow the protocol.
import assert from "node:assert/strict";
import { test } from "node:test";

const sockets = [];

/** A replacement for the browser's WebSocket, with the members that gestured.js uses. */
class Socket {
  static OPEN = 1;
  readyState = 1;
  sent = [];

  constructor() {
    sockets.push(this);
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close() {
    this.readyState = 3;
  }

  receive(...lines) {
    for (const line of lines) this.onmessage({ data: typeof line === "string" ? line : JSON.stringify(line) });
  }
}

const errors = [];
Object.assign(globalThis, { location: new URL("http://panel/"), document: {}, addEventListener() {}, WebSocket: Socket });
console.error = (message) => errors.push(message);
const { Gestures } = await import("../../../clients/web/gestured.js");

const HELLO = { event: "hello", protocol: 1, capabilities: [] };
const press = (phase, sequence) => ({ event: "gesture", region: "ok", gesture: "press", name: "press", phase, sequence });

/** A connection over which a press has begun, and the lines that it reports. */
function connected() {
  const gestures = new Gestures({ url: "http://panel/socket" });
  const seen = [];
  gestures.addEventListener("line", ({ detail }) => seen.push(detail));
  const socket = sockets.at(-1);
  socket.onopen();
  socket.receive(HELLO, { reply: "subscribe", id: 1, ok: true }, press("begin", 1));
  return { gestures, socket, seen };
}

const LIES = [
  "", "x", "null", "1", "[]", "{}", "[".repeat(1e5), '{"event":null}', '{"event":{"toString":1}}', '{"event":"state"}', '{"event":"state","active":[null]}',
  '{"event":"state","active":{}}', '{"event":"state","active":[{"region":{"toString":1}}]}',
  '{"event":"gesture","phase":"begin","region":{"toString":1}}', '{"reply":"x","id":2,"ok":false,"error":1e999,"error":{"suggestion":{"toString":1}}}',
];

for (const lie of LIES) {
  test(`${lie.slice(0, 60)}: active gestures end, requests are rejected, and the client connects again`, async () => {
    const { gestures, socket, seen } = connected();
    const request = gestures.request("status");
    errors.length = 0;
    socket.receive(lie);
    await assert.rejects(request, /^Error: status: disconnected$/);
    assert.deepEqual(seen.slice(2).map(({ event, phase, reason }) => phase ?? event + (reason ?? "")), ["cancel", "disconnected"]);
    assert.equal(socket.readyState, 3);
    if (lie === "") assert.match(errors.at(-1), /^gestured: no gestured line$/);
    const count = sockets.length;
    gestures.connect();
    assert.equal(sockets.length, count + 1);
    gestures.close();
  });
}

test("the number of gestures that never end is limited", () => {
  const { gestures, socket } = connected();
  for (let sequence = 2; sequence < 1e5 && socket.readyState === 1; sequence++) socket.receive(press("begin", sequence));
  assert.equal(socket.readyState, 3);
  gestures.close();
});

test("a refusal without an error is treated as an error", async () => {
  for (const error of [undefined, {}, "x", 1, []]) {
    const { gestures, socket } = connected();
    const request = gestures.request("status");
    socket.receive({ reply: "status", id: socket.sent.at(-1).id, ok: false, error });
    await assert.rejects(request, /^Error: status: /);
    gestures.close();
  }
});
