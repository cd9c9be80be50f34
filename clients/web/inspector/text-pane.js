// SPDX-License-Identifier: MIT
// The text of the files in the mode Design: which file is shown, and how its text leaves the page.
import { byId, download, make } from "./dom.js";
import { showNextSteps } from "./next-steps.js";

export class TextPane {
  #app;
  #editing;
  #tabs;

  constructor(app, editing, tabs) {
    this.#app = app;
    this.#editing = editing;
    this.#tabs = tabs;
    byId("design-save").addEventListener("click", () => this.#save());
    byId("design-copy").addEventListener("click", () => this.#copy());
    byId("design-file").addEventListener("change", ({ target }) => editing.show(Number(target.value)));
    byId("design-text").addEventListener("input", ({ target }) => editing.set(target.value, editing.index, true));
  }

  /** Offers files to choose from, and opens them. */
  open(files) {
    const select = byId("design-file");
    select.replaceChildren(...files.map(({ path }, index) => make("option", { value: index }, path)));
    select.hidden = files.length < 2;
    this.#editing.open(files);
  }

  /** Shows the file that is edited, but not its text if the user is typing it. */
  show(isTyped) {
    const { file, files, index } = this.#editing;
    byId("design-file").value = index;
    byId("design-name").textContent = files.length > 1 ? "" : nameOf(file);
    byId("design-name").title = file.path;
    if (!isTyped) byId("design-text").value = file.text;
    byId("design-next").hidden = true;
  }

  /** Selects a line of a file, and scrolls to it. */
  goTo(line, file) {
    const index = this.#editing.files.findIndex(({ path }) => path === file);
    if (index >= 0 && index !== this.#editing.index) this.#editing.show(index);
    if (!(line > 0)) return;
    this.#tabs.show("text");
    const area = byId("design-text");
    const lines = this.#editing.file.text.split("\n");
    const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    area.focus();
    area.setSelectionRange(start, start + (lines[line - 1] ?? "").length);
    area.scrollTop = Math.max(0, (line - 4) * Number.parseFloat(getComputedStyle(area).lineHeight));
  }

  /** Downloads the file, and says how it comes into force. */
  #save() {
    const { file } = this.#editing;
    download(nameOf(file), file.text, "application/toml");
    showNextSteps(file.path, this.#app.files, location.hostname);
  }

  async #copy() {
    try {
      await navigator.clipboard.writeText(this.#editing.file.text);
      this.#app.say("The text was copied to the clipboard.");
    } catch {
      byId("design-text").select();
      this.#app.say("The browser does not let this page use the clipboard. The text is selected instead.");
    }
  }
}

const nameOf = ({ path }) => path.split("/").at(-1);
