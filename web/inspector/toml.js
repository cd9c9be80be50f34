// SPDX-License-Identifier: MIT
// TOML as text that people wrote: finds where each value stands, and changes single values. Comments, order and layout of
// all else stay as they are. No page is needed here. The daemon checks what comes out; this reader is lenient.

/** The text is no TOML. */
export class TomlError extends Error {
  constructor(text, at, message) {
    super(message);
    const before = text.slice(0, at).split("\n");
    this.line = before.length;
    this.column = before.at(-1).length + 1;
  }
}

const BARE = /[A-Za-z0-9_-]/;
const ESCAPES = { b: "\b", t: "\t", n: "\n", f: "\f", r: "\r", e: "\x1b", '"': '"', "\\": "\\" };

/**
 * A value in its place: `start` and `end` are offsets into the text.
 * @typedef {{start: number, end: number, data: any, items?: Value[], entries?: Entry[]}} Value
 * @typedef {{key: string[], start: number, value: Value}} Entry
 * @typedef {{path: string[], isList: boolean, start: number, end: number, entries: Entry[]}} Section
 */

class Reader {
  at = 0;

  constructor(text) {
    this.text = text;
  }

  fail(message, at = this.at) {
    throw new TomlError(this.text, at, message);
  }

  /** Skips blanks; with `lines` also line ends and comments. */
  skip(lines) {
    for (;;) {
      const letter = this.text[this.at];
      if (letter === " " || letter === "\t") this.at++;
      else if (lines && (letter === "\n" || letter === "\r")) this.at++;
      else if (lines && letter === "#") this.comment();
      else return;
    }
  }

  comment() {
    while (this.at < this.text.length && this.text[this.at] !== "\n") this.at++;
  }

  take(word) {
    if (!this.text.startsWith(word, this.at)) return false;
    this.at += word.length;
    return true;
  }

  expect(word) {
    if (!this.take(word)) this.fail(`expected ${word}`);
  }

  key() {
    const parts = [];
    do {
      this.skip(false);
      const letter = this.text[this.at];
      if (letter === '"' || letter === "'") parts.push(this.string().data);
      else {
        const start = this.at;
        while (this.at < this.text.length && BARE.test(this.text[this.at])) this.at++;
        if (this.at === start) this.fail("expected a key");
        parts.push(this.text.slice(start, this.at));
      }
      this.skip(false);
    } while (this.take("."));
    return parts;
  }

  entry() {
    const start = this.at;
    const key = this.key();
    this.expect("=");
    this.skip(false);
    return { key, start, value: this.value() };
  }

  value() {
    const letter = this.text[this.at];
    if (letter === '"' || letter === "'") return this.string();
    if (letter === "[") return this.list();
    if (letter === "{") return this.table();
    const start = this.at;
    while (this.at < this.text.length && !/[\s,\]}#]/.test(this.text[this.at])) this.at++;
    const word = this.text.slice(start, this.at);
    if (word === "") this.fail("expected a value");
    const number = Number(word.replaceAll("_", ""));
    const data = word === "true" ? true : word === "false" ? false : Number.isNaN(number) ? word : number;
    return { start, end: this.at, data };
  }

  string() {
    const start = this.at;
    const quote = this.text[start];
    const isLong = this.text.startsWith(quote.repeat(3), start);
    const limit = isLong ? quote.repeat(3) : quote;
    this.at += limit.length;
    if (isLong && !this.take("\n")) this.take("\r\n");
    let data = "";
    while (!this.take(limit)) {
      const letter = this.text[this.at];
      if (letter === undefined || (!isLong && letter === "\n")) this.fail("the string does not end", start);
      this.at++;
      data += letter === "\\" && quote === '"' ? this.escape() : letter;
    }
    // Up to two quotes may stand right before the end of a long string.
    for (let more = 0; isLong && more < 2 && this.take(quote); more++) data += quote;
    return { start, end: this.at, data };
  }

  escape() {
    const letter = this.text[this.at++];
    if (letter === "u" || letter === "U") {
      const length = letter === "u" ? 4 : 8;
      const code = Number.parseInt(this.text.slice(this.at, this.at + length), 16);
      this.at += length;
      if (!(code >= 0 && code <= 0x10ffff)) this.fail("no such letter");
      return String.fromCodePoint(code);
    }
    if (letter === "\n" || letter === "\r" || letter === " ") {
      this.skip(true);
      return "";
    }
    return ESCAPES[letter] ?? this.fail("unknown escape");
  }

  list() {
    const start = this.at++;
    const items = [];
    for (;;) {
      this.skip(true);
      if (this.take("]")) break;
      items.push(this.value());
      this.skip(true);
      if (this.take("]")) break;
      this.expect(",");
    }
    return { start, end: this.at, items, data: items.map(({ data }) => data) };
  }

