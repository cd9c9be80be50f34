// SPDX-License-Identifier: MIT
// Converts lines of the protocol to readable words.

/** Returns the name of a gesture, such as `swipe`, or `swipe “page”` if the gesture has a name of its own. */
export const gestureName = ({ gesture, name }) => (!name || name === gesture ? gesture : `${gesture} “${name}”`);

const round = (value) => Math.round(value * 10) / 10;

/** Returns the measured values of a gesture line as a short text. */
export function measures(line) {
  const words = [];
  if (line.direction) words.push(line.direction.replace("_", " "));
  for (const [key, value] of Object.entries(line)) {
    if (key.endsWith("_mm")) words.push(`${round(value)} mm`);
    if (key.endsWith("_mm_s")) words.push(`${Math.round(value)} mm/s`);
  }
  if (line.scale !== undefined) words.push(`× ${Math.round(line.scale * 100) / 100}`);
  if (line.rotation !== undefined) words.push(`${round(line.rotation)}°`);
  if (line.gesture === "dial" && line.steps !== undefined) words.push(line.steps === 1 ? "1 step" : `${line.steps} steps`);
  if (line.score !== undefined) words.push(`score ${Math.round(line.score * 100) / 100}`);
  if (line.dx !== undefined) words.push(`${Math.round(line.dx)}, ${Math.round(line.dy)} px`);
  if (line.count > 1) words.push(`${line.count} taps`);
  if (line.n !== undefined) words.push(`no. ${line.n}`);
  if (line.duration_ms !== undefined) words.push(`${line.duration_ms} ms`);
  else if (line.held_ms !== undefined) words.push(`${line.held_ms} ms`);
  if (line.fingers > 1) words.push(`${line.fingers} fingers`);
  return words.join(" · ");
}

/** The codes of failures, and the reasons of cancels, in words. */
const REASONS = {
  // vocabulary: reasons
  moved: "moved too far",
  too_long: "held too long",
  too_quick: "lifted too soon",
  too_slow: "took too long",
  too_short: "moved too little",
  low_velocity: "too slow at the end",
  stopped: "stood still before the lift",
  wrong_direction: "wrong direction",
  wrong_axis: "moved across its axis",
  small_turn: "turned too little",
  small_span: "fingers too close together, or to the centre",
  dominated: "another movement was larger",
  not_round: "not drawn as a circle",
  low_score: "drawn too differently",
  outscored: "another stroke matched better",
  lifted_early: "lifted too soon",
  too_many_contacts: "too many fingers",
  too_few_contacts: "too few fingers",
  landed_apart: "fingers landed one after the other",
  lifted_apart: "fingers lifted one after the other",
  left_region: "left the region",
  too_far_apart: "taps too far apart",
  no_further_tap: "no further tap came",
  bounce: "landed again too soon",
  wrong_taps: "wrong number of taps before it",
  long_press: "a long press began first",
  not_after: "no gesture of after came first",
  unless: "a gesture of unless was recognized",
  kept_back: "a gesture of unless stayed possible",
  shadowed: "a region above it has the gesture",
  wrong_step: "wrong step",
  late_step: "the next step came too late",
  timeout: "took too long",
  locked_out: "locked after wrong attempts",
  claimed: "another gesture took the finger",
  multi_touch: "another finger landed",
  palm: "treated as a palm",
  device_removed: "the panel was unplugged",
  sync_lost: "ended without a lift",
  reload: "the configuration changed",
  disabled: "the region was switched off",
  client: "a client cancelled it",
  handover: "moved into another region",
  suspend: "the machine was suspended",
  rest: "the finger rested",
  movement: "moved too far",
  // vocabulary: end
};

/** Returns a code of a failure or the reason of a cancel in words. An unknown one is shown with spaces in place of underscores. */
export const reasonWords = (code) => REASONS[code] ?? code.replaceAll("_", " ");

/**
 * Returns what is known about a recognized gesture, such as `left · 41.3 mm`, `in progress` or `cancelled: treated as a palm`.
 * @param {object} line The last line of the gesture.
 * @param {number} count How often the gesture has begun.
 */
export function gestureWords(line, count = 1) {
  const words = [measures(line)];
  if (line.phase === "begin" || line.phase === "update") words.push("in progress");
  if (line.phase === "cancel") words.unshift(`cancelled: ${reasonWords(line.reason ?? "")}`);
  if (count > 1 && line.n === undefined) words.push(`${count} times`);
  return words.filter(Boolean).join(" · ");
}

const IDLE_ENDS = { touch: "a touch", scene: "another scene", reload: "a reload" };
const CHANGES = {
  applied: "new configuration in use",
  rejected: "new configuration refused",
  scene: "scene",
  profile: "profile",
  regions: "a program changed its regions",
  output: "panel turned or resized",
};

/** Returns the texts of an event that is not a gesture, or null if the event does not concern users. */
export function eventWords(line) {
  const { event, change, reason } = line;
  if (event === "device") return { kind: "notice", title: `panel ${change.replaceAll("_", " ")}`, subject: line.device, detail: line.name };
  if (event === "idle") {
    const detail = change === "idle" ? `not touched for ${duration(line.idle_ms)}` : `ended by ${IDLE_ENDS[reason] ?? reason}`;
    return { kind: "notice", title: "idle time", subject: line.name, detail };
  }
  if (event === "config") {
    const subject = change === "scene" || change === "profile" ? line[change] : undefined;
    return { kind: change === "rejected" ? "bad" : "notice", title: CHANGES[change] ?? change, subject, detail: line.diagnostics?.[0]?.message };
  }
  if (event === "overflow") return { kind: "bad", title: "lines lost", detail: `${line.dropped}, because this page reads too slowly` };
  if (event === "bye") return { kind: "notice", title: "the daemon stops", detail: reason?.replaceAll("_", " ") };
  return null;
}

/** Formats a time of day, such as `14:03:07.1`. */
export function timeOfDay(ms) {
  const date = new Date(ms);
  return `${date.toTimeString().slice(0, 8)}.${Math.floor(date.getMilliseconds() / 100)}`;
}

/** Returns the ratio of a measured value to its limit, or of the limit to the value if that is greater. Without a limit, returns Infinity. */
export function miss({ value, limit }) {
  if (!(value > 0) || !(limit > 0)) return Infinity;
  return Math.max(value / limit, limit / value);
}

/**
 * Returns the lists of `[access]` to which a user must be added to see fingers, in words.
 * @param {(right: string) => boolean} hasRight Whether the user has a right. One who has `raw` and still sees no fingers lacks `private`.
 */
export function missingLists(hasRight) {
  if (hasRight("raw")) return "private_uids";
  return hasRight("private") ? "raw_uids" : "raw_uids (and to private_uids if a region is private)";
}

/** Formats a time in seconds, such as `12.345`. */
export const seconds = (us) => (us / 1e6).toFixed(3);

/** Formats a duration, such as `2 d 3 h` or `3 min 20 s`. */
export function duration(ms) {
  const s = Math.floor(ms / 1000);
  const parts = [
    [Math.floor(s / 86400), "d"],
    [Math.floor(s / 3600) % 24, "h"],
    [Math.floor(s / 60) % 60, "min"],
    [s % 60, "s"],
  ];
  const first = parts.findIndex(([count]) => count > 0);
  if (first < 0) return "0 s";
  return parts
    .slice(first, first + 2)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(" ");
}
