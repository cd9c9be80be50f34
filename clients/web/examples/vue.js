import { bind } from "/gestured.js";
new Vue({ el: "#app", data: { count: 0 } });
bind();
