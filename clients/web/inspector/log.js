// SPDX-License-Identifier: MIT
// The list of gestures and events, with the newest first. Gestures are grouped by touch. New entries are added to the page a
// few times per second.
import { make } from "./dom.js";
import { sequenceKey } from "./history.js";
import { TouchEntry } from "./touch-entry.js";
import { eventWords } from "./words.js";

/** The maximum number of entries, and of lines that are kept while the list is not updated because it is not shown. */
const MOST = 250;
const MOST_LINES = 5000;
/** The minimum time between two updates of the list, in ms. There is a minimum because each update causes a new layout. */
const FLUSH_MS = 100;
const OUTSIDE = { kind: "notice", title: "no region", detail: "A finger landed outside all regions." };

export class Log {
  /** Called with the time of the entry that the user has chosen. */
  onchoose = () => {};
  #list = make("ol", { class: "log", "aria-label": "Gestures, the newest first" });
  #hint = make("p", { class: "empty" });
  #timeWords;
  #isWithin;
  /** The entries of touches, by sequence. */
  #touches = new Map();
  /** For a region that sees the contacts of another one, the sequence of the region that owns the first of them. */
  #owners = new Map();
  /** The contacts outside all regions that are listed, by panel and id. */
  #outside = new Map();
  /** The lines that have arrived since the last update, as `{time, line}`, or `{time, words}` for entries without gestures. */
  #lines = [];
  /** The entries that the lines have changed, and the new elements, the oldest first. */
  #changed = new Set();
  #added = [];
  #flushed = -Infinity;

  /**
   * @param {(time: number | undefined) => string} timeWords Converts the time of a line to words. Lines of some events have no time.
   * @param {(region: string, ancestor: string) => boolean} isWithin Returns whether a region is `ancestor` or lies inside it.
   */
  constructor(timeWords, isWithin) {
    this.#timeWords = timeWords;
    this.#isWithin = isWithin;
  }

  /** The list, and the hint that is shown while the list is empty. */
  get elements() {
    return [this.#list, this.#hint];
  }

  /** @param {string} text What to do so that there is something to list. */
  set hint(text) {
    this.#hint.textContent = text;
  }

  /** Shows or hides the gestures that were not recognized. */
  showFailed(isShown) {
    this.#list.classList.toggle("no-failed", !isShown);
  }

  clear() {
    for (const each of [this.#touches, this.#owners, this.#outside, this.#changed]) each.clear();
    this.#lines = [];
    this.#added = [];
    this.#list.replaceChildren();
  }

  /** Ends all gestures in progress. The daemon may use their sequences again. */
  cut() {
    this.#takeLines();
    for (const entry of this.#touches.values()) entry.cut();
    for (const each of [this.#touches, this.#owners, this.#outside]) each.clear();
  }

  /** Takes a line. Lines that are neither about a touch nor about an event of interest to users are not listed. */
  add(line) {
    if (line.event === "gesture" || line.event === "failed") return this.#push(line.time_us, { line });
    if (line.event === "touches") {
      this.#noteOwners(line);
      this.#noteOutside(line);
    }
    const words = eventWords(line);
    if (words !== null) this.#push(line.time_us, { words });
  }

  #push(time, item) {
    this.#lines.push({ time: this.#timeWords(time), ...item });
    if (this.#lines.length > MOST_LINES) this.#lines.shift();
  }

  #noteOutside({ device, time_us: time, contacts }) {
    for (const { id, region } of contacts) {
      const key = `${device}\n${id}`;
      if (region !== undefined || this.#outside.has(key)) continue;
      this.#outside.set(key, true);
      forgetOldest(this.#outside);
      this.#push(time, { words: OUTSIDE });
    }
  }

  #noteOwners({ device, contacts, seen_by: seen = [] }) {
    for (const { region, sequence, contacts: ids } of seen) {
      const key = sequenceKey({ device, region, sequence });
      if (this.#owners.has(key)) continue;
      const owner = contacts.find(({ id }) => id === ids[0]);
      if (owner?.sequence === undefined) continue;
      this.#owners.set(key, sequenceKey({ device, ...owner }));
      forgetOldest(this.#owners);
    }
  }

  /** Adds the collected lines to the list, unless the last update was too recent. */
  flush(now) {
    if (this.#lines.length + this.#changed.size + this.#added.length === 0 || now - this.#flushed < FLUSH_MS) return;
    this.#flushed = now;
    this.#takeLines();
    for (const entry of this.#changed) entry.render();
    this.#changed.clear();
    this.#list.prepend(...this.#added.reverse().slice(0, MOST));
    this.#added = [];
    while (this.#list.childElementCount > MOST) this.#list.lastElementChild.remove();
  }

  #takeLines() {
    for (const { line, words, time } of this.#lines) {
      if (line) this.#takeGesture(line, time);
      else this.#added.push(eventElement(words, time));
    }
    this.#lines = [];
  }

  /**
   * Without the positions of fingers, a region is assumed to see a touch of a region in it that is in progress, or that ends at
   * the same time. Returns the sequence of that touch, or null if there is none.
   */
  #guessOwner(line) {
    const own = sequenceKey(line);
    if (this.#touches.has(own)) return null;
    for (const [key, entry] of this.#touches) {
      const isInside = entry.region !== line.region && key.startsWith(`${line.device}\n`) && this.#isWithin(entry.region, line.region);
      if (!isInside || !(entry.isActive || entry.last === line.time_us)) continue;
      this.#owners.set(own, key);
      forgetOldest(this.#owners);
      return key;
    }
    return null;
  }

  #takeGesture(line, time) {
    const own = sequenceKey(line);
    const key = this.#owners.get(own) ?? this.#guessOwner(line) ?? own;
    let entry = this.#touches.get(key);
    if (!entry) {
      // The end of a gesture whose touch is no longer listed would look like another touch.
      if (line.phase === "end" || line.phase === "cancel") return;
      entry = new TouchEntry(time, regionOf(key), (chosen) => this.onchoose(chosen));
      this.#touches.set(key, entry);
      forgetOldest(this.#touches);
      this.#added.push(entry.element);
    }
    entry.add(line);
    this.#changed.add(entry);
  }
}

/** Returns the region of a sequence. */
const regionOf = (key) => key.split("\n")[1];

/** Removes the oldest item of a map that has too many. */
function forgetOldest(map) {
  if (map.size > MOST) map.delete(map.keys().next().value);
}

function eventElement({ kind, title, subject, detail }, time) {
  const head = make("p", { class: "touch-head" }, make("span", { class: "what" }, title), make("time", {}, time));
  return make("li", { class: kind }, head, make("p", { class: "detail" }, [subject, detail].filter(Boolean).join(" · ")));
}
