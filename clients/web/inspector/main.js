// SPDX-License-Identifier: MIT
// The page as a whole. It connects to the daemon, keeps the lines of the last minute, and shows one of the modes.
import { Clock } from "./clock.js";
import { Connection, fetchJson, NO_BRIDGE } from "./connection.js";
import { Design } from "./design.js";
import { byId, make } from "./dom.js";
import { Health } from "./health.js";
import { History } from "./history.js";
import { Layout } from "./layout.js";
import { Live } from "./live.js";
import { accessFile } from "./missing.js";
import { ABS_MT_PRESSURE } from "./pressure.js";
import { Recordings } from "./recordings.js";
import { missingLists, timeOfDay } from "./words.js";

const KEPT_US = 60e6;
/** A connection that is back within this time, in ms, is not said to be lost. */
const LOST_MS = 1000;

class App {
  layout = new Layout();
  clock = new Clock();
  history = new History(KEPT_US, (region, ancestor) => this.layout.isWithin(region, ancestor));
  connection = new Connection(new URL("socket", location.href.replace(/^http/, "ws").replace(/#.*/, "")));
  /** The answer to `/bridge`. It is empty if the request failed. */
  bridge = {};
  /** The files that the daemon has read. */
  files = [];
  /** Whether the bridge allows a command and the daemon gives this page the right that the command requires. */
  may = (command, right) => this.connection.hasRight(right) && (this.bridge.commands?.includes(command) ?? true);
  #modes = {};
  #mode = "live";
  #refreshing = false;
  #wants = new Set();
  #lostTimer = null;
  /** The time of day at which the connection was lost, or null if there has been none. */
  #lostAt = null;

  async start() {
    this.#modes = { live: new Live(this), recordings: new Recordings(this), design: new Design(this), health: new Health(this) };
    this.#theme();
    addEventListener("hashchange", () => this.#navigate());
    addEventListener("keydown", ({ target }) => [document.body, document.querySelector("main")].includes(target) && this.#modes[this.#mode].key?.(event));
    this.#navigate();
    this.connection.onhello = (line) => this.#connected(line);
    this.connection.online = (line) => this.#take(line);
    this.connection.onlost = (text) => this.#lost(text);
    this.bridge = await fetchJson("bridge").catch(() => ({}));
    this.connection.start();
    requestAnimationFrame((now) => this.#frame(now));
  }

  #navigate() {
    const mode = location.hash.slice(1);
    this.#modes[this.#mode].hidden?.();
    this.#mode = Object.hasOwn(this.#modes, mode) ? mode : "live";
    for (const name of Object.keys(this.#modes)) {
      byId(name).hidden = name !== this.#mode;
      const link = document.querySelector(`nav a[href="#${name}"]`);
      if (name === this.#mode) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    document.title = `${byId(this.#mode).dataset.title} · gestured`;
    this.#modes[this.#mode].shown?.();
  }

  #theme() {
    const select = byId("theme");
    select.value = localStorage.getItem("theme") ?? "auto";
    const apply = () => {
      document.documentElement.dataset.theme = select.value;
      for (const mode of Object.values(this.#modes)) mode.refreshColors?.();
    };
    select.addEventListener("change", () => {
      localStorage.setItem("theme", select.value);
      apply();
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", apply);
    apply();
  }

  /** Opens a configuration in the mode Design. */
  design(files) {
    this.#modes.design.setFiles(files);
    location.hash = "design";
  }

  /** Adds masks to a panel in the mode Design. */
  mask(panel, masks) {
    this.#modes.design.mask(panel, masks);
    location.hash = "design";
  }

  /** Shows a message for a few seconds. */
  say(text, kind = "") {
    const message = make("p", { class: `message ${kind}` }, text);
    byId("messages").append(message);
    setTimeout(() => message.remove(), 8000);
  }

  async #connected(hello) {
    this.#status(hello.server, "good");
    clearTimeout(this.#lostTimer);
    this.#lostTimer = null;
    this.#lostAt = timeOfDay(Date.now());
    byId("lost").hidden = true;
    try {
      await this.#subscribe();
      await this.refresh();
      await this.#describePressure();
    } catch (error) {
      if (error.code !== "disconnected") this.say(error.message, "bad");
    }
    for (const mode of Object.values(this.#modes)) mode.connected?.();
  }

  /**
   * Subscribes to more lines, or ends that subscription. There are so many of these lines that the page requests them only
   * while it needs them.
   * @param {"movements" | "recording" | "pressure"} reason "movements" requests `update` lines, and the other reasons request frames.
   * @param {boolean} isWanted
   */
  async want(reason, isWanted) {
    if (this.#wants.has(reason) === isWanted) return;
    if (isWanted) this.#wants.add(reason);
    else this.#wants.delete(reason);
    if (this.connection.isConnected) await this.#subscribe();
  }

  #status(text, kind) {
    byId("status").textContent = text;
    byId("status").className = `pill ${kind}`;
  }

  /** Subscribes to all events that this page may receive. */
  async #subscribe() {
    const phases = ["begin", "end", "cancel", ...(this.#wants.has("movements") ? ["update"] : [])];
    const base = ["gesture", "failed", "idle", "device", "config"];
    const raw = this.#wants.has("recording") || this.#wants.has("pressure") ? ["touches", "frame"] : ["touches"];
    const tries = this.connection.hasRight("raw") ? [[...base, ...raw], base] : [base];
    for (const events of tries) {
      try {
        await this.connection.request("subscribe", { events, phases });
        this.hasTouches = events.includes("touches");
        return;
      } catch (error) {
        if (error.code !== "permission_denied" || events === base) throw error;
      }
    }
  }

  /** Shows what allows this page to see fingers, unless it sees them. */
  #explainMissing() {
    const box = byId("missing");
    box.hidden = this.hasTouches;
    if (this.hasTouches) return;
    const code = (text) => make("code", {}, text);
    const { first, others } = accessFile(this.files);
    box.replaceChildren(
      make("strong", {}, "Fingers are not shown. "),
      "Add ",
      code(`"${this.bridge.user ?? "gestured-web"}"`),
      ` to ${missingLists((right) => this.connection.hasRight(right))} in [access] of `,
      code(first),
      `${others}, then run, as root: `,
      code("gesturectl reload"),
      ". Gestures are shown without this.",
    );
  }

  /** Requests panels, regions, scenes and profiles again. */
  async refresh() {
    const [{ devices }, { regions }, status] = await Promise.all([
      this.connection.request("devices"),
      this.connection.request("regions"),
      this.connection.request("status"),
    ]);
    this.files = status.config?.files ?? [];
    this.#explainMissing();
    this.layout = new Layout(devices, regions);
    for (const mode of Object.values(this.#modes)) {
      mode.layoutChanged?.();
      mode.choicesChanged?.(status);
    }
  }

  /** Requests the range of pressure of each panel. If a panel reports the pressure, requests frames as well. */
  async #describePressure() {
    if (!this.hasTouches) return;
    let isTold = false;
    for (const { id } of this.layout.panels) {
      const { description } = await this.connection.request("describe", { device: id }).catch(() => ({}));
      const axis = description?.axes.find(([code]) => code === ABS_MT_PRESSURE);
      if (axis) this.history.pressures.setRange(id, axis[1], axis[2]);
      isTold ||= axis !== undefined;
    }
    await this.want("pressure", isTold);
  }

  #take(line) {
    if (line.time_us !== undefined) this.clock.observe(line.time_us, performance.now());
    this.history.add(line);
    for (const mode of Object.values(this.#modes)) mode.take?.(line);
    if (line.event === "config" && line.change === "applied") this.#renewRights().catch(() => {});
    if (line.event === "device" || line.event === "config") this.#refreshSoon();
  }

  /** Asks for the rights again after a reload, which may have changed them. With other rights, subscribes again. */
  async #renewRights() {
    const { hello } = this.connection;
    const bridge = await fetchJson("bridge");
    if (this.connection.hello !== hello || !bridge.daemon || String(bridge.rights) === String(hello.rights)) return;
    this.bridge = bridge;
    hello.rights = bridge.rights;
    await this.#subscribe();
    await this.refresh();
    await this.#describePressure();
    for (const mode of Object.values(this.#modes)) mode.connected?.();
  }

  #refreshSoon() {
    if (this.#refreshing) return;
    this.#refreshing = true;
    setTimeout(() => {
      this.#refreshing = false;
      this.refresh().catch(() => {});
    }, 50);
  }

  #lost(text) {
    this.history.cut("disconnected");
    this.#status("disconnected", "bad");
    if (this.#lostTimer === null) {
      this.#lostAt &&= timeOfDay(Date.now());
      this.#lostTimer = setTimeout(() => (byId("lost").hidden = false), LOST_MS);
    }
    byId("lost").replaceChildren(...lostWords(text, this.#lostAt));
    for (const mode of Object.values(this.#modes)) mode.lost?.();
  }

  #frame(now) {
    this.#modes[this.#mode].frame?.(now);
    requestAnimationFrame((next) => this.#frame(next));
  }
}

/**
 * Returns what to do while there is no connection.
 * @param {string} text Why there is none.
 * @param {string | null} since The time of day of what is shown.
 */
function lostWords(text, since) {
  const code = (command) => make("code", {}, command);
  const shown = since === null ? "" : ` What you see is from ${since.slice(0, 8)}.`;
  if (text === NO_BRIDGE) {
    return [make("strong", {}, "The bridge does not answer. "), "On its machine, run ", code("systemctl status gestured-web"), `. This page connects again by itself.${shown}`];
  }
  const why = make("strong", {}, `No connection: ${text}. `);
  return [why, "On its machine, run ", code("systemctl status gestured"), " and ", code("gesturectl doctor"), `. This page connects again by itself.${shown}`];
}

new App().start();
