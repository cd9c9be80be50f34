// SPDX-License-Identifier: MIT
// Writes the regions that the daemon reports as a configuration, for a bridge that may not read the daemon's files. This module
// does not use the DOM.
import { regionBlock } from "./edits.js";
import { bounds } from "./geometry.js";
import { express, outputFrame } from "./shape.js";

const HEADER = `# The regions that the daemon has now, in pixels. This is not its file, which also has the settings of gestures, its
# patterns and its comments.
version = 1
`;
/** An earlier shape whose lengths are all in pixels. */
const IN_PIXELS = { rect: [0, 0, 0, 0], circle: { center: [0, 0], radius: 0 }, polygon: [[0, 0]] };

/**
 * Returns the text of a configuration with the regions of a panel.
 * @param {{size: object, regions: import("./layout.js").Region[]}} panel
 */
export function regionsText({ size, regions }) {
  const byId = new Map(regions.map((region) => [region.region, region]));
  return [HEADER, ...regions.map((region) => `${regionBlock(keysOf(region, byId.get(region.parent), size))}\n`)].join("\n");
}

function keysOf(region, parent, size) {
  const frame = parent ? { box: bounds(parent.shape), size } : outputFrame(size);
  const keys = { id: region.region };
  if (parent) keys.parent = parent.region;
  keys.shape = express(region.shape, frame, IN_PIXELS);
  if (region.margin > 0) keys.margin = region.margin;
  if (region.pass) keys.pass = true;
  if (region.private) keys.private = true;
  if (region.contacts) keys.contacts = region.contacts;
  // The steps of a pattern are not reported, and a pattern without steps is a mistake.
  const gestures = region.gestures.filter(({ gesture }) => gesture !== "pattern");
  keys.gestures = gestures.map(({ gesture, name }) => (name === gesture ? gesture : { type: gesture, name }));
  return keys;
}
