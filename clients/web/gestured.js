// SPDX-License-Identifier: MIT
/**
 * Brings the gestures of gestured, the gesture daemon, to web pages. It is one module without dependencies, served by gestured-web.
 *
 *     <button id="ok" data-gesture="press tap long_press" data-gesture-long_press-delay="800ms">OK</button>
 *     <script type="module">
 *       import { bind } from "/gestured.js";
 *       bind();
 *       ok.addEventListener("gesture:tap", ({ detail }) => console.log(detail.elementX, detail.elementY));
 *     </script>
 *
 * An element with `data-gesture` is a region of the panel as long as it can be touched, even if it moves.
 * docs/pages.md describes the attributes, the events, and the requirements of a page.
 *
 * The module reconnects whenever the connection is lost. Every gesture that has begun also ends, either with the daemon's
 * `end` or `cancel`, or with a `cancel` that this module adds (`added: true`). The reason of such a cancel is
 * "disconnected", "lost", "removed" or "scrolled".
 */

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 1000;
/** If no line arrives for this time, the daemon is pinged. If no line arrives for the same time after that, the connection is closed. */
const SILENCE_MS = 5000;
/** The maximum number of regions in one `define_regions`, and their maximum total size in bytes. */
const MOST_REGIONS = 256;
const MOST_BYTES = 65000;
/** If at most this number of regions has changed, each is sent in its own request. */
const MOST_SINGLE = 8;
/** If a layout never stops changing, it is sent at this interval. */
const RESTLESS_MS = 1000;
/** The interval at which the layout is checked for changes that no event reports. */
const LOOK_MS = 250;
/** The delay before the next attempt after the daemon has refused all regions of this page. */
const REFUSED_MS = 5000;

/** The maximum number of gestures that have begun and not ended. There are far fewer on a real panel. */
const MOST_OPEN = 4096;

const keyOf = (line) => [line.region, line.gesture, line.name, line.sequence].join();
const sequenceOf = (line) => `${line.region} ${line.sequence}`;
const withHint = ({ message, suggestion }) => message + (suggestion ? `; did you mean "${suggestion}"?` : "");
const complain = (message, ...more) => console.error(`gestured: ${message}`, ...more);
/** Reports an error. An error without a code is not reported, because it means that the connection was lost, which is handled by reconnecting. */
const complainOf = ({ code, message }) => code && complain(message);
const complaints = new Set();
const disconnected = (cmd) => Error(`${cmd}: disconnected`);

function complainOnce(message) {
  if (!complaints.has(message)) complain(message);
  complaints.add(message);
}

const isUnderWay = (line) => /begin|update/.test(line.phase);

/** Dispatches the lines of the protocol as DOM events (`gesture`, `state`, …), and each of them also as a `line` event. `detail` is the line. */
export class Gestures extends EventTarget {
  /** The daemon's `hello`; undefined while there is no connection. */
  hello;
  #url;
  #subscription;
  #options;
  #socket;
  #elements;
  #wait = FIRST_WAIT_MS;
  #retry;
  #watch;
  #isSilent;
  #id = 0;
  #replies = new Map();
  #open = new Map();

