// SPDX-License-Identifier: MIT
// The button that puts the regions of the mode Design on the panel, as leased regions of this connection.
import { byId } from "./dom.js";
import { regionsOf } from "./files.js";
import { missing } from "./missing.js";
import { trialPrefix, trialRegions, withFileNames } from "./trial.js";

const DELAY_MS = 300;

export class TryLive {
  #app;
  #editing;
  #isOn = false;
  #prefix = "";
  #timer = null;

  /** @param {import("./editing.js").Editing} editing */
  constructor(app, editing) {
    this.#app = app;
    this.#editing = editing;
    byId("design-try").addEventListener("click", () => {
      this.#isOn = !this.#isOn;
      this.#define();
    });
  }

  connected() {
    const cure = missing(this.#app, "define_regions", ["define", "control"]);
    const button = byId("design-try");
    button.disabled = cure !== null;
    button.title = cure ? `To try regions, ${cure}.` : "Puts these regions on the panel until you stop or leave the page";
    if (this.#isOn) this.#define();
  }

  /** Called when the files have changed. Defines the regions again after a short delay. */
  changed() {
    if (!this.#isOn) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#define(), DELAY_MS);
  }

  /** Returns the picture at a moment with the original names of regions, or null while no regions are being tried. */
  picture(device, time) {
    return this.#isOn ? withFileNames(this.#app.history.at(device, time), this.#prefix) : null;
  }

  async #define() {
    const button = byId("design-try");
    const status = byId("design-trial");
    try {
      this.#prefix = trialPrefix(this.#editing.files);
      const regions = this.#isOn ? trialRegions(regionsOf(this.#editing.files), this.#prefix) : [];
      await this.#app.connection.request("define_regions", { lease: true, regions });
      status.textContent = this.#isOn ? `${regions.length === 1 ? "1 region is" : `${regions.length} regions are`} on the panel now, as ${this.#prefix}…` : "";
    } catch (error) {
      const details = error.diagnostics?.map(({ message }) => message).slice(0, 3).join("; ");
      status.textContent = this.#isOn ? `Not on the panel: ${details || error.message}` : "";
    }
    button.setAttribute("aria-pressed", String(this.#isOn));
    button.textContent = this.#isOn ? "Stop trying" : "Try it live";
  }
}
