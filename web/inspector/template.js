// SPDX-License-Identifier: MIT
// Makes templates of a stroke from drawn paths. This module does not use the DOM. It corresponds to
// Sources/gesturectl/Recordings/StrokeDrawing.swift.

/** A template has at most this number of points. */
const MOST_POINTS = 16;
/** Points that are closer to the line between their neighbours than this part of the shape's size are left out. */
const TOLERANCE = 0.01;

/** Returns the distance of a point from a line segment. */
function distance([x, y], [ax, ay], [bx, by]) {
  const [dx, dy] = [bx - ax, by - ay];
  const square = dx * dx + dy * dy;
  const part = square > 0 ? Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / square)) : 0;
  return Math.hypot(x - ax - dx * part, y - ay - dy * part);
}

/** Leaves out the points that change the shape least. */
function simplified(points, tolerance) {
  const kept = [0, points.length - 1];
  while (kept.length < MOST_POINTS) {
    let [place, farthest] = [0, tolerance];
    for (let i = 1; i < kept.length; i++) {
      for (let j = kept[i - 1] + 1; j < kept[i]; j++) {
        const far = distance(points[j], points[kept[i - 1]], points[kept[i]]);
        if (far > farthest) [place, farthest] = [j, far];
      }
    }
    if (place === 0) break;
    kept.push(place);
    kept.sort((a, b) => a - b);
  }
  return kept.map((place) => points[place]);
}

/**
 * Returns the template of a path. Its longer side is 100, and its coordinates are whole.
 * @param {[number, number][]} points The points in millimetres.
 * @returns {[number, number][] | null} null if all points are the same.
 */
export function template(points) {
  const [xs, ys] = [0, 1].map((axis) => points.map((point) => point[axis]));
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const size = Math.max(Math.max(...xs) - left, Math.max(...ys) - top);
  if (!(size > 0)) return null;
  const rounded = (value) => Math.round((value / size) * 100);
  return simplified(points, size * TOLERANCE).map(([x, y]) => [rounded(x - left), rounded(y - top)]);
}

/** Returns a gesture as in `gestures` of a region. */
export function strokeText(name, templates) {
  const texts = templates.map((points) => `[${points.map(([x, y]) => `[${x}, ${y}]`).join(", ")}]`);
  return `{ type = "stroke", name = "${name}", points = ${texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`} }`;
}
