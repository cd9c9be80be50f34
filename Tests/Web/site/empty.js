// A page that receives gestures, but has no elements of its own.
import { connection } from "/gestured.js";

window.gestures = connection();
window.regions = async () => Object.fromEntries((await gestures.request("regions", { region: "app.*" })).regions.map((each) => [each.region, each]));
