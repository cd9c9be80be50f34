// SPDX-License-Identifier: MIT
// The fields of the selected region in the mode Design. Each change is written to the text of the file.
import { byId, make } from "./dom.js";
import { addGesture, removeGesture, renameRegion, setGestureKey, setKey } from "./edits.js";
import { fieldRow } from "./form.js";
import { gestureId, gestureType, givenParameters } from "./gesture.js";
import { kinds, parameters, regionKeys, requiredKeys } from "./schema.js";
import { express, resolveAll, surrounding } from "./shape.js";
import { read, write } from "./toml.js";

/** Keys of a region that are not shown under “Settings”, because other parts of the page edit them or because they cannot be edited. */
const OWN_KEYS = new Set(["id", "shape", "gestures", "defaults", "device", "enabled", "parent"]);

export class RegionForm {
  /** Called with the new id of the region. */
  onrename = (id) => {};
  /** The schema of the configuration. */
  schema = {};
  /** The decision delay of each gesture, as reported by the check. */
  decisions = [];
  #editing;
  #element = byId("design-form");
  #id = null;
  #regions = [];
  #size;

  /** @param {import("./editing.js").Editing} editing */
  constructor(editing) {
    this.#editing = editing;
  }

  /**
   * @param {string | null} id The selected region.
   * @param {ReturnType<typeof resolveAll>} regions All regions.
   * @param {object} size The size of the panel.
   */
  show(id, regions, size) {
    this.#id = id;
    this.#regions = regions;
    this.#size = size;
    const form = this.#element;
    const region = regions.find(({ data }) => data.id === id);
    form.hidden = !region;
    if (!region) return form.replaceChildren();
    const opened = new Set([...form.querySelectorAll("details[open]")].map(({ dataset }) => dataset.name));
    const focused = document.activeElement?.closest(".field")?.dataset.path;
    form.replaceChildren(...this.#identity(region), this.#gestures(region.data, opened), make("h2", { class: "minor" }, "Settings"), ...this.#settings(region.data));
    if (focused) form.querySelector(`.field[data-path="${CSS.escape(focused)}"] :is(input, select)`)?.focus();
  }

  /** Puts the cursor into the id, so that the next key replaces it. */
  nameRegion() {
    this.#element.querySelector('.field[data-path="id"] input')?.select();
  }

  /** Handles the result of a check. The form is not replaced while the user is editing it. */
  showDecisions(decisions) {
    this.decisions = decisions;
    if (!this.#element.contains(document.activeElement)) this.show(this.#id, this.#regions, this.#size);
  }

  #row(path, field, value, onchange) {
    const row = fieldRow(field, value, onchange);
    row.dataset.path = path;
    return row;
  }

  #set(id, key, value) {
    this.#editing.editRegion(id, key, (text) => setKey(text, "region", id, key, value));
  }

  #identity({ data, shape }) {
    const others = this.#regions.map((region) => region.data.id).filter((other) => other !== data.id);
    const parent = { key: "parent", type: "choice", choices: others, none: "none", description: "" };
    const help = "The shape as it is written in the file. Drag the handles of the region, or edit it here.";
    const rows = [
      this.#row("id", { key: "id", type: "id", description: "" }, data.id, (name) => this.#rename(data.id, name)),
      this.#row("parent", parent, data.parent, (value) => this.#setParent(data, shape, value)),
      this.#offerParent(data, shape),
      this.#row("shape", { key: "shape", type: "text", description: help }, write(data.shape), (value) => this.#writeShape(data.id, value)),
    ];
    return rows.filter((row) => row !== null);
  }

  /** Returns a button that makes the region around this one its parent, or null if there is none or it has a parent. */
  #offerParent(data, shape) {
    const outer = data.parent === undefined ? surrounding(data.id, shape, this.#regions) : null;
    if (outer === null) return null;
    const { id } = outer.data;
    const button = make("button", { type: "button", onclick: () => this.#setParent(data, shape, id) }, `Make ${id} its parent`);
    return make("p", { class: "offer" }, `It lies inside ${id}, whose gestures cannot begin here. `, button);
  }

  #rename(id, name) {
    if (!name) return this.show(this.#id, this.#regions, this.#size);
    this.#editing.editRegion(id, "id", (text) => renameRegion(text, id, name));
    this.onrename(name);
  }

  #writeShape(id, value) {
    let shape;
    try {
      ({ shape } = read(`shape = ${value}`));
    } catch (error) {
      return this.#editing.onrefuse(new Error(`The shape is not valid TOML: ${error.message}`));
    }
    this.#set(id, "shape", shape);
  }

  /** Changes the parent of a region without changing its position on the panel. */
  #setParent(data, shape, parent) {
    const moved = this.#regions.map((region) => (region.data.id === data.id ? { data: { ...data, parent } } : region));
    const region = resolveAll(moved, this.#size).find((other) => other.data.id === data.id);
    this.#editing.editRegion(data.id, "shape", (text) => {
      const changed = setKey(text, "region", data.id, "parent", parent);
      return region && data.shape !== "full" ? setKey(changed, "region", data.id, "shape", express(shape, region.frame, data.shape)) : changed;
    });
  }

  #settings(data) {
    return regionKeys(this.schema)
      .filter(({ key }) => !OWN_KEYS.has(key))
      .map((field) => this.#row(field.key, field, data[field.key], (value) => this.#set(data.id, field.key, value)));
  }

  #gestures(data, opened) {
    const gestures = (data.gestures ?? []).map((gesture) => this.#gesture(data.id, gesture, opened));
    const options = [make("option", { value: "" }, "Add a gesture …"), ...kinds(this.schema).map((type) => make("option", { value: type }, type))];
    const add = make("select", { "aria-label": "Add a gesture", onchange: ({ target }) => this.#addGesture(data, target.value) }, ...options);
    return make("div", { class: "gestures" }, make("h2", { class: "minor" }, "Gestures"), ...gestures, add);
  }

  #addGesture({ id, gestures }, type) {
    if (type === "") return;
    const gesture = newGesture(type, new Set((gestures ?? []).map(gestureId)), id);
    this.#editing.editRegion(id, "gestures", (text) => addGesture(text, id, gesture));
  }

  #gesture(id, gesture, opened) {
    const name = gestureId(gesture);
    const type = gestureType(gesture);
    const given = givenParameters(gesture);
    const edit = (change) => this.#editing.editRegion(id, "gestures", change);
    const decision = this.decisions.find((decision) => decision.region === id && decision.name === name);
    const summary = make("summary", {}, make("strong", {}, name), name === type ? "" : ` ${type}`, make("span", { class: "decided" }, decision?.decided ?? ""));
    const fields = [{ key: "name", type: "id", description: "The name of the gesture in the lines that the daemon sends." }, ...parameters(this.schema, type)];
    const rows = fields.map((field) =>
      this.#row(`${name}.${field.key}`, field, given[field.key], (value) => edit((text) => setGestureKey(text, id, name, field.key, value))),
    );
    const remove = make("button", { type: "button", onclick: () => edit((text) => removeGesture(text, id, name)) }, `Remove ${name}`);
    return make("details", { "data-name": name, open: opened.has(name) }, summary, ...rows, remove);
  }
}

/** Returns a new gesture of this type with an unused name. */
function newGesture(type, names, region) {
  let name = type;
  for (let number = 2; names.has(name); number++) name = `${type}_${number}`;
  const keys = { ...(name === type ? {} : { name }), ...requiredKeys(type, region) };
  return Object.keys(keys).length > 0 ? { type, ...keys } : type;
}
