#!/usr/bin/env node
// SPDX-License-Identifier: MIT
/**
 * A client of gestured, the gesture daemon. It is one file without dependencies, for Node 18 or newer.
 *
 *     import { Client } from "./gestured.mjs";
 *
 *     const client = new Client();
 *     for await (const event of client.events({ regions: ["ok"] })) {
 *       if (event.gesture === "tap") await client.setScene("checkout");
 *     }
 *
 * A client can also be used as an EventEmitter: `client.on("gesture", (gesture) => …).listen({ regions: ["ok"] })`.
 *
 * A client connects automatically, and reconnects if the connection is lost. Every gesture that begins also ends, either with
 * the daemon's `end` or `cancel`, or with a `cancel` that the client adds when the connection
 * (`reason: "disconnected"`) or lines (`reason: "lost"`) have been lost.
 *
 * When it is run as a program, it prints events: `node gestured.mjs [REGION…]`. With gestured.cjs beside it, `require` loads it, too.
 *
 * @module
 */
import { EventEmitter } from "node:events";
import { realpathSync } from "node:fs";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";

const PROTOCOL = 1;
/** The maximum length in bytes of a request that the daemon accepts, including the line feed. */
const REQUEST_BYTES = 64 * 1024;
/** The maximum number of regions in one `define_regions`. */
const DEFINITIONS = 256;
/** The maximum length in bytes of a line that the client accepts. Even a `regions` reply with thousands of regions is shorter. */
const LINE_BYTES = 16 << 20;
/** The maximum number of values in a line. In Node, a parsed value takes many times the memory of its text. */
const LINE_VALUES = 1 << 20;
/** The maximum length in bytes of a gesture's line that the client accepts. The daemon writes at most 4096 bytes. */
const GESTURE_BYTES = 16 << 10;
/** The maximum number of gestures that have begun and not ended. There are far fewer on a real panel. */
const OPEN_GESTURES = 4096;
/** The maximum number of events that wait for an iterator. When it is reached, the client stops reading, so the daemon may drop lines. */
const WAITING_EVENTS = 1024;
/** The maximum total size of these events in bytes. If it is exceeded, the client stops reading, or disconnects during a request. */
const WAITING_BYTES = 16 << 20;
const UNREAD = "too many events are waiting; the program must read them faster";
const HANGS = "the daemon does not answer; see its log";
const CLOSED = "the daemon has closed the connection";

/** All phases of a continuous gesture. Without the option `phases`, a client receives all of them except "update". */
export const ALL_PHASES = Object.freeze(["begin", "update", "end", "cancel"]);
const SILENT_PHASES = ["begin", "end", "cancel"];

/** Returns the path of the daemon's socket: $GESTURED_SOCKET, or else the socket of the system's daemon. */
export const defaultPath = () => process.env.GESTURED_SOCKET || "/run/gestured/gestured.sock";

// -- types, with the keys of the protocol (see docs/protocol.md) -------------------------------------

/**
 * @typedef {{x: number, y: number}} Point A point in output pixels.
 * @typedef {"begin" | "update" | "end" | "cancel"} Phase
 * @typedef {0 | 90 | 180 | 270 | "flipped" | "flipped-90" | "flipped-180" | "flipped-270"} Rotation
 * @typedef {{region: string, leased?: true, gesture: string, name: string, device: string, sequence: number}} Active
 *
 * @typedef {object} Subscription The options of `subscribe`. Without `phases`, there are no "update" events.
 * @property {string[]} [events]
 * @property {string[]} [regions]
 * @property {string[]} [devices]
 * @property {string[]} [gestures]
 * @property {string[]} [names]
 * @property {Phase[]} [phases]
 * @property {number} [max_rate_hz]
 * @property {number} [max_age_ms]
 * @property {boolean} [wall_clock]
 */

// vocabulary: type
/**
 * @typedef {object} Gesture
 * @property {"gesture"} event
 * @property {string} gesture
 * @property {string} name
 * @property {string} [action] The identifier in the configuration that says what the gesture does. It is missing in an added cancel if the gesture is known only from a `state`.
 * @property {string} region
 * @property {true} [leased] Whether a client has defined the region, which can have any name. Only regions of the files stand for what they are named.
 * @property {number} sequence
 * @property {Phase} [phase] The phase. It is missing for a discrete gesture.
 * @property {string} [reason] The reason for a "cancel". It comes from the daemon, or it is "disconnected" or "lost" if the cancel was `added`.
 * @property {true} [added] Whether this client has added the cancel.
 * @property {number} [seq]
 * @property {string} [device] This key and all following keys are missing in an added cancel if the gesture is known only from a `state`.
 * @property {number} [fingers]
 * @property {number} [x]
 * @property {number} [y]
 * @property {number} [u]
 * @property {number} [v]
 * @property {boolean} [inside]
 * @property {number} [held_ms]
 * @property {number} [count]
 * @property {number} [duration_ms]
 * @property {number} [n]
 * @property {number} [dx]
 * @property {number} [dy]
 * @property {number} [vx]
 * @property {number} [vy]
 * @property {Point} [start]
 * @property {Point} [predicted]
 * @property {number} [scale]
 * @property {string} [direction]
 * @property {number} [angle]
 * @property {number} [distance_mm]
 * @property {number} [velocity_mm_s]
 * @property {number} [rotation]
 * @property {number} [steps]
 * @property {number} [velocity_deg_s]
 * @property {number} [score]
 * @property {number} [coalesced]
 * @property {number} [time_us]
 * @property {number} [wall_ms]
 */
