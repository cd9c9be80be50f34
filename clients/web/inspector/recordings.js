// SPDX-License-Identifier: MIT
// The mode Recordings. It makes, opens and plays recordings, and shows which gestures would be recognized with another threshold.
import { fetchJson } from "./connection.js";
import { acceptDrops, byId, download, make } from "./dom.js";
import { History, sequenceKey } from "./history.js";
import { Layout } from "./layout.js";
import { Log } from "./log.js";
import { Panels } from "./panels.js";
import { RecordButton } from "./record-button.js";
import { nearMisses } from "./reasons.js";
import { compare, replay } from "./replay.js";
import { Timeline } from "./timeline.js";
import { WhatIf } from "./what-if.js";
import { gestureName, seconds } from "./words.js";

const MOST_CHANGES = 8;

export class Recordings {
  #app;
  #panels = new Panels(byId("recordings-panels"));
  #log = new Log(
    (time) => this.#timeWords(time),
    (region, ancestor) => this.#layout.isWithin(region, ancestor),
  );
  #timeline;
  /** The recording, as `{name, text}`. */
  #recording = null;
  /** The files of the configuration, or null if the bridge may not read them. */
  #files = null;
  /** The replay with the unchanged configuration, and the replay that is shown. */
  #base = null;
  #shown = null;
  #recorder;
  #whatIf;
  #isLoaded = false;
  #running = null;
  /** Whether the running replay is one with another threshold. */
  #isChanging = false;
  #last = null;

  constructor(app) {
    this.#app = app;
    this.#timeline = new Timeline(new History(), { isLive: false });
    this.#log.onchoose = (time) => this.#timeline.seek(time);
    byId("recordings-timeline").append(this.#timeline.element);
    byId("recordings-log").append(...this.#log.elements);
    byId("recordings-file").addEventListener("change", ({ target }) => this.#open(target.files));
    byId("recordings-save").addEventListener("click", () => download(this.#recording.name, this.#recording.text));
    byId("recordings-reset").addEventListener("click", () => {
      this.#whatIf.reset();
      this.#showBase();
    });
    byId("recordings-design").addEventListener("click", () => this.#app.design(this.#whatIf.changed()));
    this.#whatIf = new WhatIf((text, kind) => app.say(text, kind));
    this.#whatIf.onchange = () => this.#change();
    this.#whatIf.onchoose = () => this.#showBase();
    this.#recorder = new RecordButton(app);
    this.#recorder.onend = (name, text) => this.load(name, text);
    this.#recorder.onchange = () => this.#showRecorder();
    acceptDrops(byId("recordings"), (files) => this.#open(files));
    this.#showState();
  }

  /** Called when the mode is shown. The first time, loads the schema and the configuration. */
  async shown() {
    if (this.#isLoaded) return;
    this.#isLoaded = true;
    const schema = await fetchJson("schema").catch(() => ({}));
    const { files } = await fetchJson("config").catch(() => ({}));
    this.#files ??= files?.length > 0 ? files : null;
    this.#whatIf.show(this.#files, schema);
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
        this.#whatIf.show(this.#files);
        this.#app.say(`Now using the configuration ${file.name}.`);
        if (this.#recording) await this.#replayBase();
      } else await this.load(file.name, text);
    }
  }

  /** Opens a recording and plays it. */
  async load(name, text) {
    this.#recording = { name, text };
    if (await this.#replayBase()) this.#timeline.toggle(true);
    this.#showState();
  }

  /** Replays the recording with the unchanged configuration. Returns false if the bridge refuses. */
  async #replayBase() {
    this.#isChanging = false;
    const result = await this.#replay(this.#files);
    if (!result) return false;
    this.#base = result;
    this.#show(result, { keepsMoment: false });
    this.#whatIf.start(nearMisses(result.lines));
    this.#showComparison();
    return true;
  }

  /** Returns the result of a replay, or null if the replay was refused or another one was started in the meantime. */
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

  /** Returns the time of a line since the start of the recording. While a panel is recorded, there is no such time yet. */
  #timeWords(time) {
    return time === undefined || this.#recorder.isOn ? "" : `${seconds(time - this.#shown.history.begin)} s`;
  }

  #show(result, { keepsMoment }) {
    const { moment } = this.#timeline;
    this.#shown = result;
    this.#panels.show(result.layout);
    this.#timeline.show(result.history);
    if (keepsMoment) this.#timeline.moment = moment;
    this.#log.clear();
    for (const line of result.lines) this.#log.add(line);
    this.#showState();
  }

  /** The layout of the panels that are shown. */
  get #layout() {
    return this.#recorder.isOn ? this.#app.layout : (this.#shown?.layout ?? new Layout());
  }

  /** While a panel is recorded, shows it as in the mode Live. Afterwards, shows the last recording again, if there is one. */
  #showRecorder() {
    const { isOn } = this.#recorder;
    byId("what-if").disabled = isOn;
    this.#log.clear();
    if (!isOn && this.#shown) return this.#show(this.#shown, { keepsMoment: false });
    this.#panels.show(this.#layout);
    this.#timeline.show(new History());
    this.#showState();
  }

  #showState() {
    const { isOn } = this.#recorder;
    const isEmpty = !isOn && this.#shown === null;
    byId("recordings").classList.toggle("blank", isEmpty);
    byId("recordings-empty").hidden = !isEmpty;
    const { obstacle } = this.#recorder;
    byId("recordings-how").textContent = obstacle ? `Drop a recording here, or open a file. ${obstacle}` : "Press Record and touch the panel, or drop a recording here.";
    this.#log.hint = isOn ? "Touch the panel." : "The gestures of a recording are listed here.";
    this.#timeline.hint = isOn ? "Touch the panel." : "";
    byId("recordings-save").disabled = this.#recording === null;
    byId("recordings-name").textContent = this.#recording?.name ?? "";
  }

  connected() {
    this.#recorder.connected();
    this.#showState();
  }

  layoutChanged() {
    this.#recorder.layoutChanged();
    this.#showState();
    if (this.#recorder.isOn) this.#panels.show(this.#layout);
  }

  take(line) {
    this.#recorder.take(line);
    if (this.#recorder.isOn) this.#log.add(line);
  }

  lost() {
    this.#recorder.lost();
  }

  // -- another threshold

  async #change() {
    if (!this.#recording) return;
    this.#isChanging = true;
    const result = await this.#replay(this.#whatIf.changed());
    if (!result) return;
    this.#isChanging = false;
    this.#show(result, { keepsMoment: true });
    this.#showComparison();
    const [gained] = compare(this.#base, result).gained;
    if (gained) this.#timeline.seek(gained.time_us);
  }

  #showBase() {
    if (this.#isChanging) this.#running.abort();
    this.#isChanging = false;
    if (this.#base && this.#shown !== this.#base) this.#show(this.#base, { keepsMoment: true });
    this.#showComparison();
  }

  #showComparison() {
    const box = byId("what-changes");
    if (!this.#base || !this.#shown) return;
    const { gained, lost } = compare(this.#base, this.#shown);
    const row = (line, kind, sign) =>
      make("li", { class: kind }, make("button", { type: "button", onclick: () => this.#timeline.seek(line.time_us) }, `${sign} ${gestureName(line)} on ${line.region}`, make("span", {}, `${seconds(line.time_us - this.#shown.history.begin)} s`)));
    const rows = [...gained.map((line) => row(line, "gained", "+")), ...lost.map((line) => row(line, "lost", "−"))];
    const summary = (text) => make("li", { class: "summary" }, text);
    box.replaceChildren(...this.#summary(gained, lost).map(summary), ...rows.slice(0, MOST_CHANGES));
    if (rows.length > MOST_CHANGES) box.append(summary(`and ${rows.length - MOST_CHANGES} more`));
  }

  /** Returns sentences on the effect of a change. A gesture that repeats is counted once. */
  #summary(gained, lost) {
    const total = [...this.#shown.recognized.values()].filter(({ n = 1 }) => n === 1).length;
    const count = total === 1 ? "1 gesture is recognized" : `${total} gestures are recognized`;
    if (this.#shown === this.#base) return [`${count}.`];
    if (gained.length + lost.length > 0) return [`${count}: ${gained.length} more, ${lost.length} fewer than before.`];
    // The gesture may have missed another limit, too.
    const { miss } = this.#whatIf;
    const key = miss && sequenceKey(miss);
    const still = this.#shown.lines.find((line) => line.event === "failed" && line.name === miss?.name && sequenceKey(line) === key);
    return [`No change: ${count}, as before.`, ...(still ? [`The ${gestureName(still)} is still not recognized: ${still.message}.`] : [])];
  }

  /** Handles a key event that no control has handled. */
  key(event) {
    this.#timeline.key(event);
  }

  /** Called for each frame of the screen. Draws the panels. */
  frame(now) {
    this.#log.flush(now);
    this.#recorder.frame();
    if (this.#recorder.isOn) return this.#drawLive(now);
    this.#advance(now);
    this.#timeline.draw(this.#shown?.history.end ?? null);
    if (this.#shown) this.#panels.draw(this.#shown.history, this.#timeline.moment);
  }

  #drawLive(now) {
    const present = this.#app.clock.at(now);
    this.#timeline.draw(null);
    if (present !== null) this.#panels.draw(this.#app.history, present);
  }

  #advance(now) {
    const passed = this.#last === null ? 0 : Math.min(100, now - this.#last);
    this.#last = now;
    if (!this.#timeline.isRunning || !this.#shown) return;
    this.#timeline.moment += passed * 1000 * Number(byId("recordings-speed").value);
    // Playback continues for a while after the end, so that the marks of the last gesture can fade.
    if (this.#timeline.moment > this.#shown.history.end + 500_000) this.#timeline.toggle(false);
  }
}
