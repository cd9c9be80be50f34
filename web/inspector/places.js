// SPDX-License-Identifier: MIT
// Places of texts on a panel, so that no text covers another. This module does not use the DOM.

/**
 * @typedef {{left: number, right: number, top: number, tall: number}} Place A rectangle in CSS pixels.
 */

const GAP = 2;
const MOST_TRIES = 8;

/** Whether two places overlap. */
export const overlap = (one, other) =>
  one.left < other.right && other.left < one.right && one.top < other.top + other.tall && other.top < one.top + one.tall;

/**
 * Moves a place up or down until it overlaps no other, if there is room.
 * @param {Place} place
 * @param {Place[]} taken
 * @param {number} height The height of the panel.
 */
export function avoid(place, taken, height) {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const other = taken.find((other) => overlap(place, other));
    if (!other) return;
    const above = other.top - place.tall - GAP;
    // First tries to move up; if that does not help, down.
    const goesUp = above >= GAP && tries < MOST_TRIES / 2;
    place.top = goesUp ? above : Math.min(height - place.tall, other.top + other.tall + GAP);
  }
}
