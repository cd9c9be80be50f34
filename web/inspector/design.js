// SPDX-License-Identifier: MIT
// The mode Design: regions of a file, drawn and edited. The text of the file is the only state: each change is a change of
// the text, so that comments and layout stay, and what is shown is always what the text says.
import { fetchJson } from "./connection.js";
import { byId, download, make } from "./dom.js";
import { Drawing } from "./drawing.js";
import * as edits from "./edits.js";
import { fileOf, regionsOf } from "./files.js";
import { fieldRow } from "./form.js";
import { gestureId, gestureType, givenParameters } from "./gesture.js";
import { fit, panelSize } from "./geometry.js";
import { Layout } from "./layout.js";
import { RULER } from "./rulers.js";
import { kinds, parameters, regionKeys } from "./schema.js";
import { express, outputFrame, resolveAll } from "./shape.js";
import { read, write } from "./toml.js";
import { trialRegions } from "./trial.js";

const CHECK_MS = 250;
const TRY_MS = 300;
/** What the daemon's `define_prefix` is by default. */
const PREFIX = "app.";
/** Keys of a region that the drawing or the list of gestures sets. */
const OWN_KEYS = new Set(["id", "shape", "gestures", "defaults", "device", "enabled", "parent"]);
const NEW_FILE = "version = 1\n";

export class Design {
  #app;
  #drawing = new Drawing();
  #schema = {};
  /** The files of the configuration; `#index` is the one that is edited. */
  #files = [{ path: "new.toml", text: NEW_FILE }];
  #index = 0;
  #undo = [];
  #redo = [];
  #selected = null;
  #regions = [];
  #decisions = [];
  #isTrying = false;
  #prefix = `${PREFIX}try.`;
  #loaded = false;
  #timers = {};
  #picture = null;

