// SPDX-License-Identifier: MIT
// Functions for all files of a configuration. They find the regions, and the file in which to change a region. This module
// does not use the DOM.
import { setGestureKey } from "./edits.js";
import { tables } from "./toml.js";

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
