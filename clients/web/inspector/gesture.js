// SPDX-License-Identifier: MIT
// Functions for a gesture in a configuration, which is a word such as "tap" or a table with a type. This module does not use the DOM.

/** Returns the name of a gesture, or its type if it has no name. */
export const gestureId = (gesture) => (typeof gesture === "string" ? gesture : (gesture.name ?? gesture.type));

/** Returns the type of a gesture, such as "swipe". */
export const gestureType = (gesture) => (typeof gesture === "string" ? gesture : gesture.type);

/** Returns the parameters that the configuration sets for a gesture. A gesture that is given as a word has none. */
export const givenParameters = (gesture) => (typeof gesture === "string" ? {} : gesture);
