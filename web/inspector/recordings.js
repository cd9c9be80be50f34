// SPDX-License-Identifier: MIT
// The mode Recordings: record, open, play and step, and see what another threshold would have recognized.
import { fetchJson } from "./connection.js";
import { byId, download, make } from "./dom.js";
import { regionsOf, withParameter } from "./files.js";
import { gestureId, gestureType, givenParameters } from "./gesture.js";
import { Log } from "./log.js";
import { Panels } from "./panels.js";
import { Recorder } from "./recording.js";
import { compare, replay } from "./replay.js";
import { format, isNumeric, parameters, quantity, sliderRange } from "./schema.js";
import { Timeline } from "./timeline.js";
import { gestureName, seconds } from "./words.js";

const IDLE_POLL_MS = 200;
const MOST_CHANGES = 8;
/** The unit of a setting that is off. */
const UNIT_OF = { time: "ms", length: "mm", speed: "mm/s", number: "" };

export class Recordings {
  #app;
  #panels = new Panels(byId("recordings-panels"));
  #log = new Log();
  #timeline;
  /** `{name, text}`. */
  #recording = null;
  /** The files of the configuration; null: the bridge may not read them. */
  #files = null;
  #schema = null;
  /** The replay with the configuration as it is, and the one that is shown. */
  #base = null;
  #shown = null;
  #recorder = null;
  #running = null;
  #last = null;