  constructor({ url = new URL("/socket", import.meta.url), subscription = {}, ...options } = {}) {
    super();
    this.#url = new URL(url, location).href.replace(/^http/, "ws");
    this.#subscription = subscription;
    this.#options = options;
    // A page in the back/forward cache must not keep its regions.
    addEventListener("pagehide", () => this.#lose());
    addEventListener("pageshow", ({ persisted }) => persisted && this.connect());
    this.connect();
  }

  /** Connects, and reconnects whenever the connection is lost. The constructor calls this. */
  connect() {
    clearTimeout(this.#retry);
    if (this.#socket) return;
    const socket = (this.#socket = new WebSocket(this.#url));
    const own = (take) => (event) => this.#socket === socket && take(event);
    socket.onopen = own(() => this.request("subscribe", this.#subscription).catch(complainOf));
    socket.onmessage = own(({ data }) => {
      try {
        this.#take(JSON.parse(data));
      } catch {
        complainOnce("no gestured line");
        this.#lose(true);
      }
    });
    socket.onclose = own(() => this.#lose(true));
    this.#isSilent = false;
    this.#watch = setInterval(() => {
      if (this.#isSilent) return this.#lose(true);
      this.#isSilent = true;
      this.request("ping").catch(() => {});
    }, SILENCE_MS);
  }

  /** Closes the connection until `connect` is called. This also removes the page's regions. */
  close() {
    this.#lose();
  }

  /** Turns the elements with `data-gesture` in a document, shadow root or element into regions. */
  bind(root = document) {
    this.#elements ??= new Elements(this, this.#options);
    return this.#elements.bind(root);
  }

  /** Sends a request. Resolves to the daemon's reply. Rejects with the daemon's error (`code`, `message`, …), or with an error without a code if the connection is lost. */
  request(cmd, keys = {}) {
    // The value of WebSocket.OPEN
    if (this.#socket?.readyState !== 1) return Promise.reject(disconnected(cmd));
    const id = ++this.#id;
    this.#socket.send(JSON.stringify({ cmd, id, ...keys }));
    return new Promise((resolve, reject) => this.#replies.set(id, { cmd, resolve, reject }));
  }

  #lose(again) {
    clearTimeout(this.#retry);
    clearInterval(this.#watch);
    const socket = this.#socket, had = this.hello;
    this.#socket = this.hello = undefined;
    socket?.close();
    if (again) {
      this.#retry = setTimeout(() => this.connect(), this.#wait * (0.5 + Math.random() / 2));
      this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT_MS);
    }
    this.#cancel(this.#open.keys(), "disconnected");
    for (const { cmd, reject } of this.#replies.values()) reject(disconnected(cmd));
    this.#replies.clear();
    if (had) this.#emit({ event: "disconnected" });
  }

  #take(line) {
    this.#isSilent = false;
    if ("reply" in line) return this.#takeReply(line);
    if (line.event === "hello") {
      this.#wait = FIRST_WAIT_MS;
      this.hello = line;
    } else if (line.event === "state") {
      const active = new Map(line.active.map((part) => [keyOf(part), part]));
      this.#cancel([...this.#open.keys()].filter((key) => !active.has(key)), "lost");
      for (const [key, part] of active) if (!this.#open.has(key)) this.#open.set(key, { event: "gesture", ...part });
    } else if (line.event === "gesture" && line.phase) {
      if (isUnderWay(line)) this.#open.set(keyOf(line), line);
      else this.#open.delete(keyOf(line));
      if (this.#open.size > MOST_OPEN) throw Error("too many");
    }
    this.#emit(line);
  }

  #takeReply({ ok, error = {}, ...line }) {
    // This throws an error if `error` is malformed. The request must not be removed before this line, so that it can still be rejected.
    const message = ok || withHint(error);
    // An error without a number is for the oldest request, which could not be read, unless there is no place for this page.
    const [oldest] = this.#replies.keys();
    const id = line.id ?? (error.code !== "busy" && oldest);
    const waiting = this.#replies.get(id);
    this.#replies.delete(id);
    if (ok) return waiting?.resolve(line);
    if (waiting) waiting.reject(Object.assign(Error(), error, { message: `${waiting.cmd}: ${message}` }));
    else complain(message);
  }

  #cancel(keys, reason) {
    for (const key of keys) {
      const { seq, coalesced, ...last } = this.#open.get(key);
      this.#open.delete(key);
      this.#emit({ ...last, phase: "cancel", reason, added: true });
    }
  }

  #emit(line) {
    // `padEnd` throws if the name of the event is not a string.
    for (const type of [line.event.padEnd(0), "line"]) this.dispatchEvent(new CustomEvent(type, { detail: line }));
  }
}

let shared;

/** Returns the page's own connection. The first call creates it with the given options. */
export const connection = (options) => (shared ??= new Gestures(options));

/** Turns the elements with `data-gesture` in `root` into regions, using the page's own connection. */
export const bind = (root, options) => connection(options).bind(root);

// -- positions of elements ------------------------------------------------------------------------------------------

/** Returns the parent of a node in the flat tree. */
const parentOf = (node) => node.assignedSlot ?? node.parentElement ?? node.getRootNode().host;

const contains = (element, node) => {
  while (node && node !== element) node = parentOf(node);
  return node === element;
};

/** Returns the element that a touch at this point would hit. */
function elementAt(x, y) {
  let hit = document.elementFromPoint(x, y);
  for (let inner; (inner = hit?.shadowRoot?.elementFromPoint(x, y)) && inner !== hit; ) hit = inner;
  return hit;
}

/** Returns the left, upper, right and lower edge of an element, in CSS pixels of the window. */
const boxOf = (element) => {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  return [left, top, right, bottom];
};
const intersection = (a, b) => a.map((edge, index) => (index < 2 ? Math.max(edge, b[index]) : Math.min(edge, b[index])));
const isInside = (a, b) => String(intersection(a, b)) === String(a);
const contents = ([left, top, right, bottom], x = 0.5, y = x) => elementAt(left + (right - left) * x, top + (bottom - top) * y);

/** Returns the visible part of an element, clipped by its scroll containers, or `undefined` if the element cannot be touched. */
function visibleBox(element, styles) {
  const styleOf = (node) => {
    if (!styles.has(node)) {
      const { position, overflow } = getComputedStyle(node);
      const isClip = overflow !== "visible" && !node.matches("html,body");
      styles.set(node, { position, clip: isClip && boxOf(node) });
    }
    return styles.get(node);
  };
  let box = intersection(boxOf(element), [0, 0, innerWidth, innerHeight]);
  let { position } = styleOf(element);
  for (let node = parentOf(element); node && position !== "fixed"; node = parentOf(node)) {
    const style = styleOf(node);
    if (position === "absolute" && style.position === "static") continue;
    if (style.clip) box = intersection(box, style.clip);
    position = style.position;
  }
  if (isApart(box, box)) return undefined;
  // An element that is covered, invisible, inert or without pointer events cannot be touched.
  const points = [[0.5], [0.1], [0.9], [0.1, 0.9], [0.9, 0.1]];
  return points.some((point) => contains(element, contents(box, ...point))) ? box : undefined;
}

/** Whether two boxes overlap by less than a pixel. It is called for each pair of elements, so it must not allocate. */
const isApart = (a, b) => a[2] - b[0] < 1 || b[2] - a[0] < 1 || a[3] - b[1] < 1 || b[3] - a[1] < 1;

/** If the page shows this element above another one that it overlaps, raises its `z` above the `z` of the other element. */
function orderOf(item, other) {
  const hit = contents(intersection(item.box, other.box));
  if (contains(item.element, hit) || !contains(other.element, hit)) item.z = Math.max(item.z, other.z + 1);
  else other.z = Math.max(other.z, item.z + 1);
}

// -- attributes -----------------------------------------------------------------------------------------------------

const LISTS = ["directions", "path", "after", "unless"];

/** Parses numbers, `true`, lists and tables as JSON. Everything else is treated as a string. */
function valueOf(key, text) {
  try {
    return text === "" || JSON.parse(text);
  } catch {
    return LISTS.includes(key) ? text.split(/[\s,]+/) : text;
  }
}

/** Reads the keys of a region from an element's attributes. See docs/pages.md. */
function readAttributes(element) {
  const text = element.dataset.gesture.trim();
  const words = text.startsWith("[") ? JSON.parse(text) : text.split(/\s+/).filter(Boolean);
  const gestures = words.map((word) => (word.type ? { ...word } : { type: word }));
  const region = { gestures };
  for (const { name, value } of element.attributes) {
    const rest = /^data-gesture-(.+)/.exec(name)?.[1];
    if (!rest || rest === "click") continue;
    const dash = rest.lastIndexOf("-"), key = rest.slice(dash + 1), owner = rest.slice(0, Math.max(dash, 0));
    const owners = owner ? gestures.filter((gesture) => (gesture.name ?? gesture.type) === owner) : [region];
    if (owners.length === 0) throw Error(`${name}: data-gesture has no "${owner}"`);
    for (const each of owners) each[key] = valueOf(key, value.trim());
  }
  return region;
}

const written = ({ name, value }) => ` ${name}="${value}"`;
const attributesOf = (element) => [...element.attributes].filter(({ name }) => name.startsWith("data-gesture")).map(written).join("");

const complainAbout = (element, message) =>
  complain(`<${element.localName}${element.id && written({ name: "id", value: element.id })}${attributesOf(element)}>: ${message}`, element);

// -- elements as regions --------------------------------------------------------------------------------------------

// vocabulary: moving
const MOVING = /drag|swipe|pinch|rotate|dial|chain|stroke|pattern/;
// vocabulary: end
/** If an element contains one of these controls, touches of the control are left to the browser, unless it is a region itself. */
const CONTROLS = "a[href],button,input,select,textarea,summary,label,iframe,[contenteditable]";
/** The browser's events for touches. The browser also creates mouse events, unless the default of `touchend` is prevented. */
const NATIVE = "pointerdown pointermove pointerup pointercancel touchstart touchmove touchend touchcancel click contextmenu".split(" ");
/** Events whose default is not prevented, because this would stop the browser from scrolling. */
const SCROLLING = /^touch(start|move)/;

/** This style sheet leaves scrolling to the browser, except in elements with moving gestures. No CSP forbids it, and any rule of the page overrides it. */
const SHEET = document.adoptedStyleSheets && new CSSStyleSheet();
if (SHEET) {
  const moving = MOVING.source.split("|").map((word) => `[data-gesture*=${word}]`);
  SHEET.replaceSync(`:where([data-gesture]:not([data-gesture=""])){touch-action:pan-x pan-y;user-select:none;-webkit-user-select:none}:where(${moving}){touch-action:none}`);
}

const regionsOf = (told) => [...told.values()].map(({ region }) => region);

/** The regions of one connection: their elements, the regions that the daemon has accepted, and the gestures in progress. */
class Elements {
  #gestures;
  #options;
  #roots = new Set();
  #changes = new MutationObserver(() => this.#again());
  #ids = new WeakMap(); // element → id of its region
  #count = 0;
  #specs = new WeakMap(); // element → its parsed attributes
  #output; // the output of the panel
  #origin = [0, 0]; // the origin of the region in which the daemon places these regions
  #elements = new Map(); // id → element
  #told = new Map(); // id → the region as the daemon has it, and its text
  #given = new Map(); // gesture in progress → the element that received its `begin` event, and its last line
  #hits = new Map(); // sequence of a region → the element touched at its first line, or `undefined` if the gesture was cancelled by this module
  #isWhole = true; // all regions must be sent again
  #isBusy;
  #isRefused = true; // there is no panel, or the daemon refused the regions
  #frame;
  #notice;

  constructor(gestures, options) {
    this.#gestures = gestures;
    this.#options = { prefix: "app.", settle: 60, viewport: (output) => ({ x: 0, y: 0, ...output }), ...options };
    const start = () => this.#start();
    for (const name of ["hello", "device"]) gestures.addEventListener(name, start);
    gestures.addEventListener("config", ({ detail }) => detail.change < "r" && start()); // "applied" and "output", but not "regions", "rejected" or "scene"
    gestures.addEventListener("disconnected", () => this.#told.clear());
    gestures.addEventListener("gesture", ({ detail }) => this.#take(detail));
    for (const name of NATIVE) addEventListener(name, (event) => this.#keepBack(event), { capture: true, passive: SCROLLING.test(name) });
    for (const name of ["resize", "scroll"]) visualViewport.addEventListener(name, this.#again);
    // A hidden page receives no animation frames, so the layout is checked directly.
    addEventListener("visibilitychange", () => this.#look(performance.now()));
    setInterval(this.#again, LOOK_MS);
    if (gestures.hello) start();
  }

  bind(root) {
    if (!this.#roots.has(root)) {
      this.#roots.add(root);
      this.#changes.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
      root.addEventListener("scroll", this.#again, { capture: true, passive: true });
      if (SHEET) root.getRootNode().adoptedStyleSheets.push(SHEET);
      this.#again();
    }
    return {
      gestures: this.#gestures,
      regions: () => regionsOf(this.#told),
      unbind: () => {
        this.#roots.delete(root);
        this.#again();
      },
    };
  }

  // -- requests to the daemon -----------------------------------------------------------------------------------------

  #again = () => {
    this.#frame ||= requestAnimationFrame((now) => this.#look(now));
  };

  async #start() {
    this.#isWhole = this.#isRefused = true;
    // After a restart, the daemon counts sequences from 1 again.
    this.#hits.clear();
    try {
      const { devices } = await this.#gestures.request("devices"), wanted = this.#options.device;
      const [panel, another] = devices.filter(({ device, output }) => output && device === (wanted || device));
      if (another) this.#show('several panels; set "device"');
      this.#isRefused = another || !panel;
      if (this.#isRefused) this.#told.clear();
      else this.#output = panel.output;
    } catch (error) {
      complainOf(error);
    }
  }

  /** Returns the factors and offsets from CSS pixels of the window to output pixels. */
  #scale() {
    const { x, y, width, height } = this.#options.viewport(this.#output), { scale, offsetLeft, offsetTop } = visualViewport;
    const kx = (width / innerWidth) * scale, ky = (height / innerHeight) * scale;
    return { kx, ky, x: x - offsetLeft * kx, y: y - offsetTop * ky };
  }

  /** Returns the id of an element's region. It contains the element's own id, unless that is missing or used by another element. */
  #idOf(element) {
    let id = this.#ids.get(element);
    if (!id || this.#elements.has(id)) {
      id = (this.#options.prefix + element.id.replace(/[^\w.:/-]/g, "_")).slice(0, 64);
      if (!element.id || this.#elements.has(id)) id = `${this.#options.prefix}e${++this.#count}`;
      this.#ids.set(element, id);
    }
    return id;
  }

  /** Returns an element's parsed attributes, or `undefined` if they are invalid. */
  #specOf(element) {
    const text = attributesOf(element);
    let spec = this.#specs.get(element);
    if (spec?.text !== text) {
      spec = { text };
      try {
        spec.region = readAttributes(element);
      } catch (error) {
        complainAbout(element, error.message);
      }
      this.#specs.set(element, spec);
    }
    return spec.region?.gestures.length > 0 ? spec : undefined;
  }

  /** Returns the elements that can be touched now, in document order, with their boxes. */
  #touchable() {
    const found = new Set(), styles = new Map(), touchable = [];
    this.#elements.clear();
    if (document.hidden) return touchable;
    for (const root of this.#roots) for (const element of root.querySelectorAll("[data-gesture]")) found.add(element);
    for (const element of found) {
      const spec = this.#specOf(element);
      if (!spec) continue;
      const id = this.#idOf(element);
      this.#elements.set(id, element);
      const box = !element.matches(":disabled") && visibleBox(element, styles);
      if (box) touchable.push({ id, element, box, spec });
    }
    return touchable;
  }

  /** Returns the regions that the daemon should have, by id. A parent comes before its children. */
  #layout() {
    const { kx, ky, x, y } = this.#scale(), touchable = this.#touchable();
    const byElement = new Map(), regions = new Map();
    let bytes = 0;
    touchable.forEach((item, index) => {
      const edges = (item.edges = item.box.map((edge, side) => Math.round(side % 2 ? edge * ky + y : edge * kx + x)));
      let node = parentOf(item.element);
      while (node && !byElement.has(node)) node = parentOf(node);
      const around = node && byElement.get(node);
      const isNested = around && isInside(edges, around.edges);
      item.z = 0;
      for (let before = 0; before < index; before++) {
        const other = touchable[before];
        if (!isApart(item.box, other.box) && !(isNested && other === around)) orderOf(item, other);
      }
      item.parent = isNested && around;
      byElement.set(item.element, item);
    });
    for (const { id, spec, edges, parent, z } of touchable) {
      const [left, top] = parent ? parent.edges : this.#origin;
      const rect = [edges[0] - left, edges[1] - top, edges[2] - edges[0], edges[3] - edges[1]];
      if (rect[2] < 1 || rect[3] < 1 || (parent && !regions.has(parent.id))) continue;
      const region = { id, ...(parent && { parent: parent.id }), device: this.#options.device, ...(z && { z }), shape: { rect }, ...spec.region };
      const text = JSON.stringify(region);
      bytes += text.length + 1;
      if (regions.size === MOST_REGIONS || bytes > MOST_BYTES) {
        complainOnce(`only ${regions.size} of ${touchable.length} elements fit`);
        break;
      }
      regions.set(id, { region, text, spec });
    }
    return regions;
  }

  #look(now) {
    this.#frame = 0;
    for (const [key, { element, line }] of [...this.#given]) {
      if (!element.isConnected || element.matches(":disabled") || !element.dataset.gesture) this.#end(key, element, line, "removed");
    }
    if (this.#isBusy || this.#isRefused) return;
    const next = new Map();
    for (const [id, entry] of this.#layout()) {
      const told = this.#told.get(id), isAtRest = this.#isAtRest(entry, told, now);
      if (!isAtRest && told?.text !== entry.text) this.#again();
      const chosen = isAtRest ? entry : told, parent = chosen?.region.parent;
      if (chosen && (!parent || next.has(parent))) next.set(id, chosen);
    }
    this.#tell(next);
  }

  /** Whether a region has been unchanged for long enough, or has been changing for too long. */
  #isAtRest({ text, spec }, told, now) {
    if (spec.look !== text) spec.since = now;
    if (text === told?.text) spec.restless = now;
    spec.look = text;
    return now - spec.since >= this.#options.settle || now - (spec.restless ??= now) >= RESTLESS_MS;
  }

  async #tell(next) {
    const changed = [...next].filter(([id, { text }]) => this.#told.get(id)?.text !== text);
    const gone = [...this.#told.keys()].filter((id) => !next.has(id));
    if (changed.length + gone.length === 0 && !(this.#isWhole && next.size > 0)) return;
    this.#isBusy = true;
    if (!this.#isWhole && changed.length + gone.length <= MOST_SINGLE) {
      for (const [id, entry] of changed) {
        if (await this.#ask("put_region", { region: entry.region }, [id])) this.#told.set(id, entry);
      }
      for (const id of gone) if (await this.#ask("remove_region", { region: id }, [id])) this.#told.delete(id);
    } else {
      if (await this.#ask("define_regions", { regions: regionsOf(next) }, [...next.keys()])) {
        this.#told = next;
        this.#notice?.remove();
        if (this.#isWhole) await this.#findParent();
      }
    }
    this.#isBusy = false;
    this.#again();
  }

  /** Determines the origin of the region that contains this page's regions (`define_parent`) by comparing a region with the daemon's reply. */
  async #findParent() {
    const first = regionsOf(this.#told).find(({ parent }) => !parent);
    this.#isWhole = !first;
    if (!first) return;
    try {
      const { regions } = await this.#gestures.request("regions", { region: first.id });
      const moved = regions[0].shape.rect.map((edge, side) => edge - first.shape.rect[side] - this.#origin[side]);
      this.#isWhole = moved[0] || moved[1];
      this.#origin = this.#origin.map((edge, side) => edge + moved[side]);
    } catch {}
  }

  /** Sends a request that changes these regions, and returns whether the daemon accepted it. A region under a finger changes only after the finger has lifted. */
  async #ask(cmd, keys, ids) {
    try {
      await this.#gestures.request(cmd, { lease: true, wait: true, ...keys });
      return true;
    } catch (error) {
      if (error.code === "config_invalid") this.#refuse(error.diagnostics, ids);
      else if (error.code) cmd === "define_regions" ? this.#giveUp(error) : (this.#isWhole = true);
      return false;
    }
  }

  /** Excludes the elements that the daemon has refused, and sends the others again. */
  #refuse(diagnostics, ids) {
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    if (errors.some(({ code }) => code === "duplicate_id")) {
      // Another page uses these ids.
      this.#options.prefix += `${Math.random().toString(36).slice(2, 8)}.`;
      this.#ids = new WeakMap();
      this.#isWhole = true;
      return;
    }
    for (const error of errors) {
      const id = ids[/\d+/.exec(error.file) ?? 0], element = this.#elements.get(id);
      if (!element) return this.#giveUp(error);
      this.#specs.get(element).region = undefined;
      complainAbout(element, withHint(error));
    }
  }

  #giveUp(error) {
    this.#show(`elements are no regions: ${error.message}`);
    this.#isRefused = true;
    setTimeout(() => this.#start(), REFUSED_MS);
  }

  /** Reports why there are no regions, also at the lower edge of the page: a person in front of a panel sees no console. */
  #show(message) {
    complainOnce(message);
    const style = "position:fixed;bottom:0;padding:9px;background:#fff;color:#b00;pointer-events:none";
    document.body.append(Object.assign((this.#notice ??= document.createElement("gestured-notice")), { textContent: message, style }));
  }

  // -- events of elements ---------------------------------------------------------------------------------------------

  #take(line) {
    const key = keyOf(line), given = this.#given.get(key);
    const element = given?.element ?? this.#elements.get(line.region);
    if (!element) return;
    if (given) {
      if (isUnderWay(line)) given.line = line;
      else this.#given.delete(key);
    } else {
      // The lines of a gesture are ignored if the element did not receive its `begin` event.
      if ((line.phase && line.phase !== "begin") || !this.#accepts(element, line)) return;
      if (line.phase) this.#given.set(key, { element, line });
    }
    this.#give(element, line);
    if (line.phase && !isUnderWay(line)) this.#again();
  }

  /** Whether the finger touched the element, but no control in it. The layout at the first line of the sequence decides. */
  #accepts(element, line) {
    const key = sequenceOf(line);
    if (!this.#hits.has(key)) {
      if (this.#hits.size > 256) this.#hits.clear();
      const { clientX: x, clientY: y } = this.#place({ ...line, ...line.start }), box = boxOf(element), point = [x, y, x, y];
      // A touch in the margin is treated like one in the middle of the element.
      this.#hits.set(key, contents(isInside(point, box) ? point : box));
    }
    const hit = this.#hits.get(key), control = hit?.closest(CONTROLS);
    return contains(element, hit) && (MOVING.test(line.gesture) || !control || contains(control, element));
  }

  /** Converts the position in a line, and the distance if the line has one, from output pixels to CSS pixels of the window. */
  #place({ x = 0, y = 0, dx, dy }) {
    const { kx, ky, x: left, y: top } = this.#scale();
    return { clientX: (x - left) / kx, clientY: (y - top) / ky, ...(dx !== undefined && { clientDx: dx / kx, clientDy: dy / ky }) };
  }

  #give(element, line) {
    const [left, top] = boxOf(element), place = this.#place(line);
    const detail = { ...line, ...place, elementX: place.clientX - left, elementY: place.clientY - top };
    element.toggleAttribute("data-pressed", [...this.#given.values()].some((given) => given.element === element && given.line.gesture === "press"));
    const send = (type) => element.dispatchEvent(new CustomEvent(type, { bubbles: true, composed: true, cancelable: true, detail }));
    const { gestureClick } = element.dataset, isPlain = send("gesture") & send(`gesture:${line.name}`);
    if (isPlain && !line.phase && (gestureClick === "" ? ["button", "tap"] : [gestureClick]).includes(line.name)) {
      element.focus({ preventScroll: true });
      element.click();
    }
  }

  #end(key, element, { seq, coalesced, ...last }, reason) {
    this.#given.delete(key);
    this.#hits.set(sequenceOf(last));
    this.#give(element, { ...last, phase: "cancel", reason, added: true });
  }

  // -- the browser's own events ---------------------------------------------------------------------------------------

  /** Stops the browser's own touch events in a region, so that the page does not handle a touch twice. */
  #keepBack(event) {
    if (!event.isTrusted || !(event.touches || event.pointerType === "touch")) return;
    const path = event.composedPath();
    const index = path.findIndex((node) => this.#told.has(this.#ids.get(node)));
    if (index < 0 || path.slice(0, index).some((node) => node.matches?.(CONTROLS))) return;
    event.stopImmediatePropagation();
    if (event.cancelable && !SCROLLING.test(event.type)) event.preventDefault();
    if (event.type !== "pointercancel") return;
    // The browser now scrolls with this finger, so the gestures of the elements under it are cancelled.
    for (const [key, { element, line }] of [...this.#given]) if (path.includes(element)) this.#end(key, element, line, "scrolled");
  }
}
