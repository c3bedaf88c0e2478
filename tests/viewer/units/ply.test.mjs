import assert from "node:assert/strict";
import test from "node:test";
import { readPly } from "../../../viewer/src/ply.js";

// As src/coracle/out/ply.cpp writes it; `pad` shifts where the numbers begin.
function ply(names, points, triangles, pad = "") {
  const lines = ["ply", "format binary_little_endian 1.0", `element vertex ${points.length}`];
  if (pad) lines.push(`comment ${pad}`);
  for (const name of names) lines.push(`property float ${name}`);
  lines.push(`element face ${triangles.length}`, "property list uchar int vertex_indices", "end_header", "");
  const head = new TextEncoder().encode(lines.join("\n"));
  const buffer = new ArrayBuffer(head.length + 4 * names.length * points.length + 13 * triangles.length);
  new Uint8Array(buffer).set(head);
  const view = new DataView(buffer, head.length);
  let at = 0;
  for (const point of points) for (const value of point) view.setFloat32(at, value, true), (at += 4);
  for (const triangle of triangles) {
    view.setUint8(at++, 3);
    for (const point of triangle) view.setInt32(at, point, true), (at += 4);
  }
  return buffer;
}

const points = [
  [0, 1, 2, 0, 0, 1, 10, 11, 12],
  [3, 4, 5, 0, 1, 0, 13, 14, 15],
  [6, 7, 8, 1, 0, 0, 16, 17, 18],
];
const surface = ["x", "y", "z", "nx", "ny", "nz", "vx", "vy", "vz"];

test("a surface reads back, wherever its header ends", () => {
  for (const pad of ["", "a", "ab", "abc"]) {
    const mesh = readPly(ply(surface, points, [[0, 1, 2], [2, 1, 0]], pad));
    assert.equal(mesh.points, 3);
    assert.equal(mesh.triangles, 2);
    assert.deepEqual([...mesh.position], [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    assert.deepEqual([...mesh.normal], [0, 0, 1, 0, 1, 0, 1, 0, 0]);
    assert.deepEqual([...mesh.velocity], [10, 11, 12, 13, 14, 15, 16, 17, 18]);
    assert.deepEqual([...mesh.index], [0, 1, 2, 2, 1, 0]);
  }
});

test("properties go by name, in any order, and the rest are fields", () => {
  const mesh = readPly(ply(["pressure", "z", "y", "x", "von_mises"], [[7, 3, 2, 1, 9]], []));
  assert.deepEqual([...mesh.position], [1, 2, 3]);
  assert.equal(mesh.normal, null);
  assert.equal(mesh.velocity, null);
  assert.deepEqual(Object.keys(mesh.fields), ["pressure", "von_mises"]);
  assert.equal(mesh.fields.von_mises[0], 9);
});

test("nothing at all is a mesh too", () => {
  const mesh = readPly(ply(surface, [], []));
  assert.equal(mesh.points + mesh.triangles, 0);
});

test("what is broken is refused", () => {
  const whole = ply(surface, points, [[0, 1, 2]]);
  assert.throws(() => readPly(whole.slice(0, -1)), /not as long/);
  assert.throws(() => readPly(new TextEncoder().encode("ply\nformat ascii 1.0\nend_header\n").buffer), /not a binary/);
  assert.throws(() => readPly(new ArrayBuffer(0)), /not a binary/);
  assert.throws(() => readPly(ply(surface, points, [[0, 1, 3]])), /not there/);
  assert.throws(() => readPly(ply(["x", "y"], [[0, 1]], [])), /without x, y, z/);
});
