const assert = require("node:assert");
const { test } = require("node:test");
const Parser = require("tree-sitter");
const language = require("./index.js");

test("parses a kernel", () => {
  const parser = new Parser();
  parser.setLanguage(language);
  const tree = parser.parse("kernel void scale(global float *x) { x[get_global_id(0)] *= 2; }\n");
  assert(!tree.rootNode.hasError);
  assert(language.HIGHLIGHTS_QUERY.includes("function_qualifier"));
});
