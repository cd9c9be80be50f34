// SPDX-License-Identifier: MIT
// Runs the real daemon on a fake panel (.build/fakepanel), for tests of clients. The variable PROGRAMS names the folder
// that contains the daemon. By default, it is the folder of `make build`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, copyFileSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
export const PATIENCE = 120_000;

// The tests of the clients in all languages use the same configuration.
const CONFIGURATION = `${ROOT}clients/harness.toml`;

/** A panel, and a daemon that reads it between `start` and `kill`. */
export class Harness {
  #folder = mkdtempSync("/tmp/gestured.");
  #finger = 0;
  path = `${this.#folder}/gestured.sock`;

  /** The number of contacts that have landed so far. */
  get fingers() {
    return this.#finger;
  }

  static async make() {
    const harness = new Harness();
    harness.panel = spawn(`${ROOT}.build/fakepanel`, {
      stdio: ["pipe", "pipe", "inherit"],
      env: { ...process.env, TMPDIR: harness.#folder },
    });
    harness.answers = createInterface({ input: harness.panel.stdout })[Symbol.asyncIterator]();
    harness.root = (await harness.#answer("ROOT ")).slice("ROOT ".length);
    await harness.tell("add 0");
    copyFileSync(CONFIGURATION, `${harness.#folder}/gestured.toml`);
    // The panel's time is ahead of the clock, so that the duration of a touch does not depend on the speed of the machine.
    harness.time = Number((await harness.tell("state")).split("=").at(-1)) + 10_000_000;
    return harness;
  }

  /** Appends a text to the daemon's configuration. Call this before `start`. */
  configure(addition) {
    appendFileSync(`${this.#folder}/gestured.toml`, addition);
  }

  async start() {
    const log = `${this.#folder}/log`;
    appendFileSync(log, "");
    this.daemon = spawn(
      `${process.env.PROGRAMS ?? `${ROOT}.build/stripped`}/gestured`,
      ["-c", `${this.#folder}/gestured.toml`, "--socket", this.path],
      {
        stdio: ["ignore", "ignore", openSync(log, "a")],
        env: { ...process.env, LD_PRELOAD: "libumockdev-preload.so.0", UMOCKDEV_DIR: this.root },
      },
    );
    // Waits until a client reports that the panel is ready.
    for (const end = Date.now() + PATIENCE; !(await this.#isReady()); await sleep(20)) {
      if (Date.now() > end || this.daemon.exitCode !== null) {
        throw new Error(`the daemon does not start; its log:\n${readFileSync(log)}`);
      }
    }
  }

  async #isReady() {
    const socket = connect(this.path);
    let text = "";
    try {
      for await (const part of socket) if ((text += part).split("\n").length > 2) break;
    } catch {}
    return text.includes('"state":"ready"');
  }

  async kill(signal = "SIGKILL") {
    const ended = once(this.daemon, "exit");
    this.daemon.kill(signal);
    await ended;
  }

  async close() {
    if (this.daemon && this.daemon.exitCode === null && this.daemon.signalCode === null) await this.kill();
    const ended = once(this.panel, "exit");
    this.panel.stdin.end();
    await ended;
    // Tests may run the daemon behind a proxy that checks its lines: see Tests/Tools/StreamProxy.
    const log = this.daemon ? readFileSync(`${this.#folder}/log`, "utf8") : "";
    rmSync(this.#folder, { recursive: true, force: true });
    const broken = log.split("\n").filter((line) => line.includes("stream: line "));
    if (broken.length > 0) throw new Error(broken.join("\n"));
  }

  /** Sends commands, and returns the answer to the last one. */
  async tell(...commands) {
    this.panel.stdin.write(commands.map((command) => `${command}\n`).join(""));
    let answer;
    for (const command of commands) {
      answer = await this.#answer("OK ", "ERROR ");
      if (!answer.startsWith("OK ")) throw new Error(`${command}: ${answer}`);
    }
    return answer;
  }

  async #answer(...starts) {
    for (;;) {
      const { value, done } = await this.answers.next();
      if (done) throw new Error("the fake panel has ended");
      if (starts.some((start) => value.startsWith(start))) return value;
    }
  }

  #frame(afterMs, events) {
    this.time += afterMs * 1000;
    return [`at ${this.time}`, `frame ${events}`];
  }

  #landing(x = 100, y = 100) {
    this.#finger += 1;
    return this.#frame(1000, `3 47 0 3 57 ${this.#finger} 3 53 ${x} 3 54 ${y} 1 330 1`);
  }

  #lifting() {
    return this.#frame(84, "3 47 0 3 57 -1 1 330 0");
  }

  land(x, y) {
    return this.tell(...this.#landing(x, y));
  }

  move(x, y = 100) {
    return this.tell(...this.#frame(10, `3 47 0 3 53 ${x} 3 54 ${y}`));
  }

  lift() {
    return this.tell(...this.#lifting());
  }

  tap(x, y, times = 1) {
    return this.tell(...Array.from({ length: times }, () => [...this.#landing(x, y), ...this.#lifting()]).flat());
  }
}
