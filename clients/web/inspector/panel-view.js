// SPDX-License-Identifier: MIT
// Shows a panel to scale. Regions and rulers are SVG elements, which are replaced when they change. Fingers, trails and
// notes are drawn on a canvas in each frame of the screen in which any of them is visible.
import { cssColor, fingerColors } from "./colors.js";
import { make, makeSvg, prepareCanvas } from "./dom.js";
import { drawFingers } from "./fingers.js";
import { isLarge, outline, projection } from "./geometry.js";
import { Labels } from "./labels.js";
import { drawNotes } from "./notes.js";
import { coverGlass, RULER, rulers } from "./rulers.js";

/** The time for which a region is highlighted after a discrete gesture, in µs. */
const HIT_US = 350_000;
/** The maximum number of region names in a panel's description. */
const MOST_NAMES = 12;

let views = 0;

export class PanelView {
  element;
  #panel;
  #map;
  #scale = 0;
  #stage = make("div", { class: "stage" });
  #canvas = make("canvas", { class: "touches", "aria-hidden": "true" });
  #svg = makeSvg("svg", { class: "regions", role: "img" });
  #paths = new Map();
  #labels;
  #hatch = `hatch-${++views}`;
  #colors = null;
  #wasEmpty = false;

  constructor() {
    this.#stage.append(this.#svg, this.#canvas);
    this.element = this.#stage;
  }

  get map() {
    return this.#map;
  }

  get svg() {
    return this.#svg;
  }

  /** The places of the labels. */
  get places() {
    return this.#labels.places;
  }

  /**
   * Draws a panel and its regions.
   * @param {import("./layout.js").Layout["panels"][0]} panel
   * @param {number} scale CSS pixels per mm.
   */
  show(panel, scale) {
    this.#panel = panel;
    this.#scale = scale;
    const map = (this.#map = projection(panel.size, scale));
    const [width, height] = [map.width + RULER, map.height + RULER];
    this.#stage.style.width = `${width}px`;
    this.#stage.style.height = `${height}px`;
    for (const [key, value] of Object.entries({ viewBox: `${-RULER} ${-RULER} ${width} ${height}`, width, height })) {
      this.#svg.setAttribute(key, value);
    }
    this.#svg.setAttribute("aria-label", panelWords(panel));
    this.#paths.clear();
    this.#labels = new Labels(map);
    this.#svg.replaceChildren(patterns(this.#hatch), rulers(panel.size, scale), ...this.#regions(panel));
    coverGlass(this.#canvas, map);
    this.refreshColors();
  }

  refreshColors() {
    this.#colors = { fingers: fingerColors(), good: cssColor("--good"), bad: cssColor("--warn"), surface: cssColor("--surface"), text: cssColor("--text") };
    this.#wasEmpty = false;
  }

  #regions(panel) {
    const map = this.#map;
    const glass = makeSvg("rect", { class: "glass", x: 0, y: 0, width: map.width, height: map.height, rx: 3 });
    // Drawing is clipped to the panel.
    const clip = makeSvg("svg", { x: 0, y: 0, width: map.width, height: map.height, class: "clip" });
    clip.append(...panel.regions.map((region) => this.#region(region)));
    // The topmost regions are labelled first. Other regions are labelled only if there is room.
    for (const region of panel.regions.toReversed()) {
      const label = this.#labels.add(region);
      if (label) clip.append(label);
    }
    return [glass, clip];
  }

  #region(region) {
    const { name, ...attributes } = outline(region.shape, this.#map);
    const classes = ["region", `depth-${Math.min(region.depth, 4)}`];
    if (!region.enabled) classes.push("off");
    if (region.pass) classes.push("pass");
    const shape = makeSvg(name, { ...attributes, class: classes.join(" ") });
    // A large region is highlighted only faintly.
    this.#paths.set(region.region, { path: pathOf(name, attributes), isLarge: isLarge(region.shape, this.#panel.size) });
    const hatch = region.isSecret ? makeSvg(name, { ...attributes, class: "hatch", fill: `url(#${this.#hatch})` }) : null;
    return makeSvg("g", { "data-region": region.region }, shape, hatch);
  }

  /**
   * Draws the fingers, the gestures and the reasons for failures at a moment.
   * @param {ReturnType<import("./history.js").History["at"]>} picture
   * @param {number} time
   * @param {{reasons: boolean}} options `reasons` determines whether to show why gestures failed.
   */
  draw(picture, time, { reasons = true } = {}) {
    const lit = this.#lit(picture, time);
    const isEmpty = picture.strokes.length + picture.marks.length + picture.failures.length + lit.size === 0;
    if (isEmpty && this.#wasEmpty) return;
    this.#wasEmpty = isEmpty;
    const { width, height } = this.#map;
    const context = prepareCanvas(this.#canvas, width, height);
    context.clearRect(0, 0, width, height);
    context.lineCap = context.lineJoin = "round";
    const look = { panel: this.#panel, map: this.#map, scale: this.#scale, colors: this.#colors };
    this.#light(context, lit);
    drawFingers(context, picture.strokes, look, time);
    drawNotes(context, picture, look, { time, reasons, taken: this.#labels.places });
  }

  /** Highlights regions on the canvas, so that their SVG elements do not have to change. */
  #light(context, lit) {
    context.fillStyle = context.strokeStyle = this.#colors.good;
    context.lineWidth = 2;
    for (const [region, word] of lit) {
      const { path, isLarge } = this.#paths.get(region) ?? {};
      if (!path) continue;
      context.globalAlpha = (word === "hit" ? 0.45 : 0.26) * (isLarge ? 0.3 : 1);
      context.fill(path, "evenodd");
      context.globalAlpha = 1;
      context.stroke(path);
    }
  }

  /** Returns the regions to highlight. For tests, also lists them in the attribute `data-lit`. */
  #lit(picture, time) {
    const lit = new Map();
    for (const region of picture.active.keys()) lit.set(region, "active");
    for (const { line, time: at } of picture.marks) if (time - at < HIT_US) lit.set(line.region, "hit");
    const words = [...lit].map(([region, word]) => `${region}:${word}`).join(" ");
    if (this.#stage.dataset.lit !== words) this.#stage.dataset.lit = words;
    return lit;
  }
}

/** Returns the outline of a region for the canvas. */
function pathOf(name, { x, y, width, height, cx, cy, rx, ry, points }) {
  const path = new Path2D();
  if (name === "rect") path.rect(x, y, width, height);
  else if (name === "ellipse") path.ellipse(cx, cy, rx, ry, 0, 0, 2 * Math.PI);
  else path.addPath(new Path2D(`M${points}Z`));
  return path;
}

/** Describes a panel in words, for screen readers. */
function panelWords({ id, size, regions }) {
  const names = regions.filter(({ enabled }) => enabled).map(({ region }) => region);
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
  const list = names.slice(0, MOST_NAMES).join(", ") + more;
  return `Panel ${id}, ${Math.round(size.widthMm)} by ${Math.round(size.heightMm)} millimetres; regions: ${list || "none"}`;
}

/** Creates the fill pattern for private regions. Each view has its own pattern, because browsers do not draw patterns of hidden elements. */
function patterns(id) {
  const stripes = makeSvg("path", { d: "M-2,2 l4,-4 M0,8 l8,-8 M6,10 l4,-4", class: "stripe" });
  return makeSvg("defs", {}, makeSvg("pattern", { id, width: 8, height: 8, patternUnits: "userSpaceOnUse" }, stripes));
}