// vocabulary: end

/**
 * @typedef {{severity: string, file: string, line: number, column: number, code: string, message: string, suggestion?: string}} Diagnostic
 * @typedef {{id: number, slot: number, x: number, y: number, to?: "app" | "gestured" | "both", kept?: string, region?: string, sequence?: number, major_mm?: number}} Contact
 * @typedef {{region: string, sequence: number, contacts: number[]}} FurtherRegion
 * @typedef {{slot: number, x: number, y: number, filter: string, to?: "app" | "nobody", kept?: string}} IgnoredContact
 * @typedef {{event: "hello", protocol: number, server: string, instance: string, capabilities: string[], rights?: string[], config_generation: number}} Hello
 * @typedef {{event: "state", seq: number, devices: {device: string, state: string}[], scene: string, scene_for_ms?: number, profile?: string, idle?: string[], active: Active[]}} State
 * @typedef {{event: "failed", seq: number, gesture: string, name: string, action?: string, region: string, leased?: true, device: string, sequence: number, code: string, key?: string, value?: number, limit?: number, unit?: string, message: string, time_us: number, wall_ms?: number}} Failed
 * @typedef {{event: "touches", seq: number, device: string, coalesced?: number, time_us: number, contacts: Contact[], seen_by?: FurtherRegion[], given?: number[], ignored?: IgnoredContact[], wall_ms?: number}} Touches
 * @typedef {{event: "frame", seq: number, device: string, time_us: number, events: number[][], resync?: true, suspended?: true, removed?: true, wall_ms?: number}} Frame
 * @typedef {{event: "device", seq: number, change: "added" | "removed" | "given_back" | "grabbed", device: string, node: string, name: string, wall_ms?: number}} Device
 * @typedef {{event: "idle", seq: number, name: string, change: "idle" | "active", reason?: string, idle_ms: number, time_us: number, wall_ms?: number}} Idle
 * @typedef {{event: "wake", seq: number, device: string, reason: "display" | "scene", time_us: number, wall_ms?: number}} Wake
 * @typedef {{event: "config", seq: number, change: string, generation: number, scene?: string, scene_for_ms?: number, profile?: string, diagnostics?: Diagnostic[], wall_ms?: number}} Config
 * @typedef {{event: "overflow", seq: number, dropped: number, since_ms: number}} Overflow
 * @typedef {{event: "bye", reason: string}} Bye
 * @typedef {{event: "disconnected", cause: string}} Disconnected The connection was lost. Before this event, the client emits a cancel for each gesture that has begun. After it, the client reconnects.
 * @typedef {Hello | State | Gesture | Failed | Touches | Frame | Idle | Wake | Device | Config | Overflow | Bye | Disconnected} Event One of these, or an event that only a later daemon sends.
 */

// -- errors -----------------------------------------------------------------------------------------

/** There is no daemon at the socket, or the daemon closed the connection before it replied. */
export class Unavailable extends Error {
  /**
   * @param {string} path
   * @param {string} cause
   * @param {boolean} [permanent] Whether trying again would not help, for example because permission is missing or the path is too long.
   */
  constructor(path, cause, permanent = false) {
    super(`${path}: ${cause}`);
    this.name = "Unavailable";
    this.path = path;
    this.permanent = permanent;
  }
}

/** The program at the socket is not gestured or uses another protocol, because a line does not conform to docs/protocol.md. */
export class ProtocolError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = "ProtocolError";
  }
}

/** The daemon refused a request and changed nothing. */
export class RequestError extends Error {
  /**
   * @param {string} command
   * @param {{code?: string, message?: string, suggestion?: string, diagnostics?: Diagnostic[]}} [error]
   */
  constructor(command, error) {
    const given = isTable(error) ? error : {};
    const code = isText(given.code) ? given.code : "internal";
    const message = isText(given.message) ? given.message : "the daemon refused the request";
    const suggestion = isText(given.suggestion) ? given.suggestion : undefined;
    const diagnostics = Array.isArray(given.diagnostics) ? given.diagnostics.filter(isTable) : [];
    super(`${command}: ${message}${suggestion ? `; did you mean "${suggestion}"?` : ""} (${code})`);
    this.name = "RequestError";
    this.command = command;
    /** One of the codes in docs/protocol.md, such as "permission_denied" or "not_found". */
    this.code = code;
    this.suggestion = suggestion;
    this.diagnostics = diagnostics;
  }
}

/**
 * @param {string} path
 * @param {NodeJS.ErrnoException} error
 */
function unavailable(path, error) {
  if (Buffer.byteLength(path) > 107) return new Unavailable(path, "no daemon: a socket's path has at most 107 bytes", true);
  const cures = {
    EACCES: "permission denied; add your user to group gestured (usermod -aG gestured USER) and log in again",
    EPERM: "operation not permitted",
    ENOENT: "no such file; start the daemon (systemctl start gestured), or name its socket in $GESTURED_SOCKET",
    ECONNREFUSED: "the daemon has stopped; start it (systemctl start gestured)",
  };
  const permanent = error.code === "EACCES" || error.code === "EPERM";
  return new Unavailable(path, `no daemon: ${cures[error.code ?? ""] ?? error.message}`, permanent);
}

