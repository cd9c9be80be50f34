// SPDX-License-Identifier: MIT
// The part of the module that runs in MagicMirror's server, and is connected with the daemon.
const NodeHelper = require("node_helper");

module.exports = NodeHelper.create({
  start() {
    this.gestures = new Set();
  },

  stop() {
    this.client?.close();
  },

  /** Each browser that shows the mirror asks for the gestures of its configuration. All of them get all gestures. */
  async socketNotificationReceived(name, { socket, gestures }) {
    if (name !== "LISTEN") return;
    try {
      const { Client } = await import("./gestured.mjs");
      this.client ??= this.connect(new Client(socket ? { path: socket } : {}));
    } catch (error) {
      return console.error(`MMM-Gestured: ${error.message}; copy gestured.mjs into the folder of the module`);
    }
    const before = this.gestures.size;
    for (const gesture of gestures) this.gestures.add(gesture);
    if (this.gestures.size > before) this.client.listen({ events: ["gesture"], gestures: [...this.gestures] });
  },

  connect(client) {
    client.on("gesture", (event) => this.sendSocketNotification("GESTURE", event));
    client.on("disconnected", ({ cause }) => console.error(`MMM-Gestured: ${cause}`));
    client.on("error", ({ message }) => console.error(`MMM-Gestured: ${message}`));
    return client;
  },
});
