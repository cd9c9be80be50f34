// SPDX-License-Identifier: MIT
// The present on the clock of the lines. This module does not use the DOM.

/** Follows the clock of the lines with the clock of the page. */
export class Clock {
  #offset = null;

  /**
   * Handles the arrival of a line.
   * @param {number} time The time of the line in µs.
   * @param {number} now The time on the page's clock in ms.
   */
  observe(time, now) {
    const offset = time - now * 1000;
    // The line with the least delay gives the best offset. Drift of the clocks is followed slowly.
    if (this.#offset === null || offset > this.#offset || this.#offset - offset > 2e6) this.#offset = offset;
    else this.#offset -= Math.min(50, this.#offset - offset);
  }

  /** The present in µs; null before the first line. */
  at(now) {
    return this.#offset === null ? null : now * 1000 + this.#offset;
  }
}
