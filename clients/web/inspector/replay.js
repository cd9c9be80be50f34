// SPDX-License-Identifier: MIT
// Replays recordings. The bridge runs the engine, and the resulting lines are converted to a history.
import { refusal, RequestError } from "./connection.js";
import { History } from "./history.js";
import { Layout } from "./layout.js";

/**
 * Replays a recording.
 * @param {{path: string, text: string}[] | null} files The configuration, or null for the one that the daemon uses.
 * @param {string} recording The text of an evemu or libinput file.
 * @param {AbortSignal} [signal]
 * @returns {Promise<Replay>}
 * @throws {RequestError} with the message of the bridge.
 */
export async function replay(files, recording, signal) {
  // A configuration of a single file is sent as its text.
  const config = files?.length === 1 ? files[0].text : files;
  const response = await fetch("replay", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ config, recording, explain: true }),
    signal,
  });
  const text = await response.text();
  if (!response.ok) throw refusal("replay", text, response.status);
  return readReplay(text);
}

/**
 * @typedef {{layout: Layout, history: History, lines: object[], recognized: Map<string, object>}} Replay
 * `recognized` contains the first line of each gesture, by a key that identifies the gesture.
 */

/**
 * Reads the lines of a replay.
 * @param {string} text
 * @returns {Replay}
 */
export function readReplay(text) {
  let devices = [];
  let regions = [];
  const lines = [];
  let isComplete = false;
  for (const row of text.split("\n")) {
    if (row === "") continue;
    const line = JSON.parse(row);
    if (line.reply !== undefined && !line.ok) throw new RequestError("replay", line.error);
    if (line.reply === "devices") devices = line.devices;
    else if (line.reply === "regions") regions = line.regions;
    else if (line.reply === "replay") isComplete = true;
    else lines.push(line);
  }
  if (!isComplete) throw new RequestError("replay", { code: "cut", message: "the bridge's answer is incomplete" });
  const layout = new Layout(devices, regions);
  const history = new History(Infinity, layout.isWithin);
  const recognized = new Map();
  const counts = new Map();
  for (const line of lines) {
    history.add(line);
    if (line.event !== "gesture" || (line.phase !== undefined && line.phase !== "begin")) continue;
    const name = `${line.region}\n${line.gesture}\n${line.name}\n${line.sequence}`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    recognized.set(`${name}\n${count}`, line);
  }
  history.cut("end");
  return { layout, history, lines, recognized };
}

/** Returns the gestures that only one of two replays has recognized, as `{gained, lost}` in order of time. */
export function compare(before, after) {
  const without = (some, others) =>
    [...some.recognized]
      .filter(([key]) => !others.recognized.has(key))
      .map(([, line]) => line)
      .sort((a, b) => a.time_us - b.time_us);
  return { gained: without(after, before), lost: without(before, after) };
}
