import assert from "node:assert/strict";
import test from "node:test";
import { readNrrd } from "../../../viewer/src/nrrd.js";
import { lightSmoke } from "../../../viewer/src/smokelight.js";
import { towardSun } from "../../../viewer/src/light.js";

// As src/coracle/out/nrrd.cpp writes it.
function nrrd(cells, dx, values, change = (text) => text) {
  const text = `NRRD0004\n# values at cell centres, m\ntype: float\ndimension: 3\nsizes: ${cells.join(" ")}\nencoding: raw\nendian: little\nspace dimension: 3\nspace directions: (${dx},0,0) (0,${dx},0) (0,0,${dx})\nspace origin: (${dx / 2},${dx / 2},${-1 + dx / 2})\n\n`;
  const head = new TextEncoder().encode(change(text));
  const buffer = new ArrayBuffer(head.length + 4 * values.length);
  new Uint8Array(buffer).set(head);
  const view = new DataView(buffer, head.length);
  values.forEach((value, i) => view.setFloat32(4 * i, value, true));
  return buffer;
}

const cells = [3, 2, 4];
const values = Array.from({ length: 24 }, (_, i) => i / 4);

test("a volume comes with its place and every value", () => {
  const read = readNrrd(nrrd(cells, 0.25, values));
  assert.deepEqual(read.cells, cells);
  assert.equal(read.dx, 0.25);
  assert.deepEqual(read.low, [0, 0, -1]);
  assert.deepEqual([...read.values], values);
  assert.equal(readNrrd(nrrd(cells, 2.5e-7, values)).dx, 2.5e-7);
});

test("what is not such a volume is refused", () => {
  const refused = (change, why) => assert.throws(() => readNrrd(nrrd(cells, 0.25, values, change)), why);
  refused((text) => text.replace("NRRD", "PLY "), /not an NRRD/);
  refused((text) => text.replace("float", "double"), /floats/);
  refused((text) => text.replace("raw", "gzip"), /floats/);
  refused((text) => text.replace("3 2 4", "3 2 5"), /not as long/);
  refused((text) => text.replace("3 2 4", "3 2"), /not known/);
  refused((text) => text.replace("3 2 4", "3 2 0"), /not known/);
  assert.throws(() => readNrrd(nrrd(cells, 0.25, values).slice(0, -1)), /not as long/);
});

test("smoke is found, and the box around it", () => {
  const volume = readNrrd(nrrd([8, 8, 8], 0.5, new Array(512).fill(0)));
  volume.values[3 + 8 * (4 + 8 * 5)] = 2;
  volume.values[0] = 1;
  const smoke = lightSmoke(volume, 0.5);
  assert.equal(smoke.points, 2);
  assert.equal(smoke.most, 4); // 1/m
  assert.deepEqual(smoke.low, [0, 0, -1]);
  assert.deepEqual(smoke.high, [0.5 * 4.5, 0.5 * 5.5, -1 + 0.5 * 6.5]);
  assert.equal(smoke.texels[0], Math.round(255 * Math.SQRT1_2)); // √(σ / most)
  assert.equal(lightSmoke(readNrrd(nrrd(cells, 0.25, new Array(24).fill(0))), 1).points, 0);
});

test("the sun fades through even smoke as Beer and Lambert say", () => {
  const [n, dx, depth] = [24, 0.1, 1.5];
  const smoke = lightSmoke(readNrrd(nrrd([n, n, n], dx, new Array(n ** 3).fill(1))), depth);
  const light = (i, j, k) => smoke.texels[2 * (i + n * (j + n * k)) + 1] / 255; // e^(−τ/4)
  for (const j of [n - 1, n - 4, n - 8]) {
    const below = (n - j - 0.5) * dx; // the top
    const expected = Math.exp(-below / towardSun[1] / depth / 4);
    assert.ok(Math.abs(light(2, j, 2) - expected) < 0.02, `${light(2, j, 2)} is not ${expected}`);
  }
  assert.ok(light(n - 1, 5, 10) > light(2, 5, 10) + 0.1, "on the sun's side it comes in from the side");
});

test("smoke shades what lies away from the sun, and nothing else", () => {
  const n = 16;
  const volume = readNrrd(nrrd([n, n, n], 0.1, new Array(n ** 3).fill(0)));
  volume.values[8 + n * (12 + n * 8)] = 50;
  const { texels } = lightSmoke(volume, 1);
  const light = (i, j, k) => texels[2 * (i + n * (j + n * k)) + 1];
  const [sx, sy, sz] = towardSun;
  const j = 6; // six cells below it
  const at = [Math.round(8 - (6 * sx) / sy), j, Math.round(8 - (6 * sz) / sy)];
  assert.ok(light(...at) < 245, `${light(...at)} in its shadow`);
  assert.equal(light(8, j, 8), 255); // straight below
  assert.equal(light(8, 15, 8), 255); // above
});
