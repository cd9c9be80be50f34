// SPDX-License-Identifier: MIT
// A screenshot or a drawing that is shown behind the regions in the mode Design.
import { make } from "./dom.js";
import { coverGlass } from "./rulers.js";

export class Background {
  #image = null;
  #stage;

  /** @param {HTMLElement} stage The element of a panel's view. */
  constructor(stage) {
    this.#stage = stage;
  }

  /** Shows a picture. If it is an SVG file, its scripts do not run, because it is shown as an image. */
  show(file) {
    if (this.#image) URL.revokeObjectURL(this.#image.src);
    this.#image?.remove();
    this.#image = make("img", { src: URL.createObjectURL(file), alt: "", class: "background" });
    this.#stage.prepend(this.#image);
    this.#stage.classList.add("pictured");
  }

  /** Sets the position and the size of the picture to those of the panel. */
  place(map) {
    if (this.#image) coverGlass(this.#image, map);
  }
}
