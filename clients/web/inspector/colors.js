// SPDX-License-Identifier: MIT
// Provides the colours of the page's style sheet for drawing on canvases.

/** The number of slots that have a colour of their own. Higher slots use the same colours again. */
export const FINGER_COLORS = 10;

/** Returns the value of a CSS variable. */
export const cssColor = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Returns the index of a slot's colour. */
export const colorIndex = (slot) => ((slot % FINGER_COLORS) + FINGER_COLORS) % FINGER_COLORS;

/** Returns the colours of fingers by `colorIndex`. */
export const fingerColors = () => Array.from({ length: FINGER_COLORS }, (_, index) => cssColor(`--finger-${index}`));
