// SPDX-License-Identifier: MIT
// Tests gestured.mjs with programs that are not gesture daemons. Whatever they send, it must throw only its own errors.
//
//     node --test clients/javascript/lies.test.mjs
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { PATIENCE } from "./harness.mjs";
import { ALL_PHASES, Client, ProtocolError, RequestError, Session, Unavailable } from "./gestured.mjs";

const HELLO = { event: "hello", protocol: 1, server: "gestured 9", instance: "a", capabilities: ["x"], rights: ["raw"], config_generation: 1 };
const STATE = {
  event: "state", seq: 0, devices: [{ device: "panel", state: "ready" }], scene: "default", idle: ["saver"],
  active: [{ region: "ok", gesture: "press", name: "press", sequence: 1, device: "panel" }],
};
const PRESS = {
  event: "gesture", seq: 1, gesture: "press", name: "press", action: "next", phase: "begin", region: "ok", device: "panel", sequence: 7, fingers: 1,
  x: 1, y: 2, inside: true, time_us: 5, start: { x: 1, y: 2 },
};
const LINES = [
  HELLO, STATE, PRESS, { ...PRESS, phase: "update" }, { ...PRESS, phase: "end" },
  { event: "failed", seq: 1, gesture: "tap", name: "tap", region: "ok", device: "p", sequence: 1, code: "too_long", key: "max_time", message: "m", value: 1.5 },
  {
    event: "touches", seq: 1, device: "p", time_us: 1, given: [1],
    contacts: [{ id: 1, slot: 0, x: 1, y: 1, region: "ok", sequence: 7 }], seen_by: [{ region: "list", sequence: 8, contacts: [1] }],
    ignored: [{ slot: 1, x: 1, y: 1, filter: "palm" }],
  },
  { event: "frame", seq: 1, device: "p", time_us: 1, events: [[3, 47, 1]], resync: true },
  { event: "idle", seq: 1, name: "saver", change: "idle", idle_ms: 1, time_us: 1 },
  { event: "wake", seq: 1, device: "p", reason: "display", time_us: 1 },
  { event: "device", seq: 1, change: "added", device: "p", node: "n", name: "n" },
  { event: "config", seq: 1, change: "scene", generation: 1, scene: "a", diagnostics: [{ message: "m" }] },
  { event: "overflow", seq: 1, dropped: 1, since_ms: 1 }, { event: "later", a: 1 }, { event: "bye", reason: "stop" },
];
// The last value is an object that cannot be converted to a string.
const VALUES = [null, true, 0, -1, 1e308, "", "x", "state", "error", [], [null], [[]], {}, { x: 1 }, { x: null, y: [] }, "\ud800", "\0", [{}], { toString: 1, valueOf: 1 }];
const TEXTS = [
  "", "\0", "null", "[]", "1", '"x"', "NaN", '{"event":"idle","idle_ms":1e999}', `{"event":"idle","idle_ms":${"9".repeat(1e6)}}`,
  "[".repeat(2e5), '{"a":'.repeat(2e5), `{"event":"x","a":${"[".repeat(1e5)}${"]".repeat(1e5)}}`, '{"event":"state","event":"hello"}',
  `{"event":"gesture","region":${"[".repeat(1e5)}${"]".repeat(1e5)},"phase":"begin"}`, '{"reply":[]}', '{"reply":null}', '{"reply":"x"}',
  '{"reply":"x","id":{}}', '{"reply":"x","id":true,"ok":true}', '{"reply":"x","id":null,"error":null}', '{"reply":"x","error":{"message":{"toString":1}}}',
  '{"event":"__proto__"}', '{"event":"constructor","__proto__":1}', '{"event":"end"}', '{"event":"newListener"}', '{"event":"x"', "{}", "GET / HTTP/1.1\r",
].map((text) => Buffer.from(text)).concat(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]));
const ERRORS = ["x", null, [], {}, { code: 1, message: [], suggestion: {}, diagnostics: 1 }, { message: { toString: 1 } }, { diagnostics: [1, {}] }];

const line = (value) => Buffer.from(`${JSON.stringify(value)}\n`);

/** Yields all copies of a value with one part replaced by `put`, or removed. */
function* replaced(value, put) {
  yield put;
  if (typeof value !== "object" || value === null) return;
  for (const key of Object.keys(value)) {
    for (const part of replaced(value[key], put)) yield Array.isArray(value) ? value.with?.(key, part) ?? [part] : { ...value, [key]: part };
    if (!Array.isArray(value)) yield (({ [key]: _, ...rest }) => rest)(value);
  }
}

