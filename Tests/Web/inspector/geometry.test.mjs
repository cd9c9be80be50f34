// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { bounds, fit, outline, panelSize, projection, snap } from "../../../clients/web/inspector/geometry.js";
import { Layout } from "../../../clients/web/inspector/layout.js";
import { rulerStep } from "../../../clients/web/inspector/rulers.js";

test("a panel of unknown size has 96 pixels per inch", () => {
  assert.equal(panelSize({ width: 960, height: 480 }).widthMm.toFixed(6), "254.000000");
  assert.equal(panelSize({ width: 960, height: 480, width_mm: 300, height_mm: 150 }).widthMm, 300);
  assert.equal(panelSize(undefined).width, 1920);
});

test("a panel is drawn to scale in mm, even if pixels are not square", () => {
  const size = panelSize({ width: 1000, height: 1000, width_mm: 200, height_mm: 100 });
  assert.equal(fit(size, 400, 400), 2);
  const map = projection(size, 2);
  assert.deepEqual([map.width, map.height, map.x(500), map.y(500)], [400, 200, 200, 100]);
  assert.deepEqual(outline({ circle: { center: [500, 500], radius: [100, 200] } }, map), { name: "ellipse", cx: 200, cy: 100, rx: 40, ry: 40 });
  assert.deepEqual(outline({ rect: [0, 10, 100, 20] }, map), { name: "rect", x: 0, y: 2, width: 40, height: 4 });
});

test("bounds of shapes", () => {
  assert.deepEqual(bounds({ circle: { center: [10, 10], radius: [4, 4] } }), [6, 6, 8, 8]);
  assert.deepEqual(bounds({ polygon: [[0, 0], [10, 2], [4, 8]] }), [0, 0, 10, 8]);
});

test("snapping to whole millimetres", () => {
  assert.equal(snap(12.4, 1), 12);
  assert.equal(snap(12.4, 0.5), 12.5);
  assert.equal(snap(12.43, 0), 12.43);
  assert.equal(snap(0.3, 0.1), 0.3);
});

test("marks of a ruler stand apart", () => {
  assert.equal(rulerStep(2, 42), 50);
  assert.equal(rulerStep(10, 7), 1);
});

test("the layout has each region's depth, and whether it lies in a private one", () => {
  const rect = { rect: [0, 0, 1, 1] };
  const devices = [{ device: "a", name: "A", state: "ready", output: { width: 10, height: 10, width_mm: 20, height_mm: 10 } }, { device: "b", state: "refused" }];
  const layout = new Layout(devices, [
    { region: "pin", device: "a", parent: null, shape: rect, private: true, gestures: [] },
    { region: "key", device: "a", parent: "pin", shape: rect, private: false, gestures: [] },
    { region: "round", device: "a", parent: null, shape: { circle: { center: [5, 5], radius: 2 } }, gestures: [] },
    { region: "loop", device: "a", parent: "loop", shape: rect, gestures: [] },
  ]);
  assert.deepEqual(layout.panels.map(({ id }) => id), ["a"]);
  const [pin, key, round] = layout.panels[0].regions;
  assert.deepEqual(round.shape.circle.radius, [2, 4], "a true circle on the glass");
  assert.deepEqual([pin.depth, pin.isSecret, key.depth, key.isSecret], [0, true, 1, true]);
  assert.equal(layout.isWithin("key", "pin"), true);
  assert.equal(layout.isWithin("pin", "key"), false);
  assert.equal(layout.isWithin(undefined, "key"), false);
  assert.equal(layout.isWithin("loop", "x"), false, "a loop ends");
});
