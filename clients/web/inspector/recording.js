// SPDX-License-Identifier: MIT
// Writes recordings from a `describe` reply and `frame` lines. The format is evemu 1.3 with the notes of gesturectl. This
// module does not use the DOM. It corresponds to Sources/core/Recordings/Evemu/EvemuWriter.swift.

const KEYS = 0x300;
const AXES = 0x40;
const PROPERTIES = 0x40;

const hex = (number, digits) => number.toString(16).padStart(digits, "0");

/** Formats microseconds as `seconds.microseconds`. */
const time = (us) => `${Math.floor(us / 1e6)}.${String(us % 1e6).padStart(6, "0")}`;

/** Escapes a text so that it fits on one line. Control characters, `\`, spaces at both ends and a `#` at the start become `\xNN`. */
function escape(text, spaces = false) {
  const bytes = [...new TextEncoder().encode(text)];
  const output = bytes.flatMap((byte, index) => {
    const atEnd = index === 0 || index === bytes.length - 1;
    const isEscaped = byte < 0x20 || byte === 0x7f || byte === 0x5c || (byte === 0x20 && (atEnd || spaces)) || (byte === 0x23 && index === 0);
    return isEscaped ? [...new TextEncoder().encode(`\\x${hex(byte, 2)}`)] : [byte];
  });
  return new TextDecoder().decode(new Uint8Array(output));
}

function mask(prefix, bits, limit) {
  const set = new Set(bits);
  const lines = [];
  for (let base = 0; base < limit; base += 64) {
    let line = prefix;
    for (let byte = base; byte < base + 64; byte += 8) {
      let value = 0;
      for (let bit = 0; bit < 8; bit++) if (set.has(byte + bit)) value |= 1 << bit;
      line += ` ${hex(value, 2)}`;
    }
    lines.push(line);
  }
  return lines;
}

/**
 * Returns the beginning of a file, up to the first frame.
 * @param {object} reply The reply to `describe`.
 */
export function evemuHead(reply) {
  const { description, device, next_contact: contact, next_sequence: sequence } = reply;
  const { next_private_contact: privateContact, next_private_sequence: privateSequence } = reply;
  const { name, phys = "", uniq = "", id, properties = [], keys = [], axes, slots = [], udev = {} } = description;
  const note = (text) => `# gestured: ${text}`;
  const sorted = [...axes].sort(([a], [b]) => a - b);
  const escaped = escape(name);
  return [
    "# EVEMU 1.3",
    note("format 1"),
    note(`device ${escape(device)}`),
    ...(phys === "" ? [] : [note(`phys ${escape(phys)}`)]),
    ...(uniq === "" ? [] : [note(`uniq ${escape(uniq)}`)]),
    ...Object.keys(udev).sort().map((key) => note(`udev ${escape(key, true)} ${escape(udev[key])}`)),
    note(`next_contact ${contact}`),
    note(`next_sequence ${sequence}`),
    ...(privateContact === undefined ? [] : [note(`next_private_contact ${privateContact}`)]),
    ...(privateSequence === undefined ? [] : [note(`next_private_sequence ${privateSequence}`)]),
    ...slots.map(([x, y], index) => note(`slot ${index} ${x} ${y}`)),
    `N: ${escaped}`,
    ...(escaped === name ? [] : [note(`name ${escaped}`)]),
    `I: ${id.map((number) => hex(number, 4)).join(" ")}`,
    ...mask("P:", properties, PROPERTIES),
    "B: 00 0b 00 00 00 00 00 00 00",
    ...mask("B: 01", keys, KEYS),
    ...mask("B: 03", axes.map(([code]) => code), AXES),
    ...sorted.map(([code, ...numbers]) => `A: ${hex(code, 2)} ${numbers.slice(0, 5).join(" ")}`),
    ...sorted.filter((axis) => axis[6] !== 0 && axis[6] !== undefined).map(([code, , , , , , value]) => note(`value ${hex(code, 2)} ${value}`)),
  ];
}

/** Returns the lines of a `frame`. */
export function evemuFrame({ time_us: us, events, resync, suspended, removed }) {
  const lines = resync ? ["# gestured: resync"] : [];
  if (suspended) lines.push(`# gestured: suspended ${time(us)}`);
  if (removed) lines.push(`# gestured: removed ${time(us)}`);
  return [...lines, ...events.map(([type, code, value]) => `E: ${time(us)} ${hex(type, 4)} ${hex(code, 4)} ${value}`)];
}

/** Records the frames of one panel as the text of a file. */
export class Recorder {
  frames = 0;
  #lines;

  /** @param {object} reply The reply to `describe`. No contact may be on the panel. */
  constructor(reply) {
    this.device = reply.device;
    this.#lines = evemuHead(reply);
  }

  take(line) {
    if (line.event !== "frame" || line.device !== this.device) return;
    this.#lines.push(...evemuFrame(line));
    this.frames += 1;
  }

  get text() {
    return `${this.#lines.join("\n")}\n`;
  }
}
