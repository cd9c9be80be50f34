// SPDX-License-Identifier: MIT
// Functions for panels and shapes. "px" are pixels of a panel's output, and "mm" are millimetres on its glass. This module does
// not use the DOM.

/** The assumed density of an output of unknown size. The daemon assumes the same density. */
const DEFAULT_PIXELS_PER_MM = 96 / 25.4;

/**
 * Returns the size of a panel. Unknown values are replaced by assumptions.
 * @param {{width: number, height: number, width_mm?: number, height_mm?: number} | undefined} output
 */
export function panelSize(output) {
  const width = output?.width > 0 ? output.width : 1920;
  const height = output?.height > 0 ? output.height : 1080;
  return {
    width,
    height,
    widthMm: output?.width_mm > 0 ? output.width_mm : width / DEFAULT_PIXELS_PER_MM,
    heightMm: output?.height_mm > 0 ? output.height_mm : height / DEFAULT_PIXELS_PER_MM,
  };
}

/** Returns the greatest scale, in CSS pixels per mm, at which a panel fits into a box. */
export function fit(size, width, height) {
  return Math.max(0.1, Math.min(width / size.widthMm, height / size.heightMm));
}

/**
 * Returns the map from output pixels to CSS pixels.
 * @param {ReturnType<typeof panelSize>} size
 * @param {number} scale CSS pixels per mm.
 */
export function projection(size, scale) {
  const kx = (size.widthMm / size.width) * scale;
  const ky = (size.heightMm / size.height) * scale;
  return {
    kx,
    ky,
    width: size.widthMm * scale,
    height: size.heightMm * scale,
    x: (px) => px * kx,
    y: (px) => px * ky,
  };
}

/**
 * Returns the radii, in pixels along x and along y, of a circle that is round on the glass. The `radius` of a shape in the
 * inspector is such a pair.
 * @param {number} radius Pixels along x.
 */
export const circleRadii = (radius, size) => [radius, (radius * (size.widthMm / size.width)) / (size.heightMm / size.height)];

/** Returns the bounding box of a shape in the unit of its numbers: [x, y, width, height]. */
export function bounds(shape) {
  if (shape.rect) return shape.rect;
  if (shape.circle) {
    const [rx, ry] = shape.circle.radius;
    const [x, y] = shape.circle.center;
    return [x - rx, y - ry, 2 * rx, 2 * ry];
  }
  const xs = shape.polygon.map(([x]) => x);
  const ys = shape.polygon.map(([, y]) => y);
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return [left, top, Math.max(...xs) - left, Math.max(...ys) - top];
}

/** A region that covers more than this fraction of its panel is large: more like a page than a button. */
const LARGE = 0.25;

/** Whether the bounding box of a shape, in output pixels, covers a large part of a panel of this size. */
export function isLarge(shape, size) {
  const [, , width, height] = bounds(shape);
  return width * height > LARGE * size.width * size.height;
}

/**
 * Returns the name and the attributes of the SVG element for a shape.
 * @param {object} shape `rect`, `circle` or `polygon`, in the unit of `map`.
 * @param {{x: (px: number) => number, y: (px: number) => number}} map
 */
export function outline(shape, map) {
  const number = (value) => Math.round(value * 100) / 100;
  if (shape.circle) {
    const [rx, ry] = shape.circle.radius;
    const [x, y] = shape.circle.center;
    return {
      name: "ellipse",
      cx: number(map.x(x)),
      cy: number(map.y(y)),
      rx: number(map.x(rx) - map.x(0)),
      ry: number(map.y(ry) - map.y(0)),
    };
  }
  if (shape.polygon) {
    const points = shape.polygon.map(([x, y]) => `${number(map.x(x))},${number(map.y(y))}`).join(" ");
    return { name: "polygon", points };
  }
  const [x, y, width, height] = shape.rect;
  return {
    name: "rect",
    x: number(map.x(x)),
    y: number(map.y(y)),
    width: number(map.x(x + width) - map.x(x)),
    height: number(map.y(y + height) - map.y(y)),
  };
}

/** Returns the nearest multiple of a step. With a step of 0, returns the value unchanged. */
export function snap(value, step) {
  if (!(step > 0)) return value;
  return Math.round((Math.round(value / step) * step) * 1000) / 1000;
}
