// SPDX-License-Identifier: MIT
// Returns what is wrong with the texts and controls that a page shows, one sentence each: those that are cut off, those that overlap
// others, and texts with too little contrast. LEAST is the least contrast.
(() => {
  /** A difference of sides by this many CSS pixels is none. */
  const TOLERANCE = 1.5;
  const CONTROLS = "button, select, input:not([type=file]), textarea, summary";
  const name = (element) => `${element.tagName.toLowerCase()}${element.id && `#${element.id}`} “${(element.textContent || element.value || "").trim().slice(0, 40)}”`;
  const isHidden = (element) => !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || element.closest(".visually-hidden, .icons, .file input");
  const meet = (one, other) => ({ left: Math.max(one.left, other.left), right: Math.min(one.right, other.right), top: Math.max(one.top, other.top), bottom: Math.min(one.bottom, other.bottom) });
  const isEmpty = ({ left, right, top, bottom }) => right - left <= TOLERANCE || bottom - top <= TOLERANCE;

  /** The texts and controls, as `{element, box}`. Options are drawn by the browser, and the text of a control belongs to it. */
  const items = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || isHidden(element) || element.closest("option, script, title, textarea, select")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) if (!isEmpty(box)) items.push({ element, box, isText: true });
  }
  for (const element of document.querySelectorAll(CONTROLS)) {
    const box = element.getBoundingClientRect();
    if (!isHidden(element) && !isEmpty(box)) items.push({ element, box, isText: false });
  }

  const found = [];
  /** Returns the part of a box that can be seen without scrolling. Notes the boxes that no scrolling shows whole. */
  function visible({ element, box }) {
    let seen = box;
    let isCut = false;
    // Content that a scrolling ancestor hides can be scrolled into view.
    const canScroll = { x: false, y: false };
    for (let each = element; each && each !== document.documentElement; each = each.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(each);
      if (overflowX !== "visible" || overflowY !== "visible") {
        const own = each.getBoundingClientRect();
        const isWide = !canScroll.x && ["hidden", "clip"].includes(overflowX) && (box.left < own.left - TOLERANCE || box.right > own.right + TOLERANCE);
        const isTall = !canScroll.y && ["hidden", "clip"].includes(overflowY) && (box.top < own.top - TOLERANCE || box.bottom > own.bottom + TOLERANCE);
        isCut ||= isWide || isTall;
        canScroll.x ||= ["auto", "scroll"].includes(overflowX);
        canScroll.y ||= ["auto", "scroll"].includes(overflowY);
        seen = meet(seen, own);
      }
      if (position === "fixed") break;
    }
    if (!canScroll.x && (box.left < -TOLERANCE || box.right > innerWidth + TOLERANCE)) isCut = true;
    if (isCut) found.push(`cut: ${name(element)} at ${[box.left, box.top, box.right, box.bottom].map(Math.round)}`);
    return seen;
  }
  for (const item of items) item.seen = visible(item);
  const main = document.querySelector("main");
  if (main.scrollWidth > main.clientWidth + TOLERANCE) found.push(`cut: the page is ${main.scrollWidth} pixels wide, and ${main.clientWidth} are shown`);

  // A fixed element lies above those that scroll below it, and a message above everything.
  const layer = (element) => element.closest("#messages, header nav") ?? document.body;
  const shown = items.filter(({ seen }) => !isEmpty(seen));
  shown.forEach((one, index) => {
    for (const other of shown.slice(index + 1)) {
      if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
      if (layer(one.element) !== layer(other.element) || isEmpty(meet(one.seen, other.seen))) continue;
      found.push(`overlap: ${name(one.element)} and ${name(other.element)}`);
    }
  });

  const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const paint = (colour) => {
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
  };
  const luminance = () =>
    [...context.getImageData(0, 0, 1, 1).data]
      .slice(0, 3)
      .map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
      .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  function contrast(element) {
    const outward = [];
    for (let each = element; each; each = each.parentElement) outward.push(getComputedStyle(each).backgroundColor);
    paint("white");
    outward.reverse().forEach(paint);
    const isDrawn = element instanceof SVGElement;
    // A label lies on the glass, or on its own outline.
    if (isDrawn) paint(getComputedStyle(document.documentElement).getPropertyValue(getComputedStyle(element).stroke === "none" && element.closest(".clip") ? "--glass" : "--surface"));
    const back = luminance();
    paint(isDrawn ? getComputedStyle(element).fill : getComputedStyle(element).color);
    const [low, high] = [back, luminance()].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  }
  for (const { element, isText } of shown) {
    // WCAG asks for no contrast of controls that cannot be used.
    if (!isText || element.closest(":disabled, label:has(:disabled)")) continue;
    const value = contrast(element);
    if (value < LEAST) found.push(`contrast: ${value.toFixed(2)}: ${name(element)}`);
  }
  return [...new Set(found)];
})()
