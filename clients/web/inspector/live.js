// SPDX-License-Identifier: MIT
// The mode Live, which shows the panels while they are touched.
import { byId, make } from "./dom.js";
import { Log } from "./log.js";
import { missing } from "./missing.js";
import { Panels } from "./panels.js";
import { TemplateRecorder } from "./template-recorder.js";
import { Timeline } from "./timeline.js";
import { gestureName, timeOfDay } from "./words.js";

const ANNOUNCE_MS = 1000;

export class Live {
  #app;
  #panels = new Panels(byId("live-panels"));
  #log = new Log(
    (time) => this.#timeWords(time),
    (region, ancestor) => this.#app.layout.isWithin(region, ancestor),
  );
  #timeline;
  #recorder;
  #announced = -Infinity;

  constructor(app) {
    this.#app = app;
    this.#recorder = new TemplateRecorder(app);
    this.#timeline = new Timeline(app.history, { isLive: true });
    this.#timeline.hint = "Touch the panel.";
    this.#log.onchoose = (time) => this.#timeline.seek(time);
    this.#timeline.onchange = () => byId("live").classList.toggle("stopped", !this.#timeline.isRunning);
    byId("live-timeline").append(this.#timeline.element);
    byId("live-log").append(...this.#log.elements);
    byId("live-why").addEventListener("change", ({ target }) => this.#log.showFailed(target.checked));
    byId("live-updates").addEventListener("change", ({ target }) => this.#showMovements(target.checked));
    byId("live-off").addEventListener("change", () => this.layoutChanged());
    byId("live-clear").addEventListener("click", () => this.#log.clear());
    for (const kind of ["scene", "profile"]) {
      byId(`live-${kind}`).addEventListener("change", ({ target }) => this.#switch(kind, target.value));
    }
  }

  /** Handles a change of the panels or their regions. */
  layoutChanged() {
    const { layout } = this.#app;
    this.#recorder.layoutChanged();
    this.#panels.show(layout, { showsOff: byId("live-off").checked });
    byId("live-empty").hidden = layout.panels.length > 0;
    const hasRegions = layout.panels.some(({ regions }) => regions.some(({ enabled }) => enabled));
    this.#log.hint = hasRegions
      ? "Touch the panel. For each touch, the recognized gestures are listed here, and those that were possible."
      : "There are no regions, so no gesture can be recognized. Draw one in Design.";
  }

  /** Returns the time of day of a line. A line without a time has just arrived. */
  #timeWords(time) {
    const present = this.#app.clock.at(performance.now());
    return timeOfDay(Date.now() - (time === undefined || present === null ? 0 : (present - time) / 1000));
  }

  /** Handles a change of the scene, the profile, or the lists of them. An older daemon has no profiles. */
  choicesChanged({ scene, scenes, profile = "default", profiles = [profile] }) {
    this.#offer("scene", scene, scenes);
    this.#offer("profile", profile, profiles);
  }

  #offer(kind, current, ids) {
    const [select, command] = [byId(`live-${kind}`), `set_${kind}`];
    select.replaceChildren(...ids.map((id) => make("option", { value: id }, id)));
    select.value = current;
    select.disabled = !this.#app.may(command, "control");
    select.title = select.disabled ? `To switch ${kind}s here, ${missing(this.#app, command, ["control"]) ?? "connect to the daemon"}.` : "";
  }

  async #showMovements(isShown) {
    await this.#app.want("movements", isShown).catch((error) => this.#app.say(error.message, "bad"));
  }

  async #switch(kind, id) {
    try {
      await this.#app.connection.request(`set_${kind}`, { [kind]: id });
    } catch (error) {
      this.#app.say(error.message, "bad");
    }
  }

  take(line) {
    this.#log.add(line);
    this.#recorder.take(line);
    this.#announce(line);
  }

  lost() {
    this.#log.cut();
  }

  /** Announces recognized gestures to screen readers, at a limited rate. */
  #announce(line) {
    if (line.event !== "gesture" || (line.phase !== undefined && line.phase !== "begin")) return;
    const now = performance.now();
    if (now - this.#announced < ANNOUNCE_MS) return;
    this.#announced = now;
    byId("announcer").textContent = `${gestureName(line)} on ${line.region}`;
  }

  refreshColors() {
    this.#panels.refreshColors();
    this.#timeline.refreshColors();
  }

  /** Handles a key event that no control has handled. */
  key(event) {
    this.#timeline.key(event);
  }

  /** Called for each frame of the screen. Draws the panels. */
  frame(now) {
    this.#log.flush(now);
    const present = this.#app.clock.at(now);
    this.#timeline.draw(present);
    const time = this.#timeline.moment ?? present;
    if (time !== null) this.#panels.draw(this.#app.history, time, { reasons: byId("live-why").checked });
  }
}
