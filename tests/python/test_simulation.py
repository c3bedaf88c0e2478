"""A simulation in Python is that of the command line, and may be driven between steps."""
import json
import logging
import os
import threading
import time
import unittest

import numpy as np

import coracle
from small import BAR, POOL, command, folder, without_hold

TIMES = {"stages", "setup_s", "solve_s", "bodies_s", "memory_mb", "search_s", "probes", "notes"}  # not results


def numbers(report):
    """Values that a result must have to the bit, by path, as JSON writes them."""
    found = {}

    def walk(value, path):
        if isinstance(value, dict):
            for key, entry in value.items():
                if key not in TIMES:
                    walk(entry, path + (key,))
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            for index, entry in enumerate(value):
                walk(entry, path + (entry.get("name", index),))
        elif isinstance(value, (list, np.ndarray)):
            found[path] = [float(v) for v in value]
        else:
            found[path] = value

    walk(report, ())
    return {path: value for path, value in found.items() if path[-1] != "name"}


def busy(thread):
    """Processor time of a thread, in hundredths of a second."""
    with open(f"/proc/self/task/{thread}/stat") as file:
        return int(file.read().rsplit(")", 1)[1].split()[11])


class AsTheCommandLine(unittest.TestCase):
    def test_the_same_bits(self):
        out = folder(self)
        said = command("run", "dam_break", "--preset", "quick", "--frames", "3", "--threads", "1", "-q", "-o", out + "/run")
        self.assertEqual(said.returncode, 0, said.stderr)
        sim = coracle.Simulation("dam_break", preset="quick", set={"time.frames": 3})
        reports = [report for frame in sim.frames() for report in frame.steps]
        self.assertTrue(sim.done)

        other = coracle.resume(out + "/run")
        self.assertEqual(sim.steps, other.steps)
        np.testing.assert_array_equal(sim.bodies["beam"].x, other.bodies["beam"].x)
        np.testing.assert_array_equal(sim.bodies["beam"].v, other.bodies["beam"].v)
        np.testing.assert_array_equal(sim.particles.x, other.particles.x)
        np.testing.assert_array_equal(sim.particles.v, other.particles.v)
        np.testing.assert_array_equal(sim.pressure, other.pressure)

        with open(out + "/run/stats.jsonl") as file:
            lines = [json.loads(line) for line in file]
        self.assertEqual(len(lines), len(reports))
        for line, report in zip(lines, reports):
            self.assertEqual(numbers(line), numbers(report))
        probes = coracle.Run(out + "/run").probes
        for column in sim.probe_names:
            np.testing.assert_array_equal(probes[column], [r.probes[column] for r in reports])

    def test_a_saved_state_goes_on_to_the_same_bits(self):
        out = folder(self)
        first = coracle.Simulation(POOL)
        for _ in range(5):
            first.step()
        first.set_force("block", np.tile([0.0, 0.05, 0.0], (len(first.bodies["block"].x), 1)))
        first.save(out + "/state.h5")
        second = coracle.resume(out + "/state.h5", threads=1)
        self.assertEqual(second.scene, first.scene)
        for sim in (first, second):
            for _ in range(5):
                sim.step()
        np.testing.assert_array_equal(first.bodies["block"].x, second.bodies["block"].x)
        np.testing.assert_array_equal(first.particles.x, second.particles.x)

    def test_frames_end_where_the_scene_says(self):
        sim = coracle.Simulation(BAR)
        frames = list(sim.frames(3))
        self.assertEqual([f.number for f in frames], [1, 2, 3])
        np.testing.assert_allclose([f.time for f in frames], np.arange(1, 4) / 24, rtol=1e-15)
        self.assertEqual(sum(len(f.steps) for f in frames), sim.steps)
        self.assertEqual([f.number for f in sim.frames()], [4])
        self.assertEqual(list(sim.frames()), [])
        with self.assertRaisesRegex(ValueError, "count must be"):
            sim.frames(-1)  # before the first frame is asked for


class Controls(unittest.TestCase):
    def test_momentum_grows_by_the_force(self):
        sim = coracle.Simulation(without_hold(BAR))
        bar = sim.bodies["bar"]
        force = np.random.default_rng(1).normal(size=bar.x.shape) * 1e-3
        sim.set_force("bar", force)
        for _ in sim.frames():
            pass
        momentum = bar.mass @ bar.v
        np.testing.assert_allclose(momentum, force.sum(axis=0) * sim.time, rtol=1e-9, atol=1e-14)
        sim.set_force("bar", None)
        self.assertEqual(len(bar.force), 0)

    def test_a_hold_goes_where_it_is_told(self):
        sim = coracle.Simulation(BAR)
        bar = sim.bodies["bar"]
        held = bar.rest[:, 0] == bar.rest[:, 0].min()
        sim.move_hold("bar", 0, [0, 0.1, 0], 0.125)  # three frames
        for _ in sim.frames():
            pass
        np.testing.assert_allclose(bar.x[held], bar.rest[held] + [0, 0.1, 0], atol=1e-15)

    def test_a_muscle_pulls_when_it_is_told(self):
        sim = coracle.Simulation(BAR)
        bar = sim.bodies["bar"]
        self.assertEqual(bar.muscles, ["pull"])
        for _ in sim.frames(1):
            pass
        np.testing.assert_array_equal(bar.x, bar.rest)
        sim.set_activation("bar", "pull", 1)
        for _ in sim.frames(1):
            pass
        self.assertLess(np.ptp(bar.x[:, 0]), 0.97 * np.ptp(bar.rest[:, 0]))

    def test_an_inflow_that_is_turned_off_gives_nothing(self):
        scene = {"domain": {"resolution": 12}, "time": {"frames": 4},
                 "inflow": [{"name": "tap", "shape": "sphere", "center": [0.5, 0.8, 0.5], "radius": 0.15,
                             "velocity": [0, -1, 0]}]}
        sim = coracle.Simulation(scene)
        for _ in sim.frames(2):
            pass
        before = len(sim.particles)
        self.assertGreater(before, 0)
        sim.set_flow("tap", [0, 0, 0])
        for _ in sim.frames(2):
            pass
        self.assertEqual(len(sim.particles), before)


