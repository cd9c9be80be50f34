// SPDX-License-Identifier: MIT
// Tests of gestured.mjs. The first tests are for its parts; the others use the real daemon and a fake panel (see harness.mjs).
//
//     node --test clients/javascript/gestured.test.mjs
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Harness, PATIENCE } from "./harness.mjs";
import * as library from "./gestured.mjs";
import { ALL_PHASES, Backoff, Client, ProtocolError, RequestError, Session, Unavailable, matches } from "./gestured.mjs";

const BUTTON = { id: "btn", shape: { rect: [0, 0, 100, 100] }, gestures: ["press"] };

/** Returns a text such as `hello`, `press begin ok`, `press cancel disconnected ok`. */
function short(event) {
  if (event.event !== "gesture") return event.event;
  return [event.gesture, event.phase, event.reason, event.region].filter(Boolean).join(" ");
}

async function next(events) {
  const patience = new AbortController();
  const late = sleep(PATIENCE, { done: true }, { signal: patience.signal }).catch(() => {});
  const { value, done } = await Promise.race([events.next(), late]).finally(() => patience.abort());
  assert.ok(!done, "no event, or the end");
  return value;
}

/** Returns the events up to `last`, in the form returned by `short`. */
async function take(events, last) {
  const words = [];
  while (words.at(-1) !== last) words.push(short(await next(events)));
  return words;
}

async function rest(events) {
  const words = [];
  for await (const event of events) words.push(short(event));
  return words;
}

// -- parts ------------------------------------------------------------------------------------------

const bytes = (...lines) => Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
const hello = { event: "hello", protocol: 1, server: "gestured 9", instance: "a", capabilities: [], config_generation: 1, later: 1 };
const state = (...active) => ({ event: "state", seq: 0, devices: [], scene: "default", active });
const active = (region, sequence) => ({ region, gesture: "press", name: "press", sequence });
const press = (phase, sequence, more) => ({
  event: "gesture", seq: 1, gesture: "press", name: "press", phase, region: "ok", device: "panel", sequence, fingers: 1,
  x: 1, y: 2, u: 0.1, v: 0.2, inside: true, time_us: 5, ...more,
});

function session(subscription = {}) {
  const session = new Session("/nowhere");
  session.subscribe(subscription);
  const { id } = JSON.parse(session.greeting());
  session.feed(bytes(hello, { reply: "subscribe", id, ok: true }, state()));
  assert.deepEqual(session.events.splice(0).map(short), ["hello", "state"]);
  return session;
}

test("the events do not depend on how the bytes are split", () => {
  const text = bytes(press("begin", 1, { name: "drücken" }), press("end", 1, { name: "drücken" }));
  const whole = session();
  whole.feed(text);
  assert.deepEqual(whole.events.map(short), ["press begin ok", "press end ok"]);
  for (let split = 0; split < text.length; split++) {
    const parts = session();
    parts.feed(text.subarray(0, split));
    parts.feed(text.subarray(split));
    assert.deepEqual(parts.events, whole.events);
  }
});

test("a gesture whose end was lost is cancelled before the state", () => {
  const one = session();
  one.feed(bytes(press("begin", 1), press("begin", 2), { event: "overflow", seq: 9, dropped: 3, since_ms: 5 }));
  one.feed(bytes(state(active("ok", 2)), press("end", 2)));
  assert.deepEqual(one.events.map(short), [
    "press begin ok", "press begin ok", "overflow", "press cancel lost ok", "state", "press end ok"]);
  assert.equal(one.openCount, 0);
});

test("a gesture that only the state names is cancelled too, unless the filter excludes it", () => {
  const one = session({ regions: ["o?"] });
  one.feed(bytes(state(active("ok", 7), active("no", 8))));
  one.lost("test");
  const [told, cancel, end] = one.events;
  assert.deepEqual(told.active, [active("ok", 7)]);
  assert.deepEqual(cancel, { event: "gesture", ...active("ok", 7), phase: "cancel", reason: "disconnected", added: true });
  assert.deepEqual(end, { event: "disconnected", cause: "test" });
});

test("a subscription without ends gets no cancels", () => {
  const one = session({ phases: ["begin"] });
  one.feed(bytes(press("begin", 1), press("begin", 2)));
  assert.equal(one.openCount, 0);
  one.lost("test");
  assert.deepEqual(one.events.map(short), ["press begin ok", "press begin ok", "disconnected"]);
});

