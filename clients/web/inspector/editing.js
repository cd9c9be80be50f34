// SPDX-License-Identifier: MIT
// The files that the mode Design edits, with undo and redo. The texts are the only state. This module does not use the DOM.
import { fileOf } from "./files.js";

const NEW_FILE = "version = 1\n";

export class Editing {
  /** Called after each change. `isTyped` is true if the user has edited the text directly. */
  onchange = (isTyped) => {};
  /** Called with the error of a change that was refused. */
  onrefuse = (error) => {};
  #start = NEW_FILE;
  #files = [{ path: "new.toml", text: NEW_FILE }];
  #index = 0;
  #undo = [];
  #redo = [];

  get files() {
    return this.#files;
  }

  /** The index of the edited file. */
  get index() {
    return this.#index;
  }

  /** The edited file. */
  get file() {
    return this.#files[this.#index];
  }

  /** Whether nothing has been opened or written yet. */
  get isNew() {
    return this.file.text === this.#start;
  }

  get canUndo() {
    return this.#undo.length > 0;
  }

  get canRedo() {
    return this.#redo.length > 0;
  }

  /** Opens other files for editing. */
  open(files) {
    this.#files = files;
    this.#undo = [];
    this.#redo = [];
    this.show(0);
  }

  /** Begins with a text that is in no file yet. */
  start(text) {
    this.#start = text;
    this.open([{ path: "new.toml", text }]);
  }

  /** Switches to another file of the same configuration. */
  show(index, isTyped = false) {
    this.#index = index;
    this.onchange(isTyped);
  }

  /** Sets the text of a file. By default, this is the edited file. */
  set(text, index = this.#index, isTyped = false) {
    if (text === this.#files[index].text) return;
    this.#undo.push(this.#files);
    this.#redo = [];
    this.#files = this.#files.map((file, other) => (other === index ? { ...file, text } : file));
    this.show(index, isTyped);
  }

  /**
   * Changes the text of a file. If `change` throws an error, the text stays the same, and `onrefuse` is called with the error.
   * @param {(text: string) => string} change
   * @param {() => number} fileIndex Returns the index of the file. By default, it is the edited file.
   */
  edit(change, fileIndex = () => this.#index) {
    try {
      const index = fileIndex();
      this.set(change(this.#files[index].text), index);
    } catch (error) {
      this.onrefuse(error);
    }
  }

  /** Changes a region in the file that sets this key of the region. */
  editRegion(id, key, change) {
    this.edit(change, () => fileOf(this.#files, id, key));
  }

  undo() {
    this.#restore(this.#undo, this.#redo);
  }

  redo() {
    this.#restore(this.#redo, this.#undo);
  }

  #restore(from, to) {
    const files = from.pop();
    if (files === undefined) return;
    to.push(this.#files);
    const index = files.findIndex((file, other) => file !== this.#files[other]);
    this.#files = files;
    this.show(index);
  }
}