class WhileAStepGoesOn(unittest.TestCase):
    def test_other_threads_run_and_are_told(self):
        sim = coracle.Simulation("dam_break", preset="quick")
        going, turns, told = threading.Event(), 0, []

        def work():
            for _ in range(20):
                sim.step()
            going.set()

        thread = threading.Thread(target=work)
        thread.start()
        while not going.is_set():
            turns += 1
            try:
                sim.particles.x
                repr(sim)
            except RuntimeError as error:
                told.append(str(error))
            time.sleep(1e-3)
        thread.join()
        self.assertGreater(turns, 20)
        self.assertTrue(told and all("another thread" in text for text in told))
        self.assertEqual(sim.steps, 20)

    def test_saving_waits_for_the_step(self):
        sim, out = coracle.Simulation("dam_break", preset="quick"), folder(self)
        thread = threading.Thread(target=lambda: [sim.step() for _ in range(10)])
        thread.start()
        for k in range(3):
            sim.save(f"{out}/{k}.h5")
        thread.join()
        self.assertEqual(sim.steps, 10)
        self.assertLessEqual(coracle.resume(out + "/2.h5").steps, 10)

    def test_a_loop_over_frames_goes_on_while_another_thread_writes_files(self):
        sim, out, stop, written = coracle.Simulation(POOL, set={"time.frames": 20}), folder(self), threading.Event(), []

        def write():
            while not stop.is_set():
                sim.save(out + "/state.h5")
                sim.write_frame(out)
                written.append(sim.steps)

        thread = threading.Thread(target=write)
        thread.start()
        try:
            for frame in sim.frames():
                self.assertEqual(frame.number, sim.frame_number)
                sim.set_force("block", np.zeros(sim.bodies["block"].x.shape))
                self.assertTrue(np.isfinite(sim.particles.x).all())
        finally:
            stop.set()
            thread.join()
        self.assertEqual(sim.frame_number, 20)
        self.assertGreater(len(written), 3)

    def test_threads_of_one_simulation_do_not_bind_others(self):
        idle = coracle.Simulation(BAR, threads=1)
        sim = coracle.Simulation("dam_break", preset="quick", threads=2)
        sim.step()
        before = {t: busy(t) for t in os.listdir("/proc/self/task")}
        for _ in range(30):
            sim.step()
        times = sorted(busy(t) - before.get(t, 0) for t in os.listdir("/proc/self/task"))
        if os.cpu_count() > 1:
            self.assertGreaterEqual(times[-2], 2)  # of the two threads that worked most; bound to one, it would be none
        self.assertFalse(idle.done)

    def test_warnings_go_to_the_logger(self):
        scene = {**POOL, "liquid": {"region": [*POOL["liquid"]["region"],
                                               {"shape": "sphere", "center": [0.5, 0.9, 0.5], "radius": 1e-4}]}}
        with self.assertLogs("coracle", logging.WARNING) as caught:
            coracle.Simulation(scene)
        self.assertTrue(any("region" in line for line in caught.output), caught.output)
        lines = []
        coracle.Simulation(scene, log=lines.append)
        self.assertTrue(any(line.startswith("warning: ") for line in lines), lines)


class AScene(unittest.TestCase):
    def test_a_dict_is_the_file_that_says_the_same(self):
        here = folder(self)
        with open(os.path.join(here, "bar.toml"), "w") as file:
            file.write("gravity = [0, 0, 0]\n[domain]\nresolution = 8\n[time]\nframes = 4\n[[body]]\nname = 'bar'\n"
                       "shape = 'box'\ncenter = [0.5, 0.5, 0.5]\nsize = [0.6, 0.1, 0.1]\nmesh = 'grid5'\n"
                       "cells = [6, 1, 1]\nelement = 'linear'\nyoung = 1e5\n[[body.hold]]\ntype = 'pin'\nside = 'x_min'\n"
                       "[[body.muscle]]\nname = 'pull'\nstress = 1e4\nlevel = 0\nswing = 0\n")
        read = coracle.Simulation(os.path.join(here, "bar.toml")).scene
        self.assertEqual(coracle.Simulation(BAR).scene, read)
        self.assertEqual(coracle.Simulation(read).scene, read)  # and what it says is a scene again

    def test_values_may_come_from_numpy(self):
        scene = {**BAR, "gravity": np.array([0, -1.5, 0]), "domain": {"resolution": np.int64(8)}}
        self.assertEqual(coracle.Simulation(scene).scene["gravity"], [0, -1.5, 0])

    def test_set_takes_paths_and_nested_dicts(self):
        one = coracle.Simulation(BAR, set={"domain.resolution": 10, "body.bar.young": 3e4}).scene
        two = coracle.Simulation(BAR, set={"domain": {"resolution": 10}, "body": {"bar": {"young": 3e4}}}).scene
        self.assertEqual(one, two)
        self.assertEqual(one["domain"]["resolution"], 10)
        self.assertEqual(one["body"][0]["young"], 3e4)

    def test_what_ships_is_listed(self):
        names = [scene.name for scene in coracle.scenes()]
        self.assertIn("dam_break", names)
        self.assertIn("quick", next(s.presets for s in coracle.scenes() if s.name == "dam_break"))
        self.assertIn("domain", coracle.schema()["properties"])


if __name__ == "__main__":
    unittest.main()
