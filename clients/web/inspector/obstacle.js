// SPDX-License-Identifier: MIT
// The notice of the mode Design that says why the text cannot be saved.
import { byId, make } from "./dom.js";

const OFFER = "The drawing shows the regions that the daemon has now, without the settings of their gestures. You can change and copy them here. To save a file, open it first.";

/** Shows why the daemon's files cannot be edited. If the reason is null, the text can be saved. */
export function showObstacle(reason) {
  const box = byId("design-obstacle");
  byId("design-save").disabled = reason !== null;
  box.hidden = reason === null;
  box.replaceChildren(make("p", {}, make("strong", {}, "The daemon’s files cannot be edited here: "), `${reason}.`), make("p", {}, OFFER));
}
