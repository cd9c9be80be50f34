// SPDX-License-Identifier: MIT
// The box “What if …” of the mode Recordings. In it, the user chooses a setting of a gesture and another value for it. It
// starts with the setting that a gesture of the recording missed most narrowly.
import { byId, fillSelect } from "./dom.js";
import { regionsOf, withParameter } from "./files.js";
import { gestureId, gestureType, givenParameters } from "./gesture.js";
import { sufficient } from "./reasons.js";
import { format, isNumeric, parameters, quantity, sliderRange } from "./schema.js";

/** The unit of the slider if the value of a setting is "off", by the type of the field. */
const UNIT_OF = { time: "ms", length: "mm", speed: "mm/s", number: "" };

export class WhatIf {
  /** Called when the slider has been moved. */
  onchange = () => {};
  /** Called when the user has chosen another setting, which has the value of the configuration. */
  onchoose = () => {};
  #say;
  #schema = {};
  #files = null;
  #regions = [];
  /** The failures of the recording that missed a limit, the narrowest first, or null if there is no recording. */
  #misses = null;
  /** The value of the configuration, and that of the slider, which may be rounded. */
  #initial = { number: 0, unit: "mm" };
  #unmoved = "";

  /** @param {(text: string, kind?: string) => void} say Shows a message. */
  constructor(say) {
    this.#say = say;
    for (const id of ["region", "gesture", "key"]) {
      byId(`what-${id}`).addEventListener("change", () => {
        this.#fillAfter(id);
        this.onchoose();
      });
    }
    byId("what-value").addEventListener("input", () => this.#moved());
    byId("what-try").addEventListener("click", ({ target }) => {
      byId("what-value").value = target.value;
      this.#moved();
    });
  }

  /** Uses the files of a configuration, or null if there are none. The box stays hidden until there is a recording. */
  show(files, schema = this.#schema) {
    this.#files = files;
    this.#schema = schema;
    this.#regions = this.#readRegions();
    byId("what-missing").hidden = files !== null;
    this.#fillAfter("files");
    if (this.#misses) this.start(this.#misses);
  }

  /**
   * Shows the box for a recording, and chooses the setting that was missed most narrowly.
   * @param {object[]} misses The failures that missed a limit, the narrowest first.
   */
  start(misses) {
    this.#misses = misses;
    byId("what-if").hidden = this.#files === null;
    const nearest = misses.find(({ region, name, key }) => this.#fields(this.#gesture(region, name)).some((field) => field.key === key));
    for (const [id, key] of nearest ? [["region", "region"], ["gesture", "name"], ["key", "key"]] : []) {
      byId(`what-${id}`).value = nearest[key];
      this.#fillAfter(id);
    }
    this.reset();
  }

  /** The failure that missed the chosen setting most narrowly, or undefined if there is none. */
  get miss() {
    const [region, name, key] = ["region", "gesture", "key"].map((id) => byId(`what-${id}`).value);
    return this.#misses?.find((line) => line.region === region && line.name === name && line.key === key);
  }

  #moved() {
    this.#showValue();
    this.onchange();
  }

  #showValue() {
    const isMoved = byId("what-value").value !== this.#unmoved;
    const initial = format(this.#initial);
    byId("what-text").textContent = isMoved ? `${this.#value()} instead of ${initial}` : initial;
    byId("what-value").setAttribute("aria-valuetext", isMoved ? this.#value() : initial);
    byId("what-if").classList.toggle("changed", isMoved);
    byId("recordings-reset").disabled = !isMoved;
  }

  /** Fills the lists that depend on the choice in another list. */
  #fillAfter(from) {
    const order = ["files", "region", "gesture", "key"];
    const steps = { region: () => this.#fillRegions(), gesture: () => this.#fillGestures(), key: () => this.#fillKeys() };
    for (const id of order.slice(order.indexOf(from) + 1)) steps[id]();
    this.reset();
  }

  #readRegions() {
    if (this.#files === null) return [];
    try {
      return regionsOf(this.#files).filter(({ data }) => data.gestures?.length > 0);
    } catch (error) {
      this.#say(`The configuration cannot be read: line ${error.line}: ${error.message}`, "bad");
      return [];
    }
  }

  #fillRegions() {
    choose("what-region", this.#regions.map(({ data }) => data.id));
  }

  #gestures(region = byId("what-region").value) {
    return this.#regions.find(({ data }) => data.id === region)?.data.gestures ?? [];
  }

  #gesture(region = byId("what-region").value, name = byId("what-gesture").value) {
    return this.#gestures(region).find((gesture) => gestureId(gesture) === name);
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
    slider.disabled = !field;
    byId("what-near").hidden = !field;
    if (!field) return;
    const value = quantity(field, givenParameters(this.#gesture())[field.key]) ?? quantity(field, field.default) ?? { number: 0, unit: UNIT_OF[field.type] };
    const { minimum, maximum, step } = sliderRange(field, value);
    Object.assign(slider, { min: minimum, max: maximum, step });
    slider.value = value.number;
    this.#initial = value;
    this.#unmoved = slider.value;
    this.#showValue();
    byId("what-help").textContent = field.description;
    this.#showMiss(slider);
  }

  /** Shows by how little the setting was missed, and offers the value with which it would not have been. */
  #showMiss(slider) {
    const { miss } = this;
    byId("what-miss").textContent = miss ? `Missed most narrowly: ${miss.message}.` : "No gesture of the recording missed this setting.";
    const hasUnit = miss?.unit === this.#initial.unit || this.#initial.unit === "";
    const number = miss && hasUnit ? sufficient(miss, Number(slider.step)) : NaN;
    const button = byId("what-try");
    button.hidden = !(number >= Number(slider.min) && number <= Number(slider.max));
    button.value = number;
    button.textContent = `Try ${format({ number, unit: this.#initial.unit })}`;
  }

  /** Returns the value of the slider as a value of the configuration. */
  #value() {
    return format({ number: Number(byId("what-value").value), unit: this.#initial.unit });
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