test("every begin has one end, whatever is lost", () => {
  for (let seed = 1; seed <= 300; seed++) {
    const chance = random(seed);
    const one = session();
    const active = new Set();
    const pressed = new Set();
    for (let step = 0; step < 60; step++) {
      daemonStep(one, chance, active, step);
      for (const { event, phase, sequence, active } of one.events.splice(0)) {
        if (event === "state") {
          // A gesture that is known only from the state is treated as begun.
          for (const part of active) pressed.add(part.sequence);
          assert.deepEqual([...pressed].sort(), active.map((part) => part.sequence).sort(), `seed ${seed}`);
        } else if (event === "disconnected") {
          assert.equal(pressed.size, 0, `seed ${seed}`);
        } else if (phase === "begin") {
          assert.ok(!pressed.has(sequence), `seed ${seed}`);
          pressed.add(sequence);
        } else if (phase === "end" || phase === "cancel") {
          assert.ok(pressed.delete(sequence), `seed ${seed}`);
        }
      }
    }
    one.lost("the end");
    const ends = one.events.filter(({ phase }) => phase === "cancel").map(({ sequence }) => sequence);
    assert.deepEqual(ends.sort(), [...pressed].sort(), `seed ${seed}`);
  }
});

/** Returns a generator of numbers from 0 to 1 that depend only on the seed (mulberry32). */
function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Feeds one or two lines from a simulated daemon. The daemon has random contacts, and sometimes loses lines or dies. */
function daemonStep(one, chance, sequences, step) {
  const kinds = ["begin", "begin", "update", "end", "cancel", "overflow", "death"];
  const kind = kinds[Math.floor(chance() * kinds.length)];
  if (kind === "begin") {
    sequences.add(step);
    one.feed(bytes(press("begin", step)));
  } else if (kind === "overflow") {
    for (const sequence of [...sequences]) if (chance() < 0.5) sequences.delete(sequence);
    if (chance() < 0.5) sequences.add(step);
    const told = state(...[...sequences].map((sequence) => active("ok", sequence)));
    one.feed(bytes({ event: "overflow", seq: step, dropped: 3, since_ms: 1 }, told));
  } else if (kind === "death") {
    sequences.clear();
    one.lost("test");
    const { id } = JSON.parse(one.greeting());
    one.feed(bytes(hello, press("begin", 9999), { reply: "subscribe", id, ok: true }, state()));
  } else if (sequences.size > 0) {
    const sequence = [...sequences][Math.floor(chance() * sequences.size)];
    one.feed(bytes(press(kind, sequence)));
    if (kind !== "update") sequences.delete(sequence);
  }
}

test("another protocol, or another program, is an error", () => {
  for (const text of ['{"event":"hello","protocol":2}\n', "HTTP/1.1 400 Bad Request\r\n", "[]\n", "{}\n", "null\n"]) {
    const one = new Session("/nowhere");
    one.subscribe({});
    one.greeting();
    assert.throws(() => one.feed(Buffer.from(text)), ProtocolError, text);
  }
});

test("globs are the daemon's", () => {
  const cases = [["*", "", true], ["a.c", "abc", false], ["a?c", "aäc", true], ["a?c", "ac", false], ["k.*", "k.a.b", true],
    ["k.*", "k", false], ["[a]", "a", false], ["ok", "ok\n", false], ["a-b", "a-b", true]];
  for (const [glob, text, expected] of cases) assert.equal(matches([glob], text), expected, `${glob} ${text}`);
  assert.equal(matches([], "a"), false);
  assert.equal(matches(undefined, "a"), true);
});

test("delays double up to five seconds", () => {
  const most = new Backoff(() => 1);
  assert.deepEqual(Array.from({ length: 8 }, () => most.delay()), [100, 200, 400, 800, 1600, 3200, 5000, 5000]);
  most.reset();
  assert.equal(most.delay(), 100);
  const least = new Backoff(() => 0);
  assert.deepEqual(Array.from({ length: 7 }, () => least.delay()), [50, 100, 200, 400, 800, 1600, 2500]);
});

