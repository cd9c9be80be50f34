// SPDX-License-Identifier: MIT
// The notice of the mode Design that says how a saved file comes into force.
import { byId, make } from "./dom.js";
import { ownFiles } from "./missing.js";

const DEFAULT_FILE = "/etc/gestured/gestured.toml";
const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

/**
 * Returns the commands that put a file into the place of the one that was opened.
 * @param {string} path The path of the opened file, or the name of one that the daemon has not read.
 * @param {string[]} files The files that the daemon has read.
 * @param {string} host The host of this page.
 */
export function nextSteps(path, files, host) {
  const name = path.split("/").at(-1);
  const own = ownFiles(files);
  const target = own.find((file) => file === path) ?? own.find((file) => file.endsWith(`/${name}`)) ?? DEFAULT_FILE;
  const copy = LOOPBACK.includes(host) ? [] : [`scp ${name} ${host}:`];
  return [...copy, `gesturectl check ${name}`, `sudo install -m 644 ${name} ${target}`, "sudo gesturectl reload"];
}

/** Shows these commands until the text changes. */
export function showNextSteps(path, files, host) {
  const box = byId("design-next");
  const steps = nextSteps(path, files, host);
  const where = steps[0].startsWith("scp") ? "Copy it to the panel’s machine; the other commands run there:" : "In the folder of your downloads, run on the panel’s machine:";
  const close = make("button", { type: "button", onclick: () => (box.hidden = true) }, "Close");
  box.hidden = false;
  box.replaceChildren(make("p", {}, make("strong", {}, `${path.split("/").at(-1)} is saved. `), where), make("pre", { tabindex: "0", "aria-label": "Commands" }, steps.join("\n")), close);
}
