// A page in TypeScript. The compiler checks it, but no test runs it.
import { bind, connection, Gestures } from "../../clients/web/gestured.js";

const binding = bind(document, { prefix: "kiosk.", viewport: ({ width, height }) => ({ x: 0, y: 0, width, height }) });
const button = document.createElement("button");
button.addEventListener("gesture:tap", ({ detail }) => detail.elementX.toFixed(1));
document.addEventListener("gesture", ({ detail }) => (detail.phase === "cancel" ? detail.reason?.length : detail.clientDx));
connection({ subscription: { regions: ["ok"], phases: ["begin", "end", "cancel"] } }).addEventListener("state", ({ detail }) => detail.active[0].region);
const gestures: Gestures = binding.gestures;
gestures.request("status").then(({ uptime_ms }) => uptime_ms, (error) => error.code);
binding.regions()[0].shape.rect[3].toFixed();

// @ts-expect-error: there is no such option
bind(document, { prefixes: "kiosk." });
// @ts-expect-error: the detail has no such member
button.addEventListener("gesture:tap", ({ detail }) => detail.elementZ);
