// SPDX-License-Identifier: MIT
// A kiosk's page: buttons are drawn pressed while a finger is on them, and act when they are tapped.
import { Client } from "./gestured.mjs";

const pressed = new Set(); // the regions that a page would draw as pressed

for await (const { gesture, phase, region } of new Client().events({ gestures: ["press", "tap"] })) {
  if (gesture === "tap") console.log("open", region);
  if (gesture !== "press") continue;
  phase === "begin" ? pressed.add(region) : pressed.delete(region);
  console.log("pressed:", ...pressed);
}
