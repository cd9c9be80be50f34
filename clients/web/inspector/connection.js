// SPDX-License-Identifier: MIT
// The connection to the daemon through the bridge. It reconnects automatically and sends requests.

const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5000;
const REQUEST_MS = 10_000;
/** The reason of a connection that was lost without one. */
export const NO_BRIDGE = "no bridge";

/** The error of a request that the daemon or the bridge refused. */
export class RequestError extends Error {
  constructor(command, error = {}) {
    const { code = "internal", message = "refused", suggestion, diagnostics = [] } = error;
    super(suggestion ? `${message}; did you mean “${suggestion}”?` : message);
    this.command = command;
    this.code = code;
    this.diagnostics = diagnostics;
  }
}

/**
 * A connection with lines of protocol 1 over a WebSocket.
 *
 * There are three listeners: `onhello(line)` is called after each connection has been made, `online(line)` for each other
 * event, and `onlost(text)` when the connection has been lost.
 */
export class Connection {
  onhello = () => {};
  online = () => {};
  onlost = () => {};
  hello = null;
  #url;
  #socket;
  #requests = new Map();
  #number = 0;
  #delay = FIRST_DELAY_MS;

  /** @param {string | URL} url */
  constructor(url) {
    this.#url = url;
  }

  get isConnected() {
    return this.hello !== null;
  }

  /** Whether the daemon gives this page a right. If the daemon does not list rights, this is true while there is a connection. */
  hasRight(right) {
    return this.hello?.rights?.includes(right) ?? this.isConnected;
  }

  start() {
    const socket = new WebSocket(this.#url);
    this.#socket = socket;
    socket.onmessage = ({ data }) => this.#take(data);
    socket.onclose = ({ code, reason }) => {
      if (this.#socket === socket) this.#lose(reason || (code === 1013 ? "the daemon is not running" : NO_BRIDGE));
    };
  }

  #take(text) {
    let line;
    try {
      line = JSON.parse(text);
    } catch {
      return;
    }
    if ("reply" in line) return this.#reply(line);
    if (line.event !== "hello") return this.online(line);
    this.hello = line;
    this.#delay = FIRST_DELAY_MS;
    this.onhello(line);
  }

  #reply(line) {
    const request = this.#requests.get(line.id);
    if (!request) return;
    this.#requests.delete(line.id);
    clearTimeout(request.timer);
    if (line.ok) request.resolve(line);
    else request.reject(new RequestError(request.command, line.error));
  }

  #lose(text) {
    this.hello = null;
    for (const { command, reject, timer } of this.#requests.values()) {
      clearTimeout(timer);
      reject(new RequestError(command, { code: "disconnected", message: text }));
    }
    this.#requests.clear();
    this.onlost(text);
    setTimeout(() => this.start(), this.#delay * (0.5 + Math.random() / 2));
    this.#delay = Math.min(this.#delay * 2, LONGEST_DELAY_MS);
  }

  /**
   * Sends a request, and resolves to its reply.
   * @param {string} command
   * @param {object} [keys]
   */
  request(command, keys = {}) {
    return new Promise((resolve, reject) => {
      if (!this.isConnected) return reject(new RequestError(command, { code: "disconnected", message: "not connected" }));
      const id = ++this.#number;
      const timer = setTimeout(() => {
        this.#requests.delete(id);
        reject(new RequestError(command, { code: "timeout", message: "no answer" }));
      }, REQUEST_MS);
      this.#requests.set(id, { command, resolve, reject, timer });
      this.#socket.send(JSON.stringify({ cmd: command, id, ...keys }));
    });
  }
}

/** Fetches JSON from a path of the bridge. If the bridge refuses, throws an error with the bridge's message. */
export async function fetchJson(path, options) {
  const response = await fetch(path, options);
  const text = await response.text();
  if (!response.ok) throw refusal(path, text, response.status);
  return JSON.parse(text);
}

/** Returns the error of a request that the bridge refused. The body of the answer is JSON with an error, or a text. */
export function refusal(command, text, status) {
  let error;
  try {
    ({ error } = JSON.parse(text));
  } catch {
    // The answer is not JSON but plain text.
  }
  return new RequestError(command, error?.message ? error : { code: command, message: text.trim().slice(0, 300) || `the bridge answered ${status}` });
}
