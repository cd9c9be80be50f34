import { bind } from "/gestured.js";
const { createElement, useEffect, useRef, useState } = React;
function Counter() {
  const [count, setCount] = useState(0), button = useRef(null);
  useEffect(() => button.current.addEventListener("gesture:long_press", ({ detail }) => detail.phase === "begin" && setCount(0)), []);
  const gestures = { "data-gesture": "press tap long_press", "data-gesture-click": "" };
  return createElement("button", { ref: button, id: "counter", onClick: () => setCount(count + 1), ...gestures }, `touched ${count} times`);
}
ReactDOM.createRoot(document.getElementById("app")).render(createElement(Counter));
bind();
