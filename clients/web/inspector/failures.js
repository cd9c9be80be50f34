// SPDX-License-Identifier: MIT
// Counts the touches in which neither a region nor one inside it recognized anything, by gesture and reason. This module does not use
// the DOM.
import { sequenceKey } from "./history.js";
import { gestureName, reasonWords } from "./words.js";

/** A sequence is counted when it had no line for this time, in µs. Until then one of its gestures may still be recognized. */
const SETTLED_US = 2e6;

export class Failures {
  /** The sequences of late, as `{device, region, begin, time, isRecognized, isCounted, lines}`, by their key. */
  #recent = new Map();
  /** The number of failures by region, gesture and reason. */
  #counts = new Map();

  #isWithin;

  /** @param {(region: string, ancestor: string) => boolean} isWithin Returns whether a region is `ancestor` or lies inside it. */
  constructor(isWithin) {
    this.#isWithin = isWithin;
  }

  /** Takes a line of the daemon. */
  take(line) {
    // A shadowed gesture was left to the region above, so it has not missed anything.
    if ((line.event !== "gesture" && line.event !== "failed") || line.code === "shadowed") return;
    this.#settle(line.time_us);
    const key = sequenceKey(line);
    const { device, region, time_us: time } = line;
    const sequence = this.#recent.get(key) ?? { device, region, begin: time, lines: [], isRecognized: false, isCounted: false };
    sequence.time = time;
    if (line.event === "failed") sequence.lines.push(line);
    else if (line.gesture !== "press") sequence.isRecognized = true;
    this.#recent.set(key, sequence);
  }

  /**
   * Returns the failures of a region, such as `swipe: 2 × moved too little`, with the most frequent gesture first.
   * @param {string} region
   * @param {number | null} now The daemon's time in µs.
   * @returns {string[]}
   */
  of(region, now) {
    if (now !== null) this.#settle(now);
    const gestures = [...(this.#counts.get(region) ?? [])];
    const total = (reasons) => [...reasons.values()].reduce((sum, count) => sum + count, 0);
    const words = (reasons) => [...reasons].sort(([, a], [, b]) => b - a).map(([reason, count]) => `${count} × ${reason}`);
    return gestures.sort(([, a], [, b]) => total(b) - total(a)).map(([gesture, reasons]) => `${gesture}: ${words(reasons).join(", ")}`);
  }

  /** Counts the sequences that are over. They are kept a little longer, because the touches around them are over later. */
  #settle(now) {
    for (const [key, sequence] of this.#recent) {
      if (sequence.time > now - SETTLED_US) continue;
      if (!sequence.isCounted && !this.#isRecognized(sequence)) sequence.lines.forEach((line) => this.#count(line));
      sequence.isCounted = true;
      if (sequence.time <= now - 2 * SETTLED_US) this.#recent.delete(key);
    }
  }

  /** Whether the region, or at the same time one inside it, has recognized a gesture. A list is not to blame for a tap on its button. */
  #isRecognized({ device, region, begin, time }) {
    const isSame = (other) => other.device === device && other.begin <= time && other.time >= begin && this.#isWithin(other.region, region);
    return [...this.#recent.values()].some((other) => other.isRecognized && isSame(other));
  }

  #count(line) {
    const gestures = getOrSet(this.#counts, line.region, () => new Map());
    const reasons = getOrSet(gestures, gestureName(line), () => new Map());
    const reason = reasonWords(line.code);
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
}

function getOrSet(map, key, create) {
  if (!map.has(key)) map.set(key, create());
  return map.get(key);
}
