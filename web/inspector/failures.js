// SPDX-License-Identifier: MIT
// Counts the touches in which a region recognized nothing, by gesture and reason. This module does not use the DOM.
import { sequenceKey } from "./history.js";
import { gestureName } from "./words.js";

/** A sequence is counted when it had no line for this time, in µs. Until then one of its gestures may still be recognized. */
const SETTLED_US = 2e6;

/** The codes of failures in words. A code that is not listed is shown with spaces in place of underscores. */
const WORDS = {
  moved: "moved too far",
  too_long: "held too long",
  too_quick: "lifted too soon",
  too_slow: "took too long",
  too_short: "moved too little",
  low_velocity: "too slow at the end",
  wrong_direction: "wrong direction",
  wrong_axis: "moved across its axis",
  small_turn: "turned too little",
  small_span: "fingers too close together",
  dominated: "another movement was larger",
  lifted_early: "lifted too soon",
  too_many_contacts: "too many fingers",
  too_few_contacts: "too few fingers",
  landed_apart: "fingers landed one after the other",
  lifted_apart: "fingers lifted one after the other",
  left_region: "left the region",
  too_far_apart: "taps too far apart",
  no_further_tap: "no further tap came",
  bounce: "landed again too soon",
  wrong_taps: "wrong number of taps before it",
  long_press: "a long press began first",
  not_after: "no gesture of after came first",
  unless: "a gesture of unless was recognized",
  kept_back: "a gesture of unless stayed possible",
  wrong_step: "wrong step",
  late_step: "the next step came too late",
  timeout: "took too long",
  locked_out: "locked after wrong attempts",
  claimed: "another gesture took the finger",
  multi_touch: "another finger landed",
  palm: "treated as a palm",
  device_removed: "the panel was unplugged",
  sync_lost: "events of the panel were lost",
  reload: "the configuration changed",
  disabled: "the region was switched off",
  client: "a client cancelled it",
  handover: "moved into another region",
  suspend: "the machine was suspended",
  rest: "the finger rested",
  movement: "moved too far",
};

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
    const reason = WORDS[line.code] ?? line.code.replaceAll("_", " ");
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
}

function getOrSet(map, key, create) {
  if (!map.has(key)) map.set(key, create());
  return map.get(key);
}
