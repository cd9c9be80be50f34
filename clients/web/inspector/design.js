// SPDX-License-Identifier: MIT
// The mode Design, in which regions are drawn and edited. The text of the file is the only state. Every edit
// changes this text. Comments and layout are therefore kept, and the drawing always matches the text.
import { Background } from "./background.js";
import { Checks } from "./checks.js";
import { fetchJson } from "./connection.js";
import { regionsText } from "./daemon-regions.js";
import { acceptDrops, byId, fillPanels, make } from "./dom.js";
import { Drawing } from "./drawing.js";
import { Editing } from "./editing.js";
import { addRegion, removeRegion, setKey } from "./edits.js";
import { regionsOf, withMasks } from "./files.js";
import { fit, panelSize } from "./geometry.js";
import { asReply, Layout } from "./layout.js";
import { showObstacle } from "./obstacle.js";
import { RegionForm } from "./region-form.js";
import { RULER } from "./rulers.js";
import { express, outputFrame, resolveAll } from "./shape.js";
import { Tabs } from "./tabs.js";
import { TextPane } from "./text-pane.js";
import { TryLive } from "./try-live.js";

const CHECK_MS = 250;
/** Room for the last label of a ruler, which is centred on the edge of the panel. */
const MARGIN = 24;
/** The panel to draw while no panel is connected. */
const USUAL_PANEL = { id: "panel", size: panelSize({ width: 1920, height: 1080, width_mm: 344, height_mm: 194 }), regions: [] };
const NOTHING = { strokes: [], active: new Map(), marks: [], failures: [], recognized: new Set() };

const HINTS = {
  select: "Select a region, then drag it or its handles.",
  rect: "Drag from corner to corner.",
  circle: "Drag from the centre.",
  polygon: "Click the corners. Press Enter or double-click to close the polygon.",
};

export class Design {
  #app;
  #drawing = new Drawing();
  #background = new Background(this.#drawing.view.element);
  #editing = new Editing();
  #form = new RegionForm(this.#editing);
  #checks = new Checks();
  #tabs = new Tabs();
  #text;
  #trial;
  #selected = null;
  #regions = [];
  #isLoaded = false;
  /** The reason why the text cannot be saved, or null if it can. */
  #obstacle = null;
  #checkTimer = null;

