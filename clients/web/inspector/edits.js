// SPDX-License-Identifier: MIT
// Functions that edit single values in the text of a configuration. Everything else is kept, including comments, order and layout.
// This module does not use the DOM.
import { gestureId } from "./gesture.js";
import { tables, write } from "./toml.js";

const splice = (text, start, end, insert) => text.slice(0, start) + insert + text.slice(end);

const sameKey = (entry, key) => entry.key.length === 1 && entry.key[0] === key;

/** Returns the table with this id in an array of tables. */
function table(text, name, id) {
  const found = tables(text, name).find(({ data }) => data.id === id);
  if (!found) throw new Error(`there is no ${name} "${id}"`);
  return found;
}

/**
 * Sets a key of the table with this id in an array of tables.
 * @param {string} name The name of the array, such as "region".
 * @param {any} value The new value; undefined removes the key.
 * @throws {Error} if there is no such table.
 */
export function setKey(text, name, id, key, value) {
  const { sections } = table(text, name, id);
  const [section, ...inner] = sections;
  const entry = section.entries.find((entry) => sameKey(entry, key));
  if (entry && value === undefined) return removeLines(text, entry.start, entry.value.end);
  if (entry) return splice(text, entry.value.start, entry.value.end, write(value));
  // The value may also be given in subtables, or by dotted keys such as shape.rect.
  const subtables = inner.filter(({ path }) => path[1] === key);
  const dotted = section.entries.filter((entry) => entry.key[0] === key).map(({ start, value: { end } }) => ({ start, end }));
  const parts = subtables.length > 0 ? subtables : dotted;
  if (parts.length > 0) {
    const cleared = parts.reverse().reduce((rest, { start, end }) => removeLines(rest, start, end), text);
    return value === undefined ? cleared : setKey(cleared, name, id, key, value);
  }
  if (value === undefined) return text;
  const at = section.entries.at(-1)?.value.end ?? headerEnd(text, section);
  return insertLine(text, at, `${key} = ${write(value)}`);
}

function headerEnd(text, section) {
  return text.indexOf("]]", section.start) + 2;
}

/** Inserts a line below the line that contains an offset. */
function insertLine(text, at, line) {
  const end = text.indexOf("\n", at);
  if (end < 0) return `${text}\n${line}\n`;
  const ending = text[end - 1] === "\r" ? "\r\n" : "\n";
  return splice(text, end + 1, end + 1, line + ending);
}

/** Removes all lines from the one at the first offset to the one at the second offset, including comments at their ends. */
function removeLines(text, start, end) {
  const first = text.lastIndexOf("\n", start - 1) + 1;
  const last = text.indexOf("\n", end);
  return splice(text, first, last < 0 ? text.length : last + 1, "");
}

/** Returns the value of a region's key `gestures`, if the region's own section has it. */
const gestureList = ({ sections: [section] }) => section.entries.find((entry) => sameKey(entry, "gestures"))?.value;

/** Returns the list of a region's gestures, and the item with this name. */
function gestureItem(text, id, name) {
  const list = gestureList(table(text, "region", id));
  const item = list?.items?.find(({ data }) => gestureId(data) === name);
  if (!item) throw new Error(`region "${id}" has no gesture "${name}" in its list of gestures`);
  return { list, item };
}

/**
 * Sets a key of a gesture. A word such as "tap" becomes a table if necessary, and a table that contains only a type
 * becomes a word.
 * @param {any} value The new value; undefined removes the key.
 * @throws {Error} if there is no such region or gesture.
 */
export function setGestureKey(text, id, name, key, value) {
  const { item } = gestureItem(text, id, name);
  if (item.entries === undefined) {
    if (value === undefined) return text;
    return splice(text, item.start, item.end, write({ type: item.data, [key]: value }));
  }
  const index = item.entries.findIndex((entry) => sameKey(entry, key));
  const entry = item.entries[index];
  if (value !== undefined) {
    if (entry) return splice(text, entry.value.start, entry.value.end, write(value));
    const end = item.entries.at(-1).value.end;
    return splice(text, end, end, `, ${key} = ${write(value)}`);
  }
  if (!entry) return text;
  if (item.entries.length === 2 && item.data.type !== undefined) return splice(text, item.start, item.end, write(item.data.type));
  const isFirst = index === 0;
  const [start, end] = isFirst ? [entry.start, item.entries[1].start] : [item.entries[index - 1].value.end, entry.value.end];
  return splice(text, start, end, "");
}

