// SPDX-License-Identifier: MIT
// The box “What if …” of the mode Recordings. In it, the user chooses a setting of a gesture and another value for it.
import { byId, fillSelect } from "./dom.js";
import { regionsOf, withParameter } from "./files.js";
import { gestureId, gestureType, givenParameters } from "./gesture.js";
import { format, isNumeric, parameters, quantity, sliderRange } from "./schema.js";

/** The unit of the slider if the value of a setting is "off", by the type of the field. */
const UNIT_OF = { time: "ms", length: "mm", speed: "mm/s", number: "" };

export class WhatIf {
  /** Called when the slider has been moved. */
  onchange = () => {};
  #say;
  #schema = {};
  #files = null;
  #isEnabled = false;
  #unit = "mm";

  /** @param {(text: string, kind?: string) => void} say Shows a message. */
  constructor(say) {
    this.#say = say;
    for (const id of ["region", "gesture", "key"]) byId(`what-${id}`).addEventListener("change", () => this.#fillAfter(id));
    byId("what-value").addEventListener("input", () => this.#moved());
  }

  /** Uses the files of a configuration, or null if there are none. */
  show(files, schema = this.#schema) {
    this.#files = files;
    this.#schema = schema;
    byId("what-if").hidden = files === null;
    byId("what-missing").hidden = files !== null;
    this.#fillAfter("files");
  }

  /** Enables the slider once there is a recording. */
  enable() {
    this.#isEnabled = true;
    this.reset();
  }

  #moved() {
    byId("what-text").textContent = this.#value();
    byId("what-value").setAttribute("aria-valuetext", this.#value());
    this.onchange();
  }

  /** Fills the lists that depend on the choice in another list. */
  #fillAfter(from) {
    const order = ["files", "region", "gesture", "key"];
    const steps = { region: () => this.#fillRegions(), gesture: () => this.#fillGestures(), key: () => this.#fillKeys() };
    for (const id of order.slice(order.indexOf(from) + 1)) steps[id]();
    this.reset();
  }

  #regions() {
    if (this.#files === null) return [];
    try {
      return regionsOf(this.#files).filter(({ data }) => data.gestures?.length > 0);
    } catch (error) {
      this.#say(`The configuration cannot be read: line ${error.line}: ${error.message}`, "bad");
      return [];
    }
  }

  #fillRegions() {
    choose("what-region", this.#regions().map(({ data }) => data.id));
  }

  #gestures() {
    return this.#regions().find(({ data }) => data.id === byId("what-region").value)?.data.gestures ?? [];
  }

  #gesture() {
    return this.#gestures().find((gesture) => gestureId(gesture) === byId("what-gesture").value);
  }

  #fillGestures() {
    const numeric = this.#gestures().filter((gesture) => this.#fields(gesture).length > 0);
    choose("what-gesture", numeric.map(gestureId));
  }

  #fields(gesture) {
    if (gesture === undefined) return [];
    const fields = parameters(this.#schema, gestureType(gesture)).filter(isNumeric);
    // Settings that are "off" by default are rarely of interest, so they come last.
    return [...fields.filter((field) => field.default !== "off"), ...fields.filter((field) => field.default === "off")];
  }

  #fillKeys() {
    choose("what-key", this.#fields(this.#gesture()).map(({ key }) => key));
  }

  #field() {
    return this.#fields(this.#gesture()).find(({ key }) => key === byId("what-key").value);
  }

  /** Sets the slider to the value of the configuration. */
  reset() {
    const field = this.#field();
    const slider = byId("what-value");
    slider.disabled = !field || !this.#isEnabled;
    if (!field) return;
    const value = quantity(field, givenParameters(this.#gesture())[field.key]) ?? quantity(field, field.default) ?? { number: 0, unit: UNIT_OF[field.type] };
    const { minimum, maximum, step } = sliderRange(field, value);
    Object.assign(slider, { min: minimum, max: maximum, step });
    slider.value = value.number;
    this.#unit = value.unit;
    byId("what-text").textContent = format(value);
    byId("what-help").textContent = field.description;
  }

  /** Returns the value of the slider as a value of the configuration. */
  #value() {
    return format({ number: Number(byId("what-value").value), unit: this.#unit });
  }

  /** Returns the files with the value of the slider, or null if there are no files. */
  changed() {
    if (!this.#files || !this.#field()) return this.#files;
    return withParameter(this.#files, byId("what-region").value, byId("what-gesture").value, byId("what-key").value, this.#value());
  }
}

function choose(id, values) {
  fillSelect(byId(id), values);
  byId(id).disabled = values.length === 0;
}
