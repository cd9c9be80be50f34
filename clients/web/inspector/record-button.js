// SPDX-License-Identifier: MIT
// The button that records a panel. Recording waits until no contact is on the panel, and then collects its frames.
import { byId, fillPanels } from "./dom.js";
import { missing } from "./missing.js";
import { Recorder } from "./recording.js";

const IDLE_POLL_MS = 200;

export class RecordButton {
  /** Called with the name and the text of a completed recording. */
  onend = (name, text) => {};
  /** Called when a recording, or the wait for it, has begun and has ended. */
  onchange = () => {};
  #app;
  /** The attempt that is waiting until no contact is on the panel, or null if there is none. */
  #waiting = null;
  /** @type {Recorder | null} */
  #recorder = null;

  constructor(app) {
    this.#app = app;
    byId("recordings-record").addEventListener("click", () => this.#toggle());
  }

  /** Whether a panel is recorded, or the recording waits until the panel is idle. */
  get isOn() {
    return this.#waiting !== null || this.#recorder !== null;
  }

  connected() {
    this.#showRights();
  }

  layoutChanged() {
    fillPanels(byId("recordings-device"), this.#app.layout.panels);
    this.#showRights();
  }

  /** Returns a sentence on why there can be no recording, and what to do, or an empty text if there can be one. */
  get obstacle() {
    if (!this.#app.connection.isConnected) return "Recording needs the daemon, which is not connected.";
    const cure = missing(this.#app, "describe", ["raw"]);
    if (cure) return `To record here, ${cure}.`;
    if (this.#app.layout.panels.length === 0) return "No touchscreen is ready to be recorded.";
    return this.#app.hasTouches ? "" : "Recording needs the positions of fingers; the notice in Live says what allows them.";
  }

  #showRights() {
    const button = byId("recordings-record");
    button.title = this.obstacle;
    button.disabled = button.title !== "" && !this.isOn;
  }

  #show() {
    const button = byId("recordings-record");
    button.textContent = this.isOn ? "Stop recording" : "Record";
    button.classList.toggle("recording", this.isOn);
    button.setAttribute("aria-pressed", String(this.isOn));
  }

  async #toggle() {
    if (this.isOn) return this.#end();
    const attempt = (this.#waiting = {});
    const device = byId("recordings-device").value || this.#app.layout.panels[0].id;
    this.#show();
    this.onchange();
    try {
      await this.#app.want("recording", true);
      const reply = await this.#whenIdle(device, attempt);
      if (reply === null) return;
      this.#waiting = null;
      this.#recorder = new Recorder(reply);
      this.frame();
    } catch (error) {
      this.#stop();
      this.#app.say(error.message, "bad");
    }
  }

  /** Returns the description of a panel once no contact is on it, or null if the attempt was stopped in the meantime. */
  async #whenIdle(device, attempt) {
    for (;;) {
      const reply = await this.#app.connection.request("describe", { device });
      if (this.#waiting !== attempt) return null;
      if (reply.idle) return reply;
      byId("recordings-name").textContent = "waiting until nothing touches the panel …";
      await new Promise((resolve) => setTimeout(resolve, IDLE_POLL_MS));
    }
  }

  #stop() {
    this.#waiting = this.#recorder = null;
    this.#show();
    this.onchange();
    this.#app.want("recording", false).catch(() => {});
  }

  #end() {
    const recorder = this.#recorder;
    this.#stop();
    if (recorder === null) return;
    if (recorder.frames === 0) return this.#app.say("Nothing was touched, so nothing was recorded.");
    this.onend(`${recorder.device}.evemu`, recorder.text);
  }

  take(line) {
    if (this.#recorder === null) return;
    this.#recorder.take(line);
    if (line.event !== "overflow") return;
    this.#app.say("Lines were lost, so the recording ends before them.", "bad");
    this.#end();
  }

  lost() {
    if (!this.isOn) return;
    this.#app.say("The connection was lost, so the recording ends here.", "bad");
    this.#end();
  }

  /** Called for each frame of the screen. Shows the number of recorded frames. */
  frame() {
    if (this.#recorder) byId("recordings-name").textContent = `recording: ${this.#recorder.frames} frames`;
  }
}