  constructor(app) {
    this.#app = app;
    this.#timeline = new Timeline(app.history, { isLive: false });
    this.#log.onchoose = (time) => this.#timeline.seek(time);
    byId("recordings-timeline").append(this.#timeline.element);
    byId("recordings-log").append(this.#log.element);
    byId("recordings-record").addEventListener("click", () => this.#toggleRecording());
    byId("recordings-file").addEventListener("change", ({ target }) => this.#open(target.files));
    byId("recordings-save").addEventListener("click", () => download(this.#recording.name, this.#recording.text));
    byId("recordings-reset").addEventListener("click", () => this.#reset());
    byId("recordings-design").addEventListener("click", () => this.#app.design(this.#changed()));
    for (const id of ["region", "gesture", "key"]) byId(`what-${id}`).addEventListener("change", () => this.#fillChoices(id));
    byId("what-value").addEventListener("input", () => this.#change());
    const section = byId("recordings");
    section.addEventListener("dragover", (event) => event.preventDefault());
    section.addEventListener("drop", (event) => {
      event.preventDefault();
      this.#open(event.dataTransfer.files);
    });
    this.#showState();
  }

  /** The mode is shown: asks for what it needs, once. */
  async shown() {
    if (this.#schema) return;
    this.#schema = await fetchJson("schema").catch(() => ({}));
    const { files } = await fetchJson("config").catch(() => ({}));
    this.#files ??= files?.length > 0 ? files : null;
    this.#fillChoices("files");
  }

  refreshColors() {
    this.#panels.refreshColors();
    this.#timeline.refreshColors();
  }

  // -- opening and recording

  async #open(list) {
    for (const file of list) {
      const text = await file.text();
      if (file.name.endsWith(".toml")) {
        this.#files = [{ path: file.name, text }];
        this.#fillChoices("files");
        this.#app.say(`The configuration is ${file.name} now.`);
        if (this.#recording) await this.#replayBase();
      } else await this.load(file.name, text);
    }
  }

  /** Takes a recording, and plays it. */
  async load(name, text) {
    this.#recording = { name, text };
    if (await this.#replayBase()) this.#timeline.toggle(true);
    this.#showState();
  }

  /** Replays with the configuration as it is; whether it could. */
  async #replayBase() {
    const result = await this.#replay(this.#files);
    if (!result) return false;
    this.#base = result;
    this.#show(result, { keepsMoment: false });
    this.#fillSlider();
    this.#showComparison();
    return true;
  }

  /** The result, or null when it was refused or a later one is under way. */
  async #replay(files) {
    this.#running?.abort();
    const controller = (this.#running = new AbortController());
    byId("recordings").setAttribute("aria-busy", "true");
    try {
      return await replay(files, this.#recording.text, controller.signal);
    } catch (error) {
      if (error.name !== "AbortError") this.#app.say(error.message, "bad");
      return null;
    } finally {
      if (this.#running === controller) byId("recordings").removeAttribute("aria-busy");
    }
  }

  #show(result, { keepsMoment }) {
    const { moment } = this.#timeline;
    this.#shown = result;
    this.#panels.show(result.layout);
    this.#timeline.show(result.history);
    if (keepsMoment) this.#timeline.moment = moment;
    this.#log.clear();
    for (const line of result.lines) if (line.event !== "touches") this.#log.add(line);
    this.#showState();
  }

  #showState() {
    const isRecording = this.#recorder !== null;
    byId("recordings-empty").hidden = this.#shown !== null;
    byId("recordings-save").disabled = this.#recording === null;
    byId("recordings-name").textContent = this.#recording?.name ?? "";
    const button = byId("recordings-record");
    button.textContent = isRecording ? "Stop recording" : "Record";
    button.classList.toggle("recording", isRecording);
    button.setAttribute("aria-pressed", String(isRecording));
  }

  connected() {
    this.#showRights();
  }

  layoutChanged() {
    const select = byId("recordings-device");
    const ids = this.#app.layout.panels.map(({ id }) => id);
    select.replaceChildren(...ids.map((id) => make("option", { value: id }, id)));
    select.hidden = ids.length < 2;
    this.#showRights();
  }

  #showRights() {
    const may = this.#app.may("describe", "raw") && this.#app.hasTouches && this.#app.layout.panels.length > 0;
    const button = byId("recordings-record");
    button.disabled = !may && !this.#recorder;
    button.title = may ? "" : "Recording needs a panel, the right raw, and describe in the bridge's commands.";
  }

  async #toggleRecording() {
    if (this.#recorder) return this.#endRecording();
    const device = byId("recordings-device").value || this.#app.layout.panels[0].id;
    const waiting = { device, isWaiting: true };
    this.#recorder = waiting;
    this.#showState();
    try {
      await this.#app.want("recording", true);
      for (;;) {
        const reply = await this.#app.connection.request("describe", { device });
        // Stopped meanwhile.
        if (this.#recorder !== waiting) return;
        if (reply.idle) {
          this.#recorder = new Recorder(reply);
          return this.#tellFrames();
        }
        byId("recordings-name").textContent = "waiting until nothing touches the panel …";
        await new Promise((resolve) => setTimeout(resolve, IDLE_POLL_MS));
      }
    } catch (error) {
      this.#recorder = null;
      this.#showState();
      this.#app.say(error.message, "bad");
      this.#wantNothing();
    }
  }

  #wantNothing() {
    this.#app.want("recording", false).catch(() => {});
  }

  #tellFrames() {
    byId("recordings-name").textContent = `recording: ${this.#recorder.frames} frames`;
  }

  async #endRecording() {
    const recorder = this.#recorder;
    this.#recorder = null;
    this.#wantNothing();
    this.#showState();
    if (recorder.isWaiting) return;
    if (recorder.frames === 0) return this.#app.say("Nothing was touched, so nothing was recorded.");
    await this.load(`${recorder.device}.evemu`, recorder.text);
  }

  take(line) {
    if (!this.#recorder || this.#recorder.isWaiting) return;
    this.#recorder.take(line);
    if (line.event === "overflow") {
      this.#app.say("Lines were lost; the recording ends before them.", "bad");
      this.#endRecording();
    }
  }

  lost() {
    if (!this.#recorder) return;
    this.#app.say("The connection is lost; the recording ends here.", "bad");
    this.#endRecording();
  }

  // -- another threshold

  /** Fills what can be chosen behind a choice. */
  #fillChoices(from) {
    const box = byId("what-if");
    box.hidden = this.#files === null;
    byId("what-missing").hidden = this.#files !== null;
    if (this.#files === null) return;
    const order = ["files", "region", "gesture", "key"];
    const steps = { region: () => this.#fillRegions(), gesture: () => this.#fillGestures(), key: () => this.#fillKeys() };
    for (const id of order.slice(order.indexOf(from) + 1)) steps[id]();
    this.#fillSlider();
  }

  #regions() {
    try {
      return regionsOf(this.#files).filter(({ data }) => data.gestures?.length > 0);
    } catch (error) {
      this.#app.say(`The configuration cannot be read: line ${error.line}: ${error.message}`, "bad");
      return [];
    }
  }

  #fillRegions() {
    options("what-region", this.#regions().map(({ data }) => data.id));
  }

  #gestures() {
    return this.#regions().find(({ data }) => data.id === byId("what-region").value)?.data.gestures ?? [];
  }

  #gesture() {
    return this.#gestures().find((gesture) => gestureId(gesture) === byId("what-gesture").value);
  }

  #fillGestures() {
    const numeric = this.#gestures().filter((gesture) => this.#fields(gesture).length > 0);
    options("what-gesture", numeric.map(gestureId));
  }

  #fields(gesture) {
    if (gesture === undefined) return [];
    const fields = parameters(this.#schema, gestureType(gesture)).filter(isNumeric);
    // What is off is seldom looked for.
    return [...fields.filter((field) => field.default !== "off"), ...fields.filter((field) => field.default === "off")];
  }

  #fillKeys() {
    options("what-key", this.#fields(this.#gesture()).map(({ key }) => key));
  }

  #field() {
    return this.#fields(this.#gesture()).find(({ key }) => key === byId("what-key").value);
  }

  #fillSlider() {
    const field = this.#field();
    const slider = byId("what-value");
    slider.disabled = !field || !this.#recording;
    if (!field) return;
    const value = quantity(field, givenParameters(this.#gesture())[field.key]) ?? quantity(field, field.default) ?? { number: 0, unit: UNIT_OF[field.type] };
    const { minimum, maximum, step } = sliderRange(field, value);
    Object.assign(slider, { min: minimum, max: maximum, step });
    slider.value = value.number;
    this.#unit = value.unit;
    byId("what-text").textContent = format(value);
    byId("what-help").textContent = field.description;
  }

  #unit = "mm";

  /** The value of the slider as one of the configuration. */
  #value() {
    return format({ number: Number(byId("what-value").value), unit: this.#unit });
  }

  /** The files with the value of the slider. */
  #changed() {
    if (!this.#files || !this.#field()) return this.#files;
    return withParameter(this.#files, byId("what-region").value, byId("what-gesture").value, byId("what-key").value, this.#value());
  }

  async #change() {
    byId("what-text").textContent = this.#value();
    byId("what-value").setAttribute("aria-valuetext", this.#value());
    if (!this.#recording) return;
    const result = await this.#replay(this.#changed());
    if (!result) return;
    this.#show(result, { keepsMoment: true });
    this.#showComparison();
  }

  #reset() {
    this.#fillSlider();
    if (this.#base) this.#show(this.#base, { keepsMoment: true });
    this.#showComparison();
  }

  #showComparison() {
    const box = byId("what-changes");
    if (!this.#base || !this.#shown) return;
    const { gained, lost } = compare(this.#base, this.#shown);
    const row = (line, kind, sign) =>
      make("li", { class: kind }, make("button", { type: "button", onclick: () => this.#timeline.seek(line.time_us) }, `${sign} ${gestureName(line)} on ${line.region}`, make("span", {}, `${seconds(line.time_us - this.#shown.history.begin)} s`)));
    const rows = [...gained.map((line) => row(line, "gained", "+")), ...lost.map((line) => row(line, "lost", "−"))];
    const summary = make("li", { class: "summary" }, rows.length === 0 ? `${this.#shown.recognized.size} gestures recognized, as before` : `${gained.length} more, ${lost.length} fewer than before`);
    box.replaceChildren(summary, ...rows.slice(0, MOST_CHANGES));
    if (rows.length > MOST_CHANGES) box.append(make("li", { class: "summary" }, `and ${rows.length - MOST_CHANGES} more`));
  }

  /** A key that no control has taken. */
  key(event) {
    this.#timeline.key(event);
  }

  /** One frame of the screen. */
  frame(now) {
    this.#log.flush(now);
    if (this.#recorder && !this.#recorder.isWaiting) this.#tellFrames();
    this.#advance(now);
    if (!this.#shown) return;
    const { history } = this.#shown;
    this.#timeline.draw(history.end);
    this.#panels.draw(history, this.#timeline.moment);
  }

  #advance(now) {
    const passed = this.#last === null ? 0 : Math.min(100, now - this.#last);
    this.#last = now;
    if (!this.#timeline.isRunning || !this.#shown) return;
    this.#timeline.moment += passed * 1000 * Number(byId("recordings-speed").value);
    // The marks of the last gesture are shown to their end.
    if (this.#timeline.moment > this.#shown.history.end + 500_000) this.#timeline.toggle(false);
  }
}

/** Fills a list of choices and keeps the choice, if it is still there. */
function options(id, values) {
  const select = byId(id);
  const { value } = select;
  select.replaceChildren(...values.map((item) => make("option", { value: item }, item)));
  if (values.includes(value)) select.value = value;
  select.disabled = values.length === 0;
}