// -- the values of keys -----------------------------------------------------------------------------

const isText = (value) => typeof value === "string";
const isFlag = (value) => typeof value === "boolean";
const isNumber = Number.isFinite;
const isTable = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isListOf = (check) => (value) => Array.isArray(value) && value.every(check);
/** Returns a function that checks the values of these keys. Other keys are accepted. The keys in `needed` must be present. */
const hasKeys = (keys, needed = []) => (value) =>
  isTable(value) && needed.every((key) => value[key] != null) && Object.entries(keys).every(([key, check]) => value[key] == null || check(value[key]));

const each = (check, ...keys) => Object.fromEntries(keys.map((key) => [key, check]));
const POINT = hasKeys(each(isNumber, "x", "y"), ["x", "y"]);
const GESTURE = { ...each(isText, "region", "gesture", "name", "action", "device"), leased: isFlag, sequence: isNumber };
const ACTIVE = hasKeys(GESTURE, ["region", "gesture", "name", "sequence"]);
const CONTACT = hasKeys({ ...each(isNumber, "id", "slot", "x", "y", "sequence", "major_mm"), ...each(isText, "region", "to", "kept") }, ["id", "slot", "x", "y"]);
const FURTHER = hasKeys({ region: isText, sequence: isNumber, contacts: isListOf(isNumber) }, ["region", "sequence", "contacts"]);
const IGNORED = hasKeys({ ...each(isNumber, "slot", "x", "y"), ...each(isText, "filter", "to", "kept") }, ["slot", "x", "y", "filter"]);
const COMMON = each(isNumber, "seq", "time_us", "wall_ms", "coalesced");
/** The known keys of each event, as in the types above. */
const EVENTS = new Map(Object.entries({
  hello: { ...each(isNumber, "protocol", "config_generation"), ...each(isText, "server", "instance"), ...each(isListOf(isText), "capabilities", "rights") },
  state: { ...COMMON, scene: isText, scene_for_ms: isNumber, profile: isText, devices: isListOf(isTable), idle: isListOf(isText), active: isListOf(ACTIVE) },
  gesture: {
    ...COMMON, ...GESTURE, ...each(isText, "phase", "reason"), ...each(isNumber, "fingers", "x", "y", "u", "v"),
    // vocabulary: checks
    ...each(isFlag, "inside"),
    ...each(isText, "direction"),
    ...each(POINT, "start", "predicted"),
    ...each(isNumber, "dx", "dy", "vx", "vy", "scale", "angle", "distance_mm", "velocity_mm_s", "rotation",
      "velocity_deg_s", "score"),
    ...each(isNumber, "held_ms", "count", "duration_ms", "n", "steps"),
    // vocabulary: end
  },
  failed: { ...COMMON, ...GESTURE, ...each(isText, "code", "key", "message", "unit"), ...each(isNumber, "value", "limit") },
  touches: { ...COMMON, device: isText, contacts: isListOf(CONTACT), seen_by: isListOf(FURTHER), given: isListOf(isNumber), ignored: isListOf(IGNORED) },
  frame: { ...COMMON, device: isText, events: isListOf(isListOf(isNumber)), ...each(isFlag, "resync", "suspended", "removed") },
  idle: { ...COMMON, ...each(isText, "name", "change", "reason"), idle_ms: isNumber },
  wake: { ...COMMON, ...each(isText, "device", "reason") },
  device: { ...COMMON, ...each(isText, "change", "device", "node", "name") },
  config: { ...COMMON, ...each(isText, "change", "scene", "profile"), ...each(isNumber, "generation", "scene_for_ms"), diagnostics: isListOf(isTable) },
  overflow: { ...COMMON, ...each(isNumber, "dropped", "since_ms") },
  bye: { reason: isText },
}).map(([event, keys]) => [event, hasKeys(keys, event === "state" ? ["active"] : event === "gesture" ? ["region", "gesture", "name", "sequence"] : [])]));
/** Names of this client's own events. If an event of the daemon has one of these names, it is not emitted under that name. */
const OWN_NAMES = new Set(["error", "end", "event", "newListener", "removeListener"]);

// -- protocol ---------------------------------------------------------------------------------------

/** The delays before attempts to connect: 100 ms, doubled each time up to 5 s, minus a random part of at most half the delay. */
export class Backoff {
  #chance;
  #next = 100;

  /** @param {() => number} [chance] Returns a random number from 0 to 1. */
  constructor(chance = Math.random) {
    this.#chance = chance;
  }

