// SPDX-License-Identifier: MIT
// The files of a configuration as one: which of them has a region, and changes in it. No page is needed here.
import * as toml from "./toml.js";

/** @typedef {{path: string, text: string}} File */

/** The regions of all files, merged by id as the daemon does; `file` is the last one that has the key `gestures`. */
export function regionsOf(files) {
  const regions = new Map();
  files.forEach(({ text }, index) => {
    for (const { data } of toml.tables(text, "region")) {
      const earlier = regions.get(data.id);
      const file = data.gestures !== undefined || !earlier ? index : earlier.file;
      regions.set(data.id, { data: { ...earlier?.data, ...data }, file });
    }
  });
  return [...regions.values()].filter(({ data }) => data.enabled !== false);
}

/** The value of a gesture's parameter: its own, or undefined. */
export function parameterOf(gesture, key) {
  return typeof gesture === "string" ? undefined : gesture[key];
}

/** The files with a parameter of a gesture changed in the one that has it. */
export function withParameter(files, region, gesture, key, value) {
  const found = regionsOf(files).find(({ data }) => data.id === region);
  if (!found) throw new Error(`there is no region "${region}"`);
  return files.map((file, index) => (index === found.file ? { ...file, text: toml.setGestureKey(file.text, region, gesture, key, value) } : file));
}
