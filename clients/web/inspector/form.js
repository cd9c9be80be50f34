// SPDX-License-Identifier: MIT
// Creates the fields of a form from the schemas of keys. A field is empty if the configuration does not contain its key.
import { make } from "./dom.js";

let count = 0;

/**
 * Creates a field with its label.
 * @param {ReturnType<import("./schema.js").parameters>[0]} field
 * @param {any} value The value, or undefined if the configuration does not contain the key.
 * @param {(value: any) => void} onchange Called with the new value, which is undefined for an empty field.
 */
export function fieldRow(field, value, onchange) {
  const id = `field-${++count}`;
  const help = field.description ? `${id}-help` : null;
  const control = CONTROLS[field.type] ?? text;
  const element = control(field, value, onchange, { id, "aria-describedby": help });
  const label = make("label", { for: id, class: value === undefined ? "" : "given" }, field.key);
  return make("div", { class: "field" }, label, element, help && make("p", { id: help, class: "help" }, field.description));
}

const CONTROLS = { flag, choice, choices, number: text, list, points };

const asText = (value) => (value === undefined ? "" : typeof value === "string" || typeof value === "number" ? String(value) : JSON.stringify(value));

/** Creates a text field. A number is read as a number, and anything else as a string. Quantities are checked by the daemon. */
function text(field, value, onchange, attributes) {
  const read = (word) => (word === "" ? undefined : /^[+-]?[0-9]+(\.[0-9]+)?$/.test(word) && field.type !== "text" && field.type !== "id" ? Number(word) : word);
  return make("input", {
    ...attributes,
    type: "text",
    value: asText(value),
    placeholder: asText(field.default),
    autocomplete: "off",
    spellcheck: "false",
    onchange: ({ target }) => onchange(read(target.value.trim())),
  });
}

/** Creates a text field for the points of a stroke, written as in a file. The daemon checks other texts. */
function points(field, value, onchange, attributes) {
  return text(field, value, (word) => onchange(word === undefined ? undefined : parsed(word)), attributes);
}

function parsed(word) {
  try {
    return JSON.parse(word);
  } catch {
    return word;
  }
}

function flag(field, value, onchange, attributes) {
  const input = make("input", { ...attributes, type: "checkbox", onchange: ({ target }) => onchange(target.checked === (field.default ?? false) ? undefined : target.checked) });
  input.checked = value ?? field.default ?? false;
  return input;
}

function choice(field, value, onchange, attributes) {
  const normal = field.default === undefined ? "" : ` (${field.default})`;
  const options = [make("option", { value: "" }, field.none ?? `default${normal}`), ...field.choices.map((word) => make("option", { value: word }, word))];
  const select = make("select", { ...attributes, onchange: ({ target }) => onchange(target.value === "" ? undefined : target.value) }, ...options);
  select.value = value ?? "";
  return select;
}

function choices(field, value, onchange, attributes) {
  const chosen = new Set(value ?? field.default ?? []);
  const change = (word, isChosen) => {
    if (isChosen) chosen.add(word);
    else chosen.delete(word);
    onchange(field.choices.filter((other) => chosen.has(other)));
  };
  const boxes = field.choices.map((word) => {
    const box = make("input", { type: "checkbox", onchange: ({ target }) => change(word, target.checked) });
    box.checked = chosen.has(word);
    return make("label", {}, box, word.replace("_", " "));
  });
  return make("div", { ...attributes, class: "choices", role: "group", "aria-label": field.key }, ...boxes);
}

function list(field, value, onchange, attributes) {
  const read = (words) => words.split(",").map((word) => word.trim()).filter(Boolean);
  return make("input", {
    ...attributes,
    type: "text",
    value: (value ?? []).join(", "),
    placeholder: "separated by commas",
    autocomplete: "off",
    onchange: ({ target }) => onchange(read(target.value).length > 0 ? read(target.value) : undefined),
  });
}