/** Adds a gesture at the end of a region's list. */
export function addGesture(text, id, gesture) {
  const region = table(text, "region", id);
  const list = gestureList(region);
  if (!list?.items) return setKey(text, "region", id, "gestures", [...(region.data.gestures ?? []), gesture]);
  if (list.items.length === 0) return splice(text, list.start, list.end, write([gesture]));
  const last = list.items.at(-1);
  const isSpread = text.slice(list.start, list.end).includes("\n");
  return splice(text, last.end, last.end, `,${isSpread ? `\n${indentAt(text, last.start)}` : " "}${write(gesture)}`);
}

/** Returns the indentation of the line that contains an offset. */
function indentAt(text, at) {
  const start = text.lastIndexOf("\n", at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, at))[0];
}

/** Removes a gesture from a region's list. If the gesture has lines of its own, the comments directly above it are removed too. */
export function removeGesture(text, id, name) {
  const { list, item } = gestureItem(text, id, name);
  const index = list.items.indexOf(item);
  if (list.items.length === 1) return splice(text, list.start, list.end, "[]");
  const first = text.lastIndexOf("\n", item.start) + 1;
  const isAlone = text.slice(first, item.start).trim() === "" && /^[ \t]*,?[ \t]*(#.*)?\r?$/m.exec(text.slice(item.end))?.index === 0;
  if (isAlone) return removeLines(text, commentsAbove(text, first), item.end);
  const [start, end] = index === 0 ? [item.start, list.items[1].start] : [list.items[index - 1].end, item.end];
  return splice(text, start, end, "");
}

/** Returns the start of the comment lines directly above the line that starts at `first`; if there are none, returns `first`. */
function commentsAbove(text, first) {
  let start = first;
  while (start > 0) {
    const line = text.lastIndexOf("\n", start - 2) + 1;
    if (!text.slice(line, start).trim().startsWith("#")) return start;
    start = line;
  }
  return start;
}

/** Returns the text of a region with these keys. */
export const regionBlock = (region) => ["[[region]]", ...Object.entries(region).map(([key, value]) => `${key} = ${write(value)}`)].join("\n");

/** Adds a region after the other regions of the file, so that it lies above them. */
export function addRegion(text, region) {
  const block = regionBlock(region);
  const end = tables(text, "region").at(-1)?.end;
  if (end !== undefined) return splice(text, end, end, `\n\n${block}`);
  const gap = text === "" || text.endsWith("\n\n") ? "" : text.endsWith("\n") ? "\n" : "\n\n";
  return `${text}${gap}${block}\n`;
}

/** Removes a region with its subtables, and the comment directly above it. */
export function removeRegion(text, id) {
  const { sections } = table(text, "region", id);
  let result = text;
  for (const section of [...sections].reverse()) {
    const start = section.isList ? commentOfRegion(text, section.start) : section.start;
    result = removeLines(result, start, section.end);
  }
  return result.replace(/\n{3,}/g, "\n\n");
}

/**
 * Returns the start of the comment lines directly above a region. They belong to the region only if there is
 * an empty line above them, because a comment at the top may describe the whole file.
 */
function commentOfRegion(text, at) {
  const own = text.lastIndexOf("\n", at - 1) + 1;
  const start = commentsAbove(text, own);
  const isApart = start > 0 && text.slice(0, start).endsWith("\n\n");
  return isApart ? start : own;
}

/** Renames a region, including references in the keys `parent` of regions and `regions` of scenes. */
export function renameRegion(text, id, name) {
  let result = setKey(text, "region", id, "id", name);
  for (const { data } of tables(result, "region")) {
    if (data.parent === id) result = setKey(result, "region", data.id, "parent", name);
  }
  for (const { data } of tables(result, "scene")) {
    if (!data.regions?.includes(id)) continue;
    result = setKey(result, "scene", data.id, "regions", data.regions.map((region) => (region === id ? name : region)));
  }
  return result;
}
