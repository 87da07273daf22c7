const { readFileSync } = require("node:fs");
const { join } = require("node:path");

const root = join(__dirname, "..", "..");
const query = (name) => readFileSync(join(root, "queries", name), "utf8");

/** The compiled language; the queries and node types are read when they are used. */
module.exports = require("node-gyp-build")(root);

for (const [name, read] of [
  ["nodeTypeInfo", () => JSON.parse(readFileSync(join(root, "src", "node-types.json"), "utf8"))],
  ["HIGHLIGHTS_QUERY", () => query("highlights.scm")],
  ["LOCALS_QUERY", () => query("locals.scm")],
  ["FOLDS_QUERY", () => query("folds.scm")],
]) {
  Object.defineProperty(module.exports, name, { enumerable: true, get: read });
}
