// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { Clock } from "../../../clients/web/inspector/clock.js";
import { History } from "../../../clients/web/inspector/history.js";

const MS = 1000;
const touches = (ms, ...contacts) => ({ event: "touches", device: "panel", time_us: ms * MS, contacts });
const contact = (id, x, y, more = {}) => ({ id, slot: 0, x, y, region: "ok", ...more });
const gesture = (ms, keys) => ({ event: "gesture", device: "panel", region: "ok", sequence: 1, name: keys.gesture, time_us: ms * MS, ...keys });
const failed = (ms, keys = {}) => ({ event: "failed", device: "panel", region: "ok", sequence: 1, gesture: "tap", name: "tap", code: "moved", time_us: ms * MS, ...keys });

test("a stroke lasts from its landing to its lift, and its trail a little longer", () => {
  const history = new History();
  history.add(touches(1000, contact(1, 10, 20)));
  history.add(touches(1010, contact(1, 15, 20)));
  history.add(touches(1020));
  const [{ stroke, index, isDown }] = history.at("panel", 1005 * MS).strokes;
  assert.equal(isDown, true);
  assert.deepEqual([stroke.point(index).x, stroke.count], [10, 2]);
  assert.equal(history.at("panel", 1010 * MS).strokes[0].index, 1);
  assert.equal(history.at("panel", 1100 * MS).strokes[0].isDown, false);
  assert.deepEqual(history.at("panel", 3000 * MS).strokes, []);
  assert.deepEqual(history.at("panel", 999 * MS).strokes, []);
  assert.deepEqual(history.at("other", 1005 * MS).strokes, []);
});

test("a gesture lasts from its begin line to its end line", () => {
  const history = new History();
  history.add(gesture(100, { gesture: "press", phase: "begin" }));
  history.add(gesture(150, { gesture: "tap" }));
  history.add(gesture(180, { gesture: "press", phase: "cancel", reason: "palm" }));
  assert.deepEqual([...history.at("panel", 120 * MS).active.keys()], ["ok"]);
  assert.deepEqual([...history.at("panel", 180 * MS).active.keys()], []);
  assert.equal(history.spans[0].reason, "palm");
  assert.deepEqual(history.at("panel", 160 * MS).marks.map(({ line }) => line.gesture), ["tap"]);
  assert.equal(history.at("panel", 160 * MS).recognized.size, 1);
});

test("after a state only the gestures that it lists continue, and none does when the connection is lost", () => {
  const history = new History();
  history.add(gesture(100, { gesture: "press", phase: "begin" }));
  history.add(gesture(100, { gesture: "drag", phase: "begin", region: "map" }));
  history.add({ event: "state", active: [{ device: "panel", region: "map", gesture: "drag", name: "drag", sequence: 1 }] });
  assert.deepEqual([...history.at("panel", 200 * MS).active.keys()], ["map"]);
  history.add(touches(300, contact(1, 0, 0)));
  history.cut("disconnected");
  assert.deepEqual([...history.at("panel", 400 * MS).active.keys()], []);
  assert.equal(history.at("panel", 400 * MS).strokes[0].isDown, false);
});

test("an update without a begin line opens the gesture, an end without one does not", () => {
  const history = new History();
  history.add(gesture(100, { gesture: "press", phase: "end" }));
  assert.equal(history.spans.length, 0);
  history.add(gesture(110, { gesture: "drag", phase: "update" }));
  assert.equal(history.at("panel", 120 * MS).active.size, 1);
});

test("a failure belongs to the last finger in its region or in a region inside it", () => {
  const parents = { inner: "outer" };
  const history = new History(Infinity, (region, ancestor) => region === ancestor || parents[region] === ancestor);
  history.add(touches(100, contact(1, 0, 0, { region: "inner" }), contact(2, 9, 9, { slot: 1, region: "other" })));
  history.add(failed(200, { region: "outer" }));
  history.add(failed(200, { region: "nowhere" }));
  assert.deepEqual(history.failures.map(({ stroke }) => stroke?.id), [1, undefined]);
});

test("frames are stepped one by one", () => {
  const history = new History();
  for (const ms of [10, 20, 30]) history.add(touches(ms, contact(1, ms, 0)));
  assert.equal(history.step(20 * MS, 1), 30 * MS);
  assert.equal(history.step(20 * MS, -1), 10 * MS);
  assert.equal(history.step(25 * MS, -1), 20 * MS);
  assert.equal(history.step(30 * MS, 1), 30 * MS, "the last stays");
  assert.equal(history.step(10 * MS, -1), 10 * MS, "the first stays");
});

test("pressure comes from frames, as a part of the panel's range", () => {
  const history = new History();
  history.pressures.setRange("panel", 0, 200);
  history.add({ event: "frame", device: "panel", time_us: 10, events: [[3, 0x2f, 1], [3, 0x3a, 50], [0, 0, 0]] });
  history.add(touches(1, contact(1, 0, 0, { slot: 1 }), contact(2, 0, 0)));
  assert.equal(history.strokes[0].point(0).pressure, 0.25);
  assert.equal(Number.isNaN(history.strokes[1].point(0).pressure), true);
});

test("entries older than the span are removed, but not while the picture is paused", () => {
  const history = new History(1000 * MS);
  for (let ms = 0; ms <= 5000; ms += 10) history.add(touches(ms));
  assert.ok(history.times[0] >= 3800 * MS && history.times[0] <= 4000 * MS, `${history.times[0]}`);
  history.heldFrom = history.end;
  for (let ms = 5010; ms <= 9000; ms += 10) history.add(touches(ms));
  assert.ok(history.times[0] <= 4000 * MS, `${history.times[0]}`);
  history.heldFrom = null;
  history.add(touches(9010));
  assert.ok(history.times[0] >= 7900 * MS);
});

test("a finger that rests longer than the span is kept", () => {
  const history = new History(100 * MS);
  for (let ms = 0; ms <= 1000; ms += 10) history.add(touches(ms, contact(1, 0, 0)));
  assert.equal(history.at("panel", 1000 * MS).strokes[0].isDown, true);
  assert.ok(history.strokes[0].count < 40, `${history.strokes[0].count} points`);
});

test("the clock follows the line that arrived with the least delay", () => {
  const clock = new Clock();
  assert.equal(clock.at(0), null);
  clock.observe(1_000_000, 500);
  clock.observe(1_010_000, 530);
  assert.ok(Math.abs(clock.at(600) - 1_100_000) <= 100);
});
