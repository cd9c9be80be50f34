// SPDX-License-Identifier: MIT
// The path of a finger. Times are in microseconds on the daemon's clock. This module does not use the DOM.

/** The number of values of a point: time, x, y, width in mm, and pressure from 0 to 1. One flat list is cheaper than an object for each point. */
const STRIDE = 5;

/** The path of one contact from its landing to its lift. */
export class Stroke {
  /** The values of all points. There are STRIDE numbers for each point. */
  points = [];
  /** The time of the lift, or null while the contact is down. */
  end = null;

  constructor(device, contact, time) {
    this.device = device;
    this.id = contact.id;
    this.slot = contact.slot;
    this.begin = time;
    this.region = contact.region;
    this.sequence = contact.sequence;
  }

  get count() {
    return this.points.length / STRIDE;
  }

  add(time, contact, pressure) {
    this.points.push(time, contact.x, contact.y, contact.major_mm ?? NaN, pressure ?? NaN);
    if (contact.region !== undefined) [this.region, this.sequence] = [contact.region, contact.sequence];
  }

  time(index) {
    return this.points[index * STRIDE];
  }

  /** Returns x in output pixels. */
  x(index) {
    return this.points[index * STRIDE + 1];
  }

  /** Returns y in output pixels. */
  y(index) {
    return this.points[index * STRIDE + 2];
  }

  /** Returns the index of the last point at or before a time, or -1 if there is none. */
  indexAt(time) {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.time(middle) <= time) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** Removes the points before a time, except for the last one. */
  forget(time) {
    const first = this.indexAt(time);
    if (first > 0) this.points.splice(0, first * STRIDE);
  }

  /** Returns a point. Its width (in mm) and its pressure (0 to 1) are NaN if the panel does not report them. */
  point(index) {
    const [time, x, y, major, pressure] = this.points.slice(index * STRIDE, index * STRIDE + STRIDE);
    return { time, x, y, major, pressure };
  }
}
