// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { addGesture, addRegion, removeGesture, removeRegion, renameRegion, setGestureKey, setKey } from "../../../clients/web/inspector/edits.js";
import { gestureId } from "../../../clients/web/inspector/gesture.js";
import { read, tables } from "../../../clients/web/inspector/toml.js";
import { SITE } from "./site.mjs";

/** Checks that an edit changes exactly these lines. */
function changes(edit, expected) {
  const [before, after] = [SITE.split("\n"), edit(SITE).split("\n")];
  assert.deepEqual({ removed: before.filter((line) => !after.includes(line)), added: after.filter((line) => !before.includes(line)) }, expected);
}

test("sets one value and keeps all comments", () => {
  changes((text) => setKey(text, "region", "ok", "shape", { rect: [1, 2, 3, 4] }), {
    removed: ['shape = { rect = [0, "10%", "40mm", 20] } # to scale'],
    added: ["shape = { rect = [1, 2, 3, 4] } # to scale"],
  });
  changes((text) => setKey(text, "region", "ok", "margin", "2mm"), { removed: [], added: ['margin = "2mm"'] });
  changes((text) => setKey(text, "region", "map", "margin", "2mm"), { removed: [], added: ['margin = "2mm"'] });
  assert.deepEqual(tables(setKey(SITE, "region", "map", "margin", "2mm"), "region")[1].data.margin, "2mm");
  changes((text) => setKey(text, "region", "map", "parent", undefined), { removed: ['parent = "ok"'], added: [] });
  changes((text) => setKey(text, "region", "map", "shape", "full"), { removed: ['shape.edge = "left"', 'shape.width = "5mm"'], added: ['shape = "full"'] });
  assert.deepEqual(tables(setKey(SITE, "region", "map", "defaults", undefined), "region")[1].data.defaults, undefined);
});

test("sets keys of gestures", () => {
  changes((text) => setGestureKey(text, "ok", "page", "min_distance", "20mm"), {
    removed: ['  { type = "swipe", name = "page", min_distance = "12mm" },'],
    added: ['  { type = "swipe", name = "page", min_distance = "20mm" },'],
  });
  changes((text) => setGestureKey(text, "ok", "page", "max_time", "1s"), {
    removed: ['  { type = "swipe", name = "page", min_distance = "12mm" },'],
    added: ['  { type = "swipe", name = "page", min_distance = "12mm", max_time = "1s" },'],
  });
  changes((text) => setGestureKey(text, "ok", "page", "name", undefined), {
    removed: ['  { type = "swipe", name = "page", min_distance = "12mm" },'],
    added: ['  { type = "swipe", min_distance = "12mm" },'],
  });
  changes((text) => setGestureKey(text, "ok", "press", "progress", "1s"), {
    removed: ['  "press", # first'],
    added: ['  { type = "press", progress = "1s" }, # first'],
  });
  const there = setGestureKey(SITE, "ok", "press", "progress", "1s");
  assert.equal(setGestureKey(there, "ok", "press", "progress", undefined), SITE, "and back to the word");
  assert.equal(setGestureKey(SITE, "ok", "tap", "slop", undefined), SITE);
  assert.throws(() => setGestureKey(SITE, "ok", "pinch", "start", "1mm"), /no gesture "pinch"/);
});

test("adds and removes gestures", () => {
  const names = (text, index = 0) => tables(text, "region")[index].data.gestures?.map(gestureId);
  const added = addGesture(SITE, "ok", { type: "drag", axis: "horizontal" });
  assert.deepEqual(names(added), ["press", "page", "tap", "drag"]);
  assert.ok(added.includes('  "press", # first\n'), added);
  assert.deepEqual(names(addGesture(SITE, "map", "tap"), 1), ["tap"]);
  for (const name of ["press", "page", "tap"]) assert.deepEqual(names(removeGesture(SITE, "ok", name)), ["press", "page", "tap"].filter((other) => other !== name));
  let text = SITE;
  for (const name of ["tap", "press", "page"]) text = removeGesture(text, "ok", name);
  assert.deepEqual(names(text), []);
  assert.deepEqual(names(addGesture(text, "ok", "tap")), ["tap"]);
});

test("a gesture is removed with its own comments, but not with those of others", () => {
  const text = '[[region]]\nid = "a"\ngestures = [\n  # one\n  "tap", # first\n  # two\n  "press",\n  # three\n  "drag"\n]\n';
  assert.equal(removeGesture(text, "a", "tap"), text.replace('  # one\n  "tap", # first\n', ""));
  assert.equal(removeGesture(text, "a", "press"), text.replace('  # two\n  "press",\n', ""));
  assert.equal(removeGesture(text, "a", "drag"), text.replace('  # three\n  "drag"\n', ""));
  assert.equal(removeGesture('[[region]]\nid = "a"\ngestures = ["tap", "drag"] # both\n', "a", "tap"), '[[region]]\nid = "a"\ngestures = ["drag"] # both\n');
});

test("a new region comes after the other regions, before later tables", () => {
  const text = addRegion(SITE, { id: "new", shape: { circle: { center: ["50%", "50%"], radius: "9mm" } }, gestures: ["tap"] });
  assert.deepEqual(tables(text, "region").map(({ data }) => data.id), ["ok", "map", "new"]);
  assert.ok(text.indexOf('id = "new"') < text.indexOf("[[scene]]"));
  for (const line of SITE.split("\n")) assert.ok(text.includes(line), line);
  assert.equal(addRegion("version = 1\n", { id: "a" }), 'version = 1\n\n[[region]]\nid = "a"\n');
  assert.equal(addRegion("", { id: "a" }), '[[region]]\nid = "a"\n');
});

test("removes a region with the comment right above it, and nothing else", () => {
  changes((text) => removeRegion(text, "map"), {
    removed: ["# The map", "# of the town", "[[region]]", "id = 'map'", 'parent = "ok"', 'shape.edge = "left"', 'shape.width = "5mm"', "[region.defaults.tap]", 'slop = "4mm"'],
    added: [],
  });
  const first = '# of the file\n[[region]]\nid = "a"\n\n[[region]]\nid = "b"\n';
  assert.equal(removeRegion(first, "a"), '# of the file\n\n[[region]]\nid = "b"\n', "a comment at the start of the file may belong to the file");
});

test("renames a region wherever it is named", () => {
  const text = renameRegion(SITE, "ok", "go");
  assert.deepEqual(tables(text, "region").map(({ data }) => [data.id, data.parent]), [["go", undefined], ["map", "go"]]);
  assert.deepEqual(tables(text, "scene")[0].data.regions, ["go", "map"]);
});

test("ids are found whatever characters they contain, and values are quoted", () => {
  const text = addRegion("", { id: "größe.1:x", note: 'a"b\\c\u0001' });
  assert.equal(text, '[[region]]\nid = "größe.1:x"\nnote = "a\\"b\\\\c\\u0001"\n');
  assert.deepEqual(tables(text, "region")[0].data, { id: "größe.1:x", note: 'a"b\\c\u0001' });
  assert.deepEqual(Object.keys(read('"__proto__" = 1')), ["__proto__"]);
});

test("lines that end with CR and LF stay so", () => {
  const text = setKey('[[region]]\r\nid = "a"\r\nz = 1\r\n', "region", "a", "margin", "1mm");
  assert.equal(text, '[[region]]\r\nid = "a"\r\nz = 1\r\nmargin = "1mm"\r\n');
});
