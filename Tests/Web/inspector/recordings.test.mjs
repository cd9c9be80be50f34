// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileOf, regionsOf, withMasks, withParameter } from "../../../clients/web/inspector/files.js";
import { flickerAdvice, oddCells, Rates, tally } from "../../../clients/web/inspector/figures.js";
import { Recorder } from "../../../clients/web/inspector/recording.js";
import { compare, readReplay } from "../../../clients/web/inspector/replay.js";
import { trialRegions } from "../../../clients/web/inspector/trial.js";

test("a recording is an evemu file with the notes of gesturectl", () => {
  const recorder = new Recorder({
    device: "panel",
    next_contact: 91,
    next_sequence: 871,
    description: { name: "Panel \\ 1 ", phys: "input/ts", id: [24, 1046, 911, 256], properties: [1], keys: [330], axes: [[53, 0, 1919, 0, 0, 10, 7], [0, 0, 1919, 0, 0, 0, 0]], slots: [[1210, 802]], udev: { ID_PATH: "pci 1" } },
  });
  recorder.take({ event: "frame", device: "panel", time_us: 83912044123, events: [[3, 57, -1], [0, 0, 0]], resync: true });
  recorder.take({ event: "frame", device: "other", time_us: 1, events: [[0, 0, 0]] });
  recorder.take({ event: "frame", device: "panel", time_us: 83912060001, events: [], removed: true });
  assert.equal(recorder.frames, 2);
  const lines = recorder.text.split("\n");
  assert.equal(lines[0], "# EVEMU 1.3");
  for (const line of [
    "# gestured: device panel",
    "# gestured: udev ID_PATH pci 1",
    "# gestured: slot 0 1210 802",
    "N: Panel \\x5c 1\\x20",
    "I: 0018 0416 038f 0100",
    "P: 02 00 00 00 00 00 00 00",
    "A: 00 0 1919 0 0 0",
    "A: 35 0 1919 0 0 10",
    "# gestured: value 35 7",
    "E: 83912.044123 0003 0039 -1",
    "# gestured: resync",
    "# gestured: removed 83912.060001",
  ]) assert.ok(lines.includes(line), line);
  assert.equal(lines.filter((line) => line.startsWith("B: 01")).length, 12);
  assert.equal(lines.filter((line) => line.startsWith("B: 01"))[5], "B: 01 00 04 00 00 00 00 00 00", "BTN_TOUCH is bit 330");
  assert.equal(lines.filter((line) => line.startsWith("B: 03"))[0], "B: 03 01 00 00 00 00 00 20 00");
});

const line = (keys) => JSON.stringify({ event: "gesture", device: "p", region: "a", sequence: 1, time_us: 10, ...keys });

test("two replays are compared by what they recognized", () => {
  const tap = line({ gesture: "tap", name: "tap" });
  const swipe = line({ gesture: "swipe", name: "page", time_us: 20 });
  const head = '{"reply":"devices","ok":true,"devices":[]}\n{"reply":"regions","ok":true,"regions":[]}\n';
  const end = '{"reply":"replay","ok":true}\n';
  const before = readReplay(`${head}${tap}\n${tap}\n${end}`);
  const after = readReplay(`${head}${tap}\n${swipe}\n${end}`);
  const { gained, lost } = compare(before, after);
  assert.deepEqual([gained.map(({ name }) => name), lost.map(({ name }) => name)], [["page"], ["tap"]]);
  assert.deepEqual(compare(before, before), { gained: [], lost: [] });
  assert.throws(() => readReplay(`${head}${tap}\n`), /incomplete/);
  assert.throws(() => readReplay('{"reply":"replay","ok":false,"error":{"code":"bad_value","message":"line 3: no"}}\n'), /line 3: no/);
});

test("a parameter is changed in the file that has the gesture", () => {
  const files = [
    { path: "gestured.toml", text: 'version = 1\n[[region]]\nid = "a"\nshape = "full"\ngestures = ["tap"]\n[[region]]\nid = "b"\nshape = "full"\n' },
    { path: "50-site.toml", text: '# mine\n[[region]]\nid = "a"\ngestures = ["swipe"] # all\n[[region]]\nid = "b"\nenabled = false\n' },
  ];
  assert.deepEqual(regionsOf(files).map(({ data }) => [data.id, data.shape]), [["a", "full"]]);
  assert.deepEqual(["gestures", "shape", "margin"].map((key) => fileOf(files, "a", key)), [1, 0, 1]);
  assert.equal(fileOf(files, "none", "shape"), -1);
  const changed = withParameter(files, "a", "swipe", "max_time", "1000ms");
  assert.equal(changed[0], files[0]);
  assert.equal(changed[1].text, files[1].text.replace('["swipe"]', '[{ type = "swipe", max_time = "1000ms" }]'));
});

