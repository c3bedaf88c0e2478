import assert from "node:assert/strict";
import test from "node:test";
import { duration, TimeLeft } from "../../../viewer/src/progress.js";

test("the time left of steps that cost the same is exact, and follows steps that become slower", () => {
  const time = new TimeLeft(0.1);
  assert.equal(time.left(1), null);
  for (let i = 0; i < 1000; ++i) time.add({ dt: 0.01, stages: { solve: 0.75, move: 0.25 } });
  assert.ok(Math.abs(time.left(0.5) - 50) < 1e-9);
  for (let n = 1; n <= 50; ++n) {
    time.add({ dt: 0.01, stages: { solve: 3 } });
    assert.ok(Math.abs(time.left(1) - (300 - 200 * Math.exp(-n / 10))) < 1e-6); // the mean fades from 100 to 300
  }
  assert.equal(time.left(-1), 0);
  time.restart();
  assert.equal(time.left(1), null);
});

test("durations are written as on a clock", () => {
  assert.deepEqual([0.4, 59.6, 3599.6, 3723].map(duration), ["0 s", "1:00", "1:00:00", "1:02:03"]);
});
