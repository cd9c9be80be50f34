// SPDX-License-Identifier: MIT
// Tests of MMM-Gestured with stubs of MagicMirror's classes, and with the daemon on a fake panel.
import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import test from "node:test";
import { fileURLToPath } from "node:url";
import vm from "node:vm";
import { Harness } from "../javascript/harness.mjs";

const HERE = fileURLToPath(new URL("MMM-Gestured/", import.meta.url));

/** A copy of the module in a folder of MagicMirror, as README.md describes it. */
class Mirror extends EventEmitter {
  sent = [];
  #folder = mkdtempSync("/tmp/mirror.");

  constructor({ client = true } = {}) {
    super();
    const copy = `${this.#folder}/modules/MMM-Gestured`;
    cpSync(HERE, copy, { recursive: true });
    if (client) cpSync(fileURLToPath(new URL("../javascript/gestured.mjs", import.meta.url)), `${copy}/gestured.mjs`);
    mkdirSync(`${this.#folder}/node_modules`);
    writeFileSync(`${this.#folder}/node_modules/node_helper.js`, "exports.create = (definition) => class { constructor() { Object.assign(this, definition); } };");
    this.helper = new (createRequire(`${copy}/`)("./node_helper.js"))();
    this.modules = [];
    // Notifications between the module and its helper are sent as JSON.
    this.helper.sendSocketNotification = (name, payload) => {
      for (const module of this.modules) module.socketNotificationReceived(name, JSON.parse(JSON.stringify(payload)));
    };
    this.helper.start();
  }

  /** Starts a module with its configuration, as a browser that shows the mirror does. */
  async show(config) {
    let definition;
    const Module = { register: (name, given) => (definition = given) };
    vm.runInNewContext(readFileSync(`${HERE}MMM-Gestured.js`, "utf8"), { Module });
    const module = {
      ...definition,
      config: { ...definition.defaults, ...config },
      sendNotification: (name, payload) => {
        this.sent.push(name);
        this.emit(name, payload);
      },
      sendSocketNotification: (name, payload) => {
        module.asked = this.helper.socketNotificationReceived(name, JSON.parse(JSON.stringify(payload)));
      },
    };
    this.modules.push(module);
    module.start();
    await module.asked;
    return module;
  }

  close() {
    this.helper.stop();
    rmSync(this.#folder, { recursive: true });
  }
}

async function withDaemon(run) {
  const daemon = await Harness.make(), mirror = new Mirror();
  try {
    await daemon.start();
    await run(daemon, mirror);
  } finally {
    mirror.close();
    await daemon.close();
  }
}

const ROWS = [
  { gesture: "press", region: ["ok", "other"], notification: "PRESSED", payload: { a: 1 } },
  { gesture: "press", phase: "end", notification: "RELEASED" },
  { gesture: "tap", region: "map", notification: "WRONG_REGION" },
  { gesture: "tap", count: 1, notification: "TAPPED" },
];

test("a gesture sends the notifications of the rows that match", () =>
  withDaemon(async (daemon, mirror) => {
    await mirror.show({ socket: daemon.path, gestures: ROWS });
    await once(mirror.helper.client, "state");
    const pressed = once(mirror, "PRESSED"), tapped = once(mirror, "TAPPED"), released = once(mirror, "RELEASED");
    await daemon.tap();
    assert.deepEqual(await pressed, [{ a: 1 }]);
    assert.equal((await tapped)[0].region, "ok");
    assert.equal((await released)[0].phase, "end");
    assert.deepEqual(mirror.sent, ["PRESSED", "TAPPED", "RELEASED"]);
  }));

test("the defaults turn pages", async () => {
  const mirror = new Mirror({ client: false });
  const module = await mirror.show({});
  for (const direction of ["left", "right", "up"]) module.socketNotificationReceived("GESTURE", { gesture: "swipe", direction });
  module.socketNotificationReceived("OTHER", {});
  assert.deepEqual(mirror.sent, ["PAGE_INCREMENT", "PAGE_DECREMENT"]);
  mirror.close();
});

test("a gesture of a region that a program has defined needs a row that says so", async () => {
  const mirror = new Mirror({ client: false });
  const gestures = [{ gesture: "tap", notification: "FILES" }, { gesture: "tap", leased: true, notification: "ALL" }];
  const module = await mirror.show({ gestures });
  module.socketNotificationReceived("GESTURE", { gesture: "tap", region: "app.a", leased: true });
  assert.deepEqual(mirror.sent, ["ALL"]);
  module.socketNotificationReceived("GESTURE", { gesture: "tap", region: "ok" });
  assert.deepEqual(mirror.sent, ["ALL", "FILES", "ALL"]);
  mirror.close();
});

test("all browsers get the gestures of all, on one connection", () =>
  withDaemon(async (daemon, mirror) => {
    await mirror.show({ socket: daemon.path, gestures: ROWS.slice(0, 1) });
    const client = mirror.helper.client;
    await once(client, "state");
    await mirror.show({ socket: daemon.path, gestures: [{ notification: "ANY" }] });
    assert.equal(mirror.helper.client, client);
    await once(client, "state");
    await mirror.show({ socket: daemon.path, gestures: [{ notification: "ANY" }] });
    const tapped = once(client, "gesture");
    await daemon.tap();
    await tapped;
    assert.deepEqual(mirror.sent.slice(0, 3).sort(), ["ANY", "ANY", "PRESSED"]);
  }));

test("an error names its remedy, and a daemon that comes later is found", async (context) => {
  const errors = context.mock.method(console, "error", () => {});
  const without = new Mirror({ client: false });
  await without.show({});
  assert.match(errors.mock.calls[0].arguments[0], /MMM-Gestured: .*copy gestured.mjs into the folder/);
  without.close();
  const daemon = await Harness.make(), mirror = new Mirror();
  await mirror.show({ socket: daemon.path });
  await daemon.start();
  await once(mirror.helper.client, "state");
  const lost = once(mirror.helper.client, "disconnected");
  await daemon.kill();
  const [{ cause }] = await lost;
  assert.equal(errors.mock.calls.at(-1).arguments[0], `MMM-Gestured: ${cause}`);
  mirror.close();
  await daemon.close();
});