  /** Returns the milliseconds until the next attempt. */
  delay() {
    const wait = this.#next;
    this.#next = Math.min(wait * 2, 5000);
    return wait * (0.5 + 0.5 * this.#chance());
  }

  /** Starts again with the shortest delay. Call this when the daemon has answered. */
  reset() {
    this.#next = 100;
  }
}

/** Whether a text matches one of these globs. They work as in the daemon: `*` matches any text, and `?` matches one character. */
export function matches(globs, text) {
  if (globs === undefined) return true;
  return globs.some((glob) => {
    const words = [...glob].map((letter) => ({ "*": ".*", "?": "." })[letter] ?? letter.replace(/[\\^$.*+?()[\]{}|]/, "\\$&"));
    return new RegExp(`^(?:${words.join("")})$`, "su").test(text);
  });
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** @param {Buffer} bytes */
function hasFewValues(bytes) {
  let count = 0;
  if (bytes.length > LINE_VALUES) for (const byte of bytes) if (byte === 0x2c || byte === 0x5b || byte === 0x7b) count++;
  return count <= LINE_VALUES;
}

/** The subscription of a client that only makes requests. */
const NOTHING = Object.freeze({ events: [], phases: [] });

const keyOf = (line) => JSON.stringify([line.region, line.gesture, line.name, line.sequence]);

/** The protocol without I/O. It converts received bytes to `events`, and the client removes them from the list. */
export class Session {
  /** @type {Event[]} */
  events = [];
  /** @type {Error | undefined} */
  failure;
  isGreeted = false;
  /** @type {Map<number, (line: object) => void>} The receivers of replies, by the number of the request. */
  replies = new Map();
  #path;
  /** @type {Subscription} */
  #subscription = NOTHING;
  #subscribing;
  /** @type {number[]} */
  #leasing = [];
  /** @type {Set<number>} The numbers of the requests on this connection that have no reply yet, in the order in which they were sent. */
  #unanswered = new Set();
  /** @type {object[]} */
  #lease = [];
  #hello;
  /** @type {Map<string, object>} The last line of each open gesture. */
  #open = new Map();
  /** A buffer whose first `#size` bytes are the beginning of an incomplete line. */
  #buffer = Buffer.alloc(0);
  #size = 0;
  /** The total size in bytes of the lines of events that were received since the client last reset this property. */
  waiting = 0;
  #id = 0;

  /** @param {string} path */
  constructor(path) {
    this.#path = path;
  }

  get openCount() {
    return this.#open.size;
  }

  /** @returns {{id: number, line: string}} */
  request(command, keys = {}) {
    const id = ++this.#id;
    const line = JSON.stringify({ cmd: command, id, ...keys }) + "\n";
    if (Buffer.byteLength(line) > REQUEST_BYTES) {
      throw new RequestError(command, { code: "line_too_long", message: `a request must not be longer than ${REQUEST_BYTES} bytes` });
    }
    return { id, line };
  }

  /** Replaces the subscription, and starts a new stream of events. */
  subscribe(subscription = NOTHING) {
    for (const key of ["events", "regions", "devices", "gestures", "names", "phases"]) {
      if (subscription[key] !== undefined && !Array.isArray(subscription[key])) throw new TypeError(`${key} must be a list of strings`);
    }
    const complete = { phases: SILENT_PHASES, ...subscription };
    this.request("subscribe", complete);
    this.#subscription = subscription === NOTHING ? NOTHING : complete;
    this.events = [];
    this.failure = undefined;
    this.#open.clear();
  }

  subscriptionLine() {
    const { id, line } = this.request("subscribe", this.#subscription);
    this.#subscribing = id;
    this.#unanswered.add(id);
    return line;
  }

  /** Waits for the reply to a request. Call this when the request is sent. */
  expect(id, receive) {
    this.replies.set(id, receive);
    this.#unanswered.add(id);
  }

  /** Returns the first requests on a connection. The leased regions are defined before the subscription is sent, because it may name them. */
  greeting() {
    this.#buffer = Buffer.alloc(0);
    this.#size = 0;
    this.#hello = undefined;
    this.isGreeted = false;
    const requests = this.#leaseRequests();
    this.#leasing = requests.map((request) => request.id);
    this.#unanswered = new Set(this.#leasing);
    return requests.map((request) => request.line).join("") + this.subscriptionLine();
  }

  /** Returns requests that define the leased regions: one request for all of them, or one for each region if it would be too long. */
  #leaseRequests() {
    if (this.#lease.length === 0) return [];
    try {
      if (this.#lease.length <= DEFINITIONS) return [this.request("define_regions", { lease: true, regions: this.#lease })];
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
    }
    return this.#lease.map((region) => this.request("put_region", { lease: true, region }));
  }

  leased(regions) {
    this.#lease = [...regions];
  }

  /** Updates the lease after a successful `put_region`. */
  put(region, below) {
    const place = this.#lease.findIndex((old) => old.id === region.id);
    if (place >= 0 && below === undefined) {
      this.#lease[place] = region;
      return;
    }
    this.removed(region.id);
    const end = this.#lease.findIndex((old) => old.id === below);
    this.#lease.splice(end < 0 ? this.#lease.length : end, 0, region);
  }

  removed(region) {
    this.#lease = this.#lease.filter((old) => old.id !== region);
  }

  /**
   * Handles received bytes: adds events to `events`, and passes replies to their receivers.
   * @param {Buffer} data
   */
  feed(data) {
    let start = 0;
    for (let end; (end = data.indexOf(10, start)) >= 0; start = end + 1) {
      this.#keep(data.subarray(start, end));
      const line = this.#buffer.subarray(0, this.#size);
      this.#size = 0;
      this.#take(line);
    }
    this.#keep(data.subarray(start));
    if (this.#size === 0) this.#buffer = Buffer.alloc(0);
  }

  /** Appends a part to the incomplete line. The size of the buffer is doubled when necessary, because parts may be single bytes. */
  #keep(part) {
    const size = this.#size + part.length;
    if (size > LINE_BYTES) throw new ProtocolError(`${this.#path}: a line of more than 16 MiB; this is not a gesture daemon`);
    if (size > this.#buffer.length) {
      const buffer = Buffer.allocUnsafeSlow(Math.max(size, Math.min(this.#buffer.length * 2, LINE_BYTES)));
      this.#buffer.copy(buffer, 0, 0, this.#size);
      this.#buffer = buffer;
    }
    part.copy(this.#buffer, this.#size);
    this.#size = size;
  }

  /** @param {Buffer} bytes */
  #take(bytes) {
    let line;
    try {
      if (hasFewValues(bytes)) line = JSON.parse(UTF8.decode(bytes));
    } catch {}
    if (isTable(line) && "reply" in line && (line.reply === null || isText(line.reply))) this.#takeReply(line);
    else if (isTable(line) && !("reply" in line) && isText(line.event)) this.#takeEvent(this.checked(line, bytes.length), bytes.length);
    else throw new ProtocolError(`${this.#path}: a line that is not a JSON object; this is not a gesture daemon`);
  }

  /** Returns the event if the values of its keys conform to the protocol. Otherwise, throws an error. */
  checked(event, size = 0) {
    const isRight = EVENTS.get(event.event)?.(event) ?? true;
    if (isRight && (event.event !== "gesture" || size <= GESTURE_BYTES)) return event;
    throw this.wrong(event.event);
  }

  wrong(line) {
    return new ProtocolError(`${this.#path}: a line "${line.slice(0, 64)}" with wrong values; this is not a gesture daemon`);
  }

  #takeReply(line) {
    if (line.id == null) {
      if (this.#unanswered.size === 0 || !isText(line.error?.code) || line.error.code === "busy") {
        // The daemon has no place for this client, and closes the connection.
        throw new Unavailable(this.#path, isText(line.error?.message) ? line.error.message : "the daemon refused the connection");
      }
      // The daemon could not read a request, for example because of U+0000 in a string. It answers in order.
      [line.id] = this.#unanswered;
    }
    if (!Number.isInteger(line.id)) throw this.wrong(line.reply ?? "");
    this.#unanswered.delete(line.id);
    if (line.id !== this.#subscribing && !this.#leasing.includes(line.id)) return this.replies.get(line.id)?.(line);
    if (line.ok !== true) this.failure = new RequestError(line.reply ?? "", line.error);
    if (line.id !== this.#subscribing) return;
    this.#subscribing = undefined;
    if (line.ok === true && this.#hello && this.#subscription !== NOTHING) this.events.push(this.#hello);
  }

  #takeEvent(event, size) {
    if (event.event === "hello") {
      if (event.protocol !== PROTOCOL) {
        throw new ProtocolError(`${this.#path}: the daemon speaks protocol ${event.protocol}; this client speaks protocol ${PROTOCOL}`);
      }
      this.#hello = event;
      this.isGreeted = true;
    }
    // The event belongs to an earlier subscription, or there is no stream.
    if (this.#subscribing !== undefined || this.#subscription === NOTHING) return;
    if (event.event === "state") {
      event.active = event.active.filter((active) => this.#covers(active));
      this.#reconcile(event);
    }
    this.events.push(event);
    this.waiting += size;
    if (event.event === "gesture" && event.phase != null && this.#follows) {
      if (event.phase === "begin" || event.phase === "update") this.#open.set(keyOf(event), event);
      else this.#open.delete(keyOf(event));
    }
    if (this.#open.size > OPEN_GESTURES) {
      throw new ProtocolError(`${this.#path}: more than ${OPEN_GESTURES} gestures have begun; this is not a gesture daemon`);
    }
  }

  /** Stops following gestures whose `begin` event was dropped. */
  forget(keys) {
    for (const key of keys) this.#open.delete(key);
  }

  get #hasGestures() {
    return this.#subscription.events?.includes("gesture") ?? true;
  }

  /** Whether open gestures are followed. This requires `end` and `cancel` in the subscription. */
  get #follows() {
    return this.#hasGestures && ["end", "cancel"].every((phase) => this.#subscription.phases.includes(phase));
  }

  #covers({ region, device, gesture, name }) {
    const { regions, devices, gestures, names } = this.#subscription;
    return this.#hasGestures && matches(regions, region) && matches(devices, device ?? "") && matches(gestures, gesture) && matches(names, name);
  }

  #reconcile(state) {
    if (!this.#follows) return;
    const active = new Map(state.active.map((part) => [keyOf(part), part]));
    this.#cancel([...this.#open.keys()].filter((key) => !active.has(key)), "lost");
    for (const [key, part] of active) {
      if (!this.#open.has(key)) this.#open.set(key, { event: "gesture", ...part });
    }
  }

  #cancel(keys, reason) {
    for (const key of keys) {
      const { seq, coalesced, ...last } = this.#open.get(key);
      this.#open.delete(key);
      this.events.push({ ...last, phase: "cancel", reason, added: true });
    }
  }

  /** Handles the loss of the connection. */
  lost(cause) {
    this.#cancel([...this.#open.keys()], "disconnected");
    this.#subscribing = undefined;
    if (this.#subscription !== NOTHING) this.events.push({ event: "disconnected", cause });
  }
}

/** The queue from which `events` yields. It contains either events that wait for a caller or callers that wait for an event. */
class Stream {
  #events = [];
  #waiting = [];
  #isOver = false;
  #failure;

  get count() {
    return this.#events.length;
  }

  push(event) {
    this.#events.push(event);
    this.#settle();
  }

  next() {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#settle();
    });
  }

  drop() {
    this.#events = [];
  }

  /**
   * Drops all events except the `end` and `cancel` events of gestures whose `begin` event is not queued.
   * @returns {Set<string>} The keys of gestures whose `begin` event was dropped and whose end is not queued.
   */
  dropMost() {
    const begun = new Set();
    this.#events = this.#events.filter((event) => {
      if (event.event !== "gesture" || !["begin", "end", "cancel"].includes(event.phase)) return false;
      if (event.phase !== "begin") return !begun.delete(keyOf(event));
      begun.add(keyOf(event));
      return false;
    });
    return begun;
  }

  finish(error) {
    this.#isOver = true;
    this.#failure = error;
    this.#settle();
  }

  #settle() {
    while (this.#waiting.length > 0 && (this.#events.length > 0 || this.#isOver)) {
      const { resolve, reject } = this.#waiting.shift();
      if (this.#events.length > 0) {
        resolve({ value: this.#events.shift(), done: false });
      } else if (this.#failure) {
        reject(this.#failure);
        this.#failure = undefined;
      } else {
        resolve({ value: undefined, done: true });
      }
    }
  }
}

// -- the client -------------------------------------------------------------------------------------

/**
 * A client with one connection. It connects when this is needed, and reconnects if the connection is lost.
 *
 * After `listen`, it emits every event twice: under the event's own name (`gesture`, `state`, `disconnected`, …)
 * and as `event`. It emits `error` if the daemon refuses the options or if trying again would not help, and
 * `end` when there are no more events.
 */
export class Client extends EventEmitter {
  #path;
  #reconnect;
  #timeout;
  #backoff;
  #session;
  /** @type {import("node:net").Socket | undefined} */
  #socket;
  /** @type {Promise<void> | undefined} */
  #connecting;
  #timer;
  /** @type {Set<(error: Error) => void>} The rejections of pending requests. */
  #pending = new Set();
  /** The consumer of the events, from the last call of `events` or `listen`. */
  #consumer;

  /**
   * @param {object} [options]
   * @param {string} [options.path]
   * @param {boolean} [options.reconnect] Whether to reconnect. With `false`, the events end when the connection is lost, and they fail if the client cannot connect.
   * @param {number} [options.timeout] The timeout of each request in milliseconds. A daemon that exceeds it is assumed to hang.
   * @param {Backoff} [options.backoff]
   */
  constructor({ path = defaultPath(), reconnect = true, timeout = 5000, backoff = new Backoff() } = {}) {
    super();
    this.#path = path;
    this.#reconnect = reconnect;
    this.#timeout = timeout;
    this.#backoff = backoff;
    this.#session = new Session(path);
  }

  /** Disconnects from the daemon. Leased regions are removed, and iterating over `events` ends. */
  close() {
    this.#abandon();
    clearTimeout(this.#timer);
    this.#socket?.destroy();
    this.#lose(CLOSED);
    // A connection that is being established is closed when it is complete.
    this.#connecting?.then(() => this.#socket?.destroy(), () => {});
  }

  /**
   * Returns an endless stream of events as they arrive, beginning with `hello` and `state`. Another call, or `listen`, ends it.
   *
   * Throws `RequestError` if the daemon refuses the options, and `Unavailable` if trying again would not help.
   * @param {Subscription} [subscription]
   * @returns {AsyncGenerator<Event, void, void>}
   */
  events(subscription = {}) {
    const stream = new Stream();
    this.#subscribe(subscription, stream);
    const stop = () => {
      if (this.#consumer === stream) this.#rest();
    };
    return {
      next: () => {
        const result = stream.next();
        this.#regulate();
        return result;
      },
      return: async () => {
        stop();
        return { value: undefined, done: true };
      },
      throw: async (error) => {
        stop();
        throw error;
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  /**
   * Emits events as they arrive. Iterating over earlier `events` ends.
   * @param {Subscription} [subscription]
   */
  listen(subscription = {}) {
    const consumer = {
      count: 0,
      push: (event) => {
        // An event of the daemon that has one of these names must not be taken for an error or for the end.
        if (!OWN_NAMES.has(event.event)) this.emit(event.event, event);
        this.emit("event", event);
      },
      drop: () => {},
      finish: (error) => {
        if (error) this.emit("error", error);
        this.emit("end");
      },
    };
    this.#subscribe(subscription, consumer);
    return this;
  }

  #subscribe(subscription, consumer) {
    this.#session.subscribe(subscription);
    this.#abandon();
    this.#consumer = consumer;
    if (this.#socket) this.#socket.write(this.#session.subscriptionLine());
    else this.#start();
  }

  /** Ends the stream of events. The connection is kept for requests and leases. */
  #rest() {
    this.#abandon();
    this.#session.subscribe();
    this.#socket?.write(this.#session.subscriptionLine());
    this.#regulate();
  }

  /** Ends the consumer immediately, and drops the waiting events. */
  #abandon() {
    this.#consumer?.drop();
    this.#finish();
  }

  /**
   * Ends the consumer after it has received the waiting events.
   * @param {Error} [error]
   */
  #finish(error) {
    const consumer = this.#consumer;
    this.#consumer = undefined;
    consumer?.finish(error);
  }

  async #start() {
    clearTimeout(this.#timer);
    try {
      await this.#connect();
    } catch (error) {
      if (!this.#consumer) return;
      if (error.permanent || !this.#reconnect || !(error instanceof Unavailable)) this.#finish(error);
      else this.#retry();
    }
  }

  #retry() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#socket ?? this.#start(), this.#backoff.delay());
  }

  /** @returns {Promise<void>} */
  #connect() {
    if (this.#socket) return Promise.resolve();
    this.#connecting ??= new Promise((resolve, reject) => {
      const socket = connect(this.#path);
      const fail = (error) => reject(unavailable(this.#path, error));
      socket.once("error", fail);
      socket.once("connect", () => {
        socket.off("error", fail);
        this.#attach(socket);
        resolve();
      });
    }).finally(() => (this.#connecting = undefined));
    return this.#connecting;
  }

  #attach(socket) {
    this.#socket = socket;
    let cause = CLOSED;
    socket.on("data", (data) => this.#socket === socket && this.#receive(data));
    // When these events are emitted, everything that the daemon has sent has been read.
    socket.on("error", (error) => (cause = error.message));
    socket.on("close", () => this.#socket === socket && this.#lose(cause));
    socket.write(this.#session.greeting());
  }

  #receive(data) {
    try {
      this.#session.feed(data);
    } catch (error) {
      this.#socket?.destroy();
      if (error instanceof Unavailable) return this.#lose(error.message.slice(this.#path.length + 2));
      return this.#lose(error.message, error);
    }
    if (this.#session.isGreeted) this.#backoff.reset();
    this.#settle();
    if (this.#session.waiting <= WAITING_BYTES || this.#pending.size === 0 || !(this.#consumer?.count > 1)) return;
    this.#session.forget(this.#consumer.dropMost());
    this.#socket?.destroy();
    this.#lose(UNREAD);
  }

  #settle() {
    const { events, failure } = this.#session;
    const consumer = this.#consumer;
    // A listener may replace the consumer during the loop.
    while (consumer && this.#consumer === consumer && events.length > 0) consumer.push(events.shift());
    if (failure && this.#consumer === consumer) {
      this.#session.failure = undefined;
      this.#finish(failure);
    }
    this.#regulate();
  }

  /** Pauses reading while too many events are waiting, unless a reply is expected. */
  #regulate() {
    const count = this.#consumer?.count ?? 0;
    if (count === 0) this.#session.waiting = 0;
    const isFull = (count >= WAITING_EVENTS || this.#session.waiting > WAITING_BYTES) && this.#pending.size === 0;
    if (isFull) this.#socket?.pause();
    else this.#socket?.resume();
  }

  #lose(cause, fatal) {
    if (!this.#socket) return;
    this.#socket = undefined;
    this.#session.lost(cause);
    for (const reject of [...this.#pending]) reject(new Unavailable(this.#path, cause));
    this.#settle();
    if (!this.#consumer) return;
    if (fatal || !this.#reconnect) this.#finish(fatal);
    else this.#retry();
  }

  /**
   * Sends any request, and resolves to the keys of the reply.
   *
   * Rejects with `RequestError` or `Unavailable`. In the latter case, the request may or may not have been carried out.
   * @param {string} command
   * @param {object} [keys]
   * @returns {Promise<any>}
   */
  async request(command, keys = {}) {
    const { id, line } = this.#session.request(command, keys);
    await this.#connect();
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        this.#pending.delete(fail);
        this.#session.replies.delete(id);
      };
      const fail = (error) => {
        end();
        reject(error);
      };
      const timer = setTimeout(() => {
        this.#socket?.destroy();
        this.#lose(HANGS);
      }, this.#timeout);
      this.#pending.add(fail);
      this.#session.expect(id, ({ reply, id: _, ok, error, ...rest }) => {
        end();
        if (ok === true) resolve(rest);
        else reject(new RequestError(command, error));
      });
      if (!this.#socket) return fail(new Unavailable(this.#path, CLOSED));
      this.#socket.write(line);
      this.#regulate();
    });
  }

  /** Returns the value of one key of a reply. Throws an error if the key is missing or its value is invalid. */
  async #part(command, keys, key, check) {
    const value = (await this.request(command, keys))[key];
    if (!check(value)) throw this.#session.wrong(command);
    return value;
  }

  /** Returns the keys of the daemon's `status`: its version, configuration, scene, and counters. */
  status() {
    return this.request("status");
  }

  /** Returns the devices that the daemon has found, with the state and the output of each panel. */
  async devices() {
    return this.#part("devices", {}, "devices", isListOf(isTable));
  }

  /**
   * Returns all regions, or those that match a glob, from the lowest to the topmost.
   * @param {string} [region]
   */
  async regions(region) {
    return this.#part("regions", { region }, "regions", isListOf(isTable));
  }

  /**
   * Returns the current state, regardless of this client's subscription.
   * @returns {Promise<Omit<State, "event" | "seq">>}
   */
  async state() {
    const state = await this.request("state");
    this.#session.checked({ ...state, event: "state" });
    return state;
  }

  /**
   * Returns the regions at a point.
   * @returns {Promise<{device: string, x: number, y: number, owner: string | null, chain: string[], pass: string[], margin?: true}>}
   */
  at(x, y, device) {
    return this.request("at", { x, y, device });
  }

  /** Resolves when the daemon has replied. The request has no effect. */
  async ping() {
    await this.request("ping");
  }

  /**
   * Makes the daemon read its configuration again. Resolves to `config_generation`, `warnings` and `diagnostics` of the reply,
   * or rejects with `RequestError` if the configuration has errors.
   */
  reload() {
    return this.request("reload");
  }

  /**
   * Switches to a scene of the configuration, or to "default".
   * @param {string} scene
   * @param {{for_ms?: number}} [options] With `for_ms`, the scene that was last set without it comes back after this time.
   */
  async setScene(scene, { for_ms } = {}) {
    await this.request("set_scene", { scene, for_ms });
  }

  /**
   * Switches to a profile of the configuration, or to "default". Gestures in progress keep the values of the earlier one.
   * @param {string} profile
   * @param {{lease?: boolean}} [options] With a lease, the profile ends with the connection, so set it again after a reconnection.
   */
  async setProfile(profile, { lease } = {}) {
    await this.request("set_profile", { profile, lease });
  }

  /**
   * Maps a panel to an output that is turned or has another size, until the next call. What is left out is that of the
   * configuration. The device may be left out if there is only one.
   * @param {{device?: string, rotation?: Rotation, size?: [number, number]}} [output] The size in pixels, after the rotation.
   */
  async setOutput({ device, rotation, size } = {}) {
    await this.request("set_output", { device, rotation, size });
  }

  /**
   * Switches a region on or off.
   * @param {string} region
   * @param {boolean} enabled
   * @returns {Promise<boolean>} Whether the region is now on. This also depends on the scene.
   */
  async setRegion(region, enabled) {
    return this.#part("set_region", { region, enabled }, "enabled", isFlag);
  }

  /**
   * Replaces the regions of this client. With a lease, the daemon removes them when the connection ends,
   * and the client defines them again when it reconnects.
   * @param {object[]} regions Regions with the keys of `[[region]]` in docs/configuration.md.
   * @param {{lease?: boolean}} [options]
   * @returns {Promise<Diagnostic[]>} The warnings about the regions.
   */
  async defineRegions(regions, { lease = true } = {}) {
    const { diagnostics = [] } = await this.request("define_regions", { lease, regions });
    if (lease) this.#session.leased(regions);
    if (!isListOf(isTable)(diagnostics)) throw this.#session.wrong("define_regions");
    return diagnostics;
  }

  /**
   * Adds a region to those of this client, or replaces the one with the same id. A new region is placed on top, or directly
   * below the region `below`. With `wait`, the change waits while a gesture is in progress in the region instead of
   * cancelling the gesture.
   * @param {object} region
   * @param {{below?: string, wait?: boolean, lease?: boolean}} [options]
   * @returns {Promise<boolean>} Whether the change waits.
   */
  async putRegion(region, { below, wait = false, lease = true } = {}) {
    const isWaiting = await this.#part("put_region", { lease, region, below, wait }, "waiting", isFlag);
    if (lease) this.#session.put(region, below);
    return isWaiting;
  }

  /**
   * Removes a region of this client.
   * @param {string} region
   * @param {{wait?: boolean, lease?: boolean}} [options]
   * @returns {Promise<boolean>} Whether the change waits, as in `putRegion`.
   */
  async removeRegion(region, { wait = false, lease = true } = {}) {
    const isWaiting = await this.#part("remove_region", { lease, region, wait }, "waiting", isFlag);
    if (lease) this.#session.removed(region);
    return isWaiting;
  }

  /**
   * Cancels the gestures of the regions that match a glob.
   * @param {string} region
   */
  async cancel(region) {
    await this.request("cancel", { region });
  }
}

// -- as a program -----------------------------------------------------------------------------------

const USAGE = "usage: gestured-events [REGION…]    prints the events of the regions, or all events, as lines of JSON";

async function main(regions) {
  if (regions.some((word) => word.startsWith("-"))) {
    const isAsked = regions.some((word) => word === "-h" || word === "--help");
    console[isAsked ? "log" : "error"](USAGE);
    process.exitCode = isAsked ? 0 : 64;
    return;
  }
  process.stdout.on("error", () => process.exit(0));
  const client = new Client();
  try {
    for await (const event of client.events(regions.length > 0 ? { regions } : {})) console.log(JSON.stringify(event));
  } catch (error) {
    console.error(`gestured-events: ${error.message}`);
    process.exitCode = error instanceof Unavailable ? 69 : 1;
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
