// SPDX-License-Identifier: MIT
// A panel to scale: regions and rulers in SVG, drawn when they change; fingers, trails and marks on a canvas, drawn in
// each frame in which something has changed.
import { cssColor, make, makeSvg, prepareCanvas } from "./dom.js";
import { FAILURE_US, MARK_US, sequenceKey, TRAIL_US } from "./history.js";
import { bounds, outline, projection, rulerStep } from "./geometry.js";
import { gestureName, measures, miss } from "./words.js";

/** The breadth of the rulers in CSS pixels. */
export const RULER = 22;
const FINGER_COLORS = 10;
/** How long a region is lit after a discrete gesture, in µs. */
const HIT_US = 350_000;
/** A region with more than this part of its panel is lit faintly. */
const LARGE = 0.25;
/** The radius of a finger whose width the panel does not tell, in mm. */
const FINGER_MM = 4.5;
const MOST_REASONS = 3;
/** Reasons of one region that come within this time are shown together, in µs. */
const TOGETHER_US = 500_000;
/** A gesture that missed a limit by at most this factor was perhaps meant. */
const NEAR = 3;
/** What a tap misses when something else was meant. */
const OTHERS = new Set(["moved", "too_long"]);
/** What says nothing about a gesture that was meant. */
const DULL = new Set(["too_many_contacts", "too_few_contacts", "shadowed", "multi_touch", "claimed", "long_press"]);
const LETTER = 6.6;
const LINE = 18;

