// SPDX-License-Identifier: MIT
// The client for `require`, which loads no ES modules in Node 18. It is gestured.mjs without the program at its end: this turns
// the lines that import and export names into those of CommonJS.
"use strict";
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const { compileFunction } = require("node:vm");

const filename = join(__dirname, "gestured.mjs");
const names = [];
const library = readFileSync(filename, "utf8")
  .split("\n// -- as a program")[0]
  .replace(/^#!.*/, '"use strict";')
  .replace(/^import (\{.*\}) from (".*");$/gm, "const $1 = require($2);")
  .replace(/^export (async function|function|class|const) (\w+)/gm, (_, kind, name) => {
    names.push(name);
    return `${kind} ${name}`;
  });

module.exports = compileFunction(`${library}\nreturn { ${names.join(", ")} };`, ["require"], { filename })(require);
