// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { Editing } from "../../../clients/web/inspector/editing.js";
import { setKey } from "../../../clients/web/inspector/edits.js";

const FILES = [
  { path: "a.toml", text: '[[region]]\nid = "ok"\nz = 1\n' },
  { path: "b.toml", text: '[[region]]\nid = "ok"\nmargin = "1mm"\n' },
];

function opened() {
  const editing = new Editing();
  editing.open(FILES);
  return editing;
}

test("a change goes to the file that has the key, and is undone and done again there", () => {
  const editing = opened();
  editing.editRegion("ok", "margin", (text) => setKey(text, "region", "ok", "margin", "2mm"));
  assert.equal(editing.index, 1);
  const changed = editing.file.text;
  assert.equal(changed, FILES[1].text.replace("1mm", "2mm"));
  editing.show(0);
  editing.undo();
  assert.deepEqual([editing.index, editing.file.text, editing.canUndo, editing.canRedo], [1, FILES[1].text, false, true]);
  editing.redo();
  assert.deepEqual([editing.file.text, editing.canUndo, editing.canRedo], [changed, true, false]);
});

test("a change that throws has no effect, and the error is reported", () => {
  const editing = opened();
  const refused = [];
  editing.onrefuse = ({ message }) => refused.push(message);
  editing.edit((text) => setKey(text, "region", "none", "z", 2));
  assert.deepEqual(refused, ['there is no region "none"']);
  assert.deepEqual([editing.files, editing.canUndo], [FILES, false]);
});

test("an equal text is no change, and other files cannot undo earlier changes", () => {
  const editing = opened();
  editing.set(FILES[0].text);
  assert.equal(editing.canUndo, false);
  editing.set("version = 1 # new\n");
  assert.equal(editing.canUndo, true);
  editing.open(FILES);
  assert.deepEqual([editing.canUndo, editing.canRedo, editing.isNew], [false, false, false]);
  assert.equal(new Editing().isNew, true);
});
