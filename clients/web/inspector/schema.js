// SPDX-License-Identifier: MIT
// Reads the parameters of gestures and the keys of regions from the schema of the configuration. This module does
// not use the DOM.

const REFERENCE = "#/definitions/";
/** The keys that identify a gesture and are not parameters. */
const NAMES = new Set(["type", "name"]);

/** Returns the types of gestures, in the order of the schema. */
export function kinds(schema) {
  const choices = schema?.definitions?.gesture?.anyOf ?? [];
  return choices.find((choice) => choice.enum)?.enum ?? [];
}

/**
 * Returns the parameters of a gesture.
 * @returns {{key: string, description: string, default: any, type: string, choices?: any[], minimum?: number, maximum?: number}[]}
 */
export function parameters(schema, kind) {
  const properties = schema?.definitions?.[`gesture_${kind}`]?.properties ?? {};
  return Object.entries(properties)
    .filter(([key]) => !NAMES.has(key))
    .map(([key, property]) => field(key, property));
}

/** Returns the keys that a gesture of this type requires, with values for a new one. */
export const requiredKeys = (type, region) =>
  ({
    pattern: { steps: [`tap ${region}`] },
    chain: { path: ["right", "down"] },
    stroke: { points: [[0, 0], [1, 2], [2, 0]] },
  })[type] ?? {};

/** Returns the keys of `[[region]]`. */
export function regionKeys(schema) {
  const properties = schema?.definitions?.region?.properties ?? {};
  return Object.entries(properties).map(([key, property]) => field(key, property));
}

/** Converts a property to a field. `type` is "choice", "choices", "flag", "number", "text", "list", "points", or the name of a definition in the schema, such as "time". */
function field(key, property) {
  const alternatives = property.anyOf ?? property.allOf ?? [property];
  const main = alternatives.find((choice) => choice.const !== "off") ?? property;
  return {
    key,
    description: property.description ?? "",
    default: property.default,
    minimum: main.minimum ?? main.exclusiveMinimum,
    maximum: main.maximum,
    ...kindOf(main),
  };
}

function kindOf(property) {
  if (property.$ref === `${REFERENCE}template`) return { type: "points" };
  if (property.$ref?.startsWith(REFERENCE)) return { type: property.$ref.slice(REFERENCE.length) };
  if (property.enum) return { type: "choice", choices: property.enum };
  if (property.type === "boolean") return { type: "flag" };
  if (property.type === "number" || property.type === "integer") return { type: "number", isWhole: property.type === "integer" };
  // An array with a maximum has an order, and its items may repeat.
  if (property.type === "array") return property.items?.enum && !property.maxItems ? { type: "choices", choices: property.items.enum } : { type: "list" };
  return { type: "text" };
}

/** The units of each quantity, each with its size as a multiple of the first unit. */
const UNITS = { time: { ms: 1, s: 1000, min: 60_000, h: 3_600_000 }, length: { mm: 1, px: 1, "%": 1 }, speed: { "mm/s": 1, "px/s": 1, "%/s": 1 } };

/** Whether a slider can change the value of a field. */
export const isNumeric = ({ type }) => type === "number" || type in UNITS;

/**
 * Returns a value as a number and its unit. Times are in milliseconds.
 * @returns {{number: number, unit: string} | null} Null if the value is "off" or is not valid for the field.
 */
export function quantity(field, value) {
  if (field.type === "number") return typeof value === "number" ? { number: value, unit: "" } : null;
  const match = typeof value === "string" ? /^\+?([0-9]+(?:\.[0-9]+)?) ?([a-z%/]+)$/.exec(value) : null;
  const units = UNITS[field.type];
  if (!match || !units || !(match[2] in units)) return null;
  if (field.type === "time") return { number: Number(match[1]) * units[match[2]], unit: "ms" };
  return { number: Number(match[1]), unit: match[2] };
}

/** Returns a number and its unit as a value of the configuration. */
export const format = ({ number, unit }) => (unit === "" ? number : `${number}${unit}`);

/** Returns the range and the step of a slider around a value. */
export function sliderRange(field, { number, unit }) {
  const start = quantity(field, field.default)?.number ?? number;
  const nice = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 60_000, 120_000, 3_600_000];
  const top = Math.max(number, start) * 3;
  const least = field.type === "number" ? 1 : 5;
  const maximum = Math.min(field.maximum ?? Infinity, nice.find((step) => step >= Math.max(top, least)) ?? top);
  const fine = field.isWhole ? 1 : maximum <= 1 ? 0.01 : maximum <= 20 ? 0.1 : maximum <= 200 ? 1 : unit === "ms" ? 10 : 5;
  return { minimum: field.minimum ?? 0, maximum, step: fine };
}
