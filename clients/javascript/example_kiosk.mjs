// SPDX-License-Identifier: MIT
// The buttons of a kiosk: they are drawn as pressed while a finger is on them, and they act when they are tapped.
import { Client } from "gestured";

const pressed = new Set(); // the regions that a page would draw as pressed

for await (const { gesture, phase, region } of new Client().events({ gestures: ["press", "tap"] })) {
  if (gesture === "tap") console.log("open", region);
  if (gesture !== "press") continue;
  phase === "begin" ? pressed.add(region) : pressed.delete(region);
  console.log("pressed:", ...pressed);
}
