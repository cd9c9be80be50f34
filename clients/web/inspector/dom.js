// SPDX-License-Identifier: MIT
// Functions that create elements. Text always becomes a text node, so nothing that a daemon sends is parsed as markup.

const SVG = "http://www.w3.org/2000/svg";

/** Returns the element of the page with this id. */
export const byId = (id) => document.getElementById(id);

/**
 * Creates an element. An attribute that is null, undefined or false is omitted. A function, such as `onclick`, is
 * added as a listener.
 * @param {string} name
 * @param {object} [attributes]
 * @param {...(Node | string)} children
 */
export function make(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** Creates an SVG element. */
export function makeSvg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Creates an element that shows one of the icons in index.html. */
export function icon(name) {
  return makeSvg("svg", { class: "icon", "aria-hidden": "true" }, makeSvg("use", { href: `#icon-${name}` }));
}

/**
 * Fills a list of choices. The current choice is kept if it still exists. Otherwise, the first value is chosen.
 * @param {HTMLSelectElement} select
 * @param {string[]} values
 */
export function fillSelect(select, values) {
  const { value } = select;
  select.replaceChildren(...values.map((item) => make("option", { value: item }, item)));
  if (values.includes(value)) select.value = value;
}

/** Fills a list of panels to choose from. It is shown only if there are several panels. */
export function fillPanels(select, panels) {
  fillSelect(select, panels.map(({ id }) => id));
  select.hidden = panels.length < 2;
}

/** Calls `take` with the files that are dropped on an element. */
export function acceptDrops(element, take) {
  element.addEventListener("dragover", (event) => event.preventDefault());
  element.addEventListener("drop", (event) => {
    event.preventDefault();
    take(event.dataTransfer.files);
  });
}

/** Offers a text as a download. */
export function download(name, text, type = "text/plain") {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = make("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** Sets the resolution of a canvas to the size of its box in device pixels, and returns its context, scaled to CSS pixels. */
export function prepareCanvas(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  const [w, h] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
  if (canvas.width !== w) canvas.width = w;
  if (canvas.height !== h) canvas.height = h;
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}
