// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import * as toml from "../../../web/inspector/toml.js";

const SITE = `# The site's own file.
version = 1  # of the format

[[region]]          # the button
id = "ok"
shape = { rect = [0, "10%", "40mm", 20] } # to scale
gestures = [
  "press", # first
  { type = "swipe", name = "page", min_distance = "12mm" },
  "tap",
]

# The map
# of the town
[[region]]
id = 'map'
parent = "ok"
shape.edge = "left"
shape.width = "5mm"
[region.defaults.tap]
slop = "4mm"

[[scene]]
id = "shop"
regions = ["ok", "map"]
`;

test("reads values, comments left aside", () => {
  const [ok, map] = toml.tables(SITE, "region");
  assert.deepEqual(ok.data, { id: "ok", shape: { rect: [0, "10%", "40mm", 20] }, gestures: ["press", { type: "swipe", name: "page", min_distance: "12mm" }, "tap"] });
  assert.deepEqual(map.data, { id: "map", parent: "ok", shape: { edge: "left", width: "5mm" }, defaults: { tap: { slop: "4mm" } } });
  assert.deepEqual(toml.read(SITE).scene, [{ id: "shop", regions: ["ok", "map"] }]);
  assert.equal(toml.read(SITE).version, 1);
});

test("reads every configuration of the project, and strings of all kinds", () => {
  const folder = new URL("../../../config/", import.meta.url);
  const files = [new URL("gestured.toml", folder), ...readdirSync(new URL("examples/", folder)).map((name) => new URL(`examples/${name}`, folder))];
  for (const file of files) assert.ok(toml.tables(readFileSync(file, "utf8"), "region").length > 0, file.pathname);
  const strings = `a = "x\\u00e9\\n\\"" # c\nb = '\\n'\nc = """\nlong # no comment\n"""\nd = '''it's'''\n"e f" = [1_000, -2.5, true,]\n`;
  assert.deepEqual(toml.read(strings), { a: 'xé\n"', b: "\\n", c: "long # no comment\n", d: "it's", "e f": [1000, -2.5, true] });
});

test("a mistake has its place", () => {
  for (const [text, line, column] of [["a = \n", 1, 5], ['a = 1\nb = "x\n', 2, 5], ["[[region]\n", 1, 9], ["a = [1 2]", 1, 8], ["a = 1 b", 1, 7]]) {
    assert.throws(() => toml.parse(text), (error) => error instanceof toml.TomlError && error.line === line && error.column === column, text);
  }
});

/** Checks that an edit changes these lines and no others. */
function changes(edit, expected) {
  const [before, after] = [SITE.split("\n"), edit(SITE).split("\n")];
  assert.deepEqual({ removed: before.filter((line) => !after.includes(line)), added: after.filter((line) => !before.includes(line)) }, expected);
}

test("sets one value and keeps all comments", () => {
  changes((text) => toml.setKey(text, "region", "ok", "shape", { rect: [1, 2, 3, 4] }), {
    removed: ['shape = { rect = [0, "10%", "40mm", 20] } # to scale'],
    added: ["shape = { rect = [1, 2, 3, 4] } # to scale"],
  });
  changes((text) => toml.setKey(text, "region", "ok", "margin", "2mm"), { removed: [], added: ['margin = "2mm"'] });
  changes((text) => toml.setKey(text, "region", "map", "margin", "2mm"), { removed: [], added: ['margin = "2mm"'] });
  assert.deepEqual(toml.tables(toml.setKey(SITE, "region", "map", "margin", "2mm"), "region")[1].data.margin, "2mm");
  changes((text) => toml.setKey(text, "region", "map", "parent", undefined), { removed: ['parent = "ok"'], added: [] });
  changes((text) => toml.setKey(text, "region", "map", "shape", "full"), { removed: ['shape.edge = "left"', 'shape.width = "5mm"'], added: ['shape = "full"'] });
  assert.deepEqual(toml.tables(toml.setKey(SITE, "region", "map", "defaults", undefined), "region")[1].data.defaults, undefined);
});

test("sets keys of gestures", () => {
  changes((text) => toml.setGestureKey(text, "ok", "page", "min_distance", "20mm"), {
    removed: ['  { type = "swipe", name = "page", min_distance = "12mm" },'],
    added: ['  { type = "swipe", name = "page", min_distance = "20mm" },'],
  });
  changes((text) => toml.setGestureKey(text, "ok", "page", "max_time", "1s"), {
    removed: ['  { type = "swipe", name = "page", min_distance = "12mm" },'],
    added: ['  { type = "swipe", name = "page", min_distance = "12mm", max_time = "1s" },'],
  });
  changes((text) => toml.setGestureKey(text, "ok", "page", "name", undefined), {
    removed: ['  { type = "swipe", name = "page", min_distance = "12mm" },'],
    added: ['  { type = "swipe", min_distance = "12mm" },'],
  });
  changes((text) => toml.setGestureKey(text, "ok", "press", "progress", "1s"), {
    removed: ['  "press", # first'],
    added: ['  { type = "press", progress = "1s" }, # first'],
  });
  const there = toml.setGestureKey(SITE, "ok", "press", "progress", "1s");
  assert.equal(toml.setGestureKey(there, "ok", "press", "progress", undefined), SITE, "and back to the word");
  assert.equal(toml.setGestureKey(SITE, "ok", "tap", "slop", undefined), SITE);
  assert.throws(() => toml.setGestureKey(SITE, "ok", "pinch", "start", "1mm"), /no gesture "pinch"/);
});