test("a request that is too long is not sent", () => {
  assert.throws(() => new Session("/nowhere").request("set_scene", { scene: "x".repeat(65536) }), { code: "line_too_long" });
});

// -- with the daemon --------------------------------------------------------------------------------

/** Defines a test with its own harness. The test's clients are closed after it. */
function daemonTest(name, body) {
  test(name, { timeout: 10 * PATIENCE }, async () => {
    const harness = await Harness.make();
    const clients = [];
    const client = (options) => {
      clients.push(new Client({ path: harness.path, ...options }));
      return clients.at(-1);
    };
    try {
      await body(harness, client);
    } finally {
      for (const client of clients) client.close();
      await harness.close();
    }
  });
}

daemonTest("touches become events", async (harness, client) => {
  await harness.start();
  const events = client().events();
  const [hello, state] = [await next(events), await next(events)];
  assert.match(hello.server, /^gestured /);
  assert.deepEqual(state.devices, [{ device: "panel", state: "ready" }]);
  await harness.tap(1000, 2000);
  const [begin, tap, end] = [await next(events), await next(events), await next(events)];
  assert.deepEqual([begin, tap, end].map(short), ["press begin ok", "tap ok", "press end ok"]);
  assert.deepEqual([begin.x, begin.y, begin.inside, tap.count, end.sequence], [250, 500, true, 1, begin.sequence]);
});

daemonTest("the daemon dies during a press", async (harness, client) => {
  await harness.start();
  const one = client();
  const events = one.events();
  const hello = await next(events);
  await next(events);
  await harness.land();
  const begin = await next(events);
  await harness.kill();
  const [cancel, gone] = [await next(events), await next(events)];
  assert.equal(short(cancel), "press cancel disconnected ok");
  assert.deepEqual([cancel.sequence, cancel.x, cancel.added], [begin.sequence, begin.x, true]);
  assert.equal(gone.event, "disconnected");
  await assert.rejects(one.ping(), Unavailable);
  await harness.start();
  const [again, state] = [await next(events), await next(events)];
  assert.equal(again.event, "hello");
  assert.notEqual(again.instance, hello.instance);
  assert.deepEqual(state.active, []);
  await harness.lift();
  await harness.land();
  assert.equal(short(await next(events)), "press begin ok");
});

daemonTest("as an emitter", async (harness, client) => {
  await harness.start();
  const one = client({ reconnect: false });
  const words = [];
  let ended;
  const end = new Promise((resolve) => (ended = resolve));
  const pressed = new Promise((resolve) => one.on("gesture", resolve));
  const ready = new Promise((resolve) => one.on("state", resolve));
  one.on("event", (event) => words.push(short(event))).on("end", ended).listen({ gestures: ["press"] });
  await ready;
  await harness.land();
  await pressed;
  await harness.kill();
  await end;
  assert.deepEqual(words, ["hello", "state", "press begin ok", "press cancel disconnected ok", "disconnected"]);
  const failed = new Promise((resolve) => one.on("error", resolve));
  one.listen();
  assert.ok((await failed) instanceof Unavailable);
});

daemonTest("a daemon that stops cancels by itself", async (harness, client) => {
  await harness.start();
  const events = client({ reconnect: false }).events();
  await take(events, "state");
  await harness.land();
  await take(events, "press begin ok");
  await harness.kill("SIGTERM");
  const words = await rest(events);
  assert.equal(words.filter((word) => word.includes("cancel")).length, 1, words.join());
  assert.ok(!words.includes("press cancel disconnected ok"));
  assert.deepEqual(words.slice(-2), ["bye", "disconnected"]);
});

daemonTest("waits for a daemon that has not started yet", async (harness, client) => {
  const tries = [];
  let tell;
  const thrice = new Promise((resolve) => (tell = resolve));
  class Counted extends Backoff {
    delay() {
      if (tries.push(super.delay()) === 3) tell();
      return 5;
    }
  }
  const events = client({ backoff: new Counted(() => 1) }).events();
  const first = next(events);
  await thrice;
  await harness.start();
  assert.equal((await first).event, "hello");
  assert.deepEqual(tries.slice(0, 3), [100, 200, 400]);
});

daemonTest("without reconnect errors come at once", async (harness, client) => {
  await assert.rejects(next(client({ reconnect: false }).events()), /gestured.sock: no daemon: .*systemctl start gestured/);
  await assert.rejects(next(client({ path: `/tmp/${"x".repeat(200)}` }).events()), /107 bytes/);
});

