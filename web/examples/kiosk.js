import { bind } from "/gestured.js";

const say = (text) => (document.getElementById("said").textContent = text);
// A click: by a tap that the daemon recognized, by a mouse, or by the browser when there is no daemon.
document.getElementById("buy").addEventListener("click", () => say("bought"));
document.getElementById("service").addEventListener("gesture:long_press", ({ detail }) => detail.phase === "begin" && say("service"));
bind();
