// SPDX-License-Identifier: MIT
// Shows the targets of `gesturectl calibrate`. The tool defines a region for each target and measures the touches; this page
// draws a cross in the middle of that region.
import { connection } from "/gestured.js";

/** The region that has all touches during a calibration. It is the whole output. */
const AREA = "calibration";
/** The region inside it whose middle has to be touched. The name of its gesture is its number, such as "3/9". */
const TARGET = "calibration.target";

const byId = (id) => document.getElementById(id);

let panels = [];
let area, target;
/** Whether there has been a target since the page connected. */
let hasBegun = false;

const fullScreen = matchMedia("(display-mode: fullscreen)");
const daemon = connection({ subscription: { events: ["gesture", "device", "config"], regions: [AREA, TARGET], phases: ["begin", "end", "cancel"] } });

/** Returns the panel of the calibration, or the only panel. */
function panelInUse() {
  const device = (target ?? area)?.device ?? (panels.length === 1 ? panels[0].device : undefined);
  return panels.find((panel) => panel.device === device);
}

/** Whether the window has the size of the screen or of the output. In a smaller window, each cross would be in a wrong place. */
function fillsScreen(output) {
  const hasSize = (width, height) => Math.abs(innerWidth - width) <= 1 && Math.abs(innerHeight - height) <= 1;
  const ratio = devicePixelRatio;
  return (
    fullScreen.matches ||
    hasSize(screen.width, screen.height) ||
    (output !== undefined && hasSize(output.width / ratio, output.height / ratio))
  );
}

/** Returns a warning if the output is turned differently from this page. A calibration would hide this until the rotation is set. */
function turned({ device, output }) {
  if ((output.width > output.height) === (innerWidth > innerHeight)) return "";
  return `The output of ${device}, ${output.width} × ${output.height}, is turned by 90 degrees from this page. Set its rotation before you calibrate it.`;
}

function notFull() {
  const size = [innerWidth, innerHeight].map((side) => Math.round(side * devicePixelRatio)).join(" × ");
  const stop = area ? "Stop gesturectl with Ctrl+C, then press" : "Press";
  return { title: "This page must fill the screen", text: `Its window has ${size} pixels. ${stop} F11 or this button:`, canEnlarge: true };
}

function targetTexts() {
  const [, number, count] = /^(\d+)\/(\d+)$/.exec(target.gestures[0]?.name) ?? [];
  const where = panels.length > 1 ? ` on the panel ${target.device}` : "";
  return { title: number ? `${number} of ${count}` : "Calibration", text: `Touch the middle of the cross${where}, and hold the finger still for a moment.` };
}

function start() {
  if (panels.length === 0) return { title: "No touchscreen is ready", text: "To see why, run:", commands: ["gesturectl doctor"] };
  const title = "Calibrate the touchscreen";
  if (panels.length === 1) return { title, text: "As root, run:", commands: ["gesturectl calibrate"] };
  const commands = panels.map(({ device }) => `gesturectl calibrate ${device}`);
  return { title, text: "As root, run the command for the panel in front of this screen:", commands };
}

function draw() {
  const panel = panelInUse();
  if (!fillsScreen(panel?.output)) return show(notFull());
  const hint = panel && turned(panel);
  if (target && panel) return show({ ...targetTexts(), hint, mark: middle(panel.output) });
  if (area) return show({ title: "Calibration", text: "See the terminal.", hint });
  if (hasBegun) return show({ title: "Finished", text: "See the terminal." });
  show({ ...start(), hint });
}

/** Returns the middle of the target in CSS pixels. */
function middle(output) {
  const [left, top, width, height] = target.shape.rect;
  return { x: ((left + width / 2) / output.width) * innerWidth, y: ((top + height / 2) / output.height) * innerHeight };
}

function show({ title, text, commands = [], hint = "", mark, canEnlarge = false }) {
  // A screen reader says a text again when it is set, even if it is the same.
  for (const [id, words] of Object.entries({ title, text, hint })) if (byId(id).textContent !== words) byId(id).textContent = words;
  if (byId("commands").textContent !== commands.join("")) {
    byId("commands").replaceChildren(...commands.map((command) => Object.assign(document.createElement("code"), { textContent: command })));
  }
  byId("enlarge").hidden = !canEnlarge;
  byId("target").toggleAttribute("hidden", !mark);
  const { classList } = document.body;
  classList.toggle("upper", mark?.y < innerHeight / 2);
  classList.toggle("lower", mark?.y >= innerHeight / 2);
  if (mark) Object.assign(byId("target").style, { left: `${mark.x}px`, top: `${mark.y}px` });
}

async function refresh() {
  try {
    const [{ devices }, { regions }] = await Promise.all([daemon.request("devices"), daemon.request("regions", { region: `${AREA}*` })]);
    panels = devices.filter(({ output }) => output);
    area = regions.find(({ region }) => region === AREA);
    target = regions.find(({ region, shape }) => region === TARGET && shape.rect);
    hasBegun ||= target !== undefined;
    draw();
  } catch (error) {
    if (error.code) show({ title: "This page cannot show targets", text: error.message });
  }
}

function disconnected() {
  hasBegun = false;
  show({ title: "Connecting …", text: "If this takes long, run:", commands: ["gesturectl doctor"] });
}

disconnected();
for (const name of ["hello", "device", "config"]) daemon.addEventListener(name, refresh);
daemon.addEventListener("disconnected", disconnected);
daemon.addEventListener("gesture", ({ detail }) => byId("target").classList.toggle("pressed", detail.phase === "begin"));
for (const [source, name] of [[window, "resize"], [fullScreen, "change"]]) source.addEventListener(name, () => daemon.hello && draw());
addEventListener("contextmenu", (event) => event.preventDefault());
byId("enlarge").addEventListener("click", () => document.documentElement.requestFullscreen().catch(({ message }) => show({ ...notFull(), hint: message })));
