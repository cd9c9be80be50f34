// SPDX-License-Identifier: MIT
// Draws the rulers of a panel.
import { makeSvg } from "./dom.js";

/** The width of the rulers in CSS pixels. */
export const RULER = 22;
/** The minimum distances between marks, and between marks with numbers, in CSS pixels. */
const LEAST_GAP = 7;
const LEAST_NUMBER_GAP = 42;

/** Places an element on the glass of a panel, beside the rulers. */
export function coverGlass(element, { width, height }) {
  Object.assign(element.style, { left: `${RULER}px`, top: `${RULER}px`, width: `${width}px`, height: `${height}px` });
}

/** Creates rulers in mm along the upper and the left edge. `scale` is in CSS pixels per mm. */
export function rulers(size, scale) {
  const group = makeSvg("g", { class: "ruler", "aria-hidden": "true" });
  const across = marks(size.widthMm, scale);
  const down = marks(size.heightMm, scale);
  const path = [...across.map(({ at, length }) => `M${at},-1v${-length}`), ...down.map(({ at, length }) => `M-1,${at}h${-length}`)];
  group.append(makeSvg("path", { d: path.join("") }));
  for (const { at, mm } of across.filter(({ isLong }) => isLong)) {
    group.append(makeSvg("text", { x: at, y: -11, "text-anchor": mm === 0 ? "start" : "middle" }, mm === 0 ? "mm" : `${mm}`));
  }
  for (const { at, mm } of down.filter(({ isLong, mm }) => isLong && mm > 0)) {
    group.append(makeSvg("text", { transform: `translate(-11 ${at}) rotate(-90)`, "text-anchor": "middle" }, `${mm}`));
  }
  return group;
}

/** Returns the marks of one ruler. */
function marks(lengthMm, scale) {
  const fine = rulerStep(scale, LEAST_GAP);
  const coarse = rulerStep(scale, LEAST_NUMBER_GAP);
  const found = [];
  for (let mm = 0; mm <= lengthMm; mm += fine) {
    const isLong = Math.abs(mm % coarse) < 1e-6;
    found.push({ mm, at: mm * scale, isLong, length: isLong ? 8 : 4 });
  }
  return found;
}

/** Returns a distance between marks in mm at which they are at least `least` CSS pixels apart. */
export function rulerStep(scale, least) {
  return [1, 2, 5, 10, 20, 50, 100, 200, 500].find((step) => step * scale >= least) ?? 1000;
}
