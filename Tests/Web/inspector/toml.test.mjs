// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import * as toml from "../../../clients/web/inspector/toml.js";
import { SITE } from "./site.mjs";

test("reads values without comments", () => {
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

test("a mistake has its position", () => {
  for (const [text, line, column] of [["a = \n", 1, 5], ['a = 1\nb = "x\n', 2, 5], ["[[region]\n", 1, 9], ["a = [1 2]", 1, 8], ["a = 1 b", 1, 7]]) {
    assert.throws(() => toml.parse(text), (error) => error instanceof toml.TomlError && error.line === line && error.column === column, text);
  }
});
