// SPDX-License-Identifier: MIT
// Reads the pressure of each slot from `frame` lines, because `touches` lines do not contain it. This module does not use
// the DOM.

/** These are codes of evdev. */
export const ABS_MT_PRESSURE = 0x3a;
const ABS_MT_SLOT = 0x2f;
const EV_ABS = 3;

export class Pressures {
  #ranges = new Map();
  #panels = new Map();

  /** Sets the range of a panel's pressure values, which is known from its description. */
  setRange(device, minimum, maximum) {
    if (maximum > minimum) this.#ranges.set(device, { minimum, maximum });
  }

  /** Handles a `frame` line. */
  take({ device, events }) {
    const range = this.#ranges.get(device);
    if (!range) return;
    let panel = this.#panels.get(device);
    if (!panel) this.#panels.set(device, (panel = { slot: 0, pressures: new Map() }));
    for (const [type, code, value] of events) {
      if (type !== EV_ABS) continue;
      if (code === ABS_MT_SLOT) panel.slot = value;
      if (code !== ABS_MT_PRESSURE) continue;
      panel.pressures.set(panel.slot, (value - range.minimum) / (range.maximum - range.minimum));
    }
  }

  /** Returns the pressure of a slot from 0 to 1, or undefined if the panel does not report it. */
  of(device, slot) {
    return this.#panels.get(device)?.pressures.get(slot);
  }
}