  constructor(app) {
    this.#app = app;
    this.#text = new TextPane(app, this.#editing, this.#tabs);
    this.#trial = new TryLive(app, this.#editing);
    const host = byId("design-panel");
    host.append(this.#drawing.view.element);
    new ResizeObserver(() => this.#render()).observe(host);
    this.#drawing.onselect = (id) => this.#select(id);
    this.#drawing.onchange = (id, shape) => this.#reshape(id, shape);
    this.#drawing.ondraw = (shape) => this.#add(shape);
    this.#editing.onchange = (isTyped) => this.#changed(isTyped);
    this.#editing.onrefuse = (error) => app.say(error.message, "bad");
    this.#form.onrename = (id) => this.#select(id);
    this.#checks.onchoose = (line, file) => this.#text.goTo(line, file);
    byId("design-accessibility").addEventListener("change", () => this.#check());
    this.#listen();
    this.#setTool("select");
  }

  #listen() {
    byId("design-tools").addEventListener("click", ({ target }) => this.#setTool(target.closest("button")?.dataset.tool));
    byId("design-grid").addEventListener("change", ({ target }) => (this.#drawing.grid = Number(target.value)));
    byId("design-undo").addEventListener("click", () => this.#editing.undo());
    byId("design-redo").addEventListener("click", () => this.#editing.redo());
    byId("design-open").addEventListener("change", ({ target }) => this.#open(target.files));
    byId("design-device").addEventListener("change", () => this.#showRegions());
    byId("design").addEventListener("keydown", (event) => this.#key(event));
    acceptDrops(byId("design"), (files) => this.#open(files));
  }

  // -- files

  async shown() {
    if (this.#isLoaded) return this.#showRegions();
    this.#isLoaded = true;
    this.#form.schema = await fetchJson("schema").catch(() => ({}));
    await this.#load();
    this.#check();
  }

  /** Opens the daemon's files, or its regions if the bridge may not read the files. Does not replace what the user has opened or written. */
  async #load() {
    if (!this.#isLoaded || !this.#editing.isNew) return;
    const { files, refusal } = await fetchJson("config").catch(({ message }) => ({ refusal: message }));
    if (!this.#editing.isNew) return;
    if (files?.length > 0) return this.setFiles(files);
    // Without a daemon, a new file can be written and saved.
    this.#obstacle = this.#app.connection.isConnected ? (refusal ?? null) : null;
    this.#showRegions();
  }

  /** Shows the regions that the daemon reports, unless they have been edited. Does nothing while another mode is shown. */
  #showRegions() {
    if (byId("design-panel").clientWidth === 0) return;
    const text = regionsText(this.#panel);
    if (this.#obstacle !== null && this.#editing.isNew && text !== this.#editing.file.text) return this.#editing.start(text);
    showObstacle(this.#obstacle);
    this.#render();
  }

  /** Opens the files of a configuration for editing. */
  setFiles(files) {
    this.#obstacle = null;
    this.#selected = null;
    this.#text.open(files);
  }

  /** Adds masks to a panel, in the files that are open here or else in the daemon's. */
  async mask(panel, masks) {
    await this.shown();
    let change;
    this.#editing.edit(
      () => change.text,
      () => (change = withMasks(this.#editing.files, panel, masks)).index,
    );
  }

  async #open(list) {
    for (const file of list) {
      if (file.type.startsWith("image/")) {
        this.#background.show(file);
        this.#render();
      } else this.setFiles([{ path: file.name, text: await file.text() }]);
    }
  }

  // -- changes

  #changed(isTyped) {
    const { canUndo, canRedo } = this.#editing;
    this.#text.show(isTyped);
    byId("design-undo").disabled = !canUndo;
    byId("design-redo").disabled = !canRedo;
    showObstacle(this.#obstacle);
    this.#render();
    clearTimeout(this.#checkTimer);
    this.#checkTimer = setTimeout(() => this.#check(), CHECK_MS);
    this.#trial.changed();
  }

  #reshape(id, shape) {
    const region = this.#regions.find(({ data }) => data.id === id);
    if (!region) return;
    this.#editing.editRegion(id, "shape", (text) => setKey(text, "region", id, "shape", express(shape, region.frame, region.data.shape)));
  }

  #add(shape) {
    const written = express(shape, outputFrame(this.#panel.size));
    let id = null;
    this.#editing.edit((text) => {
      id = this.#freeId();
      return addRegion(text, { id, shape: written, gestures: ["press", "tap"] });
    });
    this.#setTool("select");
    this.#select(id);
    this.#form.nameRegion();
  }

  #freeId() {
    const ids = new Set(regionsOf(this.#editing.files).map(({ data }) => data.id));
    let number = 1;
    while (ids.has(`region_${number}`)) number += 1;
    return `region_${number}`;
  }

  #remove() {
    if (this.#selected === null) return;
    const id = this.#selected;
    this.#selected = null;
    this.#editing.editRegion(id, "id", (text) => removeRegion(text, id));
  }

  #select(id) {
    this.#selected = id;
    this.#render();
    if (id !== null) this.#tabs.show("region");
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
      return event.shiftKey ? this.#editing.redo() : this.#editing.undo();
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

  /** The panel to draw: the chosen one, or else the first one, or else a panel of a usual size. */
  get #panel() {
    const { panels } = this.#app.layout;
    return panels.find(({ id }) => id === byId("design-device").value) ?? panels[0] ?? USUAL_PANEL;
  }

  layoutChanged() {
    fillPanels(byId("design-device"), this.#app.layout.panels);
    this.#showRegions();
  }

  connected() {
    this.#trial.connected();
    this.#load();
  }

  /** Handles a line of the daemon. After a reload, the bridge may be allowed to read the files. */
  take({ event, change }) {
    if (event === "config" && change === "applied") this.#load();
  }

  refreshColors() {
    this.#drawing.view.refreshColors();
  }

  #render() {
    const host = byId("design-panel");
    if (host.clientWidth === 0) return;
    const { size, id } = this.#panel;
    const { files } = this.#editing;
    let tables;
    try {
      tables = regionsOf(files);
    } catch ({ line, column, message }) {
      // The last drawing is kept, and the mistake and its location are shown.
      return this.#checks.show([{ severity: "error", line, column, message }], files.length);
    }
    this.#regions = resolveAll(tables, size);
    if (!this.#regions.some(({ data }) => data.id === this.#selected)) this.#selected = null;
    const scale = fit(size, host.clientWidth - RULER - MARGIN, host.clientHeight - RULER - MARGIN);
    const device = { device: id, output: { width: size.width, height: size.height, width_mm: size.widthMm, height_mm: size.heightMm } };
    const [panel] = new Layout([device], this.#regions.map((region) => asReply(region, id))).panels;
    this.#drawing.show(panel, scale, this.#regions, this.#selected);
    this.#background.place(this.#drawing.view.map);
    this.#showList();
    this.#form.show(this.#selected, this.#regions, size);
  }

  /** Lists the regions by name, topmost first, so that they can be selected with the keyboard. */
  #showList() {
    const row = ({ data: { id, parent } }) => {
      const attributes = { type: "button", "aria-pressed": String(id === this.#selected), onclick: () => this.#select(id) };
      return make("li", {}, make("button", attributes, id, parent ? make("span", {}, ` in ${parent}`) : null));
    };
    byId("design-list").replaceChildren(...this.#regions.toReversed().map(row));
    byId("design-none").hidden = this.#regions.length > 0;
  }

  async #check() {
    const result = await this.#checks.run(this.#editing.files, this.#panel.size);
    this.#drawing.mark(result?.accessibility ?? []);
    if (!result) return;
    this.#form.showDecisions(result.gestures ?? []);
  }

  /** Called for each frame of the screen. Draws fingers and gestures while the regions are being tried. */
  frame(now) {
    const time = this.#app.clock.at(now);
    if (time === null || this.#drawing.view.map === undefined) return;
    this.#drawing.view.draw(this.#trial.picture(this.#panel.id, time) ?? NOTHING, time);
  }
}
