// SPDX-License-Identifier: MIT
// A gesture in a configuration: a word such as "tap", or a table with a type. This module does not use the DOM.

/** Returns its name; without a name, its type. */
export const gestureId = (gesture) => (typeof gesture === "string" ? gesture : (gesture.name ?? gesture.type));

/** Returns its type, such as "swipe". */
export const gestureType = (gesture) => (typeof gesture === "string" ? gesture : gesture.type);

/** Returns the parameters that the configuration gives it; a word has none. */
export const givenParameters = (gesture) => (typeof gesture === "string" ? {} : gesture);
