// SPDX-License-Identifier: MIT
// The panels and their regions, as read from the replies to `devices` and `regions`. This module does not use the DOM.
import { circleRadii, panelSize } from "./geometry.js";
import { gestureId, gestureType } from "./gesture.js";

/** @typedef {{region: string, device: string, parent: string | null, shape: object, margin: number, pass: boolean, enabled: boolean, private: boolean, gestures: object[], depth: number, isSecret: boolean}} Region */

export class Layout {
  /** @type {{id: string, name: string, state: string, size: ReturnType<typeof panelSize>, regions: Region[]}[]} */
  panels = [];
  #parents = new Map();

  /**
   * @param {object[]} devices The devices in the reply to `devices`.
   * @param {object[]} regions The regions in the reply to `regions`, from the lowest to the topmost.
   */
  constructor(devices = [], regions = []) {
    for (const { region, parent } of regions) this.#parents.set(region, parent);
    for (const device of devices) {
      if (!device.output) continue;
      const size = panelSize(device.output);
      const own = regions.filter((region) => region.device === device.device).map((region) => ({ ...region, shape: withRadii(region.shape, size) }));
      this.panels.push({
        id: device.device,
        name: device.name,
        state: device.state,
        size,
        regions: complete(own),
      });
    }
  }

  /** Whether a region is `ancestor` or lies inside it. */
  isWithin = (region, ancestor) => {
    for (let id = region, steps = 0; id && steps < 64; id = this.#parents.get(id), steps++) {
      if (id === ancestor) return true;
    }
    return false;
  };
}

/** Converts a shape of the protocol. Its circles are round on the glass, with a radius in pixels along x. */
function withRadii(shape, size) {
  if (typeof shape.circle?.radius !== "number") return shape;
  const { center, radius } = shape.circle;
  return { circle: { center, radius: circleRadii(radius, size) } };
}

/** Adds to each region its nesting depth, and whether it lies inside a private region. */
function complete(regions) {
  const byId = new Map(regions.map((region) => [region.region, region]));
  return regions.map((region) => {
    let depth = 0;
    let isSecret = region.private === true;
    for (let parent = byId.get(region.parent); parent && depth < 64; parent = byId.get(parent.parent)) {
      depth += 1;
      isSecret ||= parent.private === true;
    }
    return { ...region, depth, isSecret };
  });
}

/** Converts a region of the files to the form used in the reply to `regions`. */
export function asReply({ data, shape }, device) {
  const gestures = (data.gestures ?? []).map((gesture) => ({ gesture: gestureType(gesture), name: gestureId(gesture) }));
  return { region: data.id, device, parent: data.parent ?? null, shape, pass: data.pass === true, private: data.private === true, enabled: true, gestures };
}
