// SPDX-License-Identifier: MIT
// The time line of a history: fingers, gestures and what was not recognized. It follows the present, or stands at a
// moment that can be moved and stepped from frame to frame.
import { cssColor, icon, make, prepareCanvas } from "./dom.js";
import { fingerVariable } from "./panel-view.js";
import { gestureName } from "./words.js";

const SECOND = 1e6;
const WINDOWS_US = [60, 30, 10, 4, 1, 0.25].map((seconds) => seconds * SECOND);
const LANES = 10;
const LANE = 5;
const AXIS = 18;
const ROW = 15;
const ROWS = 3;
/** The room before the begin and after the end, as a part of the window. */
const GAP = 0.03;

export class Timeline {
  element;
  /** The moment that is shown; null: the present. */
  moment = null;
  /** Whether the moment moves by itself. */
  isRunning;
  onchange = () => {};
  #history;
  #now = null;
  #zoom;
  #canvas;
  #stop;
  #time;
  #drawn = "";
  #colors = null;
  #isLive;
  #left = 0;

  /**
   * @param {import("./history.js").History} history
   * @param {{isLive: boolean}} options A recording has no present.
   */
  constructor(history, { isLive }) {
    this.#history = history;
    this.#isLive = isLive;
    this.#zoom = isLive ? 0 : 2;
    this.isRunning = isLive;
    if (!isLive) this.moment = 0;
    this.#canvas = make("canvas", {
      class: "line",
      tabindex: 0,
      role: "slider",
      "aria-label": isLive ? "Time line of the last 60 seconds" : "Time line of the recording",
      onkeydown: (event) => this.key(event),
      onpointerdown: (event) => this.#grab(event),
      onwheel: (event) => this.#wheel(event),
    });
    this.#stop = make("button", { type: "button", class: "round", onclick: () => this.toggle() });
    this.#time = make("output", { class: "time" });
    this.element = make("div", { class: "timeline" }, this.#buttons(), this.#canvas);
    this.#label();
    new ResizeObserver(() => (this.#drawn = "")).observe(this.#canvas);
  }

  #buttons() {
    const button = (name, title, onclick) => make("button", { type: "button", class: "round", title, "aria-label": title, onclick }, icon(name));
    return make(
      "div",
      { class: "transport" },
      button("step-back", "One frame back (←)", () => this.step(-1)),
      this.#stop,
      button("step-forward", "One frame on (→)", () => this.step(1)),
      button("zoom-out", "Show more time (−)", () => this.zoom(-1)),
      button("zoom-in", "Show less time (+)", () => this.zoom(1)),
      this.#time,
    );
  }

  get history() {
    return this.#history;
  }

  /** Shows another history, from its begin. */
  show(history) {
    this.#history = history;
    this.#drawn = "";
    if (!this.#isLive) this.moment = history.begin ?? 0;
  }

  refreshColors() {
    this.#colors = null;
    this.#drawn = "";
  }

  /** Stops, or follows the present again; a recording goes on from its moment. */
  toggle(isRunning = !this.isRunning) {
    this.isRunning = isRunning;
    if (this.#isLive) {
      this.moment = isRunning ? null : (this.moment ?? this.#now ?? this.#history.end ?? 0);
      this.#history.heldFrom = this.moment;
    } else if (isRunning && this.moment >= (this.#history.end ?? 0)) this.moment = this.#history.begin ?? 0;
    this.#label();
    this.onchange();
  }

  #label() {
    const words = this.isRunning ? "Pause (space)" : this.#isLive ? "Follow live (space)" : "Play (space)";
    this.#stop.replaceChildren(icon(this.isRunning ? "pause" : "play"));
    this.#stop.title = words;
    this.#stop.setAttribute("aria-label", words);
  }

  /** Goes to a moment and stops there. */
  seek(time) {
    const { begin, end } = this.#history;
    const latest = this.#isLive ? (this.#now ?? end) : end;
    this.moment = Math.max(begin ?? 0, Math.min(latest ?? 0, time));
    this.isRunning = false;
    if (this.#isLive) this.#history.heldFrom = this.moment;
    this.#label();
    this.onchange();
  }

  /** One frame back or on. */
  step(direction) {
    this.seek(this.#history.step(this.moment ?? this.#now ?? 0, direction));
  }

  zoom(direction) {
    this.#zoom = Math.max(0, Math.min(WINDOWS_US.length - 1, this.#zoom + direction));
    this.#drawn = "";
  }

  /** Arrow keys step, space stops and goes on. */
  key(event) {
    const time = this.moment ?? this.#now ?? 0;
    const actions = {
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      PageUp: () => this.seek(time - SECOND),
      PageDown: () => this.seek(time + SECOND),
      Home: () => this.seek(this.#history.begin ?? 0),
      End: () => (this.#isLive ? this.toggle(true) : this.seek(this.#history.end ?? 0)),
      " ": () => this.toggle(),
      "+": () => this.zoom(1),
      "-": () => this.zoom(-1),
    };
    const action = actions[event.key];
    if (!action || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    action();
  }

  #wheel(event) {
    event.preventDefault();
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) this.seek((this.moment ?? this.#now ?? 0) + (event.deltaX / this.#canvas.clientWidth) * this.#window);
    else this.zoom(event.deltaY < 0 ? 1 : -1);
  }

  #grab(event) {
    const rect = this.#canvas.getBoundingClientRect();
    const left = this.#left;
    const window_ = this.#window;
    const to = (x) => this.seek(left + ((x - rect.left) / rect.width) * window_);
    this.#canvas.setPointerCapture(event.pointerId);
    to(event.clientX);
    this.#canvas.onpointermove = ({ clientX }) => to(clientX);
    this.#canvas.onpointerup = this.#canvas.onpointercancel = () => (this.#canvas.onpointermove = null);
  }

  get #window() {
    return WINDOWS_US[this.#zoom];
  }

  /**
   * Moves on and draws if something to see has changed.
   * @param {number | null} now The present on the clock of the lines.
   */
  draw(now) {
    this.#now = now;
    const { clientWidth: width } = this.#canvas;
    if (width === 0) return;
    const time = this.moment ?? now;
    this.#tell(time);
    const perPixel = this.#window / width;
    // Nothing is drawn again before it has moved by a pixel.
    const state = time === null ? "empty" : `${Math.floor(time / perPixel)} ${width} ${this.#history.end} ${this.#history.failures.length}`;
    const isDue = this.isRunning && this.#isLive ? state.split(" ")[0] !== this.#drawn.split(" ")[0] : state !== this.#drawn;
    if (!isDue) return;
    this.#drawn = state;
    this.#paint(width, time);
  }

  #tell(time) {
    const { begin } = this.#history;
    if (time === null || begin === null) return;
    const since = this.#isLive ? (time - (this.#now ?? time)) / SECOND : (time - begin) / SECOND;
    const text = this.#isLive && this.isRunning ? "now" : this.#isLive ? `${since.toFixed(3).replace("-", "−")} s` : `${since.toFixed(3)} s of ${((this.#history.end - begin) / SECOND).toFixed(3)} s`;
    if (this.#time.textContent === text) return;
    this.#time.textContent = text;
    this.#canvas.setAttribute("aria-valuemin", 0);
    this.#canvas.setAttribute("aria-valuemax", Math.round(((this.#now ?? this.#history.end) - begin) / 1000));
    this.#canvas.setAttribute("aria-valuenow", Math.round((time - begin) / 1000));
    this.#canvas.setAttribute("aria-valuetext", text);
  }

  #palette() {
    this.#colors ??= {
      fingers: Array.from({ length: LANES }, (_, slot) => cssColor(fingerVariable(slot))),
      ...Object.fromEntries(["good", "warn", "muted", "line", "accent", "text", "surface-2"].map((name) => [name, cssColor(`--${name}`)])),
    };
    return this.#colors;
  }

  #paint(width, time) {
    const height = LANES * LANE + ROWS * ROW + AXIS + 8;
    const context = prepareCanvas(this.#canvas, width, height);
    const colors = this.#palette();
    context.clearRect(0, 0, width, height);
    if (time === null) return;
    this.#left = this.#leftAt(time);
    const x = (at) => ((at - this.#left) / this.#window) * width;
    this.#axis(context, colors, width, height, x, time);
    this.#strokes(context, colors, width, x, time);
    this.#gestures(context, colors, width, x, time);
    if (this.moment === null) return;
    context.fillStyle = colors.accent;
    context.fillRect(x(time) - 0.75, 0, 1.5, height - AXIS + 4);
    context.beginPath();
    context.arc(x(time), 4, 4, 0, 2 * Math.PI);
    context.fill();
  }

  /** The time at the left side: the moment stands in the middle, but nothing is shown that is not there. */
  #leftAt(time) {
    const { begin, end } = this.#history;
    const window_ = this.#window;
    if (this.moment === null) return time - window_;
    const latest = (this.#isLive ? (this.#now ?? time) : (end ?? time)) + GAP * window_;
    const left = Math.min(time - window_ / 2, latest - window_);
    return this.#isLive ? left : Math.max(left, (begin ?? 0) - GAP * window_);
  }

  #axis(context, colors, width, height, x, time) {
    const step = [0.01, 0.05, 0.1, 0.5, 1, 2, 5, 10].find((seconds) => ((seconds * SECOND) / this.#window) * width > 58) * SECOND || 15 * SECOND;
    const origin = this.#isLive ? (this.moment === null ? time : (this.#now ?? time)) : (this.#history.begin ?? 0);
    context.font = "11px system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "alphabetic";
    const digits = step < 0.1 * SECOND ? 2 : step < SECOND ? 1 : 0;
    const first = Math.ceil((this.#left - origin) / step);
    const last = Math.floor((this.#left + this.#window - origin) / step);
    for (let n = first; n <= last; n++) {
      const at = x(origin + n * step);
      if (at < 16 || at > width - 12) continue;
      context.fillStyle = colors.line;
      context.fillRect(at, 0, 1, height - AXIS);
      context.fillStyle = colors.muted;
      const text = ((n * step) / SECOND).toFixed(digits);
      context.fillText(`${text === "-0" ? "0" : text.replace("-", "−")} s`, at, height - 5);
    }
  }

  #strokes(context, colors, width, x, time) {
    for (const stroke of this.#history.strokes) {
      const from = x(stroke.begin);
      const to = x(Math.min(stroke.end ?? this.#now ?? time, this.#left + this.#window));
      if (to < 0 || from > width) continue;
      context.fillStyle = colors.fingers[stroke.slot % LANES];
      context.fillRect(Math.max(0, from), (stroke.slot % LANES) * LANE + 2, Math.max(2, Math.min(width, to) - Math.max(0, from)), LANE - 1);
    }
  }

  /** Gestures in rows, so that their names do not lie over each other. */
  #gestures(context, colors, width, x, time) {
    const top = LANES * LANE + 6;
    const ends = new Array(ROWS).fill(-Infinity);
    const { marks, spans, failures } = this.#history;
    context.textAlign = "left";
    context.textBaseline = "middle";
    for (const { time: at } of failures) {
      const px = x(at);
      if (px < 0 || px > width) continue;
      context.fillStyle = colors.warn;
      context.fillRect(px - 0.75, top + ROWS * ROW - 5, 1.5, 6);
    }
    const items = [
      ...spans.map(({ begin, end, line }) => ({ begin, end: end ?? this.#now ?? time, line, isSpan: true })),
      ...marks.map(({ time: at, line }) => ({ begin: at, end: at, line, isSpan: false })),
    ].sort((a, b) => a.begin - b.begin);
    for (const item of items) {
      const [from, to] = [x(item.begin), x(item.end)];
      if (to < -100 || from > width) continue;
      // Presses and repeats are many; they have names only where there is room.
      const isMinor = (item.line.gesture === "press" || item.line.n > 1) && this.#window > 5 * SECOND;
      const text = isMinor ? "" : gestureName(item.line);
      const wide = context.measureText(text).width + 8;
      let row = ends.findIndex((end) => end <= from);
      const hasRoom = row >= 0;
      if (!hasRoom) row = ends.indexOf(Math.min(...ends));
      this.#item(context, colors, { from, to, y: top + row * ROW, isSpan: item.isSpan, text: hasRoom ? text : "" });
      if (hasRoom) ends[row] = Math.max(to, from + (text ? wide : 4)) + 4;
    }
  }

  #item(context, colors, { from, to, y, isSpan, text }) {
    context.fillStyle = colors.good;
    if (isSpan) {
      context.globalAlpha = 0.28;
      context.fillRect(from, y, Math.max(2, to - from), ROW - 3);
      context.globalAlpha = 1;
      context.fillRect(from, y, 2, ROW - 3);
    } else {
      context.beginPath();
      context.arc(from + 2, y + ROW / 2 - 1.5, 3.5, 0, 2 * Math.PI);
      context.fill();
    }
    context.fillStyle = colors.text;
    if (text) context.fillText(text, from + 8, y + ROW / 2 - 1);
  }
}
