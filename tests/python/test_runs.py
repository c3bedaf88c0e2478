"""Whole runs, and what is read from their folders."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import unittest

import numpy as np

import coracle
from small import POOL, SMOKE, command, folder


class Runs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = unittest.TestCase()
        cls.addClassCleanup(holder.doCleanups)
        cls.out = folder(holder)
        cls.reports = []
        cls.run_ = coracle.run(POOL, cls.out + "/pool", on_step=cls.reports.append, progress=False)

    def test_stats_are_the_reports(self):
        stats = self.run_.stats
        self.assertEqual(len(stats), len(self.reports))
        np.testing.assert_array_equal(stats["liquid.volume"], [r.liquid.volume for r in self.reports])
        np.testing.assert_array_equal(stats["bodies.block.center.y"], [r.bodies.block.center[1] for r in self.reports])
        np.testing.assert_array_equal(stats["step"], [r.step for r in self.reports])
        self.assertEqual(stats["step"].dtype, np.int64)
        np.testing.assert_array_equal(self.run_.probes["top_y"], [r.probes.top_y for r in self.reports])
        with self.assertRaisesRegex(coracle.NameNotFound, "liquid.volume"):
            stats["liquid.volum"]
        self.assertIsInstance(stats["liquid.volume"].max(), float)
        self.assertEqual(stats["solver.iterations"].dtype, np.int64)
        self.assertEqual(list(stats["liquid.particles"]), [r.liquid.particles for r in self.reports])

    def test_a_run_stays_where_it_is_when_the_working_folder_changes(self):
        here = os.getcwd()
        self.addCleanup(os.chdir, here)
        os.chdir(self.out)
        run = coracle.Run("pool")
        os.chdir("/")
        self.assertEqual(len(run.stats), len(self.reports))
        self.assertEqual(run.frames, self.run_.frames)

    def test_a_run_without_a_finished_step_has_its_columns(self):
        run = coracle.run(POOL, self.out + "/none", set={"time.frames": 0}, progress=False)
        self.assertEqual(len(run.probes["top_y"]), 0)
        with self.assertRaisesRegex(coracle.NameNotFound, "no step is finished"):
            run.stats["liquid.volume"]

    def test_a_folder_that_has_gone_is_named(self):
        run = coracle.run(POOL, self.out + "/gone", set={"time.frames": 1}, progress=False)
        shutil.rmtree(run.folder)
        for look in ("stats", "probes", "scene", "title", "going", "expectations", "frames"):
            with self.subTest(look), self.assertRaisesRegex(coracle.RunError, run.folder):
                getattr(run, look)

    def test_a_missing_file_ends_only_what_needs_it(self):
        run = coracle.run(POOL, self.out + "/missing", set={"time.frames": 1}, progress=False)
        os.remove(run.folder + "/frames/surface.0001.ply")
        self.assertGreater(len(run.body("block", 1).x), 0)
        self.assertGreater(len(run.particles(1).x), 0)
        with self.assertRaisesRegex(coracle.RunError, "surface.0001.ply is missing") as caught:
            run.surface(1)
        self.assertNotIn("leave them out", str(caught.exception))
        with self.assertRaisesRegex(coracle.RunError, "\nor leave them out with frames=$"):
            run.film(self.out + "/missing.mp4")

    def test_bodies_that_were_not_kept_can_be_asked_for(self):
        run = coracle.run(POOL, self.out + "/bare", set={"time.frames": 0, "output.solids": False}, progress=False)
        with self.assertRaisesRegex(coracle.RunError, "kept no solids and bodies; run .* with set: output.solids=true"):
            run.body("block")

    def test_a_damaged_line_is_named(self):
        run = coracle.run(POOL, self.out + "/damaged", set={"time.frames": 1}, progress=False)
        for name, look in (("probes.csv", "probes"), ("stats.jsonl", "stats")):
            with open(f"{run.folder}/{name}", "ab") as file:
                file.write(b'7,\xff,,\n')
            with self.subTest(name), self.assertRaisesRegex(coracle.RunError, rf"{name}:\d+: the line is damaged"):
                getattr(run, look)

    def test_frames_are_those_of_the_state(self):
        sim = coracle.Simulation(POOL)
        for _ in sim.frames():
            pass
        self.assertEqual(self.run_.frames, [0, 1, 2, 3, 4])
        self.assertEqual(self.run_.time(), sim.time)
        block = self.run_.body("block")
        skin = np.unique(sim.bodies["block"].tris)
        np.testing.assert_array_equal(block.x, sim.bodies["block"].x[skin].astype(np.float32))
        self.assertEqual(block.v.shape, block.x.shape)
        self.assertIn("von_mises", block.fields)
        drawn = self.run_.particles()
        order = np.lexsort(drawn.x.T)
        state = sim.particles.x.astype(np.float32)
        np.testing.assert_array_equal(drawn.x[order], state[np.lexsort(state.T)])

    def test_the_surface_encloses_the_water(self):
        mesh = self.run_.surface(0)
        a, b, c = (mesh.x[mesh.tris[:, i]].astype(float) for i in range(3))
        volume = np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6
        self.assertAlmostEqual(volume, 0.4, delta=0.04)  # to half a cell in height

    def test_smoke_is_that_of_the_state(self):
        run = coracle.run(SMOKE, self.out + "/smoke", progress=False)
        sim = coracle.Simulation(SMOKE)
        for _ in sim.frames():
            pass
        np.testing.assert_array_equal(run.smoke(), sim.smoke)
        self.assertEqual(run.grid.cells, run.smoke().shape)
        np.testing.assert_array_equal(run.grid.origin, sim.grid.origin)
        self.assertEqual(run.grid.dx, sim.grid.dx)
        with self.assertRaisesRegex(AttributeError, "smoke"):
            self.run_.smoke()

    def test_the_command_line_leaves_the_same(self):
        with open(self.out + "/pool.toml", "w") as file:
            file.write(coracle.Simulation(POOL)._core.scene.to_toml())
        said = command("run", self.out + "/pool.toml", "-q", "-o", self.out + "/command")
        self.assertEqual(said.returncode, 0, said.stderr)
        for name in os.listdir(self.out + "/pool/frames"):
            with open(f"{self.out}/pool/frames/{name}", "rb") as a, open(f"{self.out}/command/frames/{name}", "rb") as b:
                if not name.endswith(".vdb"):  # these hold the time of writing
                    self.assertEqual(a.read(), b.read(), name)

    def test_pictures(self):
        picture = self.run_.render(-1, size=(64, 36), samples=1)
        self.assertEqual(picture.rgb.shape, (36, 64, 3))
        self.assertGreater(picture.rgb.std(), 10)  # there is something to see
        self.assertTrue(picture._repr_png_().startswith(b"\x89PNG"))
        self.assertEqual(np.asarray(picture).dtype, np.uint8)
        self.run_.render(2, size=(64, 36), samples=1, color="speed").save(self.out + "/one.png")
        self.assertGreater(os.path.getsize(self.out + "/one.png"), 500)
        self.run_.film(pathlib.Path(self.out, "all"), size=(32, 18), samples=1)
        self.assertEqual(len(os.listdir(self.out + "/all")), 5)
        self.run_.film(self.out + "/some/", [1, -1], size=(32, 18), samples=1)
        self.assertEqual(sorted(os.listdir(self.out + "/some")), ["frame.0001.png", "frame.0004.png"])
        self.assertIn("<svg", self.run_.plot()._repr_svg_())
        self.run_.plot(self.out + "/charts.csv")
        with open(self.out + "/charts.csv") as table:
            self.assertEqual(len(table.readlines()), 1 + len(self.reports))

    def test_expectations(self):
        run = coracle.run("dam_break", self.out + "/dam", preset="quick", progress=False)
        self.assertTrue(run.expectations)
        self.assertEqual({e.verdict for e in run.expectations}, {"pass"})

    def test_a_run_that_is_going_can_be_read(self):
        out, seen = self.out + "/going", []

        def look(report):
            run = coracle.Run(out)
            seen.append((run.going, len(run.stats), run.frames))

        coracle.run(POOL, out, on_step=look, progress=False)
        self.assertTrue(all(going for going, _, _ in seen))
        self.assertEqual([count for _, count, _ in seen], list(range(1, len(seen) + 1)))
        self.assertFalse(coracle.Run(out).going)

    def test_what_on_step_raises_stops_the_run_with_a_checkpoint(self):
        def stop(report):
            if report.step == 3:
                raise ZeroDivisionError("enough")

        out = self.out + "/stopped"
        with self.assertRaisesRegex(ZeroDivisionError, "enough"):
            coracle.run(POOL, out, on_step=stop, progress=False)
        self.assertEqual(len(coracle.Run(out).stats), 3)
        with self.assertRaisesRegex(coracle.RunError, "already holds a run; resume=True continues it, overwrite=True"):
            coracle.run(POOL, out, progress=False)
        run = coracle.run(POOL, out, resume=True, progress=False)
        np.testing.assert_array_equal(run.stats["liquid.volume"], self.run_.stats["liquid.volume"])
        np.testing.assert_array_equal(run.body("block").x, self.run_.body("block").x)

    def test_ctrl_c_stops_with_a_checkpoint(self):
        out = self.out + "/interrupted"
        program = ("import coracle, sys, json\n"
                   "scene = json.loads(sys.argv[1])\n"
                   "coracle.run(scene, sys.argv[2], on_step=lambda r: print(r.step, flush=True), progress=False)\n")
        scene = json.dumps({**POOL, "time": {"frames": 2000}})
        process = subprocess.Popen([sys.executable, "-c", program, scene, out], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.assertTrue(said.endswith(f"KeyboardInterrupt\nstopped with a checkpoint in {out}; to continue: the same call "
                                      "with resume=True\n"), said)
        steps = len(coracle.Run(out).stats)
        self.assertLess(steps, 20)
        self.assertEqual(coracle.resume(out).steps, steps)

    def interrupt(self, call):
        """What a program with `run` says that is interrupted during the call, in less than 20 s."""
        program = ("import coracle, sys\n"
                   "run = coracle.Run(sys.argv[1])\n"
                   "print('begin', flush=True)\n"
                   "try:\n"
                   f"    {call}\n"
                   "except KeyboardInterrupt:\n"
                   "    print('interrupted')\n")
        with subprocess.Popen([sys.executable, "-c", program, self.run_.folder], stdout=subprocess.PIPE, text=True) as process:
            self.addCleanup(process.kill)
            process.stdout.readline()
            time.sleep(1)
            process.send_signal(signal.SIGINT)
            return process.communicate(timeout=20)[0]

    def test_ctrl_c_stops_a_film(self):
        film = f"run.film({self.out + '/cut.mp4'!r}, [0, 1, 2, 3, 4] * 100, size=(320, 180), samples=2)"
        self.assertEqual(self.interrupt(film), "interrupted\n")
        self.assertFalse([name for name in os.listdir(self.out) if name.startswith("cut.mp4")])

    def test_ctrl_c_stops_a_picture(self):
        self.assertEqual(self.interrupt("run.render(0, size=(1920, 1080), samples=4000)"), "interrupted\n")

    def test_progress_says_where_it_is(self):
        program = "import coracle, sys, json; coracle.run(json.loads(sys.argv[1]), sys.argv[2], progress=True)"
        said = subprocess.run([sys.executable, "-c", program, json.dumps(POOL), self.out + "/told"],
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn("frame 4/4", said.stderr)
        self.assertEqual(said.stdout, "")


if __name__ == "__main__":
    unittest.main()
