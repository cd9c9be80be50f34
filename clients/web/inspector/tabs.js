// SPDX-License-Identifier: MIT
// The tabs of the mode Design.
import { byId } from "./dom.js";

export class Tabs {
  #buttons = [...byId("design-tabs").querySelectorAll("button")];

  constructor() {
    for (const [index, button] of this.#buttons.entries()) {
      button.addEventListener("click", () => this.show(button.dataset.tab));
      button.addEventListener("keydown", ({ key }) => {
        const next = this.#buttons[index + { ArrowLeft: -1, ArrowRight: 1 }[key]];
        if (!next) return;
        this.show(next.dataset.tab);
        next.focus();
      });
    }
    this.show("region");
  }

  /** @param {"region" | "check" | "text"} name */
  show(name) {
    for (const button of this.#buttons) {
      const isShown = button.dataset.tab === name;
      button.setAttribute("aria-selected", String(isShown));
      button.tabIndex = isShown ? 0 : -1;
      byId(`design-tab-${button.dataset.tab}`).hidden = !isShown;
    }
  }
}
