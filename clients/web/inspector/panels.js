// SPDX-License-Identifier: MIT
// Shows all panels of a layout at the same scale, with captions.
import { make } from "./dom.js";
import { fit } from "./geometry.js";
import { PanelView } from "./panel-view.js";
import { RULER } from "./rulers.js";

export class Panels {
  #container;
  #views = new Map();
  #layout = { panels: [] };
  #showsOff = false;
  #sizes = "";

  /** @param {HTMLElement} container The element whose size determines the scale. */
  constructor(container) {
    this.#container = container;
    new ResizeObserver(() => this.#render()).observe(container);
  }

  /**
   * @param {import("./layout.js").Layout} layout
   * @param {{showsOff?: boolean}} options `showsOff` determines whether disabled regions are drawn.
   */
  show(layout, { showsOff = false } = {}) {
    this.#layout = layout;
    this.#showsOff = showsOff;
    this.#sizes = "";
    this.#render();
  }

  refreshColors() {
    for (const view of this.#views.values()) view.refreshColors();
  }

  #render() {
    const { clientWidth: width, clientHeight: height } = this.#container;
    const { panels } = this.#layout;
    const sizes = `${width} ${height}`;
    if (width === 0 || sizes === this.#sizes) return;
    this.#sizes = sizes;
    const room = Math.max(140, height - 40);
    const scale = Math.min(...panels.map(({ size }) => fit(size, width - RULER - 4, room / panels.length - RULER)));
    const figures = panels.map((panel) => this.#figure(panel, scale));
    for (const id of this.#views.keys()) if (!panels.some((panel) => panel.id === id)) this.#views.delete(id);
    this.#container.replaceChildren(...figures);
  }

  #figure(panel, scale) {
    let view = this.#views.get(panel.id);
    if (!view) this.#views.set(panel.id, (view = new PanelView()));
    view.show(this.#showsOff ? panel : { ...panel, regions: panel.regions.filter(({ enabled }) => enabled) }, scale);
    const { size } = panel;
    const words = `${Math.round(size.widthMm)} × ${Math.round(size.heightMm)} mm · ${size.width} × ${size.height} px`;
    const caption = make("figcaption", {}, make("strong", {}, panel.id), ` ${panel.name === panel.id ? "" : (panel.name ?? "")} `, make("span", {}, words));
    if (panel.state !== "ready") caption.append(make("span", { class: "bad" }, ` ${panel.state}`));
    return make("figure", { class: "panel" }, view.element, caption);
  }

  /** Draws the picture at a moment on each panel. */
  draw(history, time, options) {
    for (const [id, view] of this.#views) view.draw(history.at(id, time), time, options);
  }
}