test("adds and removes gestures", () => {
  const names = (text, index = 0) => toml.tables(text, "region")[index].data.gestures?.map(toml.gestureId);
  const added = toml.addGesture(SITE, "ok", { type: "drag", axis: "horizontal" });
  assert.deepEqual(names(added), ["press", "page", "tap", "drag"]);
  assert.ok(added.includes('  "press", # first\n'), added);
  assert.deepEqual(names(toml.addGesture(SITE, "map", "tap"), 1), ["tap"]);
  for (const name of ["press", "page", "tap"]) assert.deepEqual(names(toml.removeGesture(SITE, "ok", name)), ["press", "page", "tap"].filter((other) => other !== name));
  let text = SITE;
  for (const name of ["tap", "press", "page"]) text = toml.removeGesture(text, "ok", name);
  assert.deepEqual(names(text), []);
  assert.deepEqual(names(toml.addGesture(text, "ok", "tap")), ["tap"]);
});

test("a gesture goes with its own comments, and with no other's", () => {
  const text = '[[region]]\nid = "a"\ngestures = [\n  # one\n  "tap", # first\n  # two\n  "press",\n  # three\n  "drag"\n]\n';
  assert.equal(toml.removeGesture(text, "a", "tap"), text.replace('  # one\n  "tap", # first\n', ""));
  assert.equal(toml.removeGesture(text, "a", "press"), text.replace('  # two\n  "press",\n', ""));
  assert.equal(toml.removeGesture(text, "a", "drag"), text.replace('  # three\n  "drag"\n', ""));
  assert.equal(toml.removeGesture('[[region]]\nid = "a"\ngestures = ["tap", "drag"] # both\n', "a", "tap"), '[[region]]\nid = "a"\ngestures = ["drag"] # both\n');
});

test("a new region stands after the others, above what follows", () => {
  const text = toml.addRegion(SITE, { id: "new", shape: { circle: { center: ["50%", "50%"], radius: "9mm" } }, gestures: ["tap"] });
  assert.deepEqual(toml.tables(text, "region").map(({ data }) => data.id), ["ok", "map", "new"]);
  assert.ok(text.indexOf('id = "new"') < text.indexOf("[[scene]]"));
  for (const line of SITE.split("\n")) assert.ok(text.includes(line), line);
  assert.equal(toml.addRegion("version = 1\n", { id: "a" }), 'version = 1\n\n[[region]]\nid = "a"\n');
  assert.equal(toml.addRegion("", { id: "a" }), '[[region]]\nid = "a"\n');
});

test("removes a region with the comment right above it, and nothing else", () => {
  changes((text) => toml.removeRegion(text, "map"), {
    removed: ["# The map", "# of the town", "[[region]]", "id = 'map'", 'parent = "ok"', 'shape.edge = "left"', 'shape.width = "5mm"', "[region.defaults.tap]", 'slop = "4mm"'],
    added: [],
  });
  const first = '# of the file\n[[region]]\nid = "a"\n\n[[region]]\nid = "b"\n';
  assert.equal(toml.removeRegion(first, "a"), '# of the file\n\n[[region]]\nid = "b"\n', "a comment at the begin may be the file's");
});

test("renames a region wherever it is named", () => {
  const text = toml.renameRegion(SITE, "ok", "go");
  assert.deepEqual(toml.tables(text, "region").map(({ data }) => [data.id, data.parent]), [["go", undefined], ["map", "go"]]);
  assert.deepEqual(toml.tables(text, "scene")[0].data.regions, ["go", "map"]);
});

test("ids are found whatever their letters, and values are quoted", () => {
  const text = toml.addRegion("", { id: "größe.1:x", note: 'a"b\\c\u0001' });
  assert.equal(text, '[[region]]\nid = "größe.1:x"\nnote = "a\\"b\\\\c\\u0001"\n');
  assert.deepEqual(toml.tables(text, "region")[0].data, { id: "größe.1:x", note: 'a"b\\c\u0001' });
  assert.deepEqual(Object.keys(toml.read('"__proto__" = 1')), ["__proto__"]);
});

test("lines that end with CR and LF stay so", () => {
  const text = toml.setKey('[[region]]\r\nid = "a"\r\nz = 1\r\n', "region", "a", "margin", "1mm");
  assert.equal(text, '[[region]]\r\nid = "a"\r\nz = 1\r\nmargin = "1mm"\r\n');
});

test("the line of a region", () => {
  assert.equal(toml.lineOf(SITE, "map"), 15);
  assert.equal(toml.lineOf(SITE, "none"), null);
});
