import assert from "node:assert/strict";
import test from "node:test";
import { atCorners, cornerNormals } from "../../../viewer/src/corners.js";

// Two triangles that share the edge from (0,0,0) to (0,0,1), the second turned about it by an angle.
function hinge(degrees) {
  const angle = (degrees * Math.PI) / 180;
  const position = new Float32Array([0, 0, 0, 0, 0, 1, -1, 0, 0, Math.cos(angle), -Math.sin(angle), 0]);
  return { position, index: new Uint32Array([0, 2, 1, 0, 1, 3]) };
}

test("a sharp edge has two normals, a faint one their mean", () => {
  const normal = (degrees, corner) => {
    const { position, index } = hinge(degrees);
    return [...cornerNormals(position, index).slice(3 * corner, 3 * corner + 3)];
  };
  const near = (a, b) => a.every((x, i) => Math.abs(x - b[i]) < 1e-6);
  const up = normal(90, 1); // of a corner that only the first triangle has
  assert.ok(near(normal(90, 0), up), "at the edge of a box, the face's own");
  const half = (10 * Math.PI) / 180;
  const tilted = normal(20, 0);
  assert.ok(Math.abs(Math.abs(tilted[1]) - Math.cos(half)) < 1e-6, "half way between");
  assert.ok(near(tilted, normal(20, 3)), "the same from both sides");
});

test("values go to every corner of their point", () => {
  assert.deepEqual([...atCorners(new Float32Array([5, 6, 7]), 1, new Uint32Array([2, 0, 1, 2, 2, 0]))], [7, 5, 6, 7, 7, 5]);
});
