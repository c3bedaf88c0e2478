import assert from "node:assert/strict";
import test from "node:test";
import { fields, quantity, rangeOf, valuesOf, wetness } from "../../../viewer/src/fields.js";

test("a film is told in micrometres and millimetres", () => {
  assert.equal(quantity(2.5e-4, fields.film.unit), "250 µm");
  assert.equal(quantity(1.25e-3, fields.film.unit), "1.25 mm");
});

test("a film is a field of the mesh, and its range begins at zero", () => {
  const mesh = { points: 3, velocity: null, fields: { film: new Float32Array([1e-4, 2e-4, 3e-4]) } };
  assert.equal(valuesOf(mesh, "film"), mesh.fields.film);
  assert.equal(valuesOf(mesh, "pressure"), null);
  const [low, high] = rangeOf(mesh.fields.film);
  assert.equal(low, 0);
  assert.ok(Math.abs(high - 3e-4) < 1e-9);
});

test("skin looks wet from a few hundredths of a millimetre on, and no wetter above 0.3 mm", () => {
  assert.equal(wetness(0), 0);
  assert.equal(wetness(-1e-9), 0);
  assert.ok(wetness(3e-5) > 0.35 && wetness(3e-5) < 0.45);
  assert.ok(wetness(3e-4) > 0.95 && wetness(1e-2) <= 1);
});