daemonTest("options filter events", async (harness, client) => {
  await harness.start();
  const one = client();
  const events = one.events({
    regions: ["m*"], names: ["pan"], gestures: ["drag"], phases: [...ALL_PHASES], max_rate_hz: 1000, max_age_ms: 0, wall_clock: true });
  await take(events, "state");
  await harness.tap();
  await harness.land(3000);
  for (let x = 3000; x < 3600; x += 100) await harness.move(x);
  await harness.lift();
  const begin = await next(events);
  assert.deepEqual([short(begin), begin.name, typeof begin.start.x], ["drag begin map", "pan", "number"]);
  assert.ok(begin.wall_ms > 1_500_000_000_000);
  assert.deepEqual(new Set(await take(events, "drag end map")), new Set(["drag update map", "drag end map"]));
  // Another filter on the same connection ends the first stream.
  const other = one.events({ regions: ["ok"] });
  assert.deepEqual(await rest(events), []);
  assert.deepEqual(await take(other, "state"), ["hello", "state"]);
  await harness.tap();
  assert.deepEqual(await take(other, "press end ok"), ["press begin ok", "tap ok", "press end ok"]);
  // Requests work after the events have ended.
  await other.return();
  await harness.tap();
  assert.equal((await one.status()).clients, 1);
});

daemonTest("refusals are thrown", async (harness, client) => {
  await harness.start();
  await assert.rejects(next(client().events({ events: ["gestrue"] })), (error) => {
    assert.ok(error instanceof RequestError);
    assert.deepEqual([error.command, error.code, error.suggestion], ["subscribe", "bad_value", "gesture"]);
    return true;
  });
  assert.throws(() => client().events({ regions: "ok" }), TypeError);
});

daemonTest("requests", async (harness, client) => {
  await harness.start();
  const one = client();
  const [, status, devices, regions, at] = await Promise.all([one.ping(), one.status(), one.devices(), one.regions("o*"), one.at(100, 100)]);
  assert.equal(status.devices.ready, 1);
  assert.equal(status.clients, 1);
  assert.deepEqual(devices.map(({ name }) => name), ["Fake Panel"]);
  assert.deepEqual(regions.map(({ region }) => region), ["ok"]);
  assert.equal(at.owner, "ok");
  assert.equal(await one.setRegion("ok", false), false);
  assert.equal(await one.setRegion("ok", true), true);
  assert.ok("config_generation" in (await one.reload()));
  await one.setOutput({ device: "panel", rotation: "flipped-90", size: [600, 800] });
  const [{ output }] = await one.devices();
  assert.deepEqual([output.width, output.height, output.rotation, output.flipped], [600, 800, 90, true]);
  await one.setOutput();
  assert.equal((await one.devices())[0].output.rotation, 0);
  await one.setProfile("steady", { lease: true });
  assert.equal((await one.state()).profile, "steady");
  await one.setScene("checkout");
  assert.equal((await one.state()).scene, "checkout");
  assert.equal((await one.state()).scene_for_ms, undefined);
  await one.setScene("checkout", { for_ms: 60000 });
  assert.ok((await one.state()).scene_for_ms > 0);
  for (const [attempt, code] of [
    [() => one.setScene("chekout"), "not_found"],
    [() => one.at(5000, 0), "bad_value"],
    [() => one.request("staus"), "unknown_command"],
    [() => one.defineRegions([{ ...BUTTON, id: "ok" }]), "config_invalid"],
  ]) {
    await assert.rejects(attempt, { name: "RequestError", code });
  }
});

daemonTest("no request is lost while events come", async (harness, client) => {
  await harness.start();
  const one = client();
  const events = one.events({ events: ["gesture"] });
  await take(events, "state");
  await harness.land();
  assert.equal(short(await next(events)), "press begin ok");
  await one.cancel("o*");
  await harness.lift();
  await harness.tap();
  await one.ping();
  assert.deepEqual(await take(events, "press end ok"), ["press cancel client ok", "press begin ok", "tap ok", "press end ok"]);
});

