// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { format, isNumeric, kinds, parameters, quantity, regionKeys, requiredKeys, sliderRange } from "../../../clients/web/inspector/schema.js";

const schema = JSON.parse(readFileSync(new URL("../../../config/config.schema.json", import.meta.url), "utf8"));
const field = (kind, key) => parameters(schema, kind).find((parameter) => parameter.key === key);

test("every gesture of the schema has its parameters", () => {
  assert.ok(kinds(schema).includes("pattern"));
  for (const kind of kinds(schema)) {
    for (const parameter of parameters(schema, kind)) {
      assert.match(parameter.type, /^(time|length|speed|flag|choice|choices|number|list|text|id|points)$/, `${kind}.${parameter.key}`);
      assert.notEqual(parameter.description, "", `${kind}.${parameter.key}`);
    }
  }
  assert.deepEqual(field("swipe", "max_time").type, "time");
  assert.deepEqual(field("swipe", "directions").choices.length, 8);
  assert.equal(field("chain", "path").type, "list", "directions in an order, which may repeat");
  assert.equal(field("swipe", "max_deviation").type, "number", "a number or off");
  assert.equal(field("tap", "inside").type, "flag");
  assert.equal(field("tap", "action").type, "id", "a number in it stays a text");
  assert.equal(field("stroke", "points").type, "points", "a template or several");
  assert.ok(regionKeys(schema).some(({ key, type }) => key === "margin" && type === "length"));
});

test("a new gesture has the keys that its type requires", () => {
  for (const kind of kinds(schema)) {
    const keys = ["type", ...Object.keys(requiredKeys(kind, "screen"))];
    assert.deepEqual(keys, schema.definitions[`gesture_${kind}`].required, kind);
  }
});

test("quantities", () => {
  const time = field("swipe", "max_time");
  assert.deepEqual(quantity(time, "1.5s"), { number: 1500, unit: "ms" });
  assert.deepEqual(quantity(field("tap", "slop"), "3mm"), { number: 3, unit: "mm" });
  assert.deepEqual(quantity(field("swipe", "min_velocity"), "80mm/s"), { number: 80, unit: "mm/s" });
  assert.deepEqual(quantity(field("tap", "count"), 2), { number: 2, unit: "" });
  assert.equal(quantity(field("tap", "max_lift_spread"), "off"), null);
  assert.equal(quantity(time, "3mm"), null);
  assert.equal(format({ number: 1500, unit: "ms" }), "1500ms");
  assert.equal(format({ number: 2, unit: "" }), 2);
});

test("a slider has room around each default, within the limits", () => {
  for (const kind of kinds(schema)) {
    for (const parameter of parameters(schema, kind).filter(isNumeric)) {
      const value = quantity(parameter, parameter.default);
      if (!value) continue;
      const { minimum, maximum, step } = sliderRange(parameter, value);
      assert.ok(minimum <= value.number && value.number <= maximum && step > 0, `${kind}.${parameter.key}`);
      assert.ok(maximum <= (parameter.maximum ?? Infinity), `${kind}.${parameter.key}`);
    }
  }
});
