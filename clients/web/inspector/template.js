// SPDX-License-Identifier: MIT
// Makes templates of a stroke from drawn paths, and compares them. This module does not use the DOM. It corresponds to
// Sources/tool/gesturectl/Recordings/StrokeDrawing.swift and Sources/core/GestureEngine/Recognizers/StrokeTemplate.swift.

/** A template has at most this number of points. */
const MOST_POINTS = 16;
/** Points that are closer to the line between their neighbours than this part of the shape's size are left out. */
const TOLERANCE = 0.01;
/** The default min_score of a stroke, and its default rotation in radians. */
const MIN_SCORE = 0.7;
const ROTATION = Math.PI / 12;
/** The number of points that are compared, and the starts of a closed template for each step between them. */
const SHAPE_POINTS = 16;
const STRIDE = 2;
/** The ends of a closed template are closer than this part of its length. */
const GAP = 0.15;

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

/** Returns points at equal distances along a path, from its first to its last one. */
function sampled(path, count) {
  const lengths = [0];
  for (let i = 1; i < path.length; i++) lengths.push(lengths[i - 1] + Math.hypot(path[i][0] - path[i - 1][0], path[i][1] - path[i - 1][1]));
  const total = lengths[path.length - 1];
  let place = 1;
  return Array.from({ length: count }, (_, number) => {
    const length = (total * number) / (count - 1);
    while (place < path.length - 1 && lengths[place] < length) place++;
    const span = lengths[place] - lengths[place - 1];
    const part = span > 0 ? Math.min(1, (length - lengths[place - 1]) / span) : 0;
    return [0, 1].map((axis) => path[place - 1][axis] + (path[place][axis] - path[place - 1][axis]) * part);
  });
}

/** Returns the points relative to their centroid, scaled so that the sum of their squares is 1. */
function normalized(points) {
  const centre = [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);
  const moved = points.map(([x, y]) => [x - centre[0], y - centre[1]]);
  const size = Math.sqrt(moved.reduce((sum, [x, y]) => sum + x * x + y * y, 0));
  return moved.map(([x, y]) => (size > 0 ? [x / size, y / size] : [0, 0]));
}

/** Returns the shapes of a template: one, or if its ends meet, also those from every start in both directions. */
function shapes(points) {
  const open = normalized(sampled(points, SHAPE_POINTS));
  const [first, last] = [points[0], points[points.length - 1]];
  const length = points.reduce((sum, [x, y], i) => (i === 0 ? 0 : sum + Math.hypot(x - points[i - 1][0], y - points[i - 1][1])), 0);
  if (Math.hypot(last[0] - first[0], last[1] - first[1]) >= GAP * length) return [open];
  const count = (SHAPE_POINTS - 1) * STRIDE;
  const loop = sampled([...points, first], count + 1);
  const from = (start, stride) => normalized(open.map((_, i) => loop[(start + i * stride) % count]));
  return [open, ...Array.from({ length: count }, (_, start) => [from(start, STRIDE), from(start, count - STRIDE)]).flat()];
}

/** Returns the score of a path with a template, with the default rotation. */
export function score(path, points) {
  const drawn = normalized(sampled(path, SHAPE_POINTS));
  let best = 0;
  for (const shape of shapes(points)) {
    const [cosine, sine] = shape.reduce(([c, s], [x, y], i) => [c + drawn[i][0] * x + drawn[i][1] * y, s + drawn[i][0] * y - drawn[i][1] * x], [0, 0]);
    const most = Math.hypot(cosine, sine);
    best = Math.max(best, cosine >= most * Math.cos(ROTATION) ? most : cosine * Math.cos(ROTATION) + Math.abs(sine) * Math.sin(ROTATION));
  }
  return Math.max(0, 1 - Math.acos(Math.min(1, best)) / (Math.PI / 2));
}

/** Returns a sentence about each template that the others do not recognize. */
export function unlike(templates) {
  if (templates.length < 2) return [];
  return templates.flatMap((drawn, i) => {
    const best = Math.max(...templates.filter((_, j) => j !== i).map((other) => score(drawn, other)));
    return best >= MIN_SCORE ? [] : [`Drawing ${i + 1} scores ${best.toFixed(2)} with the others, and min_score is ${MIN_SCORE}; draw them more alike.`];
  });
}

/** Returns a gesture as in `gestures` of a region. */
export function strokeText(name, templates) {
  const texts = templates.map((points) => `[${points.map(([x, y]) => `[${x}, ${y}]`).join(", ")}]`);
  return `{ type = "stroke", name = "${name}", points = ${texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`} }`;
}