/** The colour of a slot, as a CSS variable. */
export const fingerVariable = (slot) => `--finger-${((slot % FINGER_COLORS) + FINGER_COLORS) % FINGER_COLORS}`;

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
  /** Where texts stand: `{left, right, top, tall}`. */
  #labels = [];
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

  /**
   * Draws a panel and its regions.
   * @param {object} panel Of a layout.
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
    this.#labels = [];
    this.#svg.replaceChildren(patterns(this.#hatch), rulers(panel.size, scale), ...this.#regions(panel));
    this.#canvas.style.left = this.#canvas.style.top = `${RULER}px`;
    this.#canvas.style.width = `${map.width}px`;
    this.#canvas.style.height = `${map.height}px`;
    this.refreshColors();
  }

  refreshColors() {
    const fingers = Array.from({ length: FINGER_COLORS }, (_, slot) => cssColor(fingerVariable(slot)));
    this.#colors = { fingers, good: cssColor("--good"), bad: cssColor("--warn"), surface: cssColor("--surface"), text: cssColor("--text") };
    this.#wasEmpty = false;
  }

  #regions(panel) {
    const map = this.#map;
    const glass = makeSvg("rect", { class: "glass", x: 0, y: 0, width: map.width, height: map.height, rx: 3 });
    // What lies outside of the panel is not drawn.
    const clip = makeSvg("svg", { x: 0, y: 0, width: map.width, height: map.height, class: "clip" });
    clip.append(...panel.regions.map((region) => this.#region(region)));
    // Upper regions have their names first; others have theirs if there is room.
    for (const region of panel.regions.toReversed()) {
      const label = this.#label(region);
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
    const [, , width, height] = bounds(region.shape);
    const { size } = this.#panel;
    const isLarge = width * height > LARGE * size.width * size.height;
    this.#paths.set(region.region, { path: pathOf(name, attributes), isLarge });
    const hatch = region.isSecret ? makeSvg(name, { ...attributes, class: "hatch", fill: `url(#${this.#hatch})` }) : null;
    return makeSvg("g", { "data-region": region.region }, shape, hatch);
  }

  /** The id and the gestures, as far as there is room for them. */
  #label(region) {
    const map = this.#map;
    const [left, top, width, height] = bounds(region.shape);
    const x = Math.max(0, map.x(left));
    const y = Math.max(0, map.y(top));
    const w = Math.min(map.width, map.x(left + width)) - x;
    const h = Math.min(map.height, map.y(top + height)) - y;
    const isRound = region.shape.rect === undefined;
    const letters = Math.floor((w * (isRound ? 0.7 : 1) - 10) / LETTER);
    if (letters < 2 || h < 14) return null;
    const at = isRound ? { x: x + w / 2, y: y + h / 2 - 2, "text-anchor": "middle" } : { x: x + 7, y: y + Math.min(16, h / 2 + 5) };
    const kinds = [...(region.private ? ["private"] : []), ...region.gestures.map((gesture) => gesture.name)].join(" · ");
    const rows = [{ text: shorten(region.region, letters), class: "label", y: at.y }];
    if (h >= 36 && kinds !== "") rows.push({ text: shorten(kinds, Math.floor(letters * 1.12)), class: "kinds", y: at.y + 15 });
    const free = rows.filter((row) => this.#claim(row.text, at.x, row.y, isRound));
    return makeSvg("g", {}, ...free.map((row) => makeSvg("text", { ...at, y: row.y, class: row.class }, row.text)));
  }

  /** Takes the place of a text, if no other has it. */
  #claim(text, x, y, isMiddle) {
    const wide = text.length * LETTER;
    const left = isMiddle ? x - wide / 2 : x;
    const place = { left, right: left + wide, top: y - 11, tall: 14 };
    if (this.#labels.some((other) => overlap(place, other))) return false;
    this.#labels.push(place);
    return true;
  }

  /**
   * Draws the fingers and marks of a moment.
   * @param {ReturnType<import("./history.js").History["at"]>} picture
   * @param {number} time
   * @param {{reasons: boolean}} options
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
    this.#light(context, lit);
    for (const item of picture.strokes) this.#trail(context, item, time);
    for (const item of picture.strokes) if (item.isDown) this.#finger(context, item);
    this.#notes(context, picture, time, reasons);
  }

  /** Lights regions in which something goes on. On the canvas, so that the drawing of all regions stays as it is. */
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

  /** The regions that are lit, also for programs that read the page. */
  #lit(picture, time) {
    const lit = new Map();
    for (const region of picture.active.keys()) lit.set(region, "active");
    for (const { line, time: at } of picture.marks) if (time - at < HIT_US) lit.set(line.region, "hit");
    const words = [...lit].map(([region, word]) => `${region}:${word}`).join(" ");
    if (this.#stage.dataset.lit !== words) this.#stage.dataset.lit = words;
    return lit;
  }

  #color({ stroke }) {
    return this.#colors.fingers[((stroke.slot % FINGER_COLORS) + FINGER_COLORS) % FINGER_COLORS];
  }

  #trail(context, item, time) {
    const { kx, ky } = this.#map;
    const { points } = item.stroke;
    context.strokeStyle = this.#color(item);
    const STEPS = 4;
    // A few pieces, each a little fainter, in place of one for each point.
    let last = item.index;
    for (let step = 0; step < STEPS && last > 0; step++) {
      const limit = time - (TRAIL_US * (step + 1)) / STEPS;
      context.beginPath();
      context.moveTo(points[last * 5 + 1] * kx, points[last * 5 + 2] * ky);
      while (last > 0 && points[last * 5] > limit) {
        last -= 1;
        context.lineTo(points[last * 5 + 1] * kx, points[last * 5 + 2] * ky);
      }
      context.globalAlpha = 0.75 * (1 - step / STEPS);
      context.lineWidth = 4.5 - step;
      context.stroke();
    }
    context.globalAlpha = 1;
  }

  #finger(context, item) {
    const { x, y, major, pressure } = item.stroke.point(item.index);
    const { kx, ky } = this.#map;
    const radius = Math.max(7, (major > 0 ? major / 2 : FINGER_MM) * this.#scale);
    const [cx, cy] = [x * kx, y * ky];
    const color = this.#color(item);
    context.fillStyle = context.strokeStyle = color;
    context.globalAlpha = 0.18;
    circle(context, cx, cy, radius * 1.6);
    context.fill();
    context.globalAlpha = pressure >= 0 ? 0.2 + 0.7 * Math.min(1, pressure) : 0.5;
    circle(context, cx, cy, radius);
    context.fill();
    context.globalAlpha = 1;
    context.lineWidth = 2;
    context.stroke();
    context.fillStyle = this.#colors.text;
    context.font = "600 11px system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(String(item.stroke.id), cx, cy - radius - 9 < 8 ? cy + radius + 10 : cy - radius - 9);
  }

  /** What was recognized, and why the rest was not, beside the finger that it is about. */
  #notes(context, picture, time, reasons) {
    const stacks = new Map();
    for (const { line } of picture.active.values()) {
      if (line.gesture === "press") continue;
      this.#note(stacks, { ...line, ...middle(line, picture.strokes) }, null, { text: gestureName(line), color: this.#colors.good, age: 0, bold: true });
    }
    for (const { line, time: at } of picture.marks) {
      this.#note(stacks, line, null, { text: `${gestureName(line)}  ${measures(line)}`, color: this.#colors.good, age: (time - at) / MARK_US, bold: true });
    }
    if (reasons) for (const note of chooseReasons(picture.failures, picture.recognized)) this.#note(stacks, note.line, note.stroke, this.#reason(note, time));
    const placed = [...this.#labels];
    for (const stack of stacks.values()) this.#stack(context, stack, placed);
  }

  #reason({ line, time: at, more }, time) {
    const text = `✗ ${gestureName(line)}: ${line.message}${more > 0 ? `  (+${more})` : ""}`;
    return { text, color: this.#colors.bad, age: (time - at) / FAILURE_US, bold: false };
  }

  /** Puts a note to the others at its place. */
  #note(stacks, line, stroke, note) {
    const { kx, ky } = this.#map;
    let at;
    if (line.x !== undefined) at = [line.x * kx, line.y * ky];
    else if (stroke) {
      const { x, y } = stroke.point(stroke.count - 1);
      at = [x * kx, y * ky];
    } else {
      const region = this.#panel.regions.find(({ region }) => region === line.region);
      if (!region) return;
      const [x, y, width, height] = bounds(region.shape);
      at = [(x + width / 2) * kx, (y + height / 2) * ky];
    }
    const key = `${Math.round(at[0] / 60)} ${Math.round(at[1] / 60)}`;
    const stack = stacks.get(key);
    if (stack) stack.notes.push(note);
    else stacks.set(key, { at, notes: [note] });
  }

  #stack(context, { at: [x, y], notes }, placed) {
    const { width, height } = this.#map;
    context.textAlign = "left";
    context.textBaseline = "middle";
    const boxes = notes.map((note) => {
      context.font = note.font = `${note.bold ? "600 13px" : "12px"} system-ui, sans-serif`;
      return { ...note, width: context.measureText(note.text).width + 14 };
    });
    const wide = Math.max(...boxes.map((box) => box.width));
    const tall = boxes.length * LINE;
    const offset = FINGER_MM * this.#scale + 14;
    const left = Math.max(2, Math.min(width - wide - 2, x - wide / 2));
    const above = y - offset - tall;
    const place = { left, right: left + wide, top: above < 2 ? Math.min(height - tall - 2, y + offset) : above, tall };
    avoid(place, placed, height);
    placed.push(place);
    boxes.forEach((box, index) => this.#pill(context, box, place.left + (wide - box.width) / 2, place.top + index * LINE));
    context.globalAlpha = 1;
  }

  #pill(context, { text, font, color, age, bold, width }, left, top) {
    context.font = font;
    context.globalAlpha = Math.min(1, (1 - age) * 3);
    context.fillStyle = this.#colors.surface;
    context.beginPath();
    context.roundRect(left, top, width, LINE - 2, 6);
    context.fill();
    context.strokeStyle = color;
    context.lineWidth = 1;
    context.stroke();
    context.fillStyle = bold ? color : this.#colors.text;
    context.fillText(text, left + 7, top + LINE / 2 - 1);
  }
}

