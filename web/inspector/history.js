// SPDX-License-Identifier: MIT
// What happened: lines in, the picture of any moment out. The same for the last minute and for a recording. No page is
// needed here. Times are in microseconds on the clock of the lines.

/** How long the trail of a finger stays, in µs. */
export const TRAIL_US = 900_000;
/** How long a gesture is marked after it was recognized, in µs. */
export const MARK_US = 1_500_000;
/** How long it is shown why a gesture was not recognized, in µs. */
export const FAILURE_US = 3_500_000;
/** While the picture stands still nothing is forgotten, for at most this long, in µs. */
const LONGEST_HOLD_US = 300e6;
/** Numbers of each point of a stroke: time, x, y, width in mm, pressure from 0 to 1. */
const STRIDE = 5;
const ABS_MT_SLOT = 0x2f;
const ABS_MT_PRESSURE = 0x3a;
const EV_ABS = 3;

/** One sequence of a region. */
export const sequenceKey = (line) => `${line.device}\n${line.region}\n${line.sequence}`;

const keyOf = (line) => `${line.device}\n${line.region}\n${line.gesture}\n${line.name}\n${line.sequence}`;

/** One contact from its landing to its lift. */
export class Stroke {
  points = [];
  /** When it was lifted; null while it is down. */
  end = null;

  constructor(device, contact, time) {
    this.device = device;
    this.id = contact.id;
    this.slot = contact.slot;
    this.begin = time;
    this.region = contact.region;
  }

  get count() {
    return this.points.length / STRIDE;
  }

  add(time, contact, pressure) {
    this.points.push(time, contact.x, contact.y, contact.major_mm ?? NaN, pressure ?? NaN);
    if (contact.region !== undefined) this.region = contact.region;
  }

  /** The index of the last point at or before a time; -1: none. */
  indexAt(time) {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.points[middle * STRIDE] <= time) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** Drops the points before a time, but for the last of them. */
  forget(time) {
    const first = this.indexAt(time);
    if (first > 0) this.points.splice(0, first * STRIDE);
  }

  point(index) {
    const [time, x, y, major, pressure] = this.points.slice(index * STRIDE, index * STRIDE + STRIDE);
    return { time, x, y, major, pressure };
  }
}

export class History {
  /** @type {Stroke[]} By their landing. */
  strokes = [];
  /** Continuous gestures: `{begin, end, line, last, reason}`; `end` is null while it goes on. */
  spans = [];
  /** Discrete gestures: `{time, line}`. */
  marks = [];
  /** `{time, line, stroke}`; the stroke is the finger that it is about. */
  failures = [];
  /** The time of each frame, for stepping. */
  times = [];
  /** The time of the first and of the last line. */
  begin = null;
  end = null;
  /** Set while the picture stands still: nothing after it is forgotten. */
  heldFrom = null;
  #open = new Map();
  #down = new Map();
  #slots = new Map();
  #pressures = new Map();
  #span;
  #isWithin;

  /**
   * @param {number} span How much is kept, in µs.
   * @param {(region: string | undefined, ancestor: string) => boolean} isWithin Whether a region is another or lies in it.
   */
  constructor(span = Infinity, isWithin = (region, ancestor) => region === ancestor) {
    this.#span = span;
    this.#isWithin = isWithin;
  }

  clear() {
    for (const list of [this.strokes, this.spans, this.marks, this.failures, this.times]) list.length = 0;
    this.#open.clear();
    this.#down.clear();
    this.#slots.clear();
    this.begin = this.end = this.heldFrom = null;
  }

  /** The range of pressure of a panel, from its description. */
  setPressure(device, minimum, maximum) {
    if (maximum > minimum) this.#pressures.set(device, { minimum, maximum });
  }

  /** Takes a line of the daemon. */
  add(line) {
    if (line.event === "state") return this.#reconcile(line);
    if (line.time_us === undefined) return;
    this.begin ??= line.time_us;
    this.end = Math.max(this.end ?? line.time_us, line.time_us);
    if (line.event === "gesture") this.#gesture(line);
    else if (line.event === "failed") this.#failed(line);
    else if (line.event === "touches") this.#touches(line);
    else if (line.event === "frame") this.#frame(line);
    this.#forget();
  }

  /** Ends all that goes on: the connection is lost. */
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
      span = { begin: line.time_us, end: null, line, last: line };
      this.#open.set(key, span);
      this.spans.push(span);
    }
    span.last = line;
    if (line.phase !== "end" && line.phase !== "cancel") return;
    span.end = line.time_us;
    span.reason = line.reason;
    this.#open.delete(key);
  }

  /** After a `state` only what it lists goes on. */
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
    const slots = this.#slots.get(device);
    const seen = new Set();
    for (const contact of contacts) {
      let stroke = down.get(contact.id);
      if (!stroke) {
        stroke = new Stroke(device, contact, time);
        down.set(contact.id, stroke);
        this.strokes.push(stroke);
      }
      stroke.add(time, contact, slots?.pressures.get(contact.slot));
      seen.add(contact.id);
    }
    for (const [id, stroke] of down) {
      if (seen.has(id)) continue;
      stroke.end = time;
      down.delete(id);
    }
  }

  /** Only frames have the pressure. */
  #frame({ device, events }) {
    const range = this.#pressures.get(device);
    if (!range) return;
    let slots = this.#slots.get(device);
    if (!slots) this.#slots.set(device, (slots = { current: 0, pressures: new Map() }));
    for (const [type, code, value] of events) {
      if (type !== EV_ABS) continue;
      if (code === ABS_MT_SLOT) slots.current = value;
      if (code !== ABS_MT_PRESSURE) continue;
      slots.pressures.set(slots.current, (value - range.minimum) / (range.maximum - range.minimum));
    }
  }

  #forget() {
    if (this.#span === Infinity) return;
    let limit = this.end - this.#span;
    if (this.heldFrom !== null) limit = Math.max(this.end - LONGEST_HOLD_US, Math.min(limit, this.heldFrom - this.#span));
    // A tenth more is kept, so that the lists are not moved at each line.
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

  /** The time of the frame before or after a time; the time itself when there is none. */
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
   * The picture of a moment.
   *
   * `active` has the regions in which a gesture goes on, `recognized` the sequences of late of which another gesture than
   * a press was recognized.
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

/** The items of a panel that are not older than an age. */
function recent(items, device, time, age) {
  const found = [];
  for (let i = items.length - 1; i >= 0; i--) {
    const item = items[i];
    if (item.time <= time - age) break;
    if (item.time <= time && item.line.device === device) found.push(item);
  }
  return found.reverse();
}

/** The clock of the lines beside the clock of the page. */
export class Clock {
  #offset = null;

  /** @param {number} time µs of a line. @param {number} now ms of the page's clock when it came. */
  observe(time, now) {
    const offset = time - now * 1000;
    // The line that came with the least delay tells the offset best; drift is followed slowly.
    if (this.#offset === null || offset > this.#offset || this.#offset - offset > 2e6) this.#offset = offset;
    else this.#offset -= Math.min(50, this.#offset - offset);
  }

  /** The time of the lines now, in µs; null before the first line. */
  at(now) {
    return this.#offset === null ? null : now * 1000 + this.#offset;
  }
}
