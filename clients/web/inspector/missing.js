// SPDX-License-Identifier: MIT
// Finds what a page lacks for a command. This module does not use the DOM.

/** Returns the administrator's files among those that the daemon has read: without the installed default, whose changes an upgrade would undo. */
export const ownFiles = (files) => files.filter((file) => !file.endsWith("/share/gestured/gestured.toml"));

/**
 * Returns the file that has the lists of `[access]`.
 * @param {string[]} files The files that the daemon has read. Those after the first one may replace a list.
 */
export function accessFile(files) {
  const own = ownFiles(files);
  const [first = files.length > 0 ? "a new file /etc/gestured/conf.d/50-access.toml" : "gestured.toml", ...others] = own;
  return { first, others: others.length > 0 ? " (or of the later file that sets the list)" : "" };
}

/**
 * Returns what allows a command, such as `add "touch_map" to commands in web.toml, run …`, or null if the page may use it.
 * @param {{bridge: object, connection: {hasRight: (right: string) => boolean}, files: string[]}} app
 * @param {string} command
 * @param {string[]} rights The page needs one of these rights. None are needed if this is empty.
 */
export function missing({ bridge, connection, files }, command, rights) {
  const steps = [];
  if (bridge.commands?.includes(command) === false) steps.push(`add "${command}" to commands in web.toml, run systemctl reload gestured-web`);
  if (rights.length > 0 && !rights.some((right) => connection.hasRight(right))) {
    const { first, others } = accessFile(files);
    steps.push(`add "${bridge.user ?? "gestured-web"}" to ${rights[0]}_uids in [access] of ${first}${others}, run gesturectl reload as root`);
  }
  return steps.length > 0 ? `${steps.join(", ")}, and reload this page` : null;
}
