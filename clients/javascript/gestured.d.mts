// SPDX-License-Identifier: MIT
// Made from gestured.mjs by scripts/make-types.
/** Whether a text matches one of these globs. They work as in the daemon: `*` matches any text, and `?` matches one character. */
export function matches(globs: any, text: any): any;
/** All phases of a continuous gesture. Without the option `phases`, a client receives all of them except "update". */
export const ALL_PHASES: readonly string[];
export function defaultPath(): any;
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
/** There is no daemon at the socket, or the daemon closed the connection before it replied. */
export class Unavailable extends Error {
    /**
     * @param {string} path
     * @param {string} cause
     * @param {boolean} [permanent] Whether trying again would not help, for example because permission is missing or the path is too long.
     */
    constructor(path: string, cause: string, permanent?: boolean);
    path: string;
    permanent: boolean;
}
/** The program at the socket is not gestured or uses another protocol, because a line does not conform to docs/protocol.md. */
export class ProtocolError extends Error {
    /** @param {string} message */
    constructor(message: string);
}
/** The daemon refused a request and changed nothing. */
export class RequestError extends Error {
    /**
     * @param {string} command
     * @param {{code?: string, message?: string, suggestion?: string, diagnostics?: Diagnostic[]}} [error]
     */
    constructor(command: string, error?: {
        code?: string;
        message?: string;
        suggestion?: string;
        diagnostics?: Diagnostic[];
    });
    command: string;
    /** One of the codes in docs/protocol.md, such as "permission_denied" or "not_found". */
    code: string;
    suggestion: string;
    diagnostics: Diagnostic[];
}
/** The delays before attempts to connect: 100 ms, doubled each time up to 5 s, minus a random part of at most half the delay. */
export class Backoff {
    /** @param {() => number} [chance] Returns a random number from 0 to 1. */
    constructor(chance?: () => number);
    /** Returns the milliseconds until the next attempt. */
    delay(): number;
    /** Starts again with the shortest delay. Call this when the daemon has answered. */
    reset(): void;
    #private;
}
/** The protocol without I/O. It converts received bytes to `events`, and the client removes them from the list. */
export class Session {
    /** @param {string} path */
    constructor(path: string);
    /** @type {Event[]} */
    events: Event[];
    /** @type {Error | undefined} */
    failure: Error | undefined;
    isGreeted: boolean;
    /** @type {Map<number, (line: object) => void>} The receivers of replies, by the number of the request. */
    replies: Map<number, (line: object) => void>;
    /** The total size in bytes of the lines of events that were received since the client last reset this property. */
    waiting: number;
    get openCount(): number;
    /** @returns {{id: number, line: string}} */
    request(command: any, keys?: {}): {
        id: number;
        line: string;
    };
    /** Replaces the subscription, and starts a new stream of events. */
    subscribe(subscription?: Readonly<{
        events: any[];
        phases: any[];
    }>): void;
    subscriptionLine(): string;
    /** Waits for the reply to a request. Call this when the request is sent. */
    expect(id: any, receive: any): void;
    /** Returns the first requests on a connection. The leased regions are defined before the subscription is sent, because it may name them. */
    greeting(): string;
    leased(regions: any): void;
    /** Updates the lease after a successful `put_region`. */
    put(region: any, below: any): void;
    removed(region: any): void;
    /**
     * Handles received bytes: adds events to `events`, and passes replies to their receivers.
     * @param {Buffer} data
     */
    feed(data: Buffer): void;
    /** Returns the event if the values of its keys conform to the protocol. Otherwise, throws an error. */
    checked(event: any, size?: number): any;
    wrong(line: any): ProtocolError;
    /** Stops following gestures whose `begin` event was dropped. */
    forget(keys: any): void;
    /** Handles the loss of the connection. */
    lost(cause: any): void;
    #private;
}
/**
 * A client with one connection. It connects when this is needed, and reconnects if the connection is lost.
 *
 * After `listen`, it emits every event twice: under the event's own name (`gesture`, `state`, `disconnected`, …)
 * and as `event`. It emits `error` if the daemon refuses the options or if trying again would not help, and
 * `end` when there are no more events.
 */
