// SPDX-License-Identifier: MIT
// Colours of the page's style sheet, for canvases.

/** How many slots have a colour of their own; the next slots begin again with the first colour. */
export const FINGER_COLORS = 10;

/** The value of a CSS variable. */
export const cssColor = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** The place of a slot among the colours. */
export const colorIndex = (slot) => ((slot % FINGER_COLORS) + FINGER_COLORS) % FINGER_COLORS;

/** The colours of fingers by `colorIndex`. */
export const fingerColors = () => Array.from({ length: FINGER_COLORS }, (_, index) => cssColor(`--finger-${index}`));
