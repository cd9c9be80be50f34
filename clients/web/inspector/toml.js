// SPDX-License-Identifier: MIT
// Reads TOML with the position of each value in the text, and writes single values. The reader is lenient, because the
// daemon checks every file. This module does not use the DOM.

/** The error for a text that is not valid TOML. `line` and `column` are counted from 1. */
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
 * A value and its position. `start` and `end` are offsets into the text.
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

  /** Skips spaces and tabs. If `lines` is true, also skips line ends and comments. */
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
    // A long string may contain up to two quotes directly before the closing quotes.
    for (let more = 0; isLong && more < 2 && this.take(quote); more++) data += quote;
    return { start, end: this.at, data };
  }

  escape() {
    const letter = this.text[this.at++];
    if (letter === "u" || letter === "U") {
      const length = letter === "u" ? 4 : 8;
      const code = Number.parseInt(this.text.slice(this.at, this.at + length), 16);
      this.at += length;
      if (!(code >= 0 && code <= 0x10ffff)) this.fail("no such character");
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

/** Creates an object from entries. */
function assemble(entries, target = {}) {
  for (const { key, value } of entries) {
    let place = target;
    for (const part of key.slice(0, -1)) place = own(place, part, () => ({}));
    define(place, key.at(-1), value.data);
  }
  return target;
}

/** Sets a property with any name. Even `__proto__` has no special meaning. */
function define(object, key, value) {
  Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
}

function own(object, key, create) {
  if (!Object.hasOwn(object, key) || typeof object[key] !== "object") define(object, key, create());
  return object[key];
}

/**
 * Returns the sections of a text, each with its header and the entries below it.
 * @returns {Section[]} The sections. The first one contains the entries above all headers.
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
 * Returns the tables of an array of tables, such as `[[region]]`, each with its subtables.
 * @param {string} name The name of the array, such as "region".
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

/** Returns the contents of a whole file as an object. */
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

/** Returns a value as TOML. */
export function write(value) {
  if (typeof value === "string") return quote(value);
  if (typeof value === "boolean" || typeof value === "number") return String(value);
  if (Array.isArray(value)) return `[${value.map(write).join(", ")}]`;
  const entries = Object.entries(value).map(([key, item]) => `${/^[A-Za-z0-9_-]+$/.test(key) ? key : quote(key)} = ${write(item)}`);
  return entries.length > 0 ? `{ ${entries.join(", ")} }` : "{}";
}

const quote = (text) =>
  `"${text.replace(/["\\]/g, "\\$&").replace(/[\u0000-\u001f\u007f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`)}"`;
