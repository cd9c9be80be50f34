// SPDX-License-Identifier: MIT
// Functions for all files of a configuration. They find the regions, and the file in which to change a region. This module
// does not use the DOM.
import { setGestureKey, setKey } from "./edits.js";
import { read, tables, write } from "./toml.js";

/** @typedef {{path: string, text: string}} File */

/** Returns the regions of all files, merged by id as the daemon merges them. Disabled regions are omitted. */
export function regionsOf(files) {
  const regions = new Map();
  for (const { text } of files) {
    for (const { data } of tables(text, "region")) regions.set(data.id, { data: { ...regions.get(data.id)?.data, ...data } });
  }
  return [...regions.values()].filter(({ data }) => data.enabled !== false);
}

/** Returns the index of the file in which to change a key of a region: the last file that sets the key, or else the last file with the region. */
export function fileOf(files, region, key) {
  const found = files.map(({ text }) => tables(text, "region").find(({ data }) => data.id === region)?.data);
  const withKey = found.findLastIndex((data) => data !== undefined && Object.hasOwn(data, key));
  return withKey >= 0 ? withKey : found.findLastIndex((data) => data !== undefined);
}

/** Returns a copy of the files with a changed parameter of a gesture. It is set in the file that defines the gesture. */
export function withParameter(files, region, gesture, key, value) {
  const index = fileOf(files, region, "gestures");
  return files.map((file, other) => (other === index ? { ...file, text: setGestureKey(file.text, region, gesture, key, value) } : file));
}

/**
 * Adds masks to the filter of a panel: in its `[[device]]`, or in a new one. Masks that are there stay, also those of `[filter]`,
 * which the ones of a `[[device]]` replace.
 * @param {{id: string, name: string}} panel
 * @param {number[][]} masks The left and top sides, the widths and the heights in millimetres.
 * @returns {{index: number, text: string}} The file to change, and its new text.
 */
export function withMasks(files, panel, masks) {
  // Panels that share a [[device]] have its id, and their nodes.
  const [id] = panel.id.split("@");
  const rules = files.map(({ text }) => tables(text, "device").find(({ data }) => data.id === id)?.data);
  const last = (filters) => filters.findLast((filter) => filter?.mask)?.mask;
  const old = last(rules.map((rule) => rule?.filter)) ?? last(files.map(({ text }) => read(text).filter)) ?? [];
  const mask = [...old, ...masks.map((sides) => sides.map((side) => `${side}mm`))];
  const withFilter = rules.findLastIndex((rule) => rule?.filter !== undefined);
  const index = withFilter >= 0 ? withFilter : rules.findLastIndex((rule) => rule !== undefined);
  if (index >= 0) return { index, text: setKey(files[index].text, "device", id, "filter", { ...rules[index].filter, mask }) };
  const { text } = files.at(-1);
  const table = ["[[device]]", `id = ${write(id)}`, `match = ${write({ name: panel.name })}`, `filter = ${write({ mask })}`, ""].join("\n");
  return { index: files.length - 1, text: `${text.trimEnd()}\n\n${table}` };
}
