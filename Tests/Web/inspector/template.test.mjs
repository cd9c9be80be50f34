// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";

import { strokeText, template } from "../../../web/inspector/template.js";

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

test("the gesture is written as in the configuration", () => {
  assert.equal(strokeText("vee", [[[0, 0], [25, 100]]]), '{ type = "stroke", name = "vee", points = [[0, 0], [25, 100]] }');
  assert.equal(strokeText("vee", [[[0, 0], [100, 100]], [[0, 0], [100, 90]]]), '{ type = "stroke", name = "vee", points = [[[0, 0], [100, 100]], [[0, 0], [100, 90]]] }');
});
