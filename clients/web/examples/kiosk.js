import { bind } from "/gestured.js";

const say = (text) => (document.getElementById("said").textContent = text);
// The click comes from a tap that the daemon has recognized, from a mouse, or, if there is no daemon, from the browser.
document.getElementById("buy").addEventListener("click", () => say("bought"));
document.getElementById("service").addEventListener("gesture:long_press", ({ detail }) => detail.phase === "begin" && say("service"));
bind();
