// SPDX-License-Identifier: MIT
// The history of the panels, which is used for the last minute and for recordings. It stores the daemon's lines and returns
// the picture at any moment. Times are in microseconds on the daemon's clock. This module does not use the DOM.
import { Pressures } from "./pressure.js";
import { Stroke } from "./stroke.js";

/** The time for which the trail of a finger is shown, in µs. */
export const TRAIL_US = 900_000;
/** The time for which the mark of a discrete gesture is shown, in µs. */
export const MARK_US = 1_500_000;
/** The time for which the reason why a gesture failed is shown, in µs. */
export const FAILURE_US = 3_500_000;
/** The maximum age in µs of lines that are kept while the picture is paused. */
const LONGEST_HOLD_US = 300e6;

/** Identifies a sequence of a region. */
export const sequenceKey = (line) => `${line.device}\n${line.region}\n${line.sequence}`;

/** Identifies a gesture of a sequence. */
const keyOf = (line) => `${line.device}\n${line.region}\n${line.gesture}\n${line.name}\n${line.sequence}`;

export class History {
  /** @type {Stroke[]} The strokes, in the order in which the contacts landed. */
  strokes = [];
  /** The continuous gestures, as `{begin, end, line, reason}`. `end` is null while the gesture is in progress. */
  spans = [];
  /** The discrete gestures, as `{time, line}`. */
  marks = [];
  /** The failed gestures, as `{time, line, stroke}`. `stroke` is the stroke of the finger that made the gesture. */
  failures = [];
  /** The time of each frame, so that the user can move frame by frame. */
  times = [];
  /** The times of the first and the last line. */
  begin = null;
  end = null;
  /** The moment at which the picture is paused, or null if it is not paused. Lines after this moment are not removed. */
  heldFrom = null;
  #open = new Map();
  #down = new Map();
  #pressures = new Pressures();
  #span;
  #isWithin;

  /**
   * @param {number} span The time for which a line is kept, in µs.
   * @param {(region: string | undefined, ancestor: string) => boolean} isWithin Returns whether a region is `ancestor` or lies inside it.
   */
  constructor(span = Infinity, isWithin = (region, ancestor) => region === ancestor) {
    this.#span = span;
    this.#isWithin = isWithin;
  }

  get pressures() {
    return this.#pressures;
  }

  /** Stores a line of the daemon. */
  add(line) {
    if (line.event === "state") return this.#reconcile(line);
    if (line.time_us === undefined) return;
    this.begin ??= line.time_us;
    this.end = Math.max(this.end ?? line.time_us, line.time_us);
    if (line.event === "gesture") this.#gesture(line);
    else if (line.event === "failed") this.#failed(line);
    else if (line.event === "touches") this.#touches(line);
    else if (line.event === "frame") this.#pressures.take(line);
    this.#forget();
  }

  /** Ends all gestures in progress, for example when the connection is lost. */
  cut(reason) {
    const time = this.end ?? 0;
    for (const span of this.#open.values()) [span.end, span.reason] = [time, reason];
    this.#open.clear();
    for (const strokes of this.#down.values()) for (const stroke of strokes.values()) stroke.end = time;
    this.#down.clear();
  }

  #gesture(line) {
    if (line.phase === undefined) {
      this.marks.push({ time: line.time_us, line });
      return;
    }
    const key = keyOf(line);
    let span = this.#open.get(key);
    if (!span) {
      if (line.phase === "end" || line.phase === "cancel") return;
      span = { begin: line.time_us, end: null, line };
      this.#open.set(key, span);
      this.spans.push(span);
    }
    if (line.phase !== "end" && line.phase !== "cancel") return;
    span.end = line.time_us;
    span.reason = line.reason;
    this.#open.delete(key);
  }

  /** Ends the gestures that a `state` line does not list. */
  #reconcile(state) {
    const active = new Set(state.active.map(keyOf));
    for (const [key, span] of this.#open) {
      if (active.has(key)) continue;
      [span.end, span.reason] = [this.end ?? span.begin, "lost"];
      this.#open.delete(key);
    }
  }

