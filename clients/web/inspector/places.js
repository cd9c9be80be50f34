// SPDX-License-Identifier: MIT
// Positions texts on a panel so that they do not overlap. This module does not use the DOM.

/**
 * @typedef {{left: number, right: number, top: number, tall: number}} Place A rectangle in CSS pixels.
 */

const GAP = 2;
const MOST_TRIES = 8;

/** Whether two rectangles overlap. */
export const overlap = (one, other) =>
  one.left < other.right && other.left < one.right && one.top < other.top + other.tall && other.top < one.top + one.tall;

/**
 * Moves a rectangle up or down until it does not overlap any other, if there is room.
 * @param {Place} place
 * @param {Place[]} taken
 * @param {number} height The height of the panel.
 */
export function avoid(place, taken, height) {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const other = taken.find((other) => overlap(place, other));
    if (!other) return;
    const above = other.top - place.tall - GAP;
    // The first half of the attempts move the rectangle up, and the others move it down.
    const goesUp = above >= GAP && tries < MOST_TRIES / 2;
    place.top = goesUp ? above : Math.min(height - place.tall, other.top + other.tall + GAP);
  }
}
