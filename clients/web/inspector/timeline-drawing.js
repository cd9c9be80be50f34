// SPDX-License-Identifier: MIT
// Draws a timeline: a lane for each finger, rows of gestures, a tick for each failed gesture, and an axis in seconds.
import { colorIndex, cssColor, FINGER_COLORS, fingerColors } from "./colors.js";
import { prepareCanvas } from "./dom.js";
import { arrange } from "./timeline-rows.js";
import { gestureName } from "./words.js";

const SECOND = 1e6;
const STEPS_S = [0.01, 0.05, 0.1, 0.5, 1, 2, 5, 10];
const LONGEST_STEP_S = 15;
/** These are heights in CSS pixels. */
const LANE = 5;
const ROW = 15;
const AXIS = 18;
const ROWS = 3;
const ROWS_TOP = FINGER_COLORS * LANE + 6;
const HEIGHT = FINGER_COLORS * LANE + ROWS * ROW + AXIS + 8;
const HEIGHT_WITHOUT_AXIS = HEIGHT - AXIS;
const DOT = 6;
/** A name that begins this far to the left of the window has ended before it. */
const LONGEST_NAME = 300;
/** The minimum distance between numbers of the axis, in CSS pixels. */
const LEAST_GAP = 58;
/** The maximum length of a window in which the names of minor gestures are shown. */
const NAMED_WINDOW_US = 5 * SECOND;

/**
 * The state of a timeline. `left` is the time at the left edge, `span` is the length of the window, `time` is the moment
 * that is shown, `present` is the newest time, and `origin` is the time that is labelled 0. All of these are in µs.
 * `isStanding` determines whether the moment is marked.
 * @typedef {{left: number, span: number, time: number, present: number, origin: number, isStanding: boolean}} View
 */

export class TimelineDrawing {
  #canvas;
  #colors = null;

  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.#canvas = canvas;
  }

  refreshColors() {
    this.#colors = null;
  }

  #palette() {
    this.#colors ??= {
      fingers: fingerColors(),
      ...Object.fromEntries(["good", "warn", "muted", "line", "accent", "text"].map((name) => [name, cssColor(`--${name}`)])),
    };
    return this.#colors;
  }

  /**
   * @param {import("./history.js").History} history
   * @param {View | null} view The state, or null if there is nothing to show yet.
   * @param {string} hint The text to show in that case.
   */
  paint(history, view, hint = "") {
    const width = this.#canvas.clientWidth;
    const context = prepareCanvas(this.#canvas, width, HEIGHT);
    context.clearRect(0, 0, width, HEIGHT);
    const colors = this.#palette();
    if (view === null) return drawHint({ context, colors, width }, hint);
    const x = (at) => ((at - view.left) / view.span) * width;
    const drawing = { context, colors, width, x };
    drawAxis(drawing, view);
    drawStrokes(drawing, history.strokes, view);
    drawFailures(drawing, history.failures);
    drawGestures(drawing, history, view);
    if (view.isStanding) drawMoment(drawing, view.time);
  }
}

function drawHint({ context, colors, width }, hint) {
  context.font = "14px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = colors.muted;
  context.fillText(hint, width / 2, HEIGHT / 2);
}

function drawAxis({ context, colors, width, x }, { left, span, origin }) {
  const step = (STEPS_S.find((seconds) => ((seconds * SECOND) / span) * width > LEAST_GAP) ?? LONGEST_STEP_S) * SECOND;
  const digits = step < 0.1 * SECOND ? 2 : step < SECOND ? 1 : 0;
  context.font = "11px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "alphabetic";
  const first = Math.ceil((left - origin) / step);
  const last = Math.floor((left + span - origin) / step);
  for (let n = first; n <= last; n++) {
    const at = x(origin + n * step);
    if (at < 16 || at > width - 12) continue;
    context.fillStyle = colors.line;
    context.fillRect(at, 0, 1, HEIGHT_WITHOUT_AXIS);
    context.fillStyle = colors.muted;
    const text = ((n * step) / SECOND).toFixed(digits);
    context.fillText(`${text === "-0" ? "0" : text.replace("-", "−")} s`, at, HEIGHT - 5);
  }
}

function drawStrokes({ context, colors, width, x }, strokes, { left, span, present }) {
  for (const stroke of strokes) {
    const from = x(stroke.begin);
    const to = x(Math.min(stroke.end ?? present, left + span));
    if (to < 0 || from > width) continue;
    const lane = colorIndex(stroke.slot);
    const start = Math.max(0, from);
    context.fillStyle = colors.fingers[lane];
    context.fillRect(start, lane * LANE + 2, Math.max(2, Math.min(width, to) - start), LANE - 1);
  }
}

function drawFailures({ context, colors, width, x }, failures) {
  context.fillStyle = colors.warn;
  for (const { time } of failures) {
    const at = x(time);
    if (at >= 0 && at <= width) context.fillRect(at - 0.75, ROWS_TOP + ROWS * ROW - 1, 1.5, 6);
  }
}

/** Draws gestures in rows, so that their names do not cover each other. */
function drawGestures(drawing, { marks, spans }, { span, present }) {
  const { context, width, x } = drawing;
  context.textAlign = "left";
  context.textBaseline = "middle";
  const items = [
    ...spans.map(({ begin, end, line }) => ({ from: x(begin), to: Math.max(x(begin) + 2, x(end ?? present)), line, isSpan: true })),
    ...marks.map(({ time, line }) => ({ from: x(time), to: x(time) + DOT, line, isSpan: false })),
  ];
  const visible = items
    .filter(({ from, to }) => to > -LONGEST_NAME && from < width)
    .sort((a, b) => a.from - b.from)
    .map((item) => {
      // Presses and repeats are frequent, so their names are shown only in a short window.
      const isMinor = (item.line.gesture === "press" || item.line.n > 1) && span > NAMED_WINDOW_US;
      const text = isMinor ? "" : gestureName(item.line);
      return { ...item, text, nameEnd: isMinor ? item.from : item.from + DOT + 2 + context.measureText(text).width };
    });
  arrange(visible, ROWS).forEach(({ row, isNamed }, index) => {
    const item = visible[index];
    drawGesture(drawing, { ...item, y: ROWS_TOP + row * ROW, text: isNamed ? item.text : "" });
  });
}

/** Draws a bar for a continuous gesture, or a dot for a discrete one. */
function drawGesture({ context, colors }, { from, to, y, isSpan, text }) {
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

function drawMoment({ context, colors, x }, time) {
  context.fillStyle = colors.accent;
  context.fillRect(x(time) - 0.75, 0, 1.5, HEIGHT_WITHOUT_AXIS + 4);
  context.beginPath();
  context.arc(x(time), 4, 4, 0, 2 * Math.PI);
  context.fill();
}