export class Client {
    /**
     * @param {object} [options]
     * @param {string} [options.path]
     * @param {boolean} [options.reconnect] Whether to reconnect. With `false`, the events end when the connection is lost, and they fail if the client cannot connect.
     * @param {number} [options.timeout] The timeout of each request in milliseconds. A daemon that exceeds it is assumed to hang.
     * @param {Backoff} [options.backoff]
     */
    constructor({ path, reconnect, timeout, backoff }?: {
        path?: string;
        reconnect?: boolean;
        timeout?: number;
        backoff?: Backoff;
    });
    /** Disconnects from the daemon. Leased regions are removed, and iterating over `events` ends. */
    close(): void;
    /**
     * Returns an endless stream of events as they arrive, beginning with `hello` and `state`. Another call, or `listen`, ends it.
     *
     * Throws `RequestError` if the daemon refuses the options, and `Unavailable` if trying again would not help.
     * @param {Subscription} [subscription]
     * @returns {AsyncGenerator<Event, void, void>}
     */
    events(subscription?: Subscription): AsyncGenerator<Event, void, void>;
    /**
     * Emits events as they arrive. Iterating over earlier `events` ends.
     * @param {Subscription} [subscription]
     */
    listen(subscription?: Subscription): Client;
    /**
     * Sends any request, and resolves to the keys of the reply.
     *
     * Rejects with `RequestError` or `Unavailable`. In the latter case, the request may or may not have been carried out.
     * @param {string} command
     * @param {object} [keys]
     * @returns {Promise<any>}
     */
    request(command: string, keys?: object): Promise<any>;
    /** Returns the keys of the daemon's `status`: its version, configuration, scene, and counters. */
    status(): Promise<any>;
    /** Returns the devices that the daemon has found, with the state and the output of each panel. */
    devices(): Promise<any>;
    /**
     * Returns all regions, or those that match a glob, from the lowest to the topmost.
     * @param {string} [region]
     */
    regions(region?: string): Promise<any>;
    /**
     * Returns the current state, regardless of this client's subscription.
     * @returns {Promise<Omit<State, "event" | "seq">>}
     */
    state(): Promise<Omit<State, "event" | "seq">>;
    /**
     * Returns the regions at a point.
     * @returns {Promise<{device: string, x: number, y: number, owner: string | null, chain: string[], pass: string[], margin?: true}>}
     */
    at(x: any, y: any, device: any): Promise<{
        device: string;
        x: number;
        y: number;
        owner: string | null;
        chain: string[];
        pass: string[];
        margin?: true;
    }>;
    /** Resolves when the daemon has replied. The request has no effect. */
    ping(): Promise<void>;
    /**
     * Makes the daemon read its configuration again. Resolves to `config_generation`, `warnings` and `diagnostics` of the reply,
     * or rejects with `RequestError` if the configuration has errors.
     */
    reload(): Promise<any>;
    /**
     * Switches to a scene of the configuration, or to "default".
     * @param {string} scene
     * @param {{for_ms?: number}} [options] With `for_ms`, the scene that was last set without it comes back after this time.
     */
    setScene(scene: string, { for_ms }?: {
        for_ms?: number;
    }): Promise<void>;
    /**
     * Switches to a profile of the configuration, or to "default". Gestures in progress keep the values of the earlier one.
     * @param {string} profile
     * @param {{lease?: boolean}} [options] With a lease, the profile ends with the connection, so set it again after a reconnection.
     */
    setProfile(profile: string, { lease }?: {
        lease?: boolean;
    }): Promise<void>;
    /**
     * Maps a panel to an output that is turned or has another size, until the next call. What is left out is that of the
     * configuration. The device may be left out if there is only one.
     * @param {{device?: string, rotation?: Rotation, size?: [number, number]}} [output] The size in pixels, after the rotation.
     */
    setOutput({ device, rotation, size }?: {
        device?: string;
        rotation?: Rotation;
        size?: [number, number];
    }): Promise<void>;
    /**
     * Switches a region on or off.
     * @param {string} region
     * @param {boolean} enabled
     * @returns {Promise<boolean>} Whether the region is now on. This also depends on the scene.
     */
    setRegion(region: string, enabled: boolean): Promise<boolean>;
    /**
     * Replaces the regions of this client. With a lease, the daemon removes them when the connection ends,
     * and the client defines them again when it reconnects.
     * @param {object[]} regions Regions with the keys of `[[region]]` in docs/configuration.md.
     * @param {{lease?: boolean}} [options]
     * @returns {Promise<Diagnostic[]>} The warnings about the regions.
     */
    defineRegions(regions: object[], { lease }?: {
        lease?: boolean;
    }): Promise<Diagnostic[]>;
    /**
     * Adds a region to those of this client, or replaces the one with the same id. A new region is placed on top, or directly
     * below the region `below`. With `wait`, the change waits while a gesture is in progress in the region instead of
     * cancelling the gesture.
     * @param {object} region
     * @param {{below?: string, wait?: boolean, lease?: boolean}} [options]
     * @returns {Promise<boolean>} Whether the change waits.
     */
    putRegion(region: object, { below, wait, lease }?: {
        below?: string;
        wait?: boolean;
        lease?: boolean;
    }): Promise<boolean>;
    /**
     * Removes a region of this client.
     * @param {string} region
     * @param {{wait?: boolean, lease?: boolean}} [options]
     * @returns {Promise<boolean>} Whether the change waits, as in `putRegion`.
     */
    removeRegion(region: string, { wait, lease }?: {
        wait?: boolean;
        lease?: boolean;
    }): Promise<boolean>;
    /**
     * Cancels the gestures of the regions that match a glob.
     * @param {string} region
     */
    cancel(region: string): Promise<void>;
    #private;
}
/**
 * A point in output pixels.
 */
export type Point = {
    x: number;
    y: number;
};
export type Phase = "begin" | "update" | "end" | "cancel";
export type Rotation = 0 | 90 | 180 | 270 | "flipped" | "flipped-90" | "flipped-180" | "flipped-270";
export type Active = {
    region: string;
    leased?: true;
    gesture: string;
    name: string;
    device: string;
    sequence: number;
};
/**
 * The options of `subscribe`. Without `phases`, there are no "update" events.
 */
