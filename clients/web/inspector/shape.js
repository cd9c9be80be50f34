// SPDX-License-Identifier: MIT
// Converts shapes of a configuration between their units and output pixels. This module does not use the DOM.
import { bounds, circleRadii } from "./geometry.js";

const LENGTH = /^([+-]?[0-9]+(?:\.[0-9]+)?) ?(px|%|mm)$/;
/** The number of decimals with which a length in each unit is written. */
const DIGITS = { px: 0, "%": 2, mm: 1 };

/** Returns the number and the unit of a coordinate, or null if it is not a coordinate. A number without a unit is in pixels. */
export function parseLength(value) {
  if (typeof value === "number") return { number: value, unit: "px", isBare: true };
  const match = typeof value === "string" ? LENGTH.exec(value) : null;
  return match ? { number: Number(match[1]), unit: match[2], isBare: false } : null;
}

/**
 * The frame of reference for lengths. It consists of the parent's box in output pixels and the panel's size.
 * @typedef {{box: number[], size: {width: number, height: number, widthMm: number, heightMm: number}}} Frame
 */

/** Returns the frame of a region without a parent. */
export const outputFrame = (size) => ({ box: [0, 0, size.width, size.height], size });

/** Returns the size of a unit in pixels along an axis: "x", "y" or "none" (for a length without a direction). */
function pixelsPerUnit(unit, axis, { box, size }) {
  if (unit === "px") return 1;
  if (unit === "mm") return axis === "y" ? size.height / size.heightMm : size.width / size.widthMm;
  if (axis === "x") return box[2] / 100;
  if (axis === "y") return box[3] / 100;
  const kx = size.widthMm / size.width;
  const ky = size.heightMm / size.height;
  // The unit is relative to the side that is shorter on the glass. It is converted to pixels along x.
  return Math.min(box[2] * kx, box[3] * ky) / kx / 100;
}

/** Converts a coordinate to pixels, measured from the upper left corner of the frame. */
export function toPixels(value, axis, frame) {
  const length = parseLength(value);
  if (!length) throw new Error(`not a length: ${JSON.stringify(value)}`);
  return length.number * pixelsPerUnit(length.unit, axis, frame);
}

/** Converts pixels to a coordinate with the unit and the form of another coordinate. */
export function fromPixels(px, axis, frame, like) {
  const { unit, isBare } = parseLength(like) ?? { unit: "mm", isBare: false };
  const factor = 10 ** DIGITS[unit];
  const number = Math.round((px / pixelsPerUnit(unit, axis, frame)) * factor) / factor + 0;
  return isBare ? number : `${number}${unit}`;
}

const SIDES = {
  left: (width, from, to) => [0, from, width, to - from],
  right: (width, from, to, [w]) => [w - width, from, width, to - from],
  top: (width, from, to) => [from, 0, to - from, width],
  bottom: (width, from, to, [, h]) => [from, h - width, to - from, width],
};

/**
 * Converts a shape of a configuration to the form of the protocol, in output pixels.
 * @param {any} shape
 * @param {Frame} frame
 */
export function resolve(shape, frame) {
  const [left, top, width, height] = frame.box;
  const at = ([x, y]) => [left + toPixels(x, "x", frame), top + toPixels(y, "y", frame)];
  if (shape === "full") return { rect: [left, top, width, height] };
  if (shape?.rect) {
    const [x, y, w, h] = shape.rect;
    return { rect: [...at([x, y]), toPixels(w, "x", frame), toPixels(h, "y", frame)] };
  }
  if (shape?.circle) {
    const radius = toPixels(shape.circle.radius, "none", frame);
    return { circle: { center: at(shape.circle.center), radius: circleRadii(radius, frame.size) } };
  }
  if (shape?.polygon) return { polygon: shape.polygon.map(at) };
  const side = SIDES[shape?.edge];
  if (!side) throw new Error("a shape is \"full\" or has rect, circle, polygon or edge");
  const isUpright = shape.edge === "left" || shape.edge === "right";
  const along = isUpright ? "y" : "x";
  const [x, y, w, h] = side(
    toPixels(shape.width, isUpright ? "x" : "y", frame),
    toPixels(shape.from ?? "0%", along, frame),
    toPixels(shape.to ?? "100%", along, frame),
    [width, height],
  );
  return { rect: [left + x, top + y, w, h] };
}

/**
 * Converts a shape in pixels to a shape of a configuration. The units are those of an earlier shape.
 * @param {any} shape The shape in output pixels.
 * @param {Frame} frame
 * @param {any} like The earlier shape. If there is none, lengths are in millimetres.
 */
export function express(shape, frame, like) {
  const [left, top] = frame.box;
  const point = ([x, y], [likeX, likeY] = []) => [fromPixels(x - left, "x", frame, likeX), fromPixels(y - top, "y", frame, likeY)];
  if (shape.circle) {
    const { center, radius } = shape.circle;
    return { circle: { center: point(center, like?.circle?.center), radius: fromPixels(radius[0], "none", frame, like?.circle?.radius) } };
  }
  if (shape.polygon) return { polygon: shape.polygon.map((corner, index) => point(corner, like?.polygon?.[index] ?? like?.polygon?.at(-1))) };
  const [x, y, width, height] = shape.rect;
  if (like?.edge) return expressEdge(shape.rect, frame, like);
  const [, , likeWidth, likeHeight] = like?.rect ?? [];
  return { rect: [...point([x, y], like?.rect), fromPixels(width, "x", frame, likeWidth), fromPixels(height, "y", frame, likeHeight)] };
}

