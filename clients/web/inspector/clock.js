// SPDX-License-Identifier: MIT
// The current time on the daemon's clock, which is the clock of the times in lines. This module does not use the DOM.

/** Estimates the daemon's clock from the page's clock and the times in lines. */
export class Clock {
  #offset = null;

  /**
   * Handles the arrival of a line.
   * @param {number} time The time of the line in µs.
   * @param {number} now The time on the page's clock in ms.
   */
  observe(time, now) {
    const offset = time - now * 1000;
    // The line with the shortest delay gives the best offset. The offset is reduced slowly, to follow the drift of the clocks.
    if (this.#offset === null || offset > this.#offset || this.#offset - offset > 2e6) this.#offset = offset;
    else this.#offset -= Math.min(50, this.#offset - offset);
  }

  /** Returns the current time in µs, or null before the first line. */
  at(now) {
    return this.#offset === null ? null : now * 1000 + this.#offset;
  }
}
