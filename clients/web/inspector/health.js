// SPDX-License-Identifier: MIT
// The mode Health. It shows the activity of the daemon, the lines that it has dropped, and where its panels are touched.
import { cssColor } from "./colors.js";
import { fetchJson } from "./connection.js";
import { byId, fillPanels, make, prepareCanvas } from "./dom.js";
import { Failures } from "./failures.js";
import { flickerAdvice, oddCells, Rates, tally } from "./figures.js";
import { isLarge } from "./geometry.js";
import { HeatMap } from "./heat.js";
import { missing } from "./missing.js";
import { contains } from "./shape.js";
import { duration } from "./words.js";

const POLL_MS = 1000;
const MAP_TEXT = "Counts where fingers land, in cells of 5 mm, while this page is open. Private regions are not counted.";
const MINUTE_MS = 60_000;
const CHART_HEIGHT = 90;

export class Health {
  #app;
  #rates = new Rates(["frames", "events"]);
  #failures = new Failures((region, ancestor) => this.#app.layout.isWithin(region, ancestor));
  #heat = new HeatMap(byId("health-heat"));
  /** The names of users, by number. A user who is not known to the bridge's machine has none. */
  #users = new Map();
  #isShown = false;
  #counting = false;
  /** The noisy cells that were shown last, as masks. */
  #masks = [];

