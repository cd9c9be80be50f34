// SPDX-License-Identifier: MIT
// Types of gestured.js. The keys of lines are those of docs/protocol.md.

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
  /** Missing: a discrete gesture. */
  phase?: Phase;
  /** With "cancel": the daemon's reason, or one of gestured.js when it has been `added`. */
  reason?: string;
  /** gestured.js has added this cancel. */
  added?: true;
  region: string;
  device: string;
  sequence: number;
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
  direction?: string;
  angle?: number;
  distance_mm?: number;
  velocity_mm_s?: number;
  start?: Point;
  predicted?: Point;
  dx?: number;
  dy?: number;
  vx?: number;
  vy?: number;
  scale?: number;
  rotation?: number;
  steps?: number;
  coalesced?: number;
  time_us?: number;
  wall_ms?: number;
}

/** What an element gets: the line, and where it is in CSS pixels. */
export interface ElementGesture extends GestureLine {
  /** In the window, as `clientX` and `clientY` of a MouseEvent. */
  clientX: number;
  clientY: number;
  /** From the left upper corner of the element. */
  elementX: number;
  elementY: number;
  /** With a drag: `dx` and `dy`. */
  clientDx?: number;
  clientDy?: number;
}

export interface Active {
  region: string;
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
  idle?: string[];
  active: Active[];
}

/** Any other line: `failed`, `touches`, `frame`, `idle`, `device`, `config`, `overflow`, `bye`, or one of a later daemon. */
export interface Line {
  event: string;
  [key: string]: unknown;
}

/** A region as in `define_regions`. */
export interface Region {
  id: string;
  parent?: string;
  device?: string;
  z?: number;
  shape: { rect: [number, number, number, number] };
  gestures: Record<string, unknown>[];
  [key: string]: unknown;
}

/** The keys of `subscribe`. With `phases`, it must have "end" and "cancel". */
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
  /** The bridge's WebSocket; as a rule `/socket` where this module comes from. */
  url?: string | URL;
  /** What to hear; everything, unless it says otherwise. */
  subscription?: Subscription;
  /** What the ids of regions begin with: "app.", or the daemon's `define_prefix`. */
  prefix?: string;
  /** The panel that shows this page. It must be given if there are several. */
  device?: string;
  /** Milliseconds that the layout must rest before the daemon is told; 60. */
  settle?: number;
  /** Where the window's contents lie on the output, in its pixels; all of it. */
  viewport?: (output: { width: number; height: number }) => Rect;
}

/** The error of a request: that of the protocol, or without `code` when the connection was lost. */
export interface RequestError extends Error {
  code?: string;
  suggestion?: string;
  diagnostics?: { severity: string; file: string; line: number; column: number; code: string; message: string; suggestion?: string }[];
}

export interface Binding {
  gestures: Gestures;
  /** The regions that the daemon has. */
  regions(): Region[];
  /** Makes the elements below this root ordinary elements again. */
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

/** A connection to the daemon, made again whenever it is lost: the lines as DOM events. */
export class Gestures extends EventTarget {
  constructor(options?: Options);
  /** The daemon's `hello` while there is a connection. */
  readonly hello?: Hello;
  connect(): void;
  close(): void;
  bind(root?: Document | ShadowRoot | Element): Binding;
  /** Rejects with a `RequestError`. */
  request(cmd: string, keys?: Record<string, unknown>): Promise<Record<string, any>>;
  addEventListener<K extends keyof GesturesEventMap>(type: K, listener: (event: GesturesEventMap[K]) => void, options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject | null, options?: boolean | AddEventListenerOptions): void;
}

/** The page's own connection. It is made by the first call, whose options count. */
export function connection(options?: Options): Gestures;

/** Makes regions of the elements with `data-gesture` below `root`, by the page's own connection. */
export function bind(root?: Document | ShadowRoot | Element, options?: Options): Binding;

declare global {
  interface GlobalEventHandlersEventMap {
    gesture: CustomEvent<ElementGesture>;
    "gesture:press": CustomEvent<ElementGesture>;
    "gesture:tap": CustomEvent<ElementGesture>;
    "gesture:double_tap": CustomEvent<ElementGesture>;
    "gesture:two_finger_tap": CustomEvent<ElementGesture>;
    "gesture:long_press": CustomEvent<ElementGesture>;
    "gesture:repeat": CustomEvent<ElementGesture>;
    "gesture:drag": CustomEvent<ElementGesture>;
    "gesture:swipe": CustomEvent<ElementGesture>;
    "gesture:pinch": CustomEvent<ElementGesture>;
    "gesture:rotate": CustomEvent<ElementGesture>;
    "gesture:pattern": CustomEvent<ElementGesture>;
  }
}
