// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { regionsText } from "../../../clients/web/inspector/daemon-regions.js";
import { Editing } from "../../../clients/web/inspector/editing.js";
import { regionsOf } from "../../../clients/web/inspector/files.js";
import { Layout } from "../../../clients/web/inspector/layout.js";
import { resolveAll } from "../../../clients/web/inspector/shape.js";

const DEVICE = { device: "panel", name: "a panel", state: "ready", output: { width: 1000, height: 500, width_mm: 200, height_mm: 50 } };
const region = (id, shape, keys = {}) => ({ region: id, device: "panel", parent: null, z: 0, shape, margin: 0, pass: false, enabled: true, private: false, gestures: [], ...keys });
const panelOf = (...regions) => new Layout([DEVICE], regions).panels[0];

test("regions are written where the daemon has them, inside their parents", () => {
  const panel = panelOf(
    region("list", { rect: [100, 50, 600, 400] }),
    region('a "row"', { rect: [120, 60, 100, 40] }, { parent: "list", margin: 12.5, pass: true, private: true, contacts: "each" }),
    region("dial", { circle: { center: [300, 200], radius: 40 } }, { parent: "list", enabled: false }),
    region("arrow", { polygon: [[0, 0], [10, 0], [5, 9]] }, { gestures: [{ gesture: "tap", name: "tap" }, { gesture: "swipe", name: "page" }, { gesture: "pattern", name: "code" }] }),
  );
  const tables = regionsOf([{ text: regionsText(panel) }]);
  assert.deepEqual(tables.map(({ data }) => data), [
    { id: "list", shape: { rect: [100, 50, 600, 400] }, gestures: [] },
    { id: 'a "row"', parent: "list", shape: { rect: [20, 10, 100, 40] }, margin: 12.5, pass: true, private: true, contacts: "each", gestures: [] },
    { id: "dial", parent: "list", shape: { circle: { center: [200, 150], radius: 40 } }, gestures: [] },
    { id: "arrow", shape: { polygon: [[0, 0], [10, 0], [5, 9]] }, gestures: ["tap", { type: "swipe", name: "page" }] },
  ]);
  assert.deepEqual(resolveAll(tables, panel.size).map(({ shape }) => shape), panel.regions.map(({ shape }) => shape));
});

test("a region whose parent is not reported is written without it", () => {
  const [{ data }] = regionsOf([{ text: regionsText(panelOf(region("ok", { rect: [1, 2, 3, 4] }, { parent: "hidden" }))) }]);
  assert.deepEqual([data.parent, data.shape], [undefined, { rect: [1, 2, 3, 4] }]);
});

test("a text that nobody has changed may be replaced", () => {
  const editing = new Editing();
  editing.start("version = 1\n# regions\n");
  assert.deepEqual([editing.isNew, editing.canUndo], [true, false]);
  editing.set("version = 1\n");
  assert.equal(editing.isNew, false);
  editing.undo();
  assert.equal(editing.isNew, true);
});
