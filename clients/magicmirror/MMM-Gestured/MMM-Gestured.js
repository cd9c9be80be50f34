// SPDX-License-Identifier: MIT
/* global Module */
// Sends notifications of MagicMirror when gestures are made. README.md describes the configuration.
Module.register("MMM-Gestured", {
  defaults: {
    // The daemon's socket. Empty: $GESTURED_SOCKET, or the socket of the system's daemon.
    socket: "",
    gestures: [
      { gesture: "swipe", direction: "left", notification: "PAGE_INCREMENT" },
      { gesture: "swipe", direction: "right", notification: "PAGE_DECREMENT" },
    ],
  },

  start() {
    const gestures = this.config.gestures.flatMap(({ gesture = "*" }) => gesture);
    this.sendSocketNotification("LISTEN", { socket: this.config.socket, gestures });
  },

  socketNotificationReceived(name, event) {
    if (name !== "GESTURE") return;
    for (const row of this.config.gestures) {
      if (this.matches(row, event)) this.sendNotification(row.notification, row.payload ?? event);
    }
  },

  /**
   * Whether the event has the values of the row. A row without a phase is for the beginning of a continuous gesture. Any program
   * that may define regions can choose their names, so such regions need a row with `leased`.
   */
  matches({ notification, payload, leased, ...values }, event) {
    if (event.leased && !leased) return false;
    const expected = { phase: event.phase && "begin", ...values };
    return Object.entries(expected).every(([key, value]) => [value].flat().includes(event[key]));
  },
});
