// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { sequenceKey } from "../../../clients/web/inspector/history.js";
import { chooseReasons, nearestFirst, nearMisses, sufficient } from "../../../clients/web/inspector/reasons.js";

const failure = (name, value, keys = {}, time = 0) => ({ time, line: { device: "panel", region: "ok", sequence: 1, name, code: "too_slow", value, limit: 100, ...keys } });
const names = (failures, recognized = []) => chooseReasons(failures, new Set(recognized)).map(({ line, more }) => `${line.name}${more > 0 ? `+${more}` : ""}`);

test("the reasons nearest to their limits are shown, and the others are counted", () => {
  assert.deepEqual(names([failure("far", 900), failure("near", 110), failure("b", 200), failure("c", 300), failure("d", 400)]), ["near", "b", "c+2"]);
});

test("next to a recognized gesture, only probably intended gestures are shown", () => {
  const failures = [failure("near", 110), failure("far", 900), failure("tap", 110, { code: "moved" })];
  assert.deepEqual(names(failures, [sequenceKey(failures[0].line)]), ["near"]);
  assert.deepEqual(names([failure("claimed", 110, { code: "claimed" })]), []);
});

test("after a tap on a button, the misses of the region around it are not shown", () => {
  const button = { device: "panel", region: "button", sequence: 7 };
  const around = { ...failure("swipe", 0), stroke: { region: "button", sequence: 7 } };
  assert.deepEqual(names([around], [sequenceKey(button)]), []);
  assert.deepEqual(names([around]), ["swipe"]);
  assert.deepEqual(names([{ ...around, line: { ...around.line, value: 90 } }], [sequenceKey(button)]), ["swipe"], "a near miss is shown");
});

test("newer reasons of a region replace older ones", () => {
  assert.deepEqual(names([failure("old", 110), failure("new", 110, { sequence: 2 }, 600_000)]), ["new"]);
  assert.deepEqual(names([failure("old", 110), failure("new", 110, { sequence: 2 }, 400_000)]), ["old", "new"]);
});

test("in the list, the nearest reason is the first, and gestures that were not intended are the last", () => {
  const failures = [failure("claimed", 110, { code: "claimed" }), failure("unmeasured", undefined), failure("far", 900), failure("near", 110)];
  assert.deepEqual(nearestFirst(failures).map(({ line }) => line.name), ["near", "far", "unmeasured", "claimed"]);
});

test("of a recording, the narrowest misses come first, and those beside another gesture last", () => {
  const lines = [
    { event: "gesture", device: "panel", region: "ok", sequence: 2, gesture: "swipe" },
    { event: "gesture", device: "panel", region: "ok", sequence: 1, gesture: "press", phase: "begin" },
    ...[failure("another", 101, { sequence: 2, code: "moved" }), failure("beside", 102, { sequence: 2 }), failure("far", 900), failure("near", 110), failure("at once", 100), failure("claimed", 110, { code: "claimed" })].map(({ line }) => ({ event: "failed", ...line })),
  ];
  assert.deepEqual(nearMisses(lines).map(({ name }) => name), ["near", "far", "beside", "another"]);
});

test("a sufficient value is the next step beyond the measured one", () => {
  assert.equal(sufficient({ value: 612, limit: 500 }, 10), 620);
  assert.equal(sufficient({ value: 610, limit: 500 }, 10), 620, "the measured value may have been rounded down");
  assert.equal(sufficient({ value: 7.4, limit: 10 }, 0.1), 7.3);
  assert.equal(sufficient({ value: 0.3, limit: 0.2 }, 0.1), 0.4);
  assert.equal(sufficient({ value: 57, limit: 80 }, 5), 55);
});
