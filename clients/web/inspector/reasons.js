// SPDX-License-Identifier: MIT
// Selects and sorts failures: those that are shown beside a finger, and those in the list. This module does not use the DOM.
import { sequenceKey } from "./history.js";
import { miss } from "./words.js";

const MOST_REASONS = 3;
/** Failures in one region are shown together if they occur within this time, in µs. */
const TOGETHER_US = 500_000;
/** If a measured value missed its limit by at most this factor, the gesture was probably intended, although another one was recognized. */
const NEAR = 1.5;
/** The codes with which a tap fails whenever the finger makes another gesture. */
const OTHER_INTENT = new Set(["moved", "too_long"]);
/** The codes of failures that are not shown, because the gesture was probably not intended. */
const IRRELEVANT = new Set(["too_many_contacts", "too_few_contacts", "shadowed", "multi_touch", "claimed", "long_press"]);

/**
 * Chooses the failures to show. For each sequence, these are the failures of the gestures that came closest to their limits. If a gesture
 * other than a press was recognized in the sequence, or in that of the finger's own region, only gestures that were probably intended are
 * considered: after a tap on a button, nobody asks why the list around it saw no swipe.
 * @param {object[]} failures The failures of a picture.
 * @param {Set<string>} recognized The sequences in which a gesture other than a press was recognized.
 * @returns {object[]} The failures. In the last one of a sequence, `more` is the number of failures that are omitted.
 */
export function chooseReasons(failures, recognized) {
  const groups = new Map();
  for (const failure of failures) {
    const key = sequenceKey(failure.line);
    if (!isRelevant(failure.line, recognized.has(key) || recognized.has(touchKey(failure)))) continue;
    const group = groups.get(key);
    if (group) group.push(failure);
    else groups.set(key, [failure]);
  }
  const newest = new Map();
  for (const { line, time } of failures) newest.set(line.region, time);
  const chosen = [];
  for (const group of groups.values()) {
    // Newer failures replace older ones in the same region.
    if (group.at(-1).time < newest.get(group[0].line.region) - TOGETHER_US) continue;
    const nearest = [...group].sort((a, b) => miss(a.line) - miss(b.line)).slice(0, MOST_REASONS);
    nearest.forEach((failure, index) => chosen.push({ ...failure, more: index === MOST_REASONS - 1 ? group.length - MOST_REASONS : 0 }));
  }
  return chosen;
}

/** Whether the user may have intended a gesture that failed. */
export const mayBeIntended = ({ code }) => !IRRELEVANT.has(code);

/** Returns failures with those first that came closest to their limits. Gestures that were probably not intended come last. */
export function nearestFirst(failures) {
  const distance = ({ line }) => (!mayBeIntended(line) ? Number.MAX_VALUE : Math.min(miss(line), Number.MAX_SAFE_INTEGER));
  return failures.toSorted((a, b) => distance(a) - distance(b));
}

/**
 * Returns the failures that missed a limit, the narrowest first. Failures of touches in which a gesture other than a press was
 * recognized come later, because the others were probably not intended there.
 * @param {object[]} lines The lines of a replay.
 */
export function nearMisses(lines) {
  const recognized = new Set();
  for (const line of lines) if (line.event === "gesture" && line.gesture !== "press") recognized.add(sequenceKey(line));
  // If the value is the limit, the gesture failed as soon as it reached it, and the final value is unknown.
  const misses = lines.filter((line) => line.event === "failed" && mayBeIntended(line) && miss(line) < Infinity && line.value !== line.limit);
  const rank = (line) => (!recognized.has(sequenceKey(line)) ? 0 : OTHER_INTENT.has(line.code) ? 2 : 1);
  return misses.sort((a, b) => rank(a) - rank(b) || miss(a) - miss(b));
}

/** Returns the value of a setting, in steps, with which a failure would not have missed it. */
export function sufficient({ value, limit }, step) {
  const steps = value / step;
  const TINY = 1e-9;
  const next = value > limit ? Math.floor(steps + TINY) + 1 : Math.ceil(steps - TINY) - 1;
  return Number((next * step).toFixed(3));
}

/** Returns the sequence of the region that owns the finger of a failure. */
const touchKey = ({ line, stroke }) => stroke && sequenceKey({ device: line.device, region: stroke.region, sequence: stroke.sequence });

function isRelevant(line, isRecognized) {
  if (!mayBeIntended(line)) return false;
  return !isRecognized || (!OTHER_INTENT.has(line.code) && miss(line) <= NEAR);
}