function* lies() {
  for (const lie of LINES) for (const value of VALUES) for (const copy of replaced(lie, value)) yield line(copy);
  for (const text of TEXTS) yield Buffer.concat([text, Buffer.from("\n")]);
}

function session() {
  const session = new Session("/nowhere");
  session.subscribe({ phases: ALL_PHASES });
  const { id } = JSON.parse(session.greeting());
  session.feed(Buffer.concat([HELLO, { reply: "subscribe", id, ok: true }, STATE].map(line)));
  return session;
}

const isOurs = (error) => error instanceof ProtocolError || error instanceof Unavailable;

test("no line throws another error, and every gesture ends", () => {
  let refused = 0;
  for (const lie of lies()) {
    const one = session();
    try {
      one.feed(lie);
    } catch (error) {
      assert.ok(isOurs(error), `${lie.subarray(0, 200)}: ${error.stack}`);
      refused++;
    }
    one.lost("test");
    const open = new Set();
    for (const event of one.events) {
      if (event.event === "state") assert.ok(event.active.every(({ region }) => typeof region === "string"));
      if (event.event !== "gesture" || !event.phase) continue;
      assert.equal(typeof event.region, "string");
      assert.ok(event.x === undefined || event.x === null || Number.isFinite(event.x));
      const key = [event.region, event.gesture, event.name, event.sequence].join();
      if (event.phase === "begin" || event.phase === "update") open.add(key);
      else open.delete(key);
    }
    assert.equal(open.size, 0, String(lie.subarray(0, 200)));
  }
  assert.ok(refused > 1000);
});

test("a refusal of any form is a RequestError", () => {
  for (const error of ERRORS) {
    const { code, diagnostics } = new RequestError("x", error);
    assert.equal(typeof code, "string");
    assert.ok(diagnostics.every((entry) => typeof entry === "object"));
    const one = session();
    const { id } = JSON.parse(one.subscriptionLine());
    one.feed(line({ reply: "subscribe", id, ok: "yes", error }));
    assert.ok(one.failure instanceof RequestError);
  }
});

test("gestures that never end are bounded", () => {
  const one = session();
  assert.throws(() => {
    for (let sequence = 0; sequence < 1e5; sequence++) one.feed(line({ ...PRESS, sequence }));
  }, ProtocolError);
  assert.ok(one.openCount < 5000);
  assert.throws(() => session().feed(line({ ...PRESS, name: "x".repeat(20_000) })), ProtocolError);
});

test("a line of many values, or in many parts, takes little memory", () => {
  const module = new URL("gestured.mjs", import.meta.url);
  for (const feed of ['feed(Buffer.from(`[${"{},".repeat(5e6)}0]\\n`))', 'feed(Buffer.from("[".repeat(1.5e7) + "\\n"))', "feedEach(8e6)"]) {
    const script = `import { ProtocolError, Session } from "${module}";
      const session = new Session("/nowhere");
      const feed = (data) => session.feed(data);
      const feedEach = (count) => { for (let i = 0; i < count; i++) feed(Buffer.from([120])); feed(Buffer.from("\\n")); };
      try { ${feed}; } catch (error) { if (error instanceof ProtocolError) console.log("refused"); }
      if (process.resourceUsage().maxRSS > 300 << 10) console.log(process.resourceUsage().maxRSS);`;
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8", timeout: 10 * PATIENCE });
    assert.equal(stdout, "refused\n", stderr);
  }
});

/** Serves connections at a socket until `body` has ended. `answer` returns the bytes of a reply, or `undefined` to close the connection. */
async function withLiar(answer, body) {
  const folder = mkdtempSync(`${tmpdir()}/gestured`);
  const sockets = new Set();
  const server = createServer((socket) => {
    let text = "";
    sockets.add(socket);
    socket.on("error", () => {}).on("data", (data) => {
      const lines = (text += data).split("\n");
      text = lines.pop();
      for (const request of lines) {
        const reply = answer(JSON.parse(request), socket);
        if (reply === undefined) socket.destroy();
        else socket.write(reply);
      }
    });
  });
  server.listen(`${folder}/socket`);
  await once(server, "listening");
  try {
    return await body(`${folder}/socket`);
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
    rmSync(folder, { recursive: true });
  }
}

const subscribed = ({ id }) => [HELLO, { reply: "subscribe", id, ok: true }, { ...STATE, active: [] }].map(line);

