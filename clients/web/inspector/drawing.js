// SPDX-License-Identifier: MIT
// The drawing of the mode Design: regions on a panel that can be selected, moved, resized and drawn.
import { makeSvg } from "./dom.js";
import { bounds, circleRadii, outline, snap } from "./geometry.js";
import { PanelView } from "./panel-view.js";
import { avoid } from "./places.js";
import { drag, handles, move, rectangle } from "./shape.js";

/** A movement of the pointer by less than this distance, in CSS pixels, is a click. */
const CLICK = 4;
/** The diameter of the circle around a small target that must be free of other targets, in output pixels (WCAG 2.2, 2.5.8). */
const CIRCLE = 24;
/** The side of the square that is drawn around a target that is too small for a finger, in mm. */
const FINGER_MM = 9;
/** The minimum length of each side of a new region, in mm. */
const LEAST_MM = 1;

export class Drawing {
  view = new PanelView();
  /** The current tool: "select", "rect", "circle" or "polygon". */
  tool = "select";
  /** The size of the grid in mm, or 0 for no grid. */
  grid = 1;
  onselect = () => {};
  /** Called with the id and the new shape of a region, in output pixels. */
  onchange = () => {};
  /** Called with a new shape, in output pixels. */
  ondraw = () => {};
  #overlay = makeSvg("g", { class: "overlay" });
  #barriers = makeSvg("g", { class: "barriers" });
  #findings = [];
  #panel;
  #regions = new Map();
  #selected = null;
  #corners = [];

  constructor() {
    const { svg } = this.view;
    svg.addEventListener("pointerdown", (event) => this.#down(event));
    svg.addEventListener("dblclick", () => this.finishPolygon());
    svg.setAttribute("tabindex", "0");
  }

  /**
   * @param {object} panel The panel of a layout.
   * @param {number} scale CSS pixels per mm.
   * @param {{data: any, shape: any}[]} regions The regions in the order of the panel.
   * @param {string | null} selected
   */
  show(panel, scale, regions, selected) {
    this.#panel = panel;
    this.#regions = new Map(regions.map((region) => [region.data.id, region]));
    this.#selected = selected;
    this.view.show(panel, scale);
    this.view.svg.setAttribute("role", "application");
    this.view.svg.setAttribute("aria-label", "Drawing of the panel. Arrow keys move the selected region by a millimetre, or by ten with Shift. Delete removes it.");
    this.view.svg.append(this.#barriers, this.#overlay);
    this.#paint(this.#shape);
    this.#paintBarriers();
  }

  /** Draws the targets that are too small or too near to each other: those that findings on accessibility name. */
  mark(findings) {
    this.#findings = findings.filter(({ code }) => code === "target_size" || code === "finger_size");
    if (this.#panel) this.#paintBarriers();
  }

  #paintBarriers() {
    this.#barriers.replaceChildren(...this.#findings.flatMap((finding) => this.#barrier(finding)));
  }

  /** Returns the outline of a target, and the space that it ought to have. */
  #barrier({ region, code }) {
    const shape = this.#regions.get(region)?.shape;
    if (!shape) return [];
    const { map } = this.view;
    const { size } = this.#panel;
    const [x, y, width, height] = bounds(shape);
    const [cx, cy] = [map.x(x + width / 2), map.y(y + height / 2)];
    const { name, ...attributes } = outline(shape, map);
    const target = makeSvg(name, { ...attributes, class: `barrier ${code}`, "data-barrier": region });
    if (code === "target_size") return [target, makeSvg("ellipse", { cx, cy, rx: (CIRCLE / 2) * map.kx, ry: (CIRCLE / 2) * map.ky, class: "space" })];
    const [w, h] = [((FINGER_MM * size.width) / size.widthMm) * map.kx, ((FINGER_MM * size.height) / size.heightMm) * map.ky];
    return [target, makeSvg("rect", { x: cx - w / 2, y: cy - h / 2, width: w, height: h, class: "space" })];
  }

  get #shape() {
    return this.#regions.get(this.#selected)?.shape ?? null;
  }

  /** Draws the outline and the handles of a shape. */
  #paint(shape) {
    this.#overlay.replaceChildren();
    const { map } = this.view;
    if (this.#corners.length > 0) {
      const points = this.#corners.map(([x, y]) => `${map.x(x)},${map.y(y)}`).join(" ");
      this.#overlay.append(makeSvg("polyline", { points, class: "draft" }));
      for (const corner of this.#corners) this.#overlay.append(this.#handle(corner, -1));
    }
    if (!shape) return;
    const { name, ...attributes } = outline(shape, map);
    this.#overlay.append(makeSvg(name, { ...attributes, class: "draft" }), this.#measure(shape));
    if (this.tool === "select") handles(shape).forEach((point, index) => this.#overlay.append(this.#handle(point, index)));
  }

  #handle([x, y], index) {
    const { map } = this.view;
    return makeSvg("circle", { cx: map.x(x), cy: map.y(y), r: 6, class: "handle", "data-handle": index });
  }

