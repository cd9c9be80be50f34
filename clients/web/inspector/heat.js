// SPDX-License-Identifier: MIT
// Draws where fingers land on a panel, in cells below the outlines of its regions.
import { cssColor } from "./colors.js";
import { make } from "./dom.js";
import { fit } from "./geometry.js";
import { PanelView } from "./panel-view.js";
import { coverGlass, RULER } from "./rulers.js";

/** The side of a cell in pixels of the canvas. */
const CELL = 8;
/** Room for the last label of a ruler, which is centred on the edge of the panel. */
const MARGIN = 12;
/** The colours of the scale, from few landings to many. */
const HEAT = [[47, 109, 181], [43, 181, 160], [242, 193, 78], [228, 87, 46]];

export class HeatMap {
  #host;
  #view = new PanelView();
  #canvas = make("canvas", { class: "background", role: "img", "aria-label": "Landings in each cell" });
  #panel = null;

  /** @param {HTMLElement} host The element whose width determines the scale. */
  constructor(host) {
    this.#host = host;
    this.#view.element.classList.add("pictured");
    this.#view.element.prepend(this.#canvas);
    host.append(this.#view.element);
    new ResizeObserver(() => this.#place()).observe(host);
  }

  /**
   * @param {import("./layout.js").Layout["panels"][0]} panel
   * @param {{columns: number, rows: number, counts: number[]}} map The reply to `touch_map`.
   * @param {{column: number, row: number, kind: string}[]} odd The cells to mark.
   */
  show(panel, map, odd) {
    const isNew = this.#panel !== panel;
    this.#panel = panel;
    if (isNew) this.#place();
    this.#draw(map, odd);
  }

  #place() {
    const { clientWidth: width } = this.#host;
    if (!this.#panel || width === 0) return;
    const { size, regions } = this.#panel;
    const scale = fit(size, width - RULER - MARGIN, Math.max(240, innerHeight * 0.7));
    this.#view.show({ ...this.#panel, regions: regions.filter(({ enabled }) => enabled) }, scale);
    coverGlass(this.#canvas, this.#view.map);
  }

  #draw({ columns, rows, counts }, odd) {
    const most = Math.max(1, ...counts);
    this.#canvas.width = columns * CELL;
    this.#canvas.height = rows * CELL;
    const context = this.#canvas.getContext("2d");
    context.fillStyle = cssColor("--surface-2");
    context.fillRect(0, 0, this.#canvas.width, this.#canvas.height);
    counts.forEach((count, index) => {
      if (count === 0) return;
      context.fillStyle = heat(Math.log1p(count) / Math.log1p(most));
      context.fillRect((index % columns) * CELL, Math.floor(index / columns) * CELL, CELL - 1, CELL - 1);
    });
    context.lineWidth = 2;
    for (const { column, row, kind } of odd) {
      context.strokeStyle = cssColor(kind === "noisy" ? "--bad" : "--text");
      context.strokeRect(column * CELL, row * CELL, CELL - 1, CELL - 1);
    }
  }
}

/** Returns the colour of a value from 0 to 1. */
function heat(part) {
  const place = Math.min(0.999, part) * (HEAT.length - 1);
  const index = Math.floor(place);
  const mix = HEAT[index].map((from, channel) => Math.round(from + (HEAT[index + 1][channel] - from) * (place - index)));
  return `rgb(${mix.join(" ")})`;
}
