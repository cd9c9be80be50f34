// SPDX-License-Identifier: MIT
// Creates the labels of regions. A label consists of the id and, below it, the gestures.
import { makeSvg } from "./dom.js";
import { bounds } from "./geometry.js";
import { overlap } from "./places.js";

/** The average width of a letter in a label, in CSS pixels. */
const LETTER = 6.6;
/** In the smaller font, this many times as many letters fit into a line as in the usual font. */
const SMALLER = 1.12;

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
    const letters = Math.floor((w * (isRound ? 0.7 : 1) - 10) / LETTER);
    if (letters < 2 || h < 14) return null;
    const at = isRound ? { x: x + w / 2, y: y + h / 2 - 2, "text-anchor": "middle" } : { x: x + 7, y: y + Math.min(16, h / 2 + 5) };
    const gestures = [...(region.private ? ["private"] : []), ...region.gestures.map((gesture) => gesture.name)].join(" · ");
    const rows = [{ text: shorten(region.region, letters), class: "label", y: at.y }];
    if (h >= 36 && gestures !== "") rows.push({ text: shorten(gestures, Math.floor(letters * SMALLER)), class: "kinds", y: at.y + 15 });
    const taken = rows.findIndex((row) => !this.#claim(row.text, at.x, row.y, isRound));
    const free = taken < 0 ? rows : rows.slice(0, taken);
    if (free.length === 0) return null;
    return makeSvg("g", {}, ...free.map((row) => makeSvg("text", { ...at, y: row.y, class: row.class }, row.text)));
  }

  /** Reserves the position of a text. Returns false if the text would overlap another one. */
  #claim(text, x, y, isMiddle) {
    const wide = text.length * LETTER;
    const left = isMiddle ? x - wide / 2 : x;
    const place = { left, right: left + wide, top: y - 11, tall: 14 };
    if (this.places.some((other) => overlap(place, other))) return false;
    this.places.push(place);
    return true;
  }
}

const shorten = (text, letters) => (text.length <= letters ? text : `${text.slice(0, Math.max(1, letters - 1))}…`);
