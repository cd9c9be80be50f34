// SPDX-License-Identifier: MIT
// Converts regions of the files to regions of this connection, so that they can be tried out before the files are saved.
// This module does not use the DOM.
import { read } from "./toml.js";

/** The daemon's default for `define_prefix`. */
const DEFAULT_PREFIX = "app.";

/** Returns the prefix for the names of tried regions. It begins with the `define_prefix` of the files. */
export function trialPrefix(files) {
  const given = files.map(({ text }) => read(text).access?.define_prefix).findLast((prefix) => prefix !== undefined);
  return `${given ?? DEFAULT_PREFIX}try.`;
}

/**
 * Returns the regions for `define_regions`. They are given new names, because the daemon already has the regions of its
 * files.
 * @param {{data: any}[]} merged The regions of all files.
 * @param {string} prefix The prefix of the new names.
 */
export function trialRegions(merged, prefix) {
  const regions = merged.map(({ data }) => data);
  const ids = new Set(regions.map(({ id }) => id));
  const rename = (id) => (ids.has(id) ? prefix + id : id);
  // `define_regions` accepts all keys of a region except `enabled`.
  return regions.map(({ enabled, ...region }) => {
    const result = { ...region, id: rename(region.id) };
    if (region.parent !== undefined) result.parent = rename(region.parent);
    if (result.gestures) result.gestures = result.gestures.map((gesture) => withSteps(gesture, rename));
    return result;
  });
}

/** Returns a gesture in which the steps of a pattern contain the new names of regions. */
function withSteps(gesture, rename) {
  if (!gesture.steps) return gesture;
  const steps = gesture.steps.map((step) => {
    const [word, region] = step.split(" ");
    return region === undefined ? step : `${word} ${rename(region)}`;
  });
  return { ...gesture, steps };
}

/** Returns a picture in which the regions that are being tried have their original names. */
export function withFileNames(picture, prefix) {
  const strip = (id) => (id?.startsWith(prefix) ? id.slice(prefix.length) : id);
  const renamed = ({ line, ...item }) => ({ ...item, line: { ...line, region: strip(line.region) } });
  const active = new Map([...picture.active].map(([region, span]) => [strip(region), span]));
  return { ...picture, active, marks: picture.marks.map(renamed), failures: picture.failures.map(renamed) };
}