  constructor(app) {
    this.#app = app;
    setInterval(() => this.#poll(), POLL_MS);
    new ResizeObserver(() => this.#chart()).observe(byId("health-chart"));
    byId("health-map").addEventListener("click", () => this.#startMap());
    byId("health-mask").addEventListener("click", () => this.#mask());
    byId("health-device").addEventListener("change", () => this.#poll());
  }

  shown() {
    this.#isShown = true;
    this.#poll();
  }

  hidden() {
    this.#isShown = false;
  }

  take(line) {
    this.#failures.take(line);
  }

  connected() {
    this.#users.clear();
    this.#allowMap();
    // The first measurement is made now, so that the rates are known from the first touch on.
    this.#poll();
  }

  #allowMap() {
    const cure = missing(this.#app, "touch_map", ["raw"]);
    const hasPanel = this.#app.layout.panels.length > 0;
    byId("health-map").disabled = this.#counting || cure !== null || !hasPanel;
    byId("health-map-text").textContent = cure ? `To count landings, ${cure}.` : hasPanel ? MAP_TEXT : "No touchscreen is ready.";
  }

  lost() {
    this.#stopMap();
    byId("health-map").disabled = true;
  }

  layoutChanged() {
    fillPanels(byId("health-device"), this.#app.layout.panels);
    this.#allowMap();
  }

  refreshColors() {
    this.#chart();
  }

  /** Asks for the status even while another mode is shown, so that the rates of the last minute are known. */
  async #poll() {
    if (!this.#app.connection.isConnected) return;
    // If a command is not available, its table stays empty, but the other tables are still shown.
    const ask = (command, keys) => this.#app.connection.request(command, keys).catch((error) => ({ error }));
    const status = await ask("status");
    if (!status.error) this.#rates.add(status, status.instance, performance.now());
    if (!this.#isShown) return;
    const [devices, clients, counts] = await Promise.all(["devices", "clients", "counts"].map((command) => ask(command)));
    await this.#nameUsers(clients.clients ?? []);
    if (!status.error) this.#showStatus(status);
    this.#showPanels(devices.devices ?? [], counts.devices ?? []);
    this.#showClients(clients);
    this.#showGestures(counts);
    if (this.#counting) this.#showMap(await ask("touch_map", { device: byId("health-device").value }));
  }

  /** Asks the bridge for the names of users that are not known yet. */
  async #nameUsers(clients) {
    if (!clients.some(({ uid }) => uid !== undefined && !this.#users.has(uid))) return;
    const { users = [] } = await fetchJson("users").catch(() => ({}));
    for (const { uid } of clients) this.#users.set(uid, null);
    for (const { uid, name } of users) this.#users.set(uid, name);
  }

  #showStatus(status) {
    byId("health").classList.remove("unknown");
    const [frames, events] = this.#rates.most.map((rate) => (rate === null ? "–" : Math.round(rate)));
    const { config } = status;
    const figures = [
      ["up for", duration(status.uptime_ms)],
      ["most frames per second", frames],
      ["most events per second", events],
      ["longest delay of a touch", `${(status.longest_turn_us / 1000).toFixed(1)} ms`],
      ["lines that clients missed", status.dropped, status.dropped > 0 && "warn"],
      ["losses in the kernel", status.resyncs, status.resyncs > 0 && "warn"],
      ["clients", status.clients],
      ["regions", status.regions],
      ["configuration", ...configurationWords(config)],
    ];
    const cell = ([name, value, kind]) => make("div", {}, make("dt", {}, name), make("dd", { class: kind || null }, String(value)));
    byId("health-figures").replaceChildren(...figures.map(cell));
    this.#chart();
  }

  #chart() {
    const canvas = byId("health-chart");
    const width = canvas.clientWidth;
    if (width === 0) return;
    const context = prepareCanvas(canvas, width, CHART_HEIGHT);
    context.clearRect(0, 0, width, CHART_HEIGHT);
    const { points } = this.#rates;
    const colors = [cssColor("--accent"), cssColor("--good")];
    const now = points.at(-1)?.time ?? 0;
    const most = Math.max(0, ...this.#rates.most);
    const scale = Math.max(10, most);
    context.fillStyle = cssColor("--line");
    for (const part of [0.25, 0.5, 0.75, 1]) context.fillRect(0, Math.round(CHART_HEIGHT * part) - 1, width, 1);
    colors.forEach((color, index) => {
      context.strokeStyle = color;
      context.lineWidth = 2;
      context.beginPath();
      for (const { time, values } of points) context.lineTo(width - ((now - time) / MINUTE_MS) * width, (1 - values[index] / scale) * (CHART_HEIGHT - 6) + 3);
      context.stroke();
    });
    const label = (color, words) => {
      const mark = make("i");
      mark.style.background = color;
      return make("span", {}, mark, words);
    };
    byId("health-legend").replaceChildren(label(colors[0], "frames per second"), label(colors[1], "events per second"), make("span", {}, most > 0 ? `at most ${Math.round(most)} per second` : "Nothing was touched in the last minute."));
  }

  #showPanels(devices, counts) {
    const rows = devices.map((device) => {
      const count = counts.find((other) => other.device === device.device);
      const state = device.state === "ready" ? make("td", { class: "good" }, "ready") : make("td", {}, make("span", { class: device.state === "failed" ? "bad" : "muted" }, device.state), device.reason ? `: ${device.reason}` : "");
      const grab = device.grab ? ` · grab ${device.grab}` : "";
      const storms = count?.storms ?? "–";
      return make("tr", {}, make("th", { scope: "row" }, `${device.device}${grab}`), state, number(count?.contacts ?? device.contacts), make("td", {}, count ? tally(count.ignored ?? {}) || "none" : "–"), number(storms, storms > 0 && "warn"));
    });
    byId("health-panels").replaceChildren(...rows);
    const advice = counts.map(flickerAdvice).filter((text) => text !== null);
    byId("health-flickers").hidden = advice.length === 0;
    byId("health-flickers").textContent = advice.join(" ");
  }

  #showGestures(counts) {
    const note = byId("health-nocounts");
    note.hidden = !counts.error;
    if (counts.error) note.textContent = `The counts are not known: ${counts.error.message}.`;
    const now = this.#app.clock.at(performance.now());
    const failures = (region) => this.#failures.of(region, now).map((text) => make("div", {}, text));
    const rows = (counts.regions ?? []).map(({ region, gestures }) =>
      make("tr", {}, make("th", { scope: "row" }, region), make("td", {}, tally(gestures ?? {}) || "nothing yet"), make("td", { class: "muted" }, ...failures(region))),
    );
    byId("health-gestures").replaceChildren(...rows);
  }

  #showClients({ clients = [], error }) {
    const cure = missing(this.#app, "clients", ["control"]);
    const note = byId("health-noclients");
    note.hidden = cure === null && !error;
    if (cure) note.textContent = `To see ${error ? "all clients" : "the users and processes of all clients"}, ${cure}.`;
    else if (error) note.textContent = `The clients are not known: ${error.message}.`;
    byId("health-clients").closest(".table").hidden = clients.length === 0;
    const row = (client) => {
      const user = client.uid === undefined ? "–" : (this.#users.get(client.uid) ?? `no. ${client.uid}`);
      const process = client.pid === undefined ? "–" : `${client.pid}${client.self ? " (this page)" : ""}`;
      return make("tr", {}, make("td", {}, user), make("td", {}, process), make("td", {}, client.events.join(", ")), number(client.queued_bytes === undefined ? "–" : `${client.queued_bytes} B`), number(client.dropped ?? "–", client.dropped > 0 && "warn"));
    };
    byId("health-clients").replaceChildren(...clients.map(row));
  }

  // -- touch map

  #startMap() {
    this.#counting = true;
    byId("health-map").disabled = true;
    byId("health-map").textContent = "Counting …";
    this.#poll();
  }

  #stopMap() {
    this.#counting = false;
    byId("health-map").disabled = false;
    byId("health-map").textContent = "Count landings";
  }

  #showMap(map) {
    if (map.error) {
      this.#stopMap();
      byId("health-map-text").textContent = `The landings cannot be counted: ${map.error.message}.`;
      return;
    }
    const panel = this.#panel;
    if (!panel) return;
    byId("health-heat").hidden = byId("health-scale").hidden = false;
    const odd = oddCells(map, buttonCells(panel, map));
    this.#heat.show(panel, map, odd);
    const most = Math.max(1, ...map.counts);
    byId("health-most").textContent = most === 1 ? "1 landing" : `${most} landings`;
    this.#showOdd(odd, map);
  }

  #showOdd(odd, map) {
    const words = ({ column, row, count, kind }) => {
      const [x, y] = [column, row].map((cell) => Math.round((cell + 0.5) * map.cell_mm));
      return make("li", {}, kind === "noisy" ? `Noisy: ${count} landings around ${x}, ${y} mm, far more than in the cells around it` : `Dead: no landings around ${x}, ${y} mm, but some in every cell around it`);
    };
    byId("health-odd").replaceChildren(...odd.slice(0, 20).map(words));
    this.#masks = odd.filter(({ kind }) => kind === "noisy").map(({ column, row }) => [column * map.cell_mm, row * map.cell_mm, map.cell_mm, map.cell_mm]);
    byId("health-mask").hidden = this.#masks.length === 0;
  }

  /** The panel whose landings are counted. */
  get #panel() {
    const { panels } = this.#app.layout;
    return panels.find(({ id }) => id === byId("health-device").value) ?? panels[0];
  }

  #mask() {
    if (this.#panel) this.#app.mask(this.#panel, this.#masks);
  }
}

function number(value, kind) {
  return make("td", { class: `number ${kind || ""}` }, String(value));
}

/** Returns a function that says whether the middle of a cell lies in a button: a small region that is touched at one place. */
function buttonCells({ size, regions }, { cell_mm: cell }) {
  const buttons = regions.filter(({ enabled, shape, gestures }) => enabled && !isLarge(shape, size) && gestures.length > 0);
  const pixels = (index, length, millimetres) => ((index + 0.5) * cell * length) / millimetres;
  return (column, row) => {
    const middle = [pixels(column, size.width, size.widthMm), pixels(row, size.height, size.heightMm)];
    return buttons.some(({ shape }) => contains(shape, middle));
  };
}

/** Returns the state of the configuration in words, and the class of their colour. */
function configurationWords({ state, errors, warnings }) {
  const some = (count, word) => (count === 1 ? `1 ${word}` : `${count} ${word}s`);
  if (errors > 0) return [some(errors, "error"), "bad"];
  if (state !== "ok") return [state.replaceAll("_", " "), "warn"];
  return warnings > 0 ? [some(warnings, "warning"), "warn"] : ["in use"];
}
