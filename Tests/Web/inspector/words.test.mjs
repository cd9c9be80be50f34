// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { duration, gestureName, measures, miss, missingLists, phaseWords } from "../../../web/inspector/words.js";

test("gestures in words", () => {
  const swipe = { gesture: "swipe", name: "page", direction: "up_left", distance_mm: 41.34, velocity_mm_s: 310.2, duration_ms: 133, fingers: 2 };
  assert.equal(gestureName(swipe), "swipe “page”");
  assert.equal(gestureName({ gesture: "tap", name: "tap" }), "tap");
  assert.equal(measures(swipe), "up left · 41.3 mm · 310 mm/s · 133 ms · 2 fingers");
  assert.equal(phaseWords({ phase: "cancel", reason: "multi_touch" }), "cancel (multi touch)");
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
