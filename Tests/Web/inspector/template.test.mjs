// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { score, strokeText, template, unlike } from "../../../clients/web/inspector/template.js";

const line = (from, to, count) => Array.from({ length: count }, (_, i) => [0, 1].map((axis) => from[axis] + ((to[axis] - from[axis]) * i) / count));

test("a drawn path becomes its corners, from 0 to 100 along the longer side", () => {
  const vee = [...line([10, 20], [20, 60], 40), ...line([20, 60], [30, 20], 40), [30, 20]];
  assert.deepEqual(template(vee), [[0, 0], [25, 100], [50, 0]]);
});

test("tremble is left out, and a curve has at most 16 points", () => {
  const trembling = line([0, 0], [100, 0], 200).map(([x, y], i) => [x, y + (i % 2) * 0.3]);
  assert.equal(template([...trembling, [100, 0]]).length, 2);
  const spiral = Array.from({ length: 400 }, (_, i) => [Math.cos(i / 20) * (400 - i), Math.sin(i / 20) * (400 - i)]);
  assert.equal(template(spiral).length, 16);
});

test("a path without extent has no template", () => {
  assert.equal(template([[5, 5]]), null);
  assert.equal(template([[5, 5], [5, 5]]), null);
});

test("a score is that of the engine", () => {
  const vee = [[0, 0], [1, 2], [2, 0]];
  assert.equal(score(vee, vee).toFixed(3), "1.000");
  assert.equal(score([[0, 0], [1, 0]], [[1, 0], [0, 0]]), 0);
  assert.equal(score([[0, 0], [20, 0], [20, 20], [0, 20], [0, 0]], vee.map(([x, y]) => [y, x])) < 0.7, true);
  assert.equal(score([[60, 30], [70, 50], [80, 32]], vee).toFixed(4), "0.9507");
});

test("a closed shape may start anywhere and go either way", () => {
  const square = [[0, 0], [10, 0], [10, 10], [0, 10], [0, 0]];
  const other = [[10, 10], [10, 0], [0, 0], [0, 10], [10, 10]];
  assert.ok(score(other, square) > 0.99);
  assert.ok(score([[0, 0], [10, 0], [10, 10], [0, 10], [0, 5.3]], [[10, 10], [0, 10], [0, 5.3], [0, 0], [10, 0]]) < 0.7);
  assert.deepEqual(unlike([square, other]), []);
});

test("drawings that differ are named", () => {
  const [vee, line] = [[[0, 0], [50, 100], [100, 0]], [[0, 0], [100, 2]]];
  assert.deepEqual(unlike([vee]), []);
  assert.deepEqual(unlike([vee, vee]), []);
  const [said, ...rest] = unlike([vee, vee, line]);
  const schema = JSON.parse(readFileSync(new URL("../../../config/config.schema.json", import.meta.url)));
  const least = schema.definitions.gesture_stroke.properties.min_score.default;
  assert.match(said, /^Drawing 3 scores 0\.\d\d with the others, and min_score is .*; draw them more alike\.$/);
  assert.ok(said.includes(`min_score is ${least};`), said);
  assert.deepEqual(rest, []);
});

test("the gesture is written as in the configuration", () => {
  assert.equal(strokeText("vee", [[[0, 0], [25, 100]]]), '{ type = "stroke", name = "vee", points = [[0, 0], [25, 100]] }');
  assert.equal(strokeText("vee", [[[0, 0], [100, 100]], [[0, 0], [100, 90]]]), '{ type = "stroke", name = "vee", points = [[[0, 0], [100, 100]], [[0, 0], [100, 90]]] }');
});