function expressEdge([x, y, width, height], frame, like) {
  const isUpright = like.edge === "left" || like.edge === "right";
  const [axis, along] = isUpright ? ["x", "y"] : ["y", "x"];
  const [from, length] = isUpright ? [y - frame.box[1], height] : [x - frame.box[0], width];
  const result = { edge: like.edge, width: fromPixels(isUpright ? width : height, axis, frame, like.width) };
  if (like.from !== undefined || like.to !== undefined) {
    result.from = fromPixels(from, along, frame, like.from ?? "0%");
    result.to = fromPixels(from + length, along, frame, like.to ?? "0%");
  }
  return result;
}

/**
 * Returns all regions of the files on a panel, with their shapes in output pixels. Regions that cannot be
 * resolved are omitted. The check reports the reason.
 * @param {{data: any}[]} tables
 * @param {object} size
 */
export function resolveAll(tables, size) {
  const byId = new Map(tables.map(({ data }) => [data.id, data]));
  const resolved = new Map();
  const place = (data, steps = 0) => {
    if (resolved.has(data.id) || steps > 32) return resolved.get(data.id);
    const parent = data.parent === undefined ? null : byId.get(data.parent);
    const outer = parent ? place(parent, steps + 1) : null;
    if (parent === undefined || (parent && !outer)) return undefined;
    const frame = outer ? { box: bounds(outer.shape), size } : outputFrame(size);
    try {
      const shape = resolve(data.shape, frame);
      resolved.set(data.id, { data, frame, shape });
    } catch {
      // The region is omitted. The check reports the mistake.
    }
    return resolved.get(data.id);
  };
  return tables.map(({ data }) => place(data)).filter(Boolean);
}

/**
 * Returns the smallest region around a shape, or null if there is none. A region inside the one with this id is not around it.
 * @param {string} id
 * @param {any} shape
 * @param {ReturnType<typeof resolveAll>} regions
 */
export function surrounding(id, shape, regions) {
  const parents = new Map(regions.map(({ data }) => [data.id, data.parent]));
  const isInside = (other, steps = 0) => other !== undefined && steps < 64 && (other === id || isInside(parents.get(other), steps + 1));
  const [x, y, width, height] = bounds(shape);
  const corners = [[x, y], [x + width, y], [x + width, y + height], [x, y + height]];
  const around = regions.filter((region) => !isInside(region.data.id) && corners.every((corner) => contains(region.shape, corner)));
  const area = (region) => bounds(region.shape)[2] * bounds(region.shape)[3];
  // The later one of two regions with the same size is on top.
  return around.reduce((least, region) => (least === null || area(region) <= area(least) ? region : least), null);
}

/** Whether a point lies in a shape or on its edge. All numbers are in output pixels. */
export function contains(shape, [px, py]) {
  if (shape.circle) {
    const { center, radius } = shape.circle;
    return ((px - center[0]) / radius[0]) ** 2 + ((py - center[1]) / radius[1]) ** 2 <= 1;
  }
  if (!shape.polygon) {
    const [x, y, width, height] = shape.rect;
    return px >= x && py >= y && px <= x + width && py <= y + height;
  }
  let isInside = false;
  shape.polygon.forEach(([ax, ay], index) => {
    const [bx, by] = shape.polygon.at(index - 1);
    if (ay > py !== by > py && px < ax + ((bx - ax) * (py - ay)) / (by - ay)) isInside = !isInside;
  });
  return isInside;
}

/** Returns a copy of a shape that is moved by a distance in pixels. */
export function move(shape, dx, dy) {
  if (shape.circle) return { circle: { ...shape.circle, center: [shape.circle.center[0] + dx, shape.circle.center[1] + dy] } };
  if (shape.polygon) return { polygon: shape.polygon.map(([x, y]) => [x + dx, y + dy]) };
  const [x, y, width, height] = shape.rect;
  return { rect: [x + dx, y + dy, width, height] };
}

/** Returns the points at which a shape can be resized: the corners of a rectangle or polygon, or a point on the edge of a circle. */
export function handles(shape) {
  if (shape.circle) {
    return [[shape.circle.center[0] + shape.circle.radius[0], shape.circle.center[1]]];
  }
  if (shape.polygon) return shape.polygon;
  const [x, y, width, height] = shape.rect;
  return [[x, y], [x + width, y], [x + width, y + height], [x, y + height]];
}

/** Returns the shape that results if one of the handles is moved to a point. */
export function drag(shape, handle, [px, py]) {
  if (shape.circle) {
    const { center, radius } = shape.circle;
    const [rx, ry] = radius;
    const wide = Math.max(1, Math.abs(px - center[0]));
    return { circle: { center, radius: [wide, (wide * ry) / rx] } };
  }
  if (shape.polygon) return { polygon: shape.polygon.map((corner, index) => (index === handle ? [px, py] : corner)) };
  const opposite = handles(shape)[(handle + 2) % 4];
  return { rect: rectangle(opposite, [px, py]) };
}

/** Returns the rectangle between two corners. */
export function rectangle([ax, ay], [bx, by]) {
  return [Math.min(ax, bx), Math.min(ay, by), Math.max(1, Math.abs(bx - ax)), Math.max(1, Math.abs(by - ay))];
}