/** The middle of the fingers that are down in the region of a gesture; where it began, without. */
function middle({ region, x, y }, strokes) {
  const points = strokes.filter(({ stroke, isDown, index }) => isDown && index >= 0 && stroke.region === region).map(({ stroke, index }) => stroke.point(index));
  if (points.length === 0) return { x, y };
  const mean = (key) => points.reduce((sum, point) => sum + point[key], 0) / points.length;
  return { x: mean("x"), y: mean("y") };
}

const overlap = (one, other) => one.left < other.right && other.left < one.right && one.top < other.top + other.tall && other.top < one.top + one.tall;

/** Moves a place until it lies over none of the others, as long as there is room. */
function avoid(place, placed, height) {
  for (let tries = 0; tries < 8; tries++) {
    const other = placed.find((other) => overlap(place, other));
    if (!other) return;
    const below = other.top + other.tall + 2;
    place.top = other.top - place.tall - 2 >= 2 && tries < 4 ? other.top - place.tall - 2 : Math.min(height - place.tall, below);
  }
}

/**
 * Of each sequence, what missed its limit by least; all of it where nothing but a press was recognized. `more` counts
 * what is left out.
 * @param {object[]} failures Of a picture.
 * @param {Set<string>} recognized Sequences of which another gesture than a press was recognized.
 */