  /** Creates a text below the shape, which shows the size of the shape in mm. */
  #measure(shape) {
    const [x, y, width, height] = bounds(shape);
    const { map } = this.view;
    const { size } = this.#panel;
    const words = `${((width * size.widthMm) / size.width).toFixed(1)} × ${((height * size.heightMm) / size.height).toFixed(1)} mm`;
    const below = map.y(y + height) + 16;
    const middle = Math.max(50, Math.min(map.width - 50, map.x(x + width / 2)));
    const base = below > map.height - 3 ? map.y(y + height) - 8 : below;
    const place = { left: middle - 50, right: middle + 50, top: base - 12, tall: 16 };
    avoid(place, this.view.places, map.height);
    return makeSvg("text", { x: middle, y: place.top + 12, "text-anchor": "middle", class: "measure" }, words);
  }

  /** Returns the position of a pointer in output pixels, moved to the nearest point of the grid. */
  #point({ clientX, clientY }) {
    const { map, svg } = this.view;
    const box = svg.getScreenCTM();
    return this.#snapped([(clientX - box.e) / map.kx, (clientY - box.f) / map.ky]);
  }

  #snapped([x, y]) {
    const { width, height, widthMm, heightMm } = this.#panel.size;
    const [kx, ky] = [widthMm / width, heightMm / height];
    return [snap(x * kx, this.grid) / kx, snap(y * ky, this.grid) / ky];
  }

  #down(event) {
    if (event.button !== 0) return;
    const start = this.#point(event);
    this.view.svg.focus({ preventScroll: true });
    if (this.tool === "polygon") return this.#addCorner(start);
    if (this.tool !== "select") return this.#follow(event, (point) => this.#draft(start, point), (shape) => this.#drawn(shape));
    const handle = event.target.dataset.handle;
    if (handle !== undefined) {
      const shape = this.#shape;
      return this.#follow(event, (point) => drag(shape, Number(handle), point), (result) => this.onchange(this.#selected, result));
    }
    const id = event.target.closest("[data-region]")?.dataset.region ?? null;
    this.onselect(id);
    const shape = this.#regions.get(id)?.shape;
    if (shape) this.#follow(event, (point) => this.#moved(shape, point[0] - start[0], point[1] - start[1]), (result) => this.onchange(id, result));
  }

  /** Returns a copy of a shape that is moved by the distance. Its corner is placed on the grid. */
  #moved(shape, dx, dy) {
    const [x, y] = bounds(shape);
    const [toX, toY] = this.#snapped([x + dx, y + dy]);
    return move(shape, toX - x, toY - y);
  }

  #draft(start, point) {
    if (this.tool === "rect") return { rect: rectangle(start, point) };
    const { size } = this.#panel;
    const [, ratio] = circleRadii(1, size);
    const radius = Math.max(1, Math.hypot(point[0] - start[0], (point[1] - start[1]) / ratio));
    return { circle: { center: start, radius: circleRadii(radius, size) } };
  }

  #drawn(shape) {
    const [, , width, height] = bounds(shape);
    const { size } = this.#panel;
    if ((width * size.widthMm) / size.width < LEAST_MM || (height * size.heightMm) / size.height < LEAST_MM) return;
    this.ondraw(shape);
  }

  /** Follows a pointer until it is released. A click does not change anything. */
  #follow(event, shapeAt, done) {
    const { svg } = this.view;
    svg.setPointerCapture(event.pointerId);
    let last = null;
    svg.onpointermove = (moved) => {
      if (last === null && Math.hypot(moved.clientX - event.clientX, moved.clientY - event.clientY) < CLICK) return;
      last = shapeAt(this.#point(moved));
      this.#paint(last);
    };
    svg.onpointerup = svg.onpointercancel = (up) => {
      svg.onpointermove = svg.onpointerup = svg.onpointercancel = null;
      if (up.type === "pointerup" && last !== null) done(last);
      else this.#paint(this.#shape);
    };
  }

  #addCorner(point) {
    const [x, y] = this.#corners.at(-1) ?? [];
    if (x === point[0] && y === point[1]) return;
    this.#corners.push(point);
    this.#paint(null);
  }

  /** Closes the current polygon. */
  finishPolygon() {
    const polygon = this.#corners;
    this.#corners = [];
    if (polygon.length >= 3) this.ondraw({ polygon });
    else this.#paint(this.#shape);
  }

  /** Discards the current polygon. */
  cancel() {
    this.#corners = [];
    this.#paint(this.#shape);
  }

  /** Moves the selected region by a distance in millimetres. */
  nudge(dxMm, dyMm) {
    const shape = this.#shape;
    if (!shape) return;
    const { width, height, widthMm, heightMm } = this.#panel.size;
    this.onchange(this.#selected, move(shape, (dxMm * width) / widthMm, (dyMm * height) / heightMm));
  }
}
