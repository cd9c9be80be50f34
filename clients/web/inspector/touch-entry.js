// SPDX-License-Identifier: MIT
// An entry of the list of gestures: a touch of a region, and of the regions that see its contacts. What was recognized is
// shown first. Gestures that were not recognized are folded, except the nearest one if nothing but a press was recognized.
import { make } from "./dom.js";
import { mayBeIntended, nearestFirst } from "./reasons.js";
import { gestureName, gestureWords } from "./words.js";

export class TouchEntry {
  element;
  /** Called with the time of the gesture that the user has chosen. */
  #onchoose;
  #list = make("ul");
  #folded = make("ul");
  #summary = make("summary");
  #details = make("details", {}, this.#summary, this.#folded);
  /** The rows of gestures, by name. `line` is the last line of the gesture, and `count` is how often it began. */
  #recognized = new Map();
  /** The region that owns the touch. */
  region;
  /** The time of the last line. */
  last = 0;
  #failed = new Map();

  /**
   * @param {string} time The time of the touch in words.
   * @param {string} region The region that owns the touch.
   * @param {(time: number) => void} onchoose
   */
  constructor(time, region, onchoose) {
    this.#onchoose = onchoose;
    this.region = region;
    const head = make("p", { class: "touch-head" }, make("span", { class: "region-name" }, region), make("time", {}, time));
    this.element = make("li", { class: "touch" }, head, this.#list, this.#details);
  }

  /** Takes a line of the touch. `render` shows it. */
  add(line) {
    const rows = line.event === "failed" ? this.#failed : this.#recognized;
    const name = line.region === this.region ? gestureName(line) : `${gestureName(line)} on ${line.region}`;
    const row = rows.get(name) ?? { ...this.#row(line, name), line, count: 0 };
    if (line.phase === undefined || line.phase === "begin") row.count += 1;
    row.line = line;
    this.last = line.time_us;
    rows.set(name, row);
  }

  /** Whether a gesture of the touch is in progress. */
  get isActive() {
    return [...this.#recognized.values()].some(isInProgress);
  }

  /** Shows that gestures in progress have ended. */
  cut() {
    for (const row of this.#recognized.values()) {
      if (isInProgress(row)) row.line = { ...row.line, phase: "cancel", reason: "connection lost" };
    }
    this.render();
  }

  render() {
    const isCancelled = ({ line }) => line.phase === "cancel";
    const recognized = [...this.#recognized.values()].toSorted((a, b) => isCancelled(a) - isCancelled(b));
    for (const row of recognized) {
      row.element.className = isCancelled(row) ? "cancelled" : "gesture";
      setText(row.detail, gestureWords(row.line, row.count));
    }
    const failed = nearestFirst([...this.#failed.values()]);
    for (const row of failed) setText(row.detail, row.line.message);
    const isUnclear = recognized.every(({ line }) => line.gesture === "press");
    const nearest = isUnclear && failed.length > 0 && mayBeIntended(failed[0].line) ? [failed[0]] : [];
    const folded = failed.slice(nearest.length);
    setRows(this.#list, [...recognized, ...nearest]);
    setRows(this.#folded, folded);
    this.#details.hidden = folded.length === 0;
    setText(this.#summary, othersWords(folded.length));
  }

  #row(line, name) {
    const detail = make("span", { class: "detail" });
    const time = line.time_us;
    const button = make("button", { type: "button", title: "Show this moment", onclick: () => this.#onchoose(time) }, make("span", { class: "what" }, name), detail);
    return { element: make("li", { class: line.event }, button), detail };
  }
}

const isInProgress = ({ line }) => line.phase === "begin" || line.phase === "update";

const othersWords = (count) => (count === 1 ? "1 other was possible" : `${count} others were possible`);

/** Changes a text only if it differs, because each change causes a new layout. */
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Puts rows into a list. Rows stay where they are if the list has them already, so that they keep the focus. */
function setRows(list, rows) {
  const isSame = list.childElementCount === rows.length && rows.every(({ element }, index) => list.children[index] === element);
  if (!isSame) list.replaceChildren(...rows.map(({ element }) => element));
}
