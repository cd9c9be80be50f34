// SPDX-License-Identifier: MIT
// Draws notes beside the fingers on a canvas. The notes name the recognized gestures, and the reasons why other gestures failed.
import { FINGER_MM } from "./fingers.js";
import { bounds } from "./geometry.js";
import { FAILURE_US, MARK_US } from "./history.js";
import { avoid } from "./places.js";
import { chooseReasons } from "./reasons.js";
import { gestureName, measures } from "./words.js";

/** The height of a note in CSS pixels. */
const LINE = 18;
/** The size of a cell in CSS pixels. Notes that are positioned in the same cell are stacked. */
const CELL = 60;

/**
 * @typedef {{panel: object, map: ReturnType<import("./geometry.js").projection>, scale: number, colors: object}} Look
 */

/**
 * Draws the notes of a picture.
 * @param {CanvasRenderingContext2D} context
 * @param {ReturnType<import("./history.js").History["at"]>} picture
 * @param {Look} look
 * @param {{time: number, reasons: boolean, taken: import("./places.js").Place[]}} options `reasons` determines
 * whether failed gestures are shown too. `taken` contains the rectangles of other texts.
 */
export function drawNotes(context, picture, look, { time, reasons, taken }) {
  const placed = [...taken];
  for (const stack of stacks(picture, look, time, reasons)) drawStack(context, stack, look, placed);
  context.globalAlpha = 1;
}

/** Returns the notes of a picture. Notes at about the same position form one stack. */
function stacks(picture, look, time, reasons) {
  const found = new Map();
  const add = (at, note) => {
    if (at === null) return;
    const key = at.map((value) => Math.round(value / CELL)).join(" ");
    const stack = found.get(key);
    if (stack) stack.notes.push(note);
    else found.set(key, { at, notes: [note] });
  };
  for (const { line } of picture.active.values()) {
    if (line.gesture === "press") continue;
    const place = { ...line, ...middle(line, picture.strokes) };
    add(placeOf(place, null, look), { text: gestureName(line), color: look.colors.good, age: 0, isBold: true });
  }
  for (const { line, time: at } of picture.marks) {
    add(placeOf(line, null, look), { text: `${gestureName(line)}  ${measures(line)}`, color: look.colors.good, age: (time - at) / MARK_US, isBold: true });
  }
  if (!reasons) return found.values();
  for (const { line, time: at, stroke, more } of chooseReasons(picture.failures, picture.recognized)) {
    const text = `✗ ${gestureName(line)}: ${line.message}${more > 0 ? `  (+${more})` : ""}`;
    add(placeOf(line, stroke, look), { text, color: look.colors.bad, age: (time - at) / FAILURE_US, isBold: false });
  }
  return found.values();
}

/** Returns the centre of the fingers that are down in a gesture's region, or the position in the gesture's line if there are none. */
function middle({ region, x, y }, strokes) {
  const points = strokes.filter(({ stroke, isDown, index }) => isDown && index >= 0 && stroke.region === region).map(({ stroke, index }) => stroke.point(index));
  if (points.length === 0) return { x, y };
  const mean = (key) => points.reduce((sum, point) => sum + point[key], 0) / points.length;
  return { x: mean("x"), y: mean("y") };
}

/** Returns the position of a note in CSS pixels: the position in the line, or else the end of the stroke, or else the centre of the region. */
function placeOf(line, stroke, { panel, map: { kx, ky } }) {
  if (line.x !== undefined) return [line.x * kx, line.y * ky];
  if (stroke) {
    const last = stroke.count - 1;
    return [stroke.x(last) * kx, stroke.y(last) * ky];
  }
  const region = panel.regions.find(({ region }) => region === line.region);
  if (!region) return null;
  const [x, y, width, height] = bounds(region.shape);
  return [(x + width / 2) * kx, (y + height / 2) * ky];
}

/** Draws the notes of one stack, one below the other. They are above the finger, or below it if there is no room above it. */
function drawStack(context, { at: [x, y], notes }, { map: { width, height }, scale, colors }, placed) {
  context.textAlign = "left";
  context.textBaseline = "middle";
  const boxes = notes.map((note) => {
    const font = `${note.isBold ? "600 13px" : "12px"} system-ui, sans-serif`;
    context.font = font;
    const text = fitted(context, note.text, width - 18);
    return { ...note, text, font, width: context.measureText(text).width + 14 };
  });
  const wide = Math.max(...boxes.map((box) => box.width));
  const tall = boxes.length * LINE;
  const offset = FINGER_MM * scale + 14;
  const left = Math.max(2, Math.min(width - wide - 2, x - wide / 2));
  const above = y - offset - tall;
  const place = { left, right: left + wide, top: above < 2 ? Math.min(height - tall - 2, y + offset) : above, tall };
  avoid(place, placed, height);
  placed.push(place);
  boxes.forEach((box, index) => drawNote(context, box, colors, place.left + (wide - box.width) / 2, place.top + index * LINE));
}

/** Returns a text, shortened to a width if necessary. */
function fitted(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  let length = text.length - 1;
  while (length > 1 && context.measureText(`${text.slice(0, length)}…`).width > width) length--;
  return `${text.slice(0, length)}…`;
}

function drawNote(context, { text, font, color, age, isBold, width }, colors, left, top) {
  context.font = font;
  context.globalAlpha = Math.min(1, (1 - age) * 3);
  context.fillStyle = colors.surface;
  context.beginPath();
  context.roundRect(left, top, width, LINE - 2, 6);
  context.fill();
  context.strokeStyle = color;
  context.lineWidth = 1;
  context.stroke();
  context.fillStyle = isBold ? color : colors.text;
  context.fillText(text, left + 7, top + LINE / 2 - 1);
}