  table() {
    const start = this.at++;
    const entries = [];
    for (;;) {
      this.skip(true);
      if (this.take("}")) break;
      entries.push(this.entry());
      this.skip(true);
      if (this.take("}")) break;
      this.expect(",");
    }
    return { start, end: this.at, entries, data: assemble(entries) };
  }

  header() {
    const start = this.at;
    const isList = this.take("[[");
    if (!isList) this.expect("[");
    const path = this.key();
    this.expect(isList ? "]]" : "]");
    return { path, isList, start, end: this.at, entries: [] };
  }
}

/** Entries as an object. */
function assemble(entries, target = {}) {
  for (const { key, value } of entries) {
    let place = target;
    for (const part of key.slice(0, -1)) place = own(place, part, () => ({}));
    define(place, key.at(-1), value.data);
  }
  return target;
}

/** A key of any name, `__proto__` too, as a plain one. */
function define(object, key, value) {
  Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
}

function own(object, key, create) {
  if (!Object.hasOwn(object, key) || typeof object[key] !== "object") define(object, key, create());
  return object[key];
}

/**
 * Where everything stands.
 * @returns {Section[]} The first one is what stands before all headers.
 * @throws {TomlError}
 */
export function parse(text) {
  const reader = new Reader(text);
  const sections = [{ path: [], isList: false, start: 0, end: 0, entries: [] }];
  for (;;) {
    reader.skip(true);
    if (reader.at >= text.length) return sections;
    const section = sections.at(-1);
    if (text[reader.at] === "[") sections.push(reader.header());
    else {
      const entry = reader.entry();
      section.entries.push(entry);
      section.end = entry.value.end;
    }
    reader.skip(false);
    if (text[reader.at] === "#") reader.comment();
    if (reader.at < text.length && !/[\r\n]/.test(text[reader.at])) reader.fail("expected the end of the line");
    sections.at(-1).end = reader.at;
  }
}

/**
 * The tables of a list, such as `[[region]]`, with what belongs to each.
 * @param {string} name
 * @returns {{data: any, sections: Section[], start: number, end: number}[]}
 */
export function tables(text, name) {
  const found = [];
  for (const section of parse(text)) {
    if (section.path[0] !== name) continue;
    if (section.isList && section.path.length === 1) {
      found.push({ data: assemble(section.entries), sections: [section], start: section.start, end: section.end });
    } else if (found.length > 0 && section.path.length > 1) {
      const table = found.at(-1);
      const place = section.path.slice(1).reduce((object, key) => own(object, key, () => ({})), table.data);
      assemble(section.entries, place);
      table.sections.push(section);
      table.end = section.end;
    }
  }
  return found;
}

/** All of a file as an object; of lists of tables `tables` tells more. */
export function read(text) {
  const result = {};
  for (const section of parse(text)) {
    let place = result;
    section.path.forEach((key, index) => {
      const isLast = index === section.path.length - 1;
      if (isLast && section.isList) {
        const list = own(place, key, () => []);
        place = {};
        list.push(place);
        return;
      }
      place = own(place, key, () => ({}));
      if (Array.isArray(place)) place = place.at(-1);
    });
    assemble(section.entries, place);
  }
  return result;
}

/** A value as TOML. */
export function write(value) {
  if (typeof value === "string") return quote(value);
  if (typeof value === "boolean" || typeof value === "number") return String(value);
  if (Array.isArray(value)) return `[${value.map(write).join(", ")}]`;
  const entries = Object.entries(value).map(([key, item]) => `${/^[A-Za-z0-9_-]+$/.test(key) ? key : quote(key)} = ${write(item)}`);
  return entries.length > 0 ? `{ ${entries.join(", ")} }` : "{}";
}

const quote = (text) =>
  `"${text.replace(/["\\]/g, "\\$&").replace(/[\u0000-\u001f\u007f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`)}"`;

const splice = (text, start, end, insert) => text.slice(0, start) + insert + text.slice(end);

const sameKey = (entry, key) => entry.key.length === 1 && entry.key[0] === key;

function table(text, name, id) {
  const found = tables(text, name).find(({ data }) => data.id === id);
  if (!found) throw new Error(`there is no ${name} "${id}"`);
  return found;
}

/**
 * Sets a key of the table with this id in a list of tables.
 * @param {string} name Such as "region".
 * @param {any} value undefined removes the key.
 */
export function setKey(text, name, id, key, value) {
  const { sections } = table(text, name, id);
  const [section, ...inner] = sections;
  const entry = section.entries.find((entry) => sameKey(entry, key));
  if (entry && value === undefined) return removeLines(text, entry.start, entry.value.end);
  if (entry) return splice(text, entry.value.start, entry.value.end, write(value));
  const own = inner.filter(({ path }) => path[1] === key);
  if (own.length > 0) {
    const cleared = own.reverse().reduce((rest, { start, end }) => removeLines(rest, start, end), text);
    return value === undefined ? cleared : setKey(cleared, name, id, key, value);
  }
  // Keys with dots, such as shape.rect, are one value.
  const dotted = section.entries.filter((entry) => entry.key[0] === key);
  if (dotted.length > 0) {
    const cleared = dotted.reverse().reduce((rest, { start, value: { end } }) => removeLines(rest, start, end), text);
    return value === undefined ? cleared : setKey(cleared, name, id, key, value);
  }
  if (value === undefined) return text;
  const at = section.entries.at(-1)?.value.end ?? headerEnd(text, section);
  return insertLine(text, at, `${key} = ${write(value)}`);
}

