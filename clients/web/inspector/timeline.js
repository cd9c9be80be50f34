// SPDX-License-Identifier: MIT
// The timeline of a history. It follows the present, or shows a moment, which the user can drag or move frame by frame.
import { icon, make } from "./dom.js";
import { TimelineDrawing } from "./timeline-drawing.js";

const SECOND = 1e6;
const WINDOWS_US = [60, 30, 12, 4, 1, 0.25].map((seconds) => seconds * SECOND);
/** The index of the window that is shown at first. */
const FIRST_WINDOW = 2;
/** The margins before the start and after the end of the history, as a fraction of the window. */
const GAP = 0.03;

export class Timeline {
  element;
  /** The moment that is shown, or null for the present. */
  moment = null;
  /** Whether the moment advances automatically. */
  isRunning;
  onchange = () => {};
  #hint = "";
  #history;
  #now = null;
  #zoom = FIRST_WINDOW;
  #canvas;
  #drawing;
  #stop;
  #time;
  #drawn = "";
  #isLive;
  #left = 0;

  /**
   * @param {import("./history.js").History} history
   * @param {{isLive: boolean}} options `isLive` is true if the history is live. A recording has no present.
   */
  constructor(history, { isLive }) {
    this.#history = history;
    this.#isLive = isLive;
    this.isRunning = isLive;
    if (!isLive) this.moment = 0;
    this.#canvas = make("canvas", {
      class: "line",
      tabindex: 0,
      role: "slider",
      "aria-label": isLive ? "Timeline of the last 60 seconds" : "Timeline of the recording",
      "aria-valuemin": 0,
      "aria-valuemax": 0,
      "aria-valuenow": 0,
      "aria-valuetext": "nothing yet",
      onkeydown: (event) => this.key(event),
      onpointerdown: (event) => this.#grab(event),
      onwheel: (event) => this.#wheel(event),
    });
    this.#drawing = new TimelineDrawing(this.#canvas);
    this.#stop = make("button", { type: "button", class: "round", onclick: () => this.toggle() });
    this.#time = make("output", { class: "time" });
    this.element = make("div", { class: "timeline" }, this.#buttons(), this.#canvas);
    this.#label();
    this.zoom(0);
    new ResizeObserver(() => (this.#drawn = "")).observe(this.#canvas);
  }

  #buttons() {
    const button = (name, title, onclick) => make("button", { type: "button", class: "round", title, "aria-label": title, onclick }, icon(name));
    return make(
      "div",
      { class: "transport" },
      button("step-back", "One frame back (←)", () => this.step(-1)),
      this.#stop,
      button("step-forward", "One frame forward (→)", () => this.step(1)),
      button("zoom-out", "Show more time (−)", () => this.zoom(-1)),
      button("zoom-in", "Show less time (+)", () => this.zoom(1)),
      this.#time,
    );
  }

  /** @param {string} text What to do so that there is something to show. */
  set hint(text) {
    this.#hint = text;
    this.#drawn = "";
  }

  /** Shows another history. A recording is shown from its start. */
  show(history) {
    this.#history = history;
    this.#drawn = "";
    if (!this.#isLive) this.moment = history.begin ?? 0;
  }

  refreshColors() {
    this.#drawing.refreshColors();
    this.#drawn = "";
  }

  /** Pauses or continues. A live history continues with the present. A recording continues at the moment shown, or at its start if it has ended. */
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

  /** Moves one frame back (-1) or forward (1). */
  step(direction) {
    this.seek(this.#history.step(this.moment ?? this.#now ?? 0, direction));
  }

  /** Shows more time (-1) or less (1). */
  zoom(direction) {
    this.#zoom = Math.max(0, Math.min(WINDOWS_US.length - 1, this.#zoom + direction));
    this.#canvas.setAttribute("aria-description", `${this.#window / SECOND} s are shown`);
    this.#drawn = "";
  }

  /** Handles the keys that docs/inspector.md lists. */
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
    const span = this.#window;
    const to = (x) => this.seek(left + ((x - rect.left) / rect.width) * span);
    this.#canvas.setPointerCapture(event.pointerId);
    to(event.clientX);
    this.#canvas.onpointermove = ({ clientX }) => to(clientX);
    this.#canvas.onpointerup = this.#canvas.onpointercancel = () => (this.#canvas.onpointermove = null);
  }

  get #window() {
    return WINDOWS_US[this.#zoom];
  }

  /**
   * Draws the timeline if it has changed.
   * @param {number | null} now The current time on the daemon's clock.
   */
  draw(now) {
    this.#now = now;
    const { clientWidth: width } = this.#canvas;
    if (width === 0) return;
    const time = this.moment ?? now;
    this.#tell(time);
    const perPixel = this.#window / width;
    // The timeline is drawn again only after it has moved by a pixel, or if there are new lines.
    const state = this.#isEmpty(time) ? "empty" : `${Math.floor(time / perPixel)} ${width} ${this.#history.end} ${this.#history.failures.length}`;
    const isDue = this.isRunning && this.#isLive ? state.split(" ")[0] !== this.#drawn.split(" ")[0] : state !== this.#drawn;
    if (!isDue) return;
    this.#drawn = state;
    this.#paint(time);
  }

  #tell(time) {
    const { begin } = this.#history;
    if (time === null || begin === null) return;
    const since = this.#isLive ? (time - (this.#now ?? time)) / SECOND : (time - begin) / SECOND;
    const text = this.#isLive && this.isRunning ? "now" : this.#isLive ? `${since.toFixed(3).replace("-", "−")} s` : `${since.toFixed(3)} s of ${((this.#history.end - begin) / SECOND).toFixed(3)} s`;
    if (this.#time.textContent === text) return;
    this.#time.textContent = text;
    this.#canvas.setAttribute("aria-valuemax", Math.round(((this.#now ?? this.#history.end) - begin) / 1000));
    this.#canvas.setAttribute("aria-valuenow", Math.round((time - begin) / 1000));
    this.#canvas.setAttribute("aria-valuetext", text);
  }

  #isEmpty(time) {
    return time === null || this.#history.begin === null;
  }

  #paint(time) {
    if (this.#isEmpty(time)) return this.#drawing.paint(this.#history, null, this.#hint);
    this.#left = this.#leftAt(time);
    const present = this.#now ?? time;
    const origin = this.#isLive ? present : (this.#history.begin ?? 0);
    this.#drawing.paint(this.#history, { left: this.#left, span: this.#window, time, present, origin, isStanding: this.moment !== null });
  }

  /** Returns the time at the left edge. The moment is shown in the middle, except near the start and the end of the history. */
  #leftAt(time) {
    const { begin, end } = this.#history;
    const span = this.#window;
    if (this.moment === null) return time - span;
    const latest = (this.#isLive ? (this.#now ?? time) : (end ?? time)) + GAP * span;
    const left = Math.min(time - span / 2, latest - span);
    return this.#isLive ? left : Math.max(left, (begin ?? 0) - GAP * span);
  }
}
