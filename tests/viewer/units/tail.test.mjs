import assert from "node:assert/strict";
import test from "node:test";
import { Tail } from "../../../viewer/src/server.js";

// A server with one file, and the ranges that were asked for.
function serveText(text) {
  const asked = [];
  const file = { text, asked };
  globalThis.fetch = async (path, { headers }) => {
    const bytes = new TextEncoder().encode(file.text);
    const from = Number(/^bytes=(\d+)-$/.exec(headers.Range)[1]);
    asked.push(from);
    return from < bytes.length ? new Response(bytes.slice(from), { status: 206 }) : new Response(null, { status: 416 });
  };
  return file;
}

test("only new bytes are asked for, and a line is given when it is whole", async () => {
  const file = serveText("one\ntwo\nthr");
  const tail = new Tail("run.log");
  assert.deepEqual(await tail.lines(), ["one", "two"]);
  assert.deepEqual(await tail.lines(), []);
  file.text += "ee µ\nfour";
  assert.deepEqual(await tail.lines(), ["three µ"]);
  assert.deepEqual(file.asked, [0, 11, 11]);
});

test("from within a long file, the line that is cut is left out", async () => {
  const file = serveText("the first line\nsecond\nthird\n");
  const tail = new Tail("run.log");
  tail.restart(5);
  assert.deepEqual(await tail.lines(), ["second", "third"]);
  file.text += "fourth\n";
  assert.deepEqual(await tail.lines(), ["fourth"]);
  assert.deepEqual(file.asked, [5, 28]);
  tail.restart();
  assert.deepEqual(await tail.lines(), ["the first line", "second", "third", "fourth"]);
});
