// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { arrange } from "../../../clients/web/inspector/timeline-rows.js";

const item = (from, to, name = 40) => ({ from, to, nameEnd: name === 0 ? from : from + name });
const places = (items, rows = 2) => arrange(items, rows).map(({ row, isNamed }) => `${row}${isNamed ? " named" : ""}`);

test("a gesture gets the first row in which it covers nothing", () => {
  assert.deepEqual(places([item(0, 6), item(20, 26), item(60, 66)]), ["0 named", "1 named", "0 named"]);
});

test("a name gives way to a later gesture if all rows are taken", () => {
  assert.deepEqual(places([item(0, 6), item(5, 11), item(20, 26)]), ["0", "1 named", "0 named"]);
});

test("over a bar there is no name", () => {
  assert.deepEqual(places([item(0, 500), item(1, 400), item(100, 106)]), ["0 named", "1 named", "1"]);
  assert.deepEqual(places([item(0, 500), item(1, 400), item(20, 26)]), ["0 named", "1", "1"], "nor is the bar's name covered");
});

test("a gesture without a name leaves room for others", () => {
  assert.deepEqual(places([item(0, 6, 0), item(12, 18)], 1), ["0", "0 named"]);
});

test("no name is covered, however many gestures there are", () => {
  let seed = 1;
  const random = (limit) => (seed = (seed * 16807) % 2147483647) % limit;
  for (let round = 0; round < 200; round++) {
    const items = Array.from({ length: 30 }, () => ({ from: random(400), length: random(3) === 0 ? random(150) : 6, name: random(2) * 50 }))
      .sort((a, b) => a.from - b.from)
      .map(({ from, length, name }) => item(from, from + length, name));
    const found = arrange(items, 3);
    for (const [index, { row, isNamed }] of found.entries()) {
      const later = items.filter((_, other) => other > index && found[other].row === row);
      if (isNamed) assert.ok(later.every(({ from }) => from >= items[index].nameEnd), "a later gesture covers the name");
    }
  }
});