  constructor(app) {
    this.#app = app;
    const host = byId("design-panel");
    host.append(this.#drawing.view.element);
    new ResizeObserver(() => this.#render()).observe(host);
    this.#drawing.onselect = (id) => this.#select(id);
    this.#drawing.onchange = (id, shape) => this.#reshape(id, shape);
    this.#drawing.ondraw = (shape) => this.#add(shape);
    byId("design-tools").addEventListener("click", ({ target }) => this.#setTool(target.closest("button")?.dataset.tool));
    byId("design-grid").addEventListener("change", ({ target }) => (this.#drawing.grid = Number(target.value)));
    byId("design-undo").addEventListener("click", () => this.#restore(this.#undo, this.#redo));
    byId("design-redo").addEventListener("click", () => this.#restore(this.#redo, this.#undo));
    byId("design-try").addEventListener("click", () => this.#toggleTrial());
    byId("design-save").addEventListener("click", () => download(this.#file.path.split("/").at(-1), this.#file.text, "application/toml"));
    byId("design-copy").addEventListener("click", () => this.#copy());
    byId("design-open").addEventListener("change", ({ target }) => this.#open(target.files));
    byId("design-file").addEventListener("change", ({ target }) => this.#showFile(Number(target.value)));
    byId("design-device").addEventListener("change", () => this.#render());
    byId("design-text").addEventListener("input", ({ target }) => this.#set(target.value, this.#index, { isTyped: true }));
    byId("design").addEventListener("keydown", (event) => this.#key(event));
    this.#dropping();
    this.#tabs();
    this.#setTool("select");
  }

  get #file() {
    return this.#files[this.#index];
  }

  // -- files

  async shown() {
    if (this.#loaded) return this.#render();
    this.#loaded = true;
    this.#schema = await fetchJson("schema").catch(() => ({}));
    const { files } = await fetchJson("config").catch(() => ({}));
    if (files?.length > 0 && this.#file.text === NEW_FILE) this.setFiles(files);
    else this.#render();
    this.#check();
  }

  /** Takes a configuration to edit. */
  setFiles(files) {
    this.#files = files;
    this.#undo = [];
    this.#redo = [];
    this.#selected = null;
    const select = byId("design-file");
    select.replaceChildren(...files.map(({ path }, index) => make("option", { value: index }, path)));
    select.hidden = files.length < 2;
    this.#loaded = true;
    this.#showFile(0);
  }

  async #open(list) {
    for (const file of list) {
      if (file.type.startsWith("image/")) this.#setPicture(file);
      else this.setFiles([{ path: file.name, text: await file.text() }]);
    }
  }

  #dropping() {
    const section = byId("design");
    section.addEventListener("dragover", (event) => event.preventDefault());
    section.addEventListener("drop", (event) => {
      event.preventDefault();
      this.#open(event.dataTransfer.files);
    });
  }

  /** A screenshot or a drawing below the regions. As an image, a file of SVG runs no script. */
  #setPicture(file) {
    if (this.#picture) URL.revokeObjectURL(this.#picture.src);
    this.#picture?.remove();
    const source = URL.createObjectURL(file);
    this.#picture = make("img", { src: source, alt: "", class: "background" });
    this.#drawing.view.element.prepend(this.#picture);
    this.#drawing.view.element.classList.add("pictured");
    this.#render();
  }

  async #copy() {
    try {
      await navigator.clipboard.writeText(this.#file.text);
      this.#app.say("The text is in the clipboard.");
    } catch {
      byId("design-text").select();
      this.#app.say("The browser gives no clipboard here; the text is selected.");
    }
  }

  // -- changes

  /**
   * Changes the text of a file by a function of it. What the function refuses is said, and nothing changes.
   * @param {() => number} fileIndex Which file. Without: the one that is edited.
   */
  #edit(change, fileIndex = () => this.#index) {
    try {
      const index = fileIndex();
      this.#set(change(this.#files[index].text), index);
    } catch (error) {
      this.#app.say(error.message, "bad");
    }
  }

  /** Changes a region in the file in which this key of it counts. */
  #editRegion(id, key, change) {
    this.#edit(change, () => fileOf(this.#files, id, key));
  }

  #set(text, index, options) {
    if (text === this.#files[index].text) return;
    this.#undo.push(this.#files);
    this.#redo = [];
    this.#files = this.#files.map((file, other) => (other === index ? { ...file, text } : file));
    this.#showFile(index, options);
  }

  #restore(from, to) {
    const files = from.pop();
    if (files === undefined) return;
    to.push(this.#files);
    const index = files.findIndex((file, other) => file !== this.#files[other]);
    this.#files = files;
    this.#showFile(index);
  }

  /** Edits another file from now on. */
  #showFile(index, options) {
    this.#index = index;
    byId("design-file").value = index;
    byId("design-name").textContent = this.#files.length > 1 ? "" : this.#file.path.split("/").at(-1);
    byId("design-name").title = this.#file.path;
    this.#changed(options);
  }

  #changed({ isTyped = false } = {}) {
    if (!isTyped) byId("design-text").value = this.#file.text;
    byId("design-undo").disabled = this.#undo.length === 0;
    byId("design-redo").disabled = this.#redo.length === 0;
    this.#render();
    this.#later("check", CHECK_MS, () => this.#check());
    if (this.#isTrying) this.#later("try", TRY_MS, () => this.#define());
  }

  #later(name, ms, action) {
    clearTimeout(this.#timers[name]);
    this.#timers[name] = setTimeout(action, ms);
  }

  #reshape(id, shape) {
    const region = this.#regions.find(({ data }) => data.id === id);
    if (!region) return;
    this.#editRegion(id, "shape", (text) => edits.setKey(text, "region", id, "shape", express(shape, region.frame, region.data.shape)));
  }

  #add(shape) {
    const written = express(shape, outputFrame(this.#panel.size));
    let id = null;
    this.#edit((text) => {
      id = this.#freeId();
      return edits.addRegion(text, { id, shape: written, gestures: ["press", "tap"] });
    });
    this.#setTool("select");
    this.#select(id);
  }

  #freeId() {
    const ids = new Set(regionsOf(this.#files).map(({ data }) => data.id));
    let number = 1;
    while (ids.has(`region_${number}`)) number += 1;
    return `region_${number}`;
  }

  #remove() {
    if (this.#selected === null) return;
    const id = this.#selected;
    this.#selected = null;
    this.#editRegion(id, "id", (text) => edits.removeRegion(text, id));
  }

  #select(id) {
    this.#selected = id;
    this.#render();
    if (id !== null) this.#showTab("region");
  }

  #setTool(tool) {
    if (!tool) return;
    this.#drawing.finishPolygon();
    this.#drawing.tool = tool;
    for (const button of byId("design-tools").querySelectorAll("button")) button.setAttribute("aria-pressed", String(button.dataset.tool === tool));
    byId("design-panel").dataset.tool = tool;
    byId("design-hint").textContent = HINTS[tool];
    this.#render();
  }

  #key(event) {
    const isField = event.target.closest("input, textarea, select");
    const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z";
    if (isUndo && !isField) {
      event.preventDefault();
      return event.shiftKey ? this.#restore(this.#redo, this.#undo) : this.#restore(this.#undo, this.#redo);
    }
    if (event.target !== this.#drawing.view.svg) return;
    const step = event.shiftKey ? 10 : 1;
    const actions = {
      ArrowLeft: () => this.#drawing.nudge(-step, 0),
      ArrowRight: () => this.#drawing.nudge(step, 0),
      ArrowUp: () => this.#drawing.nudge(0, -step),
      ArrowDown: () => this.#drawing.nudge(0, step),
      Delete: () => this.#remove(),
      Backspace: () => this.#remove(),
      Enter: () => this.#drawing.finishPolygon(),
      Escape: () => this.#drawing.cancel(),
    };
    if (!actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  }

  // -- what is shown

  /** The panel that is drawn: one of the daemon's, or one of a usual size. */
  get #panel() {
    const { panels } = this.#app.layout;
    return panels.find(({ id }) => id === byId("design-device").value) ?? panels[0] ?? { id: "panel", size: panelSize({ width: 1920, height: 1080, width_mm: 344, height_mm: 194 }) };
  }

  layoutChanged() {
    const select = byId("design-device");
    const { value } = select;
    select.replaceChildren(...this.#app.layout.panels.map(({ id }) => make("option", { value: id }, id)));
    select.value = value || (this.#app.layout.panels[0]?.id ?? "");
    select.hidden = this.#app.layout.panels.length < 2;
    this.#render();
  }

  refreshColors() {
    this.#drawing.view.refreshColors();
  }

  #render() {
    const host = byId("design-panel");
    if (host.clientWidth === 0) return;
    const { size, id } = this.#panel;
    let tables;
    try {
      tables = regionsOf(this.#files);
    } catch (error) {
      // What was drawn last stays; the place of the mistake is told.
      return this.#showDiagnostics([{ severity: "error", line: error.line, column: error.column, message: error.message }]);
    }
    this.#regions = resolveAll(tables, size);
    if (!this.#regions.some(({ data }) => data.id === this.#selected)) this.#selected = null;
    const scale = fit(size, host.clientWidth - RULER - 12, host.clientHeight - RULER - 12);
    const device = { device: id, output: { width: size.width, height: size.height, width_mm: size.widthMm, height_mm: size.heightMm } };
    const [panel] = new Layout([device], this.#regions.map((region) => asReply(region, id))).panels;
    this.#drawing.show(panel, scale, this.#regions, this.#selected);
    if (this.#picture) placePicture(this.#picture, this.#drawing.view.map);
    this.#showList();
    this.#showForm();
  }

  /** The regions by name, for the keyboard; the topmost first. */
  #showList() {
    const row = ({ data }) =>
      make("li", {}, make("button", { type: "button", "aria-pressed": String(data.id === this.#selected), onclick: () => this.#select(data.id) }, data.id, data.parent ? make("span", {}, ` in ${data.parent}`) : null));
    byId("design-list").replaceChildren(...this.#regions.toReversed().map(row));
    byId("design-none").hidden = this.#regions.length > 0;
  }

  #showForm() {
    const form = byId("design-form");
    const region = this.#regions.find(({ data }) => data.id === this.#selected);
    form.hidden = !region;
    if (!region) return form.replaceChildren();
    const opened = new Set([...form.querySelectorAll("details[open]")].map(({ dataset }) => dataset.name));
    const focused = document.activeElement?.closest(".field")?.dataset.path;
    form.replaceChildren(...this.#identity(region), this.#gestures(region.data, opened), make("h3", {}, "Settings"), ...this.#settings(region.data));
    if (focused) form.querySelector(`.field[data-path="${CSS.escape(focused)}"] :is(input, select)`)?.focus();
  }

  #row(path, field, value, onchange) {
    const row = fieldRow(field, value, onchange);
    row.dataset.path = path;
    return row;
  }

  #identity({ data, shape }) {
    const { id } = data;
    const others = this.#regions.map((region) => region.data.id).filter((other) => other !== id);
    const set = (key) => (value) => this.#editRegion(id, key, (text) => edits.setKey(text, "region", id, key, value));
    const rename = (name) => {
      if (!name) return this.#render();
      this.#editRegion(id, "id", (text) => edits.renameRegion(text, id, name));
      this.#select(name);
    };
    const parent = { key: "parent", type: "choice", choices: others, none: "none", description: "" };
    return [
      this.#row("id", { key: "id", type: "id", description: "" }, id, rename),
      this.#row("parent", parent, data.parent, (value) => this.#setParent(data, shape, value)),
      this.#row("shape", { key: "shape", type: "text", description: "As in the file; drag the handles, or write it here." }, write(data.shape), (value) => this.#writeShape(set("shape"), value)),
    ];
  }

  #writeShape(set, value) {
    try {
      set(read(`shape = ${value}`).shape);
    } catch (error) {
      this.#app.say(`The shape is no TOML: ${error.message}`, "bad");
    }
  }

  /** A region that gets another parent stays where it is. */
  #setParent(data, shape, parent) {
    const moved = this.#regions.map((region) => (region.data.id === data.id ? { data: { ...data, parent } } : region));
    const region = resolveAll(moved, this.#panel.size).find((other) => other.data.id === data.id);
    this.#editRegion(data.id, "shape", (text) => {
      const changed = edits.setKey(text, "region", data.id, "parent", parent);
      return region && data.shape !== "full" ? edits.setKey(changed, "region", data.id, "shape", express(shape, region.frame, data.shape)) : changed;
    });
  }

  #settings(data) {
    return regionKeys(this.#schema)
      .filter(({ key }) => !OWN_KEYS.has(key))
      .map((field) => this.#row(field.key, field, data[field.key], (value) => this.#editRegion(data.id, field.key, (text) => edits.setKey(text, "region", data.id, field.key, value))));
  }

  #gestures(data, opened) {
    const gestures = data.gestures ?? [];
    const words = kinds(this.#schema);
    const add = make("select", { "aria-label": "Add a gesture", onchange: ({ target }) => this.#addGesture(data, target.value) }, make("option", { value: "" }, "Add a gesture …"), ...words.map((word) => make("option", { value: word }, word)));
    return make("div", { class: "gestures" }, make("h3", {}, "Gestures"), ...gestures.map((gesture) => this.#gesture(data.id, gesture, opened)), add);
  }

  #addGesture(data, word) {
    if (word === "") return;
    const names = new Set((data.gestures ?? []).map(gestureId));
    let name = word;
    for (let number = 2; names.has(name); number++) name = `${word}_${number}`;
    const needsTable = name !== word || word === "pattern";
    const gesture = needsTable ? { type: word, ...(name === word ? {} : { name }), ...(word === "pattern" ? { steps: [`tap ${data.id}`] } : {}) } : word;
    this.#editRegion(data.id, "gestures", (text) => edits.addGesture(text, data.id, gesture));
  }

  #gesture(id, gesture, opened) {
    const name = gestureId(gesture);
    const type = gestureType(gesture);
    const given = givenParameters(gesture);
    const decision = this.#decisions.find((decision) => decision.region === id && decision.name === name);
    const set = (key) => (value) => this.#editRegion(id, "gestures", (text) => edits.setGestureKey(text, id, name, key, value));
    const summary = make("summary", {}, make("strong", {}, name), name === type ? "" : ` ${type}`, make("span", { class: "decided" }, decision?.decided ?? ""));
    const fields = [{ key: "name", type: "id", description: "What the lines on the socket call it." }, ...parameters(this.#schema, type)];
    const rows = fields.map((field) => this.#row(`${name}.${field.key}`, field, given[field.key], set(field.key)));
    const remove = make("button", { type: "button", onclick: () => this.#editRegion(id, "gestures", (text) => edits.removeGesture(text, id, name)) }, `Remove ${name}`);
    return make("details", { "data-name": name, open: opened.has(name) }, summary, ...rows, remove);
  }

  // -- tabs

  #tabs() {
    const tabs = [...byId("design-tabs").querySelectorAll("button")];
    for (const [index, tab] of tabs.entries()) {
      tab.addEventListener("click", () => this.#showTab(tab.dataset.tab));
      tab.addEventListener("keydown", ({ key }) => {
        const next = tabs[index + { ArrowLeft: -1, ArrowRight: 1 }[key]];
        if (!next) return;
        this.#showTab(next.dataset.tab);
        next.focus();
      });
    }
    this.#showTab("region");
  }

  #showTab(name) {
    for (const tab of byId("design-tabs").querySelectorAll("button")) {
      const isShown = tab.dataset.tab === name;
      tab.setAttribute("aria-selected", String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
      byId(`design-tab-${tab.dataset.tab}`).hidden = !isShown;
    }
  }

  // -- checks and trials

  async #check() {
    const { size } = this.#panel;
    const query = new URLSearchParams({ width: size.width, height: size.height, width_mm: size.widthMm, height_mm: size.heightMm });
    const isOne = this.#files.length === 1;
    const options = isOne
      ? { method: "POST", headers: { "Content-Type": "application/toml" }, body: this.#file.text }
      : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ files: this.#files }) };
    try {
      const result = await fetchJson(`check?${query}`, options);
      this.#decisions = result.gestures ?? [];
      this.#showDiagnostics(result.diagnostics);
      if (!byId("design-form").contains(document.activeElement)) this.#showForm();
    } catch (error) {
      this.#showDiagnostics([{ severity: "error", message: `The check does not answer: ${error.message}` }]);
    }
  }

  #showDiagnostics(diagnostics) {
    const row = ({ severity, file, line, column, message, suggestion }) => {
      const words = suggestion ? `${message}; did you mean “${suggestion}”?` : message;
      const place = line > 0 ? make("span", {}, `${this.#files.length > 1 && file ? `${file}:` : "line "}${line}:${column}`) : null;
      return make("li", { class: severity }, make("button", { type: "button", onclick: () => this.#goTo(line, file) }, make("strong", {}, severity), ` ${words} `, place));
    };
    byId("design-checks").replaceChildren(...diagnostics.map(row));
    const errors = diagnostics.filter(({ severity }) => severity === "error").length;
    const words = diagnostics.length === 0 ? "Check ✓" : `Check (${diagnostics.length})`;
    const tab = byId("design-tabs").querySelector('[data-tab="check"]');
    tab.textContent = words;
    tab.className = errors > 0 ? "bad" : diagnostics.length > 0 ? "warn" : "good";
    byId("design-fine").hidden = diagnostics.length > 0;
  }

  /** Shows a line of the text, and selects its region. */
  #goTo(line, file) {
    const index = this.#files.findIndex(({ path }) => path === file);
    if (index >= 0 && index !== this.#index) {
      this.#showFile(index);
    }
    if (!(line > 0)) return;
    this.#showTab("text");
    const area = byId("design-text");
    const lines = this.#file.text.split("\n");
    const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    area.focus();
    area.setSelectionRange(start, start + (lines[line - 1] ?? "").length);
    area.scrollTop = Math.max(0, (line - 4) * Number.parseFloat(getComputedStyle(area).lineHeight));
  }

  connected() {
    const may = this.#app.may("define_regions", "define") || this.#app.may("define_regions", "control");
    const button = byId("design-try");
    button.disabled = !may;
    button.title = may ? "Lease these regions from the daemon, until you stop or leave the page" : "Trying needs the right define, and define_regions in the bridge's commands.";
    if (this.#isTrying) this.#define();
  }

  #toggleTrial() {
    this.#isTrying = !this.#isTrying;
    this.#define();
  }

  async #define() {
    const button = byId("design-try");
    try {
      this.#prefix = trialPrefix(this.#files);
      const regions = this.#isTrying ? trialRegions(regionsOf(this.#files), this.#prefix) : [];
      await this.#app.connection.request("define_regions", { lease: true, regions });
      byId("design-trial").textContent = this.#isTrying ? `${regions.length} regions are on the panel now, as ${this.#prefix}…` : "";
    } catch (error) {
      const details = error.diagnostics?.map(({ message }) => message).slice(0, 3).join("; ");
      byId("design-trial").textContent = this.#isTrying ? `Not on the panel: ${details || error.message}` : "";
    }
    button.setAttribute("aria-pressed", String(this.#isTrying));
    button.textContent = this.#isTrying ? "Stop trying" : "Try it live";
  }

  /** One frame of the screen: fingers and gestures while the regions are tried. */
  frame(now) {
    const { history, clock } = this.#app;
    const time = clock.at(now);
    if (time === null || this.#drawing.view.map === undefined) return;
    this.#drawing.view.draw(this.#isTrying ? asDrawn(history.at(this.#panel.id, time), this.#prefix) : NOTHING, time);
  }
}

const NOTHING = { strokes: [], active: new Map(), marks: [], failures: [], recognized: new Set() };

const HINTS = {
  select: "Select a region; drag it or its handles.",
  rect: "Drag from corner to corner.",
  circle: "Drag from the centre.",
  polygon: "Click the corners; Enter or a double click closes it.",
};

/** A region of the file in the form of the reply to `regions`. */
function asReply({ data, shape }, device) {
  const gestures = (data.gestures ?? []).map((gesture) => ({ gesture: gestureType(gesture), name: gestureId(gesture) }));
  return { region: data.id, device, parent: data.parent ?? null, shape, pass: data.pass === true, private: data.private === true, enabled: true, gestures };
}

/** What the ids of the regions that are tried begin with, as the files allow it. */
function trialPrefix(files) {
  const given = files.map(({ text }) => read(text).access?.define_prefix).findLast((prefix) => prefix !== undefined);
  return `${given ?? PREFIX}try.`;
}

/** A picture in which the regions that are tried have the names of the file. */
function asDrawn(picture, prefix) {
  const strip = (id) => (id?.startsWith(prefix) ? id.slice(prefix.length) : id);
  const renamed = ({ line, ...item }) => ({ ...item, line: { ...line, region: strip(line.region) } });
  const active = new Map([...picture.active].map(([region, span]) => [strip(region), span]));
  return { ...picture, active, marks: picture.marks.map(renamed), failures: picture.failures.map(renamed) };
}

function placePicture(image, { width, height }) {
  Object.assign(image.style, { left: `${RULER}px`, top: `${RULER}px`, width: `${width}px`, height: `${height}px` });
}
