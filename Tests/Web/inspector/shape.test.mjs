// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { drag, express, handles, move, outputFrame, rectangle, resolve, resolveAll, surrounding } from "../../../clients/web/inspector/shape.js";

// The density of pixels along y is twice that along x.
const size = { width: 1000, height: 1000, widthMm: 200, heightMm: 100 };
const frame = outputFrame(size);

test("shapes in all units become pixels", () => {
  assert.deepEqual(resolve("full", frame), { rect: [0, 0, 1000, 1000] });
  assert.deepEqual(resolve({ rect: [10, "10%", "20mm", "20mm"] }, frame), { rect: [10, 100, 100, 200] });
  assert.deepEqual(resolve({ circle: { center: ["50%", "50px"], radius: "10mm" } }, frame), { circle: { center: [500, 50], radius: [50, 100] } });
  // The shorter side of the panel is 100 mm, so 10 % are 10 mm.
  assert.deepEqual(resolve({ circle: { center: [0, 0], radius: "10%" } }, frame).circle.radius, [50, 100]);
  assert.deepEqual(resolve({ polygon: [[0, 0], ["100%", 0], [0, "-5px"]] }, frame), { polygon: [[0, 0], [1000, 0], [0, -5]] });
  assert.throws(() => resolve({ rect: [0, 0, "wide", 1] }, frame), /not a length/);
  assert.throws(() => resolve({}, frame), /a shape is/);
});

test("edges are strips along a side, measured from the left or upper end", () => {
  assert.deepEqual(resolve({ edge: "left", width: "5mm", from: "25%", to: "75%" }, frame), { rect: [0, 250, 25, 500] });
  assert.deepEqual(resolve({ edge: "right", width: "5mm" }, frame), { rect: [975, 0, 25, 1000] });
  assert.deepEqual(resolve({ edge: "top", width: "5mm" }, frame), { rect: [0, 0, 1000, 50] });
  assert.deepEqual(resolve({ edge: "bottom", width: 10, to: "50%" }, frame), { rect: [0, 990, 500, 10] });
});

test("children lie in the box of their parent, in any order of the file", () => {
  const tables = [
    { data: { id: "child", parent: "outer", shape: { rect: ["50%", "50%", "50%", "50%"] } } },
    { data: { id: "outer", shape: { rect: [100, 100, 200, 200] } } },
    { data: { id: "lost", parent: "nobody", shape: "full" } },
    { data: { id: "wrong", shape: { rect: ["x", 0, 1, 1] } } },
    { data: { id: "circle", parent: "circle", shape: "full" } },
  ];
  assert.deepEqual(resolveAll(tables, size).map(({ data, shape }) => [data.id, shape]), [["child", { rect: [200, 200, 100, 100] }], ["outer", { rect: [100, 100, 200, 200] }]]);
});

test("a shape that is written back keeps its units", () => {
  const inner = { box: [100, 100, 200, 200], size };
  for (const shape of [
    { rect: [10, "10%", "20mm", "20mm"] },
    { rect: ["-5px", "12.5%", "20.5mm", 7] },
    { circle: { center: ["50%", "5mm"], radius: "9mm" } },
    { circle: { center: [0, 0], radius: "12.5%" } },
    { polygon: [["10%", "20%"], ["90%", 20], ["5mm", "95%"]] },
    { edge: "left", width: "5mm", from: "25%", to: "75%" },
    { edge: "bottom", width: "5%" },
  ]) {
    assert.deepEqual(express(resolve(shape, frame), frame, shape), shape);
    assert.deepEqual(express(resolve(shape, inner), inner, shape), shape);
  }
});

test("a new shape is in millimetres", () => {
  assert.deepEqual(express({ rect: [10, 20, 100, 200] }, frame), { rect: ["2mm", "2mm", "20mm", "20mm"] });
  assert.deepEqual(express({ rect: [0, 0, 1000, 1000] }, frame, "full"), { rect: ["0mm", "0mm", "200mm", "100mm"] });
  assert.deepEqual(express({ circle: { center: [50, 100], radius: [25, 50] } }, frame), { circle: { center: ["10mm", "10mm"], radius: "5mm" } });
});

test("moving and resizing", () => {
  assert.deepEqual(move({ polygon: [[0, 0], [1, 0], [0, 1]] }, 5, -1), { polygon: [[5, -1], [6, -1], [5, 0]] });
  assert.deepEqual(drag({ rect: [0, 0, 10, 10] }, 0, [2, 3]), { rect: [2, 3, 8, 7] });
  assert.deepEqual(drag({ rect: [0, 0, 10, 10] }, 1, [4, 20]), { rect: [0, 10, 4, 10] }, "over the opposite corner");
  assert.deepEqual(drag({ circle: { center: [10, 10], radius: [4, 8] } }, 0, [16, 10]), { circle: { center: [10, 10], radius: [6, 12] } });
  assert.deepEqual(drag({ polygon: [[0, 0], [1, 0], [0, 1]] }, 2, [3, 3]), { polygon: [[0, 0], [1, 0], [3, 3]] });
  assert.equal(handles({ rect: [0, 0, 1, 1] }).length, 4);
  assert.deepEqual(rectangle([5, 5], [5, 9]), [5, 5, 1, 4], "never empty");
});

test("around a shape lies the smallest region that contains it, but none inside it", () => {
  const tables = [
    { data: { id: "screen", shape: "full" } },
    { data: { id: "list", shape: { rect: [100, 100, 500, 500] } } },
    { data: { id: "inner", parent: "list", shape: { rect: [0, 0, 400, 400] } } },
    { data: { id: "round", shape: { circle: { center: [800, 800], radius: 50 } } } },
    { data: { id: "corner", shape: { polygon: [[0, 600], [100, 1000], [0, 1000]] } } },
  ];
  const regions = resolveAll(tables, size);
  const around = (id, ...rect) => surrounding(id, { rect }, regions)?.data.id ?? null;
  assert.equal(around("new", 120, 120, 50, 50), "inner");
  assert.equal(around("new", 520, 120, 50, 50), "list");
  assert.equal(around("new", 590, 120, 50, 50), "screen", "it juts out of the list");
  assert.equal(around("inner", 100, 100, 400, 400), "list");
  assert.equal(around("list", 120, 120, 50, 50), "screen", "a region cannot be the child of its own child");
  assert.equal(around("screen", 0, 0, 1000, 1000), null);
  assert.equal(around("new", 790, 790, 20, 20), "round");
  assert.equal(around("new", 752, 702, 20, 20), "screen", "the corner of a circle's box is outside it");
  assert.equal(around("new", 10, 900, 20, 20), "corner");
  assert.equal(around("new", 80, 650, 10, 10), "screen");
});
