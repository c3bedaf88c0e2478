import assert from "node:assert/strict";
import test from "node:test";
import { FileCache } from "../../../viewer/src/files.js";

// A loader that answers when the test says so.
function slowLoader() {
  const asked = new Map();
  const load = (name, signal) =>
    new Promise((resolve, reject) => {
      asked.set(name, { answer: (bytes = 10) => resolve({ name, bytes }), signal });
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  return { asked, load };
}
const instantly = async (name) => ({ name, bytes: 10 });
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

test("what is kept is bounded, and the latest used stays", async () => {
  const cache = new FileCache(instantly, { maxBytes: 30 });
  for (const name of ["a", "b", "c"]) await cache.get(name);
  await cache.get("a");
  await cache.get("d");
  assert.deepEqual([...cache.kept.keys()], ["c", "a", "d"]);
  assert.equal(cache.bytes, 30);
});

test("a file larger than all that may be kept is still shown", async () => {
  const cache = new FileCache(instantly, { maxBytes: 5 });
  assert.equal((await cache.get("a")).name, "a");
  assert.equal((await cache.get("b")).name, "b");
  assert.equal(cache.kept.size, 1);
});

test("files are fetched once, and no more than a few at once", async () => {
  const { asked, load } = slowLoader();
  const cache = new FileCache(load, { atOnce: 2 });
  cache.want(["a", "b", "c"]);
  assert.deepEqual([...asked.keys()], ["a", "b"]);
  const twice = [cache.get("a"), cache.get("a")];
  asked.get("a").answer();
  assert.equal((await twice[0]).name, "a");
  assert.equal(await twice[1], await twice[0]);
  await settle();
  assert.ok(asked.has("c"));
});

test("a fetch that nobody wants any more is aborted, and can be asked for again", async () => {
  const { asked, load } = slowLoader();
  const cache = new FileCache(load);
  const first = cache.get("a");
  cache.want(["b"]);
  assert.ok(asked.get("a").signal.aborted);
  await assert.rejects(first, { name: "AbortError" });
  const again = cache.get("a");
  asked.get("a").answer();
  assert.equal((await again).name, "a");
  assert.equal(cache.flying.has("a"), false);
});
