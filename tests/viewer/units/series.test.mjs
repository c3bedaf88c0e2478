import assert from "node:assert/strict";
import test from "node:test";
import { quantity, rangeOf, valuesOf } from "../../../viewer/src/fields.js";
import { colours } from "../../../viewer/src/colormap.js";
import { ProbeReader, statsRow, Table } from "../../../viewer/src/series.js";

test("a step of stats.jsonl gives the plots their numbers", () => {
  const row = statsRow({
    time: 0.5, dt: 0.1, stages: { transfer: 0.25 }, solver: { unknowns: 9, iterations: 11 },
    liquid: { particles: 8, volume: 0.99, expected_volume: 1, kinetic_energy: 3, potential_energy: 4 },
    bodies: [{ name: "post" }, { name: "a", kinetic_energy: 1, elastic_energy: 2 }, { name: "b", kinetic_energy: 10, elastic_energy: 20 }],
  });
  assert.equal(row["energy/liquid, kinetic"], 3);
  assert.equal(row["energy/bodies, kinetic"], 11);
  assert.equal(row["energy/bodies, elastic"], 22);
  assert.ok(Math.abs(row["drift/liquid"] + 1) < 1e-12); // per cent
  assert.equal(row["iterations/a step"], 11);
  assert.equal(row["stages/transfer"], 0.25);
});

test("without liquid there is no curve of it", () => {
  const row = statsRow({ dt: 0.1, liquid: { particles: 0, volume: 0, expected_volume: 0 }, bodies: [] });
  assert.deepEqual(Object.keys(row), ["dt/Δt"]);
});

test("gas has curves of its own", () => {
  const row = statsRow({ dt: 0.1, gas: { kinetic_energy: 2, smoke: 0.03, expected_smoke: 0.02, max_temperature: 90 } });
  assert.deepEqual(row, { "energy/gas, kinetic": 2, "smoke/there is": 30, "smoke/there should be": 20, "temperature/most": 90, "dt/Δt": 0.1 });
});

test("the row at a time is that of the step that ended there", () => {
  const table = new Table();
  for (const t of [0.1, 0.2, 0.3]) table.add(t, { a: t });
  assert.equal(table.at(0.05), -1);
  assert.equal(table.at(0.2), 1);
  assert.equal(table.at(0.29999999999999998), 2); // a frame's time by another rounding
  assert.equal(table.at(9), 2);
});

test("a curve that begins late is empty before", () => {
  const table = new Table();
  table.add(1, { a: 1 });
  table.add(2, { a: 1, b: 5 });
  table.add(3, { b: NaN });
  assert.deepEqual(table.columns.get("b"), [null, 5, null]);
  assert.deepEqual(table.columns.get("a"), [1, 1, null]);
});

test("a range leaves out the outliers, and begins at zero", () => {
  const values = Float32Array.from({ length: 1000 }, (_, i) => (i === 500 ? 1e9 : i / 1000));
  const [low, high] = rangeOf(values);
  assert.equal(low, 0);
  assert.ok(high > 0.98 && high <= 1);
  assert.equal(rangeOf(new Float32Array(0)), null);
});

test("speed is the length of the velocity", () => {
  const mesh = { points: 1, velocity: new Float32Array([3, 4, 12]), fields: {} };
  assert.equal(valuesOf(mesh, "speed")[0], 13);
  assert.equal(valuesOf(mesh, "von_mises"), null);
});

test("the ends of the colour map are viridis's own", () => {
  const ends = colours(new Float32Array([-5, 7]), 0, 1);
  assert.ok(Math.abs(ends[0] - ((0x44 / 255 + 0.055) / 1.055) ** 2.4) < 1e-6);
  assert.ok(Math.abs(ends[3] - ((0xfd / 255 + 0.055) / 1.055) ** 2.4) < 1e-6);
});

test("quantities are read at a glance", () => {
  assert.equal(quantity(12345, "Pa"), "12.3 kPa");
  assert.equal(quantity(0.00123, "s"), "1.23 ms");
  assert.equal(quantity(0, "J"), "0 J");
  assert.equal(quantity(-2, "m/s"), "-2 m/s");
});

test("columns of probes.csv go to the plot of their probe", () => {
  const reader = new ProbeReader([{ name: "tip" }, { name: "gauge_x" }]);
  assert.equal(reader.read("step,time,tip_x,tip_y,tip_z,gauge_x"), null);
  assert.deepEqual(reader.read("1,0.5,1,2,3,9"), [0.5, { "probe tip/x": 1, "probe tip/y": 2, "probe tip/z": 3, "probe gauge_x/value": 9 }]);
});