function headerEnd(text, section) {
  return text.indexOf("]]", section.start) + 2;
}

/** Inserts a line below the one in which an offset lies. */
function insertLine(text, at, line) {
  const end = text.indexOf("\n", at);
  if (end < 0) return `${text}\n${line}\n`;
  const ending = text[end - 1] === "\r" ? "\r\n" : "\n";
  return splice(text, end + 1, end + 1, line + ending);
}

/** Removes the lines in which a part of the text lies, with the comments behind it. */
function removeLines(text, start, end) {
  const first = text.lastIndexOf("\n", start - 1) + 1;
  const last = text.indexOf("\n", end);
  return splice(text, first, last < 0 ? text.length : last + 1, "");
}

/** The value of `gestures` of a region, and the item with this name. */
function gestureItem(text, id, name) {
  const { sections } = table(text, "region", id);
  const list = sections[0].entries.find((entry) => sameKey(entry, "gestures"))?.value;
  const item = list?.items?.find(({ data }) => gestureId(data) === name);
  if (!item) throw new Error(`region "${id}" has no gesture "${name}" in a list gestures = [ … ]`);
  return { list, item };
}

/** The name of a gesture of a configuration: its own, or its word. */
export const gestureId = (gesture) => (typeof gesture === "string" ? gesture : (gesture.name ?? gesture.type));

/** Its word. */
export const gestureType = (gesture) => (typeof gesture === "string" ? gesture : gesture.type);

/**
 * Sets a key of a gesture. A word becomes a table for that, and a table that has nothing but its type a word.
 * @param {any} value undefined removes the key.
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
  const { sections, data } = table(text, "region", id);
  const list = sections[0].entries.find((entry) => sameKey(entry, "gestures"))?.value;
  if (!list?.items) return setKey(text, "region", id, "gestures", [...(data.gestures ?? []), gesture]);
  if (list.items.length === 0) return splice(text, list.start, list.end, write([gesture]));
  const last = list.items.at(-1);
  const isSpread = text.slice(list.start, list.end).includes("\n");
  return splice(text, last.end, last.end, `,${isSpread ? `\n${indentAt(text, last.start)}` : " "}${write(gesture)}`);
}

/** The blanks at the begin of the line in which an offset lies. */
function indentAt(text, at) {
  const start = text.lastIndexOf("\n", at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, at))[0];
}

/** Removes a gesture from a region's list; with the comments right above it, if it stands on lines of its own. */
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

/** Where the comment lines right above the line that begins at an offset begin. */
function commentsAbove(text, first) {
  let start = first;
  while (start > 0) {
    const line = text.lastIndexOf("\n", start - 2) + 1;
    if (!text.slice(line, start).trim().startsWith("#")) return start;
    start = line;
  }
  return start;
}

/** Adds a region on top of the others of the file. */
export function addRegion(text, region) {
  const keys = Object.entries(region).map(([key, value]) => `${key} = ${write(value)}`);
  const block = ["[[region]]", ...keys].join("\n");
  const end = tables(text, "region").at(-1)?.end;
  if (end !== undefined) return splice(text, end, end, `\n\n${block}`);
  const gap = text === "" || text.endsWith("\n\n") ? "" : text.endsWith("\n") ? "\n" : "\n\n";
  return `${text}${gap}${block}\n`;
}

/** Removes a region, and the comment that stands right above it. */
export function removeRegion(text, id) {
  const { sections } = table(text, "region", id);
  let result = text;
  for (const section of [...sections].reverse()) {
    const start = section.isList ? commentOfRegion(text, section.start) : section.start;
    result = removeLines(result, start, section.end);
  }
  return result.replace(/\n{3,}/g, "\n\n");
}

/** The begin of the comment lines right above a region, if an empty line stands above them: others may be the file's. */
function commentOfRegion(text, at) {
  const own = text.lastIndexOf("\n", at - 1) + 1;
  const start = commentsAbove(text, own);
  const isApart = start > 0 && text.slice(0, start).endsWith("\n\n");
  return isApart ? start : own;
}

/** Gives a region another id, also where parents and scenes name it. */
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

/** The line, counted from 1, in which a region begins. */
export function lineOf(text, id) {
  const found = tables(text, "region").find(({ data }) => data.id === id);
  return found ? text.slice(0, found.start).split("\n").length : null;
}
