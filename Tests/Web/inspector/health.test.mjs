// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { Failures } from "../../../clients/web/inspector/failures.js";
import { Rates } from "../../../clients/web/inspector/figures.js";
import { missing } from "../../../clients/web/inspector/missing.js";

const line = (sequence, time, keys) => ({ device: "panel", region: "list", sequence, time_us: time * 1e6, ...keys });
const failed = (sequence, time, gesture, code, keys) => line(sequence, time, { event: "failed", gesture, name: gesture, code, ...keys });
const recognized = (sequence, time, gesture) => line(sequence, time, { event: "gesture", gesture, name: gesture });

const isWithin = (region, ancestor) => region === ancestor || (region === "button" && ancestor === "list");

test("failures are counted by gesture and reason, in words, the most frequent gesture first", () => {
  const failures = new Failures(isWithin);
  failures.take(failed(1, 1, "tap", "moved"));
  failures.take(failed(2, 4, "swipe", "too_short", { name: "page" }));
  failures.take(failed(2, 4, "tap", "moved"));
  failures.take(failed(3, 8, "tap", "a_new_code"));
  assert.deepEqual(failures.of("list", 8e6), ["tap: 2 × moved too far", "swipe “page”: 1 × moved too little"], "the newest touch may still be recognized");
  assert.deepEqual(failures.of("list", 11e6), ["tap: 2 × moved too far, 1 × a new code", "swipe “page”: 1 × moved too little"]);
  assert.deepEqual(failures.of("other", null), []);
});

test("a touch in which the region recognized something is not counted, but one with only a press is", () => {
  const failures = new Failures(isWithin);
  failures.take(failed(1, 1, "swipe", "too_short"));
  failures.take(recognized(1, 1.3, "tap"));
  failures.take(recognized(2, 5, "press"));
  failures.take(failed(2, 5, "tap", "too_long"));
  failures.take(failed(3, 9, "press", "shadowed"));
  failures.take({ event: "idle", time_us: 20e6 });
  assert.deepEqual(failures.of("list", 20e6), ["tap: 1 × held too long"]);
});

test("a region is not to blame for a touch in which a region inside it recognized something", () => {
  const failures = new Failures(isWithin);
  failures.take({ ...recognized(1, 1, "press"), region: "button" });
  failures.take({ ...recognized(1, 1.1, "tap"), region: "button" });
  failures.take(failed(1, 1.1, "swipe", "too_short"));
  failures.take(recognized(2, 5, "tap"));
  failures.take({ ...failed(2, 5, "long_press", "lifted_early"), region: "button" });
  failures.take({ event: "failed", ...failed(3, 15, "swipe", "too_short") });
  assert.deepEqual([failures.of("list", 30e6), failures.of("button", 30e6)], [["swipe: 1 × moved too little"], ["long_press: 1 × lifted too soon"]]);
});

test("the most in the last minute is not known before two measurements, and is forgotten after it", () => {
  const rates = new Rates(["frames", "events"]);
  rates.add({ frames: 10, events: 0 }, "a", 0);
  assert.deepEqual(rates.most, [null, null]);
  rates.add({ frames: 100, events: 4 }, "a", 1000);
  rates.add({ frames: 100, events: 4 }, "a", 2000);
  assert.deepEqual(rates.most, [90, 4]);
  rates.add({ frames: 100, events: 4 }, "a", 62_000);
  assert.deepEqual(rates.most, [0, 0]);
});

test("what a page lacks is said with the list, the file and the command", () => {
  const app = (commands, rights, files = []) => ({ bridge: { user: "web", commands }, connection: { hasRight: (right) => rights.includes(right) }, files });
  assert.equal(missing(app(["touch_map"], ["raw"]), "touch_map", ["raw"]), null);
  assert.equal(missing(app(["define_regions"], ["control"]), "define_regions", ["define", "control"]), null);
  assert.equal(missing(app(["touch_map"], []), "touch_map", ["raw"]), 'add "web" to raw_uids in [access] of gestured.toml, run gesturectl reload as root, and reload this page');
  assert.equal(
    missing(app([], []), "touch_map", ["raw"]),
    'add "touch_map" to commands in web.toml, run systemctl reload gestured-web, add "web" to raw_uids in [access] of gestured.toml, run gesturectl reload as root, and reload this page',
  );
  assert.equal(
    missing(app(["touch_map"], [], ["/tmp/d.toml", "/tmp/e.toml"]), "touch_map", ["raw"]),
    'add "web" to raw_uids in [access] of /tmp/d.toml (or of the later file that sets the list), run gesturectl reload as root, and reload this page',
  );
  assert.equal(
    missing(app(["touch_map"], [], ["/usr/share/gestured/gestured.toml"]), "touch_map", ["raw"]),
    'add "web" to raw_uids in [access] of a new file /etc/gestured/conf.d/50-access.toml, run gesturectl reload as root, and reload this page',
  );
  assert.match(missing(app(["touch_map"], [], ["/opt/share/gestured/gestured.toml", "/tmp/e.toml"]), "touch_map", ["raw"]), / of \/tmp\/e\.toml, /);
  assert.equal(missing({ ...app([], []), bridge: {} }, "counts", []), null, "without an answer of the bridge nothing is known to be missing");
});