test("regions are tried under names of their own", () => {
  const text = '[[region]]\nid = "a"\nshape = "full"\ngestures = [{ type = "pattern", steps = ["tap b", "tap other"] }]\n[[region]]\nid = "b"\nparent = "a"\nshape = "full"\ntouches = "hold"\nenabled = true\n[[region]]\nid = "c"\nenabled = false\nshape = "full"\n';
  assert.deepEqual(trialRegions(regionsOf([{ path: "a.toml", text }]), "app.try."), [
    { id: "app.try.a", shape: "full", gestures: [{ type: "pattern", steps: ["tap app.try.b", "tap other"] }] },
    { id: "app.try.b", parent: "app.try.a", shape: "full", touches: "hold" },
  ]);
});

test("rates start again with another daemon", () => {
  const rates = new Rates(["frames"]);
  rates.add({ frames: 100 }, "a", 1000);
  rates.add({ frames: 160 }, "a", 1500);
  rates.add({ frames: 5 }, "b", 2000);
  rates.add({ frames: 10 }, "b", 3000);
  assert.deepEqual(rates.points.map(({ values }) => values), [[120], [5]]);
  rates.add({ frames: 10 }, "b", 64_000);
  assert.equal(rates.points.length, 1, "a minute is kept");
});

test("cells that differ from their neighbours", () => {
  const counts = new Array(25).fill(5);
  assert.deepEqual(oddCells({ counts, columns: 5, rows: 5 }), []);
  counts[6] = 0;
  counts[18] = 90;
  assert.deepEqual(oddCells({ counts, columns: 5, rows: 5 }), [{ column: 1, row: 1, count: 0, kind: "dead" }, { column: 3, row: 3, count: 90, kind: "noisy" }]);
  const isButton = (column, row) => column === 3 && row === 3;
  assert.deepEqual(oddCells({ counts, columns: 5, rows: 5 }, isButton).map(({ kind }) => kind), ["dead"], "a busy button is no noise");
  assert.deepEqual(oddCells({ counts: [0, 0, 0, 11], columns: 2, rows: 2 }), [], "few landings are not significant");
});

test("tallies", () => {
  assert.equal(tally({ tap: 2, two_finger_tap: 9, drag: 0 }), "two finger tap 9, tap 2");
});

test("a panel that loses fingers gets advice", () => {
  const count = { device: "panel", contacts: 300, flickers: 3 };
  assert.equal(
    flickerAdvice(count),
    'The panel panel lost a finger for a moment 3 times in 300 contacts. Add bridge = "80ms" to [filter], or filter = { bridge = "80ms" } to the panel’s [[device]].',
  );
  assert.equal(flickerAdvice({ ...count, contacts: 301 }), null, "less than 1 %");
  assert.equal(flickerAdvice({ ...count, contacts: 20, flickers: 2 }), null, "fewer than three");
  assert.equal(flickerAdvice({ device: "panel", contacts: 0 }), null, "an earlier daemon");
});

test("masks are added to the panel's filter, and none is lost", () => {
  const panel = { id: "left@event5", name: "A panel" };
  const added = '["10mm", "5mm", "5mm", "5mm"]';
  const text = (files) => withMasks(files.map((text) => ({ path: "a.toml", text })), panel, [[10, 5, 5, 5]]);
  assert.deepEqual(text(['version = 1\n[filter]\nmask = [[0, 0, 9, 9]]\n']), {
    index: 0,
    text: `version = 1\n[filter]\nmask = [[0, 0, 9, 9]]\n\n[[device]]\nid = "left"\nmatch = { name = "A panel" }\nfilter = { mask = [[0, 0, 9, 9], ${added}] }\n`,
  });
  const device = (filter) => `[[device]]\nid = "left"\n${filter}\n`;
  assert.deepEqual(text([device("ignore = false"), device('filter = { bridge = "80ms", mask = [[1, 2, 3, 4]] }'), device("# later")]), {
    index: 1,
    text: device(`filter = { bridge = "80ms", mask = [[1, 2, 3, 4], ${added}] }`),
  });
  assert.deepEqual(text([device("match = {}")]).text, device(`match = {}\nfilter = { mask = [${added}] }`));
});
