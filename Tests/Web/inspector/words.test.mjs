// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { duration, eventWords, gestureName, gestureWords, measures, miss, missingLists, timeOfDay } from "../../../clients/web/inspector/words.js";

test("gestures in words", () => {
  const swipe = { gesture: "swipe", name: "page", direction: "up_left", distance_mm: 41.34, velocity_mm_s: 310.2, duration_ms: 133, fingers: 2 };
  assert.equal(gestureName(swipe), "swipe “page”");
  assert.equal(gestureName({ gesture: "tap", name: "tap" }), "tap");
  assert.equal(measures(swipe), "up left · 41.3 mm · 310 mm/s · 133 ms · 2 fingers");
  assert.equal(measures({ gesture: "later", reach_mm: 4.25, rise_mm_s: 20.6 }), "4.3 mm · 21 mm/s", "of a later daemon");
  assert.equal(gestureWords({ phase: "cancel", reason: "multi_touch", held_ms: 80 }), "cancelled: another finger landed · 80 ms");
  assert.equal(gestureWords({ phase: "begin" }), "in progress");
  assert.equal(gestureWords({ phase: "end", held_ms: 80 }), "80 ms");
  assert.equal(gestureWords({ dx: 3, dy: 4 }, 2), "3, 4 px · 2 times");
  assert.equal(gestureWords({ n: 7 }, 7), "no. 7");
});

test("events in words, without words of the protocol", () => {
  const title = (line) => eventWords(line)?.title;
  assert.equal(title({ event: "bye", reason: "shutdown" }), "the daemon stops");
  assert.equal(title({ event: "device", change: "removed", device: "panel" }), "panel removed");
  assert.equal(title({ event: "config", change: "applied" }), "new configuration in use");
  assert.deepEqual(eventWords({ event: "config", change: "profile", scene: "default", profile: "steady" }).subject, "steady");
  assert.equal(eventWords({ event: "idle", change: "active", reason: "scene", name: "dim" }).detail, "ended by another scene");
  for (const event of ["touches", "frame", "state", "hello", "of a later daemon"]) assert.equal(eventWords({ event }), null);
  assert.match(timeOfDay(new Date(2026, 0, 2, 14, 3, 7, 123).getTime()), /^14:03:07\.1$/);
});

test("by how much a limit was missed", () => {
  assert.equal(miss({ value: 612, limit: 500 }), 1.224);
  assert.equal(miss({ value: 5, limit: 10 }), 2);
  assert.equal(miss({}), Infinity);
  assert.equal(miss({ value: 0, limit: 10 }), Infinity);
});

test("durations", () => {
  assert.deepEqual([0, 61_000, 3_600_000, 93_600_000].map(duration), ["0 s", "1 min 1 s", "1 h 0 min", "1 d 2 h"]);
});

test("only lists that lack the user are named", () => {
  const lists = (...rights) => missingLists((right) => rights.includes(right));
  assert.equal(lists("raw"), "private_uids");
  assert.equal(lists("private"), "raw_uids");
  assert.equal(lists(), "raw_uids (and to private_uids if a region is private)");
});
