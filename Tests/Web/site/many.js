// Adds any number of buttons to the page.
window.many = (count) => {
  document.body.replaceChildren();
  for (let n = 0; n < count; n++) document.body.insertAdjacentHTML("beforeend", `<button id="n${n}" data-gesture="press tap long_press">${n}</button>`);
};
many(250);
await import("./page.js");
