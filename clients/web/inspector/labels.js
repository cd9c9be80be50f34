// SPDX-License-Identifier: MIT
// Creates the labels of regions. A label consists of the id and, below it, the gestures.
import { makeSvg } from "./dom.js";
import { bounds } from "./geometry.js";
import { overlap } from "./places.js";

/** The fonts of the rows, as in style.css. */
const FONTS = { label: "600 12px", kinds: "10.5px" };
/** The least width of a shortened text in CSS pixels. */
const LEAST = 14;

const context = document.createElement("canvas").getContext("2d");

export class Labels {
  /** @type {import("./places.js").Place[]} */
  places = [];
  #map;

  /** @param {ReturnType<import("./geometry.js").projection>} map */
  constructor(map) {
    this.#map = map;
  }

  /**
   * Returns the label of a region, or null if the region is too small or its id would overlap an earlier label. Gestures that would
   * overlap one are omitted. They never stand without the id, because they would be read as those of another region.
   */
  add(region) {
    const map = this.#map;
    const [left, top, width, height] = bounds(region.shape);
    const x = Math.max(0, map.x(left));
    const y = Math.max(0, map.y(top));
    const w = Math.min(map.width, map.x(left + width)) - x;
    const h = Math.min(map.height, map.y(top + height)) - y;
    const isRound = region.shape.rect === undefined;
    const room = w * (isRound ? 0.7 : 1) - 10;
    if (room < LEAST || h < 14) return null;
    const at = isRound ? { x: x + w / 2, y: y + h / 2 - 2, "text-anchor": "middle" } : { x: x + 7, y: y + Math.min(16, h / 2 + 5) };
    const gestures = [...(region.private ? ["private"] : []), ...region.gestures.map((gesture) => gesture.name)].join(" · ");
    const rows = [row("label", region.region, room, at.y)];
    if (h >= 36 && gestures !== "") rows.push(row("kinds", gestures, room, at.y + 15));
    const taken = rows.findIndex(({ width, y }) => !this.#claim(width, at.x, y, isRound));
    const free = taken < 0 ? rows : rows.slice(0, taken);
    if (free.length === 0) return null;
    return makeSvg("g", {}, ...free.map((row) => makeSvg("text", { ...at, y: row.y, class: row.class }, row.text)));
  }

  /** Reserves the position of a text. Returns false if the text would overlap another one. */
  #claim(width, x, y, isMiddle) {
    const left = isMiddle ? x - width / 2 : x;
    const place = { left, right: left + width, top: y - 12, tall: 16 };
    if (this.places.some((other) => overlap(place, other))) return false;
    this.places.push(place);
    return true;
  }
}

/** Returns a row of a label, shortened to the room for it in CSS pixels. */
function row(kind, text, room, y) {
  context.font = `${FONTS[kind]} ${getComputedStyle(document.documentElement).fontFamily}`;
  const width = (words) => context.measureText(words).width;
  let shown = text;
  // Letters are counted by bisection, because a text may have hundreds of them.
  for (let [low, high] = [1, text.length]; low < high && width(shown) > room; ) {
    const middle = Math.ceil((low + high) / 2);
    if (width(`${text.slice(0, middle)}…`) <= room) low = middle;
    else high = middle - 1;
    if (low >= high) shown = `${text.slice(0, low)}…`;
  }
  return { text: shown, class: kind, y, width: width(shown) };
}
