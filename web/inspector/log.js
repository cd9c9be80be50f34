// SPDX-License-Identifier: MIT
// The list of gestures and events, with the newest first. Lines are collected, and added to the page a few times per second.
import { make } from "./dom.js";
import { gestureName, measures, phaseWords } from "./words.js";

const MOST = 250;
/** The minimum time between two updates of the list, in ms. There is a minimum because each update causes a new layout. */
const FLUSH_MS = 100;

export class Log {
  element = make("ol", { class: "log", "aria-label": "Gestures, the newest first" });
  /** Called with the time of the entry that the user has chosen. */
  onchoose = () => {};
  #waiting = [];
  #flushed = -Infinity;
  #hidden = new Set(["update"]);

  /** Shows or hides entries of a kind, such as `update` or `failed`. */
  setShown(kind, isShown) {
    if (isShown) this.#hidden.delete(kind);
    else this.#hidden.add(kind);
    this.element.classList.toggle(`no-${kind}`, !isShown);
  }

  clear() {
    this.#waiting = [];
    this.element.replaceChildren();
  }

  add(line) {
    if (this.#hidden.has(line.phase === "update" ? "update" : line.event)) return;
    this.#waiting.push(line);
    if (this.#waiting.length > MOST) this.#waiting.shift();
  }

  /** Adds the collected lines to the list, unless the last update was too recent. */
  flush(now) {
    if (this.#waiting.length === 0 || now - this.#flushed < FLUSH_MS) return;
    this.#flushed = now;
    const rows = this.#waiting.map((line) => this.#row(line)).reverse();
    this.#waiting = [];
    this.element.prepend(...rows);
    while (this.element.childElementCount > MOST) this.element.lastElementChild.remove();
  }

  #row(line) {
    const { kind, title, detail, region } = rowWords(line);
    const time = line.time_us;
    const content = [make("span", { class: "what" }, title), make("span", { class: "region-name" }, region), make("span", { class: "detail" }, detail)];
    if (time === undefined) return make("li", { class: kind }, ...content);
    const button = make("button", { type: "button", title: "Show this moment", onclick: () => this.onchoose(time) }, ...content);
    return make("li", { class: kind }, button);
  }
}

/** Returns the texts of an entry. */
function rowWords(line) {
  if (line.event === "gesture") {
    const detail = [phaseWords(line), measures(line)].filter(Boolean).join(" · ");
    return { kind: line.phase === "cancel" ? "cancelled" : "gesture", title: gestureName(line), region: line.region, detail };
  }
  if (line.event === "failed") return { kind: "failed", title: gestureName(line), region: line.region, detail: line.message };
  if (line.event === "device") return { kind: "notice", title: `panel ${line.change}`, region: line.device, detail: line.name ?? "" };
  if (line.event === "idle") return { kind: "notice", title: `${line.change}`, region: line.name, detail: line.reason ?? "" };
  if (line.event === "overflow") return { kind: "bad", title: "lines lost", region: "", detail: `${line.dropped}: this page reads too slowly` };
  if (line.event === "config") {
    const title = { applied: "configuration applied", rejected: "configuration rejected", scene: "scene", regions: "regions changed" }[line.change] ?? line.change;
    return { kind: line.change === "rejected" ? "bad" : "notice", title, region: line.scene ?? "", detail: line.diagnostics?.[0]?.message ?? "" };
  }
  return { kind: "notice", title: line.event, region: "", detail: line.reason ?? "" };
}
