// SPDX-License-Identifier: MIT
// Arranges the gestures of a timeline in rows. This module does not use the DOM.

/** The distance between two items of a row, in CSS pixels. */
const GAP = 4;

/**
 * Chooses a row for each gesture, so that no name is covered by another name or by a later gesture. If there is no room, the
 * name of the earlier gesture is left out.
 * @param {{from: number, to: number, nameEnd: number}[]} items The gestures in order of `from`. `to` is the end of the bar or
 * dot. `nameEnd` is the end of the name, or `from` if the gesture has none.
 * @param {number} count The number of rows.
 * @returns {{row: number, isNamed: boolean}[]} One place for each item.
 */
export function arrange(items, count) {
  const rows = Array.from({ length: count }, () => ({ barEnd: -Infinity, nameEnd: -Infinity, last: null }));
  const end = (row) => Math.max(row.barEnd, row.nameEnd);
  const firstToEnd = (some, endOf) => some.reduce((best, row) => (endOf(row) < endOf(best) ? row : best));
  return items.map(({ from, to, nameEnd }) => {
    const withoutBar = rows.filter(({ barEnd }) => barEnd <= from);
    const row = rows.find((each) => end(each) <= from) ?? (withoutBar.length > 0 ? firstToEnd(withoutBar, end) : firstToEnd(rows, ({ barEnd }) => barEnd));
    const isCovering = row.barEnd > from;
    if (row.last && row.nameEnd > from) row.last.isNamed = false;
    const place = { row: rows.indexOf(row), isNamed: nameEnd > from && !isCovering };
    row.last = place;
    row.barEnd = Math.max(row.barEnd, to + GAP);
    row.nameEnd = place.isNamed ? nameEnd + GAP : -Infinity;
    return place;
  });
}