export type Subscription = {
    events?: string[];
    regions?: string[];
    devices?: string[];
    gestures?: string[];
    names?: string[];
    phases?: Phase[];
    max_rate_hz?: number;
    max_age_ms?: number;
    wall_clock?: boolean;
};
export type Gesture = {
    event: "gesture";
    gesture: string;
    name: string;
    /**
     * The identifier in the configuration that says what the gesture does. It is missing in an added cancel if the gesture is known only from a `state`.
     */
    action?: string;
    region: string;
    /**
     * Whether a client has defined the region, which can have any name. Only regions of the files stand for what they are named.
     */
    leased?: true;
    sequence: number;
    /**
     * The phase. It is missing for a discrete gesture.
     */
    phase?: Phase;
    /**
     * The reason for a "cancel". It comes from the daemon, or it is "disconnected" or "lost" if the cancel was `added`.
     */
    reason?: string;
    /**
     * Whether this client has added the cancel.
     */
    added?: true;
    seq?: number;
    /**
     * This key and all following keys are missing in an added cancel if the gesture is known only from a `state`.
     */
    device?: string;
    fingers?: number;
    x?: number;
    y?: number;
    u?: number;
    v?: number;
    inside?: boolean;
    held_ms?: number;
    count?: number;
    duration_ms?: number;
    n?: number;
    dx?: number;
    dy?: number;
    vx?: number;
    vy?: number;
    start?: Point;
    predicted?: Point;
    scale?: number;
    direction?: string;
    angle?: number;
    distance_mm?: number;
    velocity_mm_s?: number;
    rotation?: number;
    steps?: number;
    velocity_deg_s?: number;
    score?: number;
    coalesced?: number;
    time_us?: number;
    wall_ms?: number;
};
export type Diagnostic = {
    severity: string;
    file: string;
    line: number;
    column: number;
    code: string;
    message: string;
    suggestion?: string;
};
export type Contact = {
    id: number;
    slot: number;
    x: number;
    y: number;
    to?: "app" | "gestured" | "both";
    kept?: string;
    region?: string;
    sequence?: number;
    major_mm?: number;
};
export type FurtherRegion = {
    region: string;
    sequence: number;
    contacts: number[];
};
export type IgnoredContact = {
    slot: number;
    x: number;
    y: number;
    filter: string;
    to?: "app" | "nobody";
    kept?: string;
};
export type Hello = {
    event: "hello";
    protocol: number;
    server: string;
    instance: string;
    capabilities: string[];
    rights?: string[];
    config_generation: number;
};
export type State = {
    event: "state";
    seq: number;
    devices: {
        device: string;
        state: string;
    }[];
    scene: string;
    scene_for_ms?: number;
    profile?: string;
    idle?: string[];
    active: Active[];
};
export type Failed = {
    event: "failed";
    seq: number;
    gesture: string;
    name: string;
    action?: string;
    region: string;
    leased?: true;
    device: string;
    sequence: number;
    code: string;
    key?: string;
    value?: number;
    limit?: number;
    unit?: string;
    message: string;
    time_us: number;
    wall_ms?: number;
};
export type Touches = {
    event: "touches";
    seq: number;
    device: string;
    coalesced?: number;
    time_us: number;
    contacts: Contact[];
    seen_by?: FurtherRegion[];
    given?: number[];
    ignored?: IgnoredContact[];
    wall_ms?: number;
};
export type Frame = {
    event: "frame";
    seq: number;
    device: string;
    time_us: number;
    events: number[][];
    resync?: true;
    suspended?: true;
    removed?: true;
    wall_ms?: number;
};
export type Device = {
    event: "device";
    seq: number;
    change: "added" | "removed" | "given_back" | "grabbed";
    device: string;
    node: string;
    name: string;
    wall_ms?: number;
};
export type Idle = {
    event: "idle";
    seq: number;
    name: string;
    change: "idle" | "active";
    reason?: string;
    idle_ms: number;
    time_us: number;
    wall_ms?: number;
};
export type Wake = {
    event: "wake";
    seq: number;
    device: string;
    reason: "display" | "scene";
    time_us: number;
    wall_ms?: number;
};
export type Config = {
    event: "config";
    seq: number;
    change: string;
    generation: number;
    scene?: string;
    scene_for_ms?: number;
    profile?: string;
    diagnostics?: Diagnostic[];
    wall_ms?: number;
};
export type Overflow = {
    event: "overflow";
    seq: number;
    dropped: number;
    since_ms: number;
};
export type Bye = {
    event: "bye";
    reason: string;
};
/**
 * The connection was lost. Before this event, the client emits a cancel for each gesture that has begun. After it, the client reconnects.
 */
export type Disconnected = {
    event: "disconnected";
    cause: string;
};
/**
 * One of these, or an event that only a later daemon sends.
 */
export type Event = Hello | State | Gesture | Failed | Touches | Frame | Idle | Wake | Device | Config | Overflow | Bye | Disconnected;
