// SPDX-License-Identifier: MIT
// The files of a configuration as one: which of them has a region, and changes in it. No page is needed here.
import * as toml from "./toml.js";

/** @typedef {{path: string, text: string}} File */

/** The regions of all files, merged by id as the daemon does. */
export function regionsOf(files) {
  const regions = new Map();
  for (const { text } of files) {
    for (const { data } of toml.tables(text, "region")) regions.set(data.id, { data: { ...regions.get(data.id)?.data, ...data } });
  }
  return [...regions.values()].filter(({ data }) => data.enabled !== false);
}

/** The file in which a key of a region counts: the last one that has it, otherwise the last one that has the region. */
export function fileOf(files, region, key) {
  const found = files.map(({ text }) => toml.tables(text, "region").find(({ data }) => data.id === region)?.data);
  const withKey = found.findLastIndex((data) => data !== undefined && Object.hasOwn(data, key));
  return withKey >= 0 ? withKey : found.findLastIndex((data) => data !== undefined);
}

/** The value of a gesture's parameter: its own, or undefined. */
export function parameterOf(gesture, key) {
  return typeof gesture === "string" ? undefined : gesture[key];
}

/** The files with a parameter of a gesture changed in the one that has it. */
export function withParameter(files, region, gesture, key, value) {
  const index = fileOf(files, region, "gestures");
  return files.map((file, other) => (other === index ? { ...file, text: toml.setGestureKey(file.text, region, gesture, key, value) } : file));
}