daemonTest("a slow reader gets an overflow, and no button stays pressed", async (harness, client) => {
  await harness.start();
  const events = client().events();
  await take(events, "state");
  await harness.land();
  assert.equal(short(await next(events)), "press begin ok");
  // A second client subscribes to few events, so it loses none.
  const others = client().events({ gestures: ["press"], phases: ["begin"], max_age_ms: 0 });
  await take(others, "state");
  await harness.lift();
  // This exceeds the limits of the client (1024 events), the daemon (256 lines) and the kernel.
  for (let count = 0; count < 60; count++) await harness.tap(100, 100, 20);
  await harness.land();
  // This waits until the daemon has sent the last contact. Each contact has its own sequence.
  for (let is = false; !is; ) {
    const { sequence, active = [] } = await next(others);
    is = sequence === harness.fingers || active.some((part) => part.sequence === harness.fingers);
  }
  const pressed = new Set();
  const told = new Set();
  while (!pressed.has(harness.fingers)) {
    const { event, gesture, phase, sequence, active } = await next(events);
    told.add(event);
    if (event === "state") {
      for (const part of active) pressed.add(part.sequence);
      assert.deepEqual([...pressed], active.map((part) => part.sequence));
    } else if (gesture === "press") {
      phase === "begin" ? pressed.add(sequence) : pressed.delete(sequence);
    }
  }
  assert.deepEqual([...pressed], [harness.fingers]);
  assert.ok(told.has("overflow") && told.has("state"));
  await harness.lift();
  assert.deepEqual(await take(events, "press end ok"), ["tap ok", "press end ok"]);
});

daemonTest("a daemon that hangs or is busy is an error", async (harness, client) => {
  const busy = '{"reply":null,"ok":false,"error":{"code":"busy","message":"uid 7 has 16 connections already"}}\n';
  for (const [answer, cause] of [[undefined, /: the daemon does not answer/], [busy, /: uid 7 has 16 connections already$/]]) {
    const open = [];
    const server = createServer((socket) => {
      socket.resume();
      answer ? socket.end(answer) : open.push(socket);
    });
    await once(server.listen(harness.path), "listening");
    const one = client({ timeout: answer ? PATIENCE : 50 });
    await assert.rejects(one.ping(), (error) => error instanceof Unavailable && cause.test(error.message));
    for (const socket of open) socket.destroy();
    await once(server.close(), "close");
  }
});

daemonTest("a request that the daemon cannot read is refused, and costs nothing else", async (harness, client) => {
  await harness.start();
  const one = client();
  const events = one.events({ events: ["gesture"] });
  await take(events, "state");
  const codes = await Promise.all([
    one.ping(), one.setScene("night\0"), one.status(), one.request("regions", { region: [[[[[[[[[]]]]]]]]] }), one.ping(),
  ].map((reply) => reply.then(() => "ok", ({ code }) => code)));
  assert.deepEqual(codes, ["ok", "bad_json", "ok", "bad_json", "ok"]);
  await harness.land();
  assert.equal(short(await next(events)), "press begin ok");
});

daemonTest("a gesture of a leased region says so", async (harness, client) => {
  await harness.start();
  const one = client();
  const events = one.events({ events: ["gesture"] });
  await take(events, "state");
  await one.putRegion(BUTTON);
  await harness.land();
  const begin = await next(events);
  assert.equal(short(begin), "press begin btn");
  assert.equal(begin.leased, true);
  const late = client().events({ events: ["gesture"] });
  await take(late, "state");
  await harness.kill();
  const cancel = await next(late);
  assert.equal(short(cancel), "press cancel disconnected btn");
  assert.equal(cancel.leased, true);
});

daemonTest("leased regions are defined again for a new daemon, and go with the client", async (harness, client) => {
  await harness.start();
  const one = client();
  const events = one.events({ events: ["gesture"], regions: ["btn"] });
  await take(events, "state");
  assert.equal(await one.putRegion(BUTTON), false);
  assert.equal(await one.putRegion({ ...BUTTON, id: "btn2" }, { below: "btn", wait: true }), false);
  assert.equal(await one.removeRegion("btn2", { wait: true }), false);
  await harness.land();
  assert.equal(short(await next(events)), "press begin btn");
  await harness.kill();
  await harness.start();
  assert.deepEqual(await take(events, "state"), ["press cancel disconnected btn", "disconnected", "hello", "state"]);
  await harness.lift();
  await harness.tap();
  assert.deepEqual(await take(events, "press end btn"), ["press begin btn", "press end btn"]);
  const other = client();
  const watching = other.events({ events: ["config"] });
  await take(watching, "state");
  one.close();
  assert.deepEqual(await rest(events), []);
  assert.equal((await next(watching)).change, "regions");
  assert.deepEqual(await other.regions("btn"), []);
});