test("replies of any form", async () => {
  let count = 0;
  const pick = (list) => list[count++ % list.length];
  const answer = (request) => {
    if (request.cmd === "subscribe") return Buffer.concat(subscribed(request));
    const reply = { reply: request.cmd, id: request.id, ok: true };
    for (const key of ["devices", "regions", "active", "enabled", "waiting", "diagnostics", "scene"]) if (count++ % 5 < 2) reply[key] = pick(VALUES);
    if (count % 7 === 0) Object.assign(reply, { ok: pick([false, "x", 1]), error: pick(ERRORS) });
    if (count % 31 === 0) return undefined;
    return count % 29 === 0 ? Buffer.from("[]\n") : line(reply);
  };
  await withLiar(answer, async (path) => {
    const client = new Client({ path });
    const calls = [
      () => client.status(), () => client.devices(), () => client.regions(), () => client.state(), () => client.setRegion("a", true),
      () => client.defineRegions([{ id: "a" }, {}]), () => client.putRegion({}), () => client.removeRegion("a"), () => client.at(1, 2)];
    let good = 0;
    for (let round = 0; round < 60; round++) {
      for (const call of calls) {
        try {
          await call();
          good++;
        } catch (error) {
          assert.ok(isOurs(error) || error instanceof RequestError, error.stack);
        }
      }
    }
    assert.ok(good > 50);
    client.close();
  });
});

test("a wrong line cancels the gestures that have begun, and then the events fail", async () => {
  const answer = (request) => Buffer.concat([...subscribed(request), line(PRESS), line({ event: "gesture", region: 1 })]);
  await withLiar(answer, async (path) => {
    const client = new Client({ path });
    const seen = [];
    await assert.rejects(async () => {
      for await (const event of client.events()) seen.push(event.phase ?? event.event);
    }, ProtocolError);
    assert.deepEqual(seen, ["hello", "state", "begin", "cancel", "disconnected"]);
    client.close();
  });
});

test("events that wait while requests are made are bounded, and every gesture ends", async () => {
  const flood = Buffer.concat(Array(64).fill(line({ event: "later", text: "x".repeat(1000) })));
  let floods = 0;
  const answer = (request, socket) => {
    if (request.cmd === "subscribe") return Buffer.concat([...subscribed(request), line({ ...PRESS, sequence: 1 }), line({ ...PRESS, sequence: 2 })]);
    // This sends no reply, but as many events as the client reads.
    socket.write(Buffer.concat([{ ...PRESS, sequence: 1, phase: "end" }, { ...PRESS, sequence: 3 }].map(line)));
    const more = () => {
      while (!socket.destroyed && floods++ < 4096) if (!socket.write(flood)) return socket.once("drain", more);
    };
    more();
    return "";
  };
  await withLiar(answer, async (path) => {
    const client = new Client({ path, reconnect: false, timeout: 10 * PATIENCE });
    const events = client.events();
    const seen = [];
    for (let i = 0; i < 4; i++) seen.push((await events.next()).value);
    await assert.rejects(client.ping(), Unavailable);
    assert.ok(floods < 4096, "the client continued to read");
    for await (const event of events) seen.push(event);
    assert.deepEqual(seen.map(({ event, phase, sequence }) => (sequence ? `${phase} ${sequence}` : event)), [
      "hello", "state", "begin 1", "begin 2", "end 1", "cancel 2", "disconnected"]);
    client.close();
  });
});

test("no line is mistaken for one of the emitter's own events", async () => {
  const answer = (request) => Buffer.concat([...subscribed(request), ...["error", "end", "event", "newListener"].map((event) => line({ event })), line({ event: "bye", reason: "x" })]);
  await withLiar(answer, async (path) => {
    const client = new Client({ path });
    const seen = [];
    for (const name of ["error", "end"]) client.on(name, () => seen.push(name));
    client.on("event", ({ event }) => seen.push(`event ${event}`));
    client.listen();
    await once(client, "bye");
    client.removeAllListeners();
    client.close();
    assert.deepEqual(seen, ["event hello", "event state", "event error", "event end", "event event", "event newListener", "event bye"]);
  });
});

test("gestured.mjs ends with a message", async () => {
  await withLiar((request) => Buffer.concat([...subscribed(request), Buffer.from("[]\n")]), async (path) => {
    const child = spawn(process.execPath, [fileURLToPath(new URL("gestured.mjs", import.meta.url))], { env: { ...process.env, GESTURED_SOCKET: path } });
    let errors = "";
    child.stderr.on("data", (data) => (errors += data));
    const [status] = await once(child, "close");
    assert.equal(status, 1);
    assert.match(errors, /^gestured-events: .*: a line that is not a JSON object; this is not a gesture daemon\n$/);
  });
});
