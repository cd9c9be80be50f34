// SPDX-License-Identifier: MIT
// Counts the touches in which a region recognized nothing, by gesture and reason. This module does not use the DOM.
import { sequenceKey } from "./history.js";
import { gestureName, reasonWords } from "./words.js";

/** A sequence is counted when it had no line for this time, in µs. Until then one of its gestures may still be recognized. */
const SETTLED_US = 2e6;

export class Failures {
  /** The sequences that may still recognize a gesture, as `{time, isRecognized, lines}`, by their key. */
  #open = new Map();
  /** The number of failures by region, gesture and reason. */
  #counts = new Map();

  /** Takes a line of the daemon. */
  take(line) {
    // A shadowed gesture was left to the region above, so it has not missed anything.
    if ((line.event !== "gesture" && line.event !== "failed") || line.code === "shadowed") return;
    this.#settle(line.time_us);
    const key = sequenceKey(line);
    const sequence = this.#open.get(key) ?? { lines: [], isRecognized: false };
    sequence.time = line.time_us;
    if (line.event === "failed") sequence.lines.push(line);
    else if (line.gesture !== "press") sequence.isRecognized = true;
    this.#open.set(key, sequence);
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

  /** Counts the sequences that are over. */
  #settle(now) {
    for (const [key, { time, isRecognized, lines }] of this.#open) {
      if (time > now - SETTLED_US) continue;
      this.#open.delete(key);
      if (!isRecognized) lines.forEach((line) => this.#count(line));
    }
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
