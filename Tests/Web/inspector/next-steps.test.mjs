// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { nextSteps } from "../../../clients/web/inspector/next-steps.js";

const OWN = "/etc/gestured/gestured.toml";

test("a file of the daemon goes back to its place, and one with its name, too", () => {
  const dropIn = "/etc/gestured/conf.d/50-kiosk.toml";
  const steps = ["gesturectl check 50-kiosk.toml", `sudo install -m 644 50-kiosk.toml ${dropIn}`, "sudo gesturectl reload"];
  assert.deepEqual(nextSteps(dropIn, [OWN, dropIn], "localhost"), steps);
  assert.deepEqual(nextSteps("50-kiosk.toml", [OWN, dropIn], "127.0.0.1"), steps);
});

test("a new file becomes the administrator's, never the installed default", () => {
  const steps = nextSteps("new.toml", ["/usr/share/gestured/gestured.toml"], "localhost");
  assert.equal(steps[1], `sudo install -m 644 new.toml ${OWN}`);
  assert.equal(nextSteps("/usr/share/gestured/gestured.toml", ["/usr/share/gestured/gestured.toml"], "localhost")[1], `sudo install -m 644 gestured.toml ${OWN}`);
});

test("a page of another machine begins with a copy", () => {
  assert.equal(nextSteps(OWN, [OWN], "kiosk.example")[0], "scp gestured.toml kiosk.example:");
});