export function chooseReasons(failures, recognized) {
  const groups = new Map();
  for (const failure of failures) {
    const key = sequenceKey(failure.line);
    const isNear = !OTHERS.has(failure.line.code) && miss(failure.line) <= NEAR;
    const isWanted = !DULL.has(failure.line.code) && (!recognized.has(key) || isNear);
    if (!isWanted) continue;
    const group = groups.get(key);
    if (group) group.push(failure);
    else groups.set(key, [failure]);
  }
  const chosen = [];
  const newest = new Map();
  for (const { line, time } of failures) newest.set(line.region, time);
  for (const group of groups.values()) {
    // What is newer takes the place of what is older.
    if (group.at(-1).time < newest.get(group[0].line.region) - TOGETHER_US) continue;
    const nearest = [...group].sort((a, b) => miss(a.line) - miss(b.line)).slice(0, MOST_REASONS);
    nearest.forEach((failure, index) => chosen.push({ ...failure, more: index === MOST_REASONS - 1 ? group.length - MOST_REASONS : 0 }));
  }
  return chosen;
}

/** The outline of a region for the canvas. */
function pathOf(name, { x, y, width, height, cx, cy, rx, ry, points }) {
  const path = new Path2D();
  if (name === "rect") path.rect(x, y, width, height);
  else if (name === "ellipse") path.ellipse(cx, cy, rx, ry, 0, 0, 2 * Math.PI);
  else path.addPath(new Path2D(`M${points}Z`));
  return path;
}

function circle(context, x, y, radius) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
}

const shorten = (text, letters) => (text.length <= letters ? text : `${text.slice(0, Math.max(1, letters - 1))}…`);

/** A panel in words, for who does not see it. */
export function panelWords({ id, size, regions }) {
  const names = regions.filter(({ enabled }) => enabled).map(({ region }) => region);
  const list = names.length > 12 ? `${names.slice(0, 12).join(", ")} and ${names.length - 12} more` : names.join(", ");
  return `Panel ${id}, ${Math.round(size.widthMm)} by ${Math.round(size.heightMm)} millimetres; regions: ${list || "none"}`;
}

/** The pattern of private regions. An id is for the whole page, and a pattern of a hidden part is not drawn. */
function patterns(id) {
  const stripes = makeSvg("path", { d: "M-2,2 l4,-4 M0,8 l8,-8 M6,10 l4,-4", class: "stripe" });
  return makeSvg("defs", {}, makeSvg("pattern", { id, width: 8, height: 8, patternUnits: "userSpaceOnUse" }, stripes));
}

/** Rulers in mm along the upper and the left edge. */
function rulers(size, scale) {
  const group = makeSvg("g", { class: "ruler", "aria-hidden": "true" });
  const fine = rulerStep(scale, 7);
  const coarse = rulerStep(scale, 42);
  let path = "";
  for (let mm = 0; mm <= size.widthMm; mm += fine) {
    const isLong = Math.abs(mm % coarse) < 1e-6;
    path += `M${mm * scale},-1v${isLong ? -8 : -4}`;
    if (isLong) group.append(makeSvg("text", { x: mm * scale, y: -11, "text-anchor": mm === 0 ? "start" : "middle" }, mm === 0 ? "mm" : `${mm}`));
  }
  for (let mm = 0; mm <= size.heightMm; mm += fine) {
    const isLong = Math.abs(mm % coarse) < 1e-6;
    path += `M-1,${mm * scale}h${isLong ? -8 : -4}`;
    if (isLong && mm > 0) group.append(makeSvg("text", { transform: `translate(-11 ${mm * scale}) rotate(-90)`, "text-anchor": "middle" }, `${mm}`));
  }
  group.prepend(makeSvg("path", { d: path }));
  return group;
}