  #failed(line) {
    let stroke;
    for (let i = this.strokes.length - 1; i >= 0 && !stroke; i--) {
      const candidate = this.strokes[i];
      if (candidate.device === line.device && this.#isWithin(candidate.region, line.region)) stroke = candidate;
    }
    this.failures.push({ time: line.time_us, line, stroke });
  }

  #touches({ device, time_us: time, contacts }) {
    if (this.times.at(-1) !== time) this.times.push(time);
    let down = this.#down.get(device);
    if (!down) this.#down.set(device, (down = new Map()));
    const seen = new Set();
    for (const contact of contacts) {
      let stroke = down.get(contact.id);
      if (!stroke) {
        stroke = new Stroke(device, contact, time);
        down.set(contact.id, stroke);
        this.strokes.push(stroke);
      }
      stroke.add(time, contact, this.#pressures.of(device, contact.slot));
      seen.add(contact.id);
    }
    for (const [id, stroke] of down) {
      if (seen.has(id)) continue;
      stroke.end = time;
      down.delete(id);
    }
  }

  #forget() {
    if (this.#span === Infinity) return;
    let limit = this.end - this.#span;
    if (this.heldFrom !== null) limit = Math.max(this.end - LONGEST_HOLD_US, Math.min(limit, this.heldFrom - this.#span));
    // The lists may exceed the span by a tenth, so that old entries do not have to be removed at every line.
    if (this.begin === null || this.begin > limit - this.#span / 10) return;
    this.begin = limit;
    const drop = (list, isOld) => {
      const first = list.findIndex((item) => !isOld(item));
      list.splice(0, first < 0 ? list.length : first);
    };
    drop(this.times, (time) => time < limit);
    drop(this.marks, ({ time }) => time < limit);
    drop(this.failures, ({ time }) => time < limit);
    drop(this.strokes, ({ end }) => end !== null && end < limit);
    for (const stroke of this.strokes) stroke.forget(limit);
    drop(this.spans, ({ end }) => end !== null && end < limit);
  }

  /** Returns the time of the frame before (-1) or after (1) a time, or the time itself if there is no such frame. */
  step(time, direction) {
    let [low, high] = [0, this.times.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (direction > 0 ? this.times[middle] <= time : this.times[middle] < time) low = middle + 1;
      else high = middle;
    }
    return this.times[direction > 0 ? low : low - 1] ?? time;
  }

  /**
   * Returns the picture at a moment.
   *
   * `active` contains the gesture in progress of each region. `recognized` contains the sequences in which a gesture
   * other than a press was recognized recently or is in progress.
   * @returns {{strokes: {stroke: Stroke, index: number, isDown: boolean}[], active: Map<string, object>, marks: object[], failures: object[], recognized: Set<string>}}
   */
  at(device, time) {
    const strokes = [];
    for (const stroke of this.strokes) {
      if (stroke.device !== device || stroke.begin > time) continue;
      if (stroke.end !== null && stroke.end + TRAIL_US < time) continue;
      strokes.push({ stroke, index: stroke.indexAt(time), isDown: stroke.end === null || stroke.end > time });
    }
    const active = new Map();
    const recognized = new Set();
    for (const span of this.spans) {
      if (span.line.device !== device || span.begin > time) continue;
      if (span.end === null || span.end > time) active.set(span.line.region, span);
      if (span.line.gesture !== "press") recognized.add(sequenceKey(span.line));
    }
    for (const { line } of recent(this.marks, device, time, 2 * FAILURE_US)) recognized.add(sequenceKey(line));
    return {
      strokes,
      active,
      recognized,
      marks: recent(this.marks, device, time, MARK_US),
      failures: recent(this.failures, device, time, FAILURE_US),
    };
  }
}

/** Returns the items of a panel that are at most this old. */
function recent(items, device, time, age) {
  const found = [];
  for (let i = items.length - 1; i >= 0; i--) {
    const item = items[i];
    if (item.time <= time - age) break;
    if (item.time <= time && item.line.device === device) found.push(item);
  }
  return found.reverse();
}
