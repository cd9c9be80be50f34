// SPDX-License-Identifier: MIT
// Shows a gesture for the configuration that is made from the strokes drawn on the panel.
import { byId } from "./dom.js";
import { projection } from "./geometry.js";
import { strokeText, template, unlike } from "./template.js";

/** The maximum number of templates of one gesture. */
const MOST_TEMPLATES = 16;
/** This number of drawings is asked for: with three templates, twice as few strokes are refused as with one. */
const ENOUGH = 3;
/** Shorter paths, in millimetres, were not meant as drawings. */
const LEAST_MM = 10;

export class TemplateRecorder {
  #app;
  #templates = [];
  /** The strokes that were there before, or that have been looked at. */
  #known = new WeakSet();

  constructor(app) {
    this.#app = app;
    byId("live-draw").addEventListener("click", () => this.#toggle());
    byId("live-draw-copy").addEventListener("click", () => this.#copy());
  }

  layoutChanged() {
    const button = byId("live-draw");
    button.disabled = !this.#app.hasTouches && !this.#isOn;
    button.title = button.disabled ? "This needs the positions of fingers; the notice in Live says what allows them." : "";
  }

  get #isOn() {
    return !byId("live-drawing").hidden;
  }

  #toggle() {
    byId("live-drawing").hidden = this.#isOn;
    byId("live-draw").setAttribute("aria-pressed", String(this.#isOn));
    this.#templates = [];
    for (const stroke of this.#app.history.strokes) this.#known.add(stroke);
    this.#show();
  }

  take(line) {
    if (line.event !== "touches" || !this.#isOn) return;
    const strokes = this.#app.history.strokes.filter((stroke) => stroke.end !== null && !this.#known.has(stroke));
    for (const stroke of strokes) {
      this.#known.add(stroke);
      if (this.#isAlone(stroke) && this.#templates.length < MOST_TEMPLATES) this.#add(stroke);
    }
  }

  /** Whether no other finger was on the panel meanwhile. */
  #isAlone(stroke) {
    return this.#app.history.strokes.every(
      (other) => other === stroke || other.device !== stroke.device || other.begin > stroke.end || (other.end ?? Infinity) < stroke.begin,
    );
  }

  #add(stroke) {
    const size = this.#app.layout.panels.find(({ id }) => id === stroke.device)?.size;
    if (!size) return;
    const map = projection(size, 1);
    const points = Array.from({ length: stroke.count }, (_, index) => [map.x(stroke.x(index)), map.y(stroke.y(index))]);
    const length = points.reduce((sum, [x, y], index) => (index === 0 ? 0 : sum + Math.hypot(x - points[index - 1][0], y - points[index - 1][1])), 0);
    const drawn = length < LEAST_MM ? null : template(points);
    if (drawn === null) return;
    this.#templates.push(drawn);
    this.#show();
  }

  #show() {
    const count = this.#templates.length;
    const drawings = count === 1 ? "1 drawing" : `${count} drawings`;
    const next = count < ENOUGH ? `Draw it again: ${ENOUGH - count} of ${ENOUGH} are left.` : "Copy this into gestures of a region.";
    byId("live-draw-hint").textContent =
      count === 0 ? `Draw a shape on the panel with one finger, ${ENOUGH} times.` : [`${drawings}.`, ...unlike(this.#templates), next].join(" ");
    byId("live-draw-text").textContent = count === 0 ? "" : strokeText("stroke", this.#templates);
    byId("live-draw-copy").disabled = count === 0;
  }

  async #copy() {
    const box = byId("live-draw-text");
    try {
      await navigator.clipboard.writeText(box.textContent);
      this.#app.say("The gesture was copied to the clipboard.");
    } catch {
      getSelection().selectAllChildren(box);
      this.#app.say("The browser does not let this page use the clipboard. The gesture is selected instead.");
    }
  }
}
