// SPDX-License-Identifier: MIT
// Computes the numbers that the mode Health shows. This module does not use the DOM.

const MINUTE_MS = 60_000;

/** Computes how much counters grow per second. */
export class Rates {
  /** The points `{time, values}`, from the oldest to the newest. The values are per second. */
  points = [];
  #last = null;
  #keys;

  /** @param {string[]} keys The names of the counters. */
  constructor(keys) {
    this.#keys = keys;
  }

  /** The highest value of each counter in the last minute, or null before there is a value. */
  get most() {
    return this.#keys.map((_, index) => (this.points.length > 0 ? Math.max(...this.points.map(({ values }) => values[index])) : null));
  }

  /**
   * @param {object} counters
   * @param {string} instance Identifies the run of the daemon. In a new run, the counters start at 0.
   * @param {number} now The time in ms.
   */
  add(counters, instance, now) {
    const last = this.#last;
    this.#last = { counters, instance, now };
    if (!last || last.instance !== instance || now <= last.now) return;
    const values = this.#keys.map((key) => Math.max(0, counters[key] - last.counters[key]) / ((now - last.now) / 1000));
    this.points.push({ time: now, values });
    while (this.points[0].time < now - MINUTE_MS) this.points.shift();
  }
}

/** The number of landings in a noisy cell is greater than that of each neighbour multiplied by this factor. */
const NOISY_FACTOR = 6;
/** A noisy cell has at least this number of landings. */
const NOISY_LEAST = 12;
/** Each neighbour of a dead cell has at least this number of landings. */
const DEAD_LEAST = 3;

/**
 * Returns the cells that stand out. A noisy cell has far more landings than the cells around it, and is not part of a button, where
 * people land again and again. A dead cell has no landings although all cells around it have some.
 * @param {{counts: number[], columns: number, rows: number}} map
 * @param {(column: number, row: number) => boolean} isButton Returns whether a cell is part of a button.
 * @returns {{column: number, row: number, count: number, kind: "noisy" | "dead"}[]}
 */
export function oddCells({ counts, columns, rows }, isButton = () => false) {
  const odd = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const count = counts[row * columns + column];
      const around = neighbours(counts, columns, rows, column, row);
      const isNoisy = count >= NOISY_LEAST && count > NOISY_FACTOR * Math.max(...around, 1) && !isButton(column, row);
      const isDead = count === 0 && around.length === 8 && Math.min(...around) >= DEAD_LEAST;
      if (isNoisy || isDead) odd.push({ column, row, count, kind: isNoisy ? "noisy" : "dead" });
    }
  }
  return odd;
}

function neighbours(counts, columns, rows, column, row) {
  const found = [];
  for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y++) {
    for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x++) {
      if (x !== column || y !== row) found.push(counts[y * columns + x]);
    }
  }
  return found;
}

/** If a panel has lost fewer contacts than this for a moment, there may be another cause, such as a drop of water. */
const FLICKERS_LEAST = 3;
/** Advice is given if the panel has lost at least one of this number of contacts. */
const FLICKERS_SHARE = 100;

/**
 * Returns the advice for a panel that repeatedly loses a finger for a moment, or null for any other panel.
 * @param {{device: string, contacts: number, flickers?: number}} count
 */
export function flickerAdvice({ device, contacts, flickers = 0 }) {
  if (flickers < FLICKERS_LEAST || flickers * FLICKERS_SHARE < contacts) return null;
  return `The panel ${device} lost a finger for a moment ${flickers} times in ${contacts} contacts. Add bridge = "80ms" to [filter], or filter = { bridge = "80ms" } to the panel’s [[device]].`;
}

/** Returns words with their counts, with the most frequent word first, such as `tap 12, press 9`. */
export const tally = (counts) =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([word, count]) => `${word.replaceAll("_", " ")} ${count}`)
    .join(", ");
