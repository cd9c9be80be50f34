// SPDX-License-Identifier: MIT
// Draws fingers and their trails on a canvas.
import { colorIndex } from "./colors.js";
import { TRAIL_US } from "./history.js";

/** The assumed radius of a finger in mm if the panel does not report the width. */
export const FINGER_MM = 4.5;
/** A trail is drawn in this number of pieces, each with its own opacity. */
const TRAIL_STEPS = 4;

/**
 * Draws the trails and, above them, the fingers that are down.
 * @param {CanvasRenderingContext2D} context
 * @param {{stroke: import("./stroke.js").Stroke, index: number, isDown: boolean}[]} items The strokes of a
 * picture.
 * @param {{map: object, scale: number, colors: {fingers: string[], text: string}}} look
 * @param {number} time
 */
export function drawFingers(context, items, look, time) {
  for (const item of items) trail(context, item, look, time);
  for (const item of items) if (item.isDown) finger(context, item, look);
}

const colorOf = ({ stroke }, colors) => colors.fingers[colorIndex(stroke.slot)];

function trail(context, item, { map: { kx, ky }, colors }, time) {
  const { stroke } = item;
  context.strokeStyle = colorOf(item, colors);
  let last = item.index;
  for (let step = 0; step < TRAIL_STEPS && last > 0; step++) {
    const limit = time - (TRAIL_US * (step + 1)) / TRAIL_STEPS;
    context.beginPath();
    context.moveTo(stroke.x(last) * kx, stroke.y(last) * ky);
    while (last > 0 && stroke.time(last) > limit) {
      last -= 1;
      context.lineTo(stroke.x(last) * kx, stroke.y(last) * ky);
    }
    context.globalAlpha = 0.75 * (1 - step / TRAIL_STEPS);
    context.lineWidth = 4.5 - step;
    context.stroke();
  }
  context.globalAlpha = 1;
}

function finger(context, item, { map: { kx, ky }, scale, colors }) {
  const { x, y, major, pressure } = item.stroke.point(item.index);
  const radius = Math.max(7, (major > 0 ? major / 2 : FINGER_MM) * scale);
  const [cx, cy] = [x * kx, y * ky];
  context.fillStyle = context.strokeStyle = colorOf(item, colors);
  context.globalAlpha = 0.18;
  circle(context, cx, cy, radius * 1.6);
  context.fill();
  context.globalAlpha = pressure >= 0 ? 0.2 + 0.7 * Math.min(1, pressure) : 0.5;
  circle(context, cx, cy, radius);
  context.fill();
  context.globalAlpha = 1;
  context.lineWidth = 2;
  context.stroke();
  context.fillStyle = colors.text;
  context.font = "600 11px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(String(item.stroke.id), cx, cy - radius - 9 < 8 ? cy + radius + 10 : cy - radius - 9);
}

function circle(context, x, y, radius) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
}
