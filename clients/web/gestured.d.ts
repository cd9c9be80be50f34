// SPDX-License-Identifier: MIT
// The types of gestured.js. docs/protocol.md describes the keys of lines.

export interface Point {
  x: number;
  y: number;
}

export type Phase = "begin" | "update" | "end" | "cancel";

/** A `gesture` line of the daemon. Positions are in output pixels. */
export interface GestureLine {
  event: "gesture";
  seq?: number;
  gesture: string;
  name: string;
  /** The identifier in the configuration that says what the gesture does. */
  action?: string;
  /** The phase. It is missing for a discrete gesture. */
  phase?: Phase;
  /** The reason for a "cancel". It comes from the daemon, or from gestured.js if the line was `added`. */
  reason?: string;
  /** Whether gestured.js has added this cancel. */
  added?: true;
  region: string;
  /** Whether a client has defined the region, which can have any name. Only regions of the files stand for what they are named. */
  leased?: true;
  device: string;
  sequence: number;
  fingers?: number;
  x?: number;
  y?: number;
  u?: number;
  v?: number;
  // vocabulary: members
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
  // vocabulary: end
  coalesced?: number;
  time_us?: number;
  wall_ms?: number;
}

/** The `detail` of an element's event: the keys of the line, and the position in CSS pixels. */
export interface ElementGesture extends GestureLine {
  /** The position in the window, like `clientX` and `clientY` of a MouseEvent. */
  clientX: number;
  clientY: number;
  /** The position relative to the upper left corner of the element. */
  elementX: number;
  elementY: number;
  /** The values of `dx` and `dy` of a drag, in CSS pixels. */
  clientDx?: number;
  clientDy?: number;
}

export interface Active {
  region: string;
  leased?: true;
  gesture: string;
  name: string;
  device: string;
  sequence: number;
}

export interface Hello {
  event: "hello";
  protocol: number;
  server: string;
  instance: string;
  capabilities: string[];
  rights?: string[];
  config_generation: number;
}

export interface State {
  event: "state";
  seq: number;
  devices: { device: string; state: string }[];
  scene: string;
  /** The time that is left of the scene, if the scene was set for a time. */
  scene_for_ms?: number;
  idle?: string[];
  active: Active[];
}

/** Any other line, such as `failed`, `touches`, `frame`, `idle`, `device`, `config`, `overflow`, `bye`, or a line that only a later daemon sends. */
export interface Line {
  event: string;
  [key: string]: unknown;
}

/** A region in the form used by `define_regions`. */
export interface Region {
  id: string;
  parent?: string;
  device?: string;
  z?: number;
  shape: { rect: [number, number, number, number] };
  gestures: Record<string, unknown>[];
  [key: string]: unknown;
}

/** The keys of `subscribe`. `phases`, if given, must contain "end" and "cancel". */
export interface Subscription {
  events?: string[];
  regions?: string[];
  devices?: string[];
  gestures?: string[];
  names?: string[];
  phases?: Phase[];
  max_rate_hz?: number;
  max_age_ms?: number;
  wall_clock?: boolean;
}

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Options {
  /** The address of the bridge's WebSocket. By default, it is `/socket` on the server from which this module was loaded. */
  url?: string | URL;
  /** The lines to receive. By default, these are all lines. */
  subscription?: Subscription;
  /** The prefix of the ids of regions: "app.", or the daemon's `define_prefix`. */
  prefix?: string;
  /** The panel that shows this page. It is required if there are several. */
  device?: string;
  /** The time in milliseconds for which the layout must not change before it is sent to the daemon. The default is 60. */
  settle?: number;
  /** Returns the rectangle, in output pixels, in which the contents of the window are shown. By default, it is the whole output. */
  viewport?: (output: { width: number; height: number }) => Rect;
}

/** The error of a request. It is the daemon's error, or an error without `code` if the connection was lost. */
export interface RequestError extends Error {
  code?: string;
  suggestion?: string;
  diagnostics?: { severity: string; file: string; line: number; column: number; code: string; message: string; suggestion?: string }[];
}

export interface Binding {
  gestures: Gestures;
  /** The page's regions that the daemon has accepted. */
  regions(): Region[];
  /** Turns the elements in this root into ordinary elements again. */
  unbind(): void;
}

interface GesturesEventMap {
  hello: CustomEvent<Hello>;
  state: CustomEvent<State>;
  gesture: CustomEvent<GestureLine>;
  disconnected: CustomEvent<{ event: "disconnected" }>;
  failed: CustomEvent<Line>;
  touches: CustomEvent<Line>;
  frame: CustomEvent<Line>;
  idle: CustomEvent<Line>;
  device: CustomEvent<Line>;
  config: CustomEvent<Line>;
  overflow: CustomEvent<Line>;
  bye: CustomEvent<Line>;
  line: CustomEvent<Line>;
}

/** A connection to the daemon. It reconnects automatically, and dispatches the lines as DOM events. */
export class Gestures extends EventTarget {
  constructor(options?: Options);
  /** The daemon's `hello`; undefined while there is no connection. */
  readonly hello?: Hello;
  connect(): void;
  close(): void;
  bind(root?: Document | ShadowRoot | Element): Binding;
  /** Sends a request. Resolves to the daemon's reply, or rejects with a `RequestError`. */
  request(cmd: string, keys?: Record<string, unknown>): Promise<Record<string, any>>;
  addEventListener<K extends keyof GesturesEventMap>(type: K, listener: (event: GesturesEventMap[K]) => void, options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject | null, options?: boolean | AddEventListenerOptions): void;
}

/** Returns the page's own connection. The first call creates it with the given options. */
export function connection(options?: Options): Gestures;

/** Turns the elements with `data-gesture` in `root` into regions, using the page's own connection. */
export function bind(root?: Document | ShadowRoot | Element, options?: Options): Binding;

declare global {
  interface GlobalEventHandlersEventMap {
    gesture: CustomEvent<ElementGesture>;
    // vocabulary: kinds
    "gesture:press": CustomEvent<ElementGesture>;
    "gesture:tap": CustomEvent<ElementGesture>;
    "gesture:double_tap": CustomEvent<ElementGesture>;
    "gesture:two_finger_tap": CustomEvent<ElementGesture>;
    "gesture:button": CustomEvent<ElementGesture>;
    "gesture:long_press": CustomEvent<ElementGesture>;
    "gesture:repeat": CustomEvent<ElementGesture>;
    "gesture:drag": CustomEvent<ElementGesture>;
    "gesture:swipe": CustomEvent<ElementGesture>;
    "gesture:pinch": CustomEvent<ElementGesture>;
    "gesture:rotate": CustomEvent<ElementGesture>;
    "gesture:dial": CustomEvent<ElementGesture>;
    "gesture:chain": CustomEvent<ElementGesture>;
    "gesture:stroke": CustomEvent<ElementGesture>;
    "gesture:pattern": CustomEvent<ElementGesture>;
    // vocabulary: end
  }
}