daemonTest("events of some panels", async (harness, client) => {
  await harness.start();
  const events = client().events();
  await take(events, "state");
  await harness.land();
  assert.equal(short(await next(events)), "press begin ok");
  for (const [devices, active] of [[["other"], []], [["pan*"], ["panel"]]]) {
    const others = client().events({ devices });
    assert.equal((await next(others)).event, "hello");
    assert.deepEqual((await next(others)).active.map(({ device }) => device), active);
  }
});

daemonTest("idle times begin, and end with a touch", async (harness, client) => {
  harness.configure('[[idle]]\nid = "saver"\nafter = "100ms"\n');
  await harness.start();
  const events = client().events({ events: ["idle"] });
  assert.equal((await next(events)).event, "hello");
  const state = await next(events);
  // The idle time began before the client connected, or begins now.
  if (!state.idle?.includes("saver")) assert.equal((await next(events)).change, "idle");
  await harness.land();
  const { event, name, change, reason, idle_ms } = await next(events);
  assert.deepEqual([event, name, change, reason], ["idle", "saver", "active", "touch"]);
  assert.ok(idle_ms >= 100);
});

daemonTest("a touch in a dark scene wakes the display", async (harness, client) => {
  harness.configure('[[device]]\nid = "dark"\nmatch = { name = "Dark Panel" }\nwake = { key = "none" }\n');
  harness.configure('[[scene]]\nid = "night"\nregions = ["*"]\ndark = true\n');
  await harness.start();
  const one = client();
  const events = one.events({ events: ["idle", "device"] });
  await take(events, "state");
  await harness.tell("name Dark Panel");
  await harness.tell("add 1");
  assert.equal((await next(events)).device, "dark");
  await one.setScene("night");
  await harness.land();
  const { event, device, reason, time_us } = await next(events);
  assert.deepEqual([event, device, reason], ["wake", "dark", "scene"]);
  assert.ok(time_us > 0);
});

daemonTest("require loads the same client, whose errors name the lines of gestured.mjs", async (harness) => {
  const required = createRequire(import.meta.url)("gestured");
  assert.deepEqual(Object.keys(required).sort(), Object.keys(library).sort());
  await harness.start();
  const client = new required.Client({ path: harness.path });
  assert.ok((await client.status()).version);
  const refused = await client.setScene("nowhere").catch((error) => error);
  assert.ok(refused instanceof required.RequestError);
  const [, line] = refused.stack.match(/gestured\.mjs:(\d+):/);
  assert.match(readFileSync(new URL("gestured.mjs", import.meta.url), "utf8").split("\n")[line - 1], /RequestError/);
  client.close();
});

test("the program explains itself, and refuses options", async () => {
  for (const [option, code] of [["--help", 0], ["-x", 64]]) {
    const program = spawn(process.execPath, [fileURLToPath(new URL("gestured.mjs", import.meta.url)), option], { stdio: ["ignore", "pipe", "pipe"] });
    let text = "";
    for (const output of [program.stdout, program.stderr]) output.on("data", (part) => (text += part));
    assert.deepEqual(await once(program, "close"), [code, null]);
    assert.match(text, /^usage: gestured-events /);
  }
});

for (const [file, expected] of [["example_kiosk.mjs", "open ok"], ["gestured.mjs", '"gesture":"tap"']]) {
  daemonTest(`${file} runs`, async (harness) => {
    await harness.start();
    const program = spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url))], {
      stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, GESTURED_SOCKET: harness.path } });
    let text = "";
    program.stdout.on("data", (part) => (text += part));
    try {
      // The program receives events only after it has subscribed, so this taps until the program prints something.
      for (const end = Date.now() + PATIENCE; !text.includes(expected) && Date.now() < end; await sleep(50)) await harness.tap();
      assert.ok(text.includes(expected), text);
      assert.equal(program.exitCode, null);
    } finally {
      program.kill();
    }
  });
}
