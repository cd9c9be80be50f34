// SPDX-License-Identifier: MIT
// The diagnostics and the findings on accessibility that the bridge reports when it checks the files in the mode Design.
import { fetchJson } from "./connection.js";
import { byId, make } from "./dom.js";

export class Checks {
  /** Called with the line and the file of the diagnostic that the user has chosen. */
  onchoose = (line, file) => {};

  /**
   * Checks the files for a panel, and shows the diagnostics and the findings on accessibility, if they are wanted.
   * @returns {Promise<{gestures: object[], accessibility?: object[]} | null>} The decision delay of each gesture, and the findings;
   *   null if the check could not be run.
   */
  async run(files, size) {
    const query = new URLSearchParams({ width: size.width, height: size.height, width_mm: size.widthMm, height_mm: size.heightMm });
    if (byId("design-accessibility").checked) query.set("accessibility", "true");
    const [type, body] = files.length === 1 ? ["application/toml", files[0].text] : ["application/json", JSON.stringify({ files })];
    try {
      const result = await fetchJson(`check?${query}`, { method: "POST", headers: { "Content-Type": type }, body });
      this.show([...result.diagnostics, ...(result.accessibility ?? [])], files.length);
      return result;
    } catch (error) {
      this.show([{ severity: "error", message: `The check could not be run: ${error.message}` }], files.length);
      return null;
    }
  }

  /** Shows diagnostics. If there are several files, each diagnostic names its file. */
  show(diagnostics, fileCount) {
    byId("design-checks").replaceChildren(...diagnostics.map((diagnostic) => this.#row(diagnostic, fileCount)));
    byId("design-fine").hidden = diagnostics.length > 0;
    const hasErrors = diagnostics.some(({ severity }) => severity === "error");
    const tab = byId("design-tabs").querySelector('[data-tab="check"]');
    tab.textContent = diagnostics.length === 0 ? "Check ✓" : `Check (${diagnostics.length})`;
    tab.className = hasErrors ? "bad" : diagnostics.length > 0 ? "warn" : "good";
  }

  #row({ severity, file, line, column, message, suggestion, cure, clause }, fileCount) {
    const hint = suggestion ? `; did you mean “${suggestion}”?` : cure ? `; ${cure}` : "";
    const words = `${message}${hint}${clause ? ` (${clause})` : ""}`;
    const place = line > 0 ? make("span", {}, `${fileCount > 1 && file ? `${file}:` : "line "}${line}:${column}`) : null;
    const choose = () => this.onchoose(line, file);
    return make("li", { class: severity }, make("button", { type: "button", onclick: choose }, make("strong", {}, severity), ` ${words} `, place));
  }
}
