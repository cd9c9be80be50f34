// SPDX-License-Identifier: MIT
// Regions of a file as regions of this connection, so that they can be tried before they are saved. No page is needed here.

const KEYS = ["shape", "z", "margin", "device", "pass", "private", "capture", "contacts", "rest_after", "defaults", "gestures"];

/**
 * The regions for `define_regions`, under names of their own: the daemon has those of its files already.
 * @param {{data: any}[]} merged Of all files.
 * @param {string} prefix What the new names begin with.
 */
export function trialRegions(merged, prefix) {
  const regions = merged.map(({ data }) => data);
  const ids = new Set(regions.map(({ id }) => id));
  const rename = (id) => (ids.has(id) ? prefix + id : id);
  return regions.map((region) => {
    const result = { id: rename(region.id) };
    if (region.parent !== undefined) result.parent = rename(region.parent);
    for (const key of KEYS) if (region[key] !== undefined) result[key] = region[key];
    if (result.gestures) result.gestures = result.gestures.map((gesture) => withSteps(gesture, rename));
    return result;
  });
}

/** Patterns name regions. */
function withSteps(gesture, rename) {
  if (!gesture.steps) return gesture;
  const steps = gesture.steps.map((step) => {
    const [word, region] = step.split(" ");
    return region === undefined ? step : `${word} ${rename(region)}`;
  });
  return { ...gesture, steps };
}
