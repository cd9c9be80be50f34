// SPDX-License-Identifier: MIT
// A gesture in a configuration: a word such as "tap", or a table with a type. This module does not use the DOM.

/** Its name; without one, its type. */
export const gestureId = (gesture) => (typeof gesture === "string" ? gesture : (gesture.name ?? gesture.type));

/** Its type, such as "swipe". */
export const gestureType = (gesture) => (typeof gesture === "string" ? gesture : gesture.type);

/** The parameters that the configuration gives it; a word has none. */
export const givenParameters = (gesture) => (typeof gesture === "string" ? {} : gesture);
