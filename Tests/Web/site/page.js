// Records for the tests all events that the page's elements receive, from gestured and from the browser.
import { bind, connection } from "/gestured.js";

window.seen = [];
window.gestures = connection();
if (window.list) for (let n = 1; n <= 20; n++) list.insertAdjacentHTML("beforeend", `<div id="item${n}" data-gesture="press tap">item ${n}</div>`);
document.addEventListener("gesture", ({ target, detail }) => seen.push({ id: target.id, ...detail }));
for (const name of ["gesture:tap", "gesture:press", "gesture:menu"]) {
  document.addEventListener(name, ({ target, detail }) => seen.push({ id: target.id, named: name, phase: detail.phase }));
}
for (const name of ["click", "pointerdown", "pointerup", "touchstart", "touchend", "mousedown", "contextmenu"]) {
  document.addEventListener(name, (event) => seen.push({ id: event.target.id, native: name, isTrusted: event.isTrusted }));
}
window.bound = bind();
window.rect = (element) => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return [left, top, width, height].map(Math.round);
};
// The regions of this page, as the daemon reports them.
window.regions = async () => Object.fromEntries((await gestures.request("regions", { region: "app.*" })).regions.map((each) => [each.region, each]));
// Resolves to whether the daemon's region has the position and size of its element.
window.isThere = async (id) => JSON.stringify((await regions())[`app.${id}`]?.shape.rect) === JSON.stringify(rect(document.getElementById(id)));
