"""Whatever is wrong, an exception says what to do. Nothing crashes, and the simulation can be used afterwards."""
import copy
import os
import pickle
import random
import shutil
import subprocess
import sys
import unittest

import numpy as np

import coracle
from coracle import _core
from small import BAR, POOL, SMOKE, folder


class Scenes(unittest.TestCase):
    def problems(self, scene, **more):
        with self.assertRaises(coracle.SceneError) as caught:
            coracle.Simulation(scene, **more)
        return [str(p) for p in caught.exception.problems]

    def test_mistakes_in_a_dict_are_named_by_their_keys(self):
        scene = {
            "domain": {"resolution": -3},
            "liquid": {"region": [{"shape": "box", "min": [0, 0, 0], "max": [1, 0.2, 1]}, {"shape": "bx"}]},
            "body": [{"name": "ball", "shape": "sphere", "center": [0.5, 0.5, 0.5], "radius": 0.1, "young": "soft"},
                     {"name": "bar", "shape": "box", "center": [0.2, 0.5, 0.5], "size": [0.1, 0.1, 0.1], "yung": 3}],
        }
        found = self.problems(scene)
        for place in ("domain.resolution: ", "liquid.region[1].shape: ", "body[0].young: ", "body[1].yung: "):
            self.assertTrue(any(text.startswith(place) for text in found), (place, found))
        self.assertTrue(any("did you mean 'young'" in text for text in found), found)
        self.assertFalse(any("scene:" in text for text in found), found)

    def test_mistakes_in_a_file_are_named_by_line_and_column(self):
        file = os.path.join(folder(self), "bad.toml")
        with open(file, "w") as text:
            text.write("[domain]\nresolution = 'many'\n")
        self.assertTrue(any(text.startswith(f"{file}:2:1: ") for text in self.problems(file)), self.problems(file))

    def test_mistakes_that_only_the_whole_shows_are_named_by_keys_too(self):
        block = POOL["body"][0]
        found = self.problems({**POOL, "body": [block, {**block, "name": "b2", "center": [0.6, 0.6, 0.5]}]})
        self.assertTrue(found[0].startswith("body[1]: "), found)
        found = self.problems({**POOL, "probe": [POOL["probe"][0]] * 2})
        self.assertTrue(found[0].startswith("probe[1].name: ") and "probe[0]" in found[0], found)
        found = self.problems({**POOL, "domain": {"resolution": 1000}})
        self.assertTrue("memory" in found[0] and "<scene>" not in found[0], found)
        with self.assertRaisesRegex(coracle.SceneError, "force_memory=True"):
            coracle.run({**POOL, "domain": {"resolution": 1000}}, folder(self) + "/run", progress=False)

    def test_mistakes_in_set_and_preset(self):
        self.assertTrue(self.problems(POOL, set={"domain.resolution": 0})[0].startswith("set: domain.resolution=0: "))
        self.assertIn("quick", self.problems("dam_break", preset="quik")[0])
        self.assertIn("did you mean 'dam_break'", self.problems("dam_brek")[0])

    def test_types(self):
        for scene, message in ((None, "not NoneType"), (3, "not int"), ({"title": None}, "title: None"),
                               ({"domain": {"resolution": 3 + 1j}}, "domain.resolution: .* not complex"),
                               ({1: 2}, "keys are words"), ({"title": object()}, "title: ")):
            with self.subTest(scene), self.assertRaisesRegex(TypeError, message):
                coracle.Simulation(scene)
        with self.assertRaisesRegex(TypeError, "set must be a dict"):
            coracle.Simulation(POOL, set=["domain.resolution=3"])
        with self.assertRaisesRegex(TypeError, "preset must be a word"):
            coracle.Simulation("dam_break", preset=3)
        for wrong, message in (({"threads": "two"}, "threads must be a whole number"), ({"threads": 2.5}, "whole number"),
                               ({"threads": -1}, "between 0"), ({"log": 3}, "log must be a function")):
            with self.subTest(wrong), self.assertRaisesRegex((TypeError, ValueError), message):
                coracle.Simulation(POOL, **wrong)

    def test_a_dict_that_contains_itself_is_refused(self):
        scene, values, changes = {"domain": {}}, [], {}
        scene["domain"]["domain"] = scene
        values.append(values)
        changes["domain"] = changes
        for call in (lambda: coracle.Simulation(scene), lambda: coracle.Simulation({"title": values}),
                     lambda: coracle.Simulation(BAR, set=changes)):
            with self.assertRaisesRegex(ValueError, "contains itself"):
                call()

    def test_an_interior_zero_byte_is_no_crash(self):
        with self.assertRaises((coracle.SceneError, ValueError)):
            coracle.Simulation("dam\0break")
        with self.assertRaisesRegex(ValueError, "title: .* half a character"):
            coracle.Simulation({"title": "a\ud800b"})
        with self.assertRaisesRegex(ValueError, "half a character"):
            coracle.Simulation({"ti\ud800": 3})

    def test_errors_survive_pickling(self):
        for error in (coracle.SceneError([coracle.Problem("a.toml:1:2", "is wrong")]), coracle.RunError("disk"),
                      coracle.StepError("dt"), coracle.InternalError("bug"), coracle.NameNotFound("no body")):
            again = pickle.loads(pickle.dumps(error))
            self.assertIs(type(again), type(error))
            self.assertEqual(str(again), str(error))
            self.assertEqual(getattr(again, "problems", None), getattr(error, "problems", None))


class AnotherPython(unittest.TestCase):
    def test_a_module_of_another_python_says_so(self):
        here, module = folder(self), os.path.dirname(coracle.__file__)
        shutil.copytree(module, here + "/coracle", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
        open(here + "/coracle/_core.cpython-300-x86_64-linux-gnu.so", "w").close()
        said = subprocess.run([sys.executable, "-c", "import coracle"], capture_output=True, text=True, cwd=here,
                              env={**os.environ, "PYTHONPATH": here})
        self.assertIn("cannot load _core.cpython-300-x86_64-linux-gnu.so", said.stderr)
        self.assertIn("./do python", said.stderr)


class State(unittest.TestCase):
    def setUp(self):
        self.sim = coracle.Simulation(BAR)

    def test_names(self):
        with self.assertRaisesRegex(KeyError, "there is no body 'bra'; there are bar"):
            self.sim.bodies["bra"]
        with self.assertRaisesRegex(AttributeError, r"names stand in brackets, \['bar'\]"):
            self.sim.bodies.bar
        self.assertFalse(hasattr(self.sim.bodies, "bra"))
        with self.assertRaisesRegex(KeyError, "the scene has no solid"):
            self.sim.solids["wall"]
        for name in ("particles", "pressure", "velocity", "smoke", "grid"):
            with self.subTest(name), self.assertRaisesRegex(AttributeError, "has no"):
                getattr(self.sim, name)
        with self.assertRaisesRegex(AttributeError, "there are"):
            self.sim.step().liqid

    def test_controls(self):
        sim, n = self.sim, len(self.sim.bodies["bar"].x)
        nan = np.full((n, 3), 1.0)
        nan[3, 1] = np.nan
        infinite = np.full((n, 3), np.inf)
        wrong = [
            (ValueError, "there is no body 'bra'; there are bar", lambda: sim.set_force("bra", np.zeros((n, 3)))),
            (ValueError, "three columns", lambda: sim.set_force("bar", [1, 2, 3])),
            (ValueError, f"has {n} nodes", lambda: sim.set_force("bar", np.zeros((n + 1, 3)))),
            (ValueError, "three columns", lambda: sim.set_force("bar", np.zeros((n, 2)))),
            (ValueError, "three columns", lambda: sim._core.set_force("bar", np.zeros((n, 2)))),
            (ValueError, "three columns", lambda: sim._core.set_force("bar", np.zeros(3))),
            (ValueError, "a row per node", lambda: sim.set_force("bar", np.zeros((0, 3)))),
            (ValueError, "node 3 of 'bar' must be finite", lambda: sim.set_force("bar", nan)),
            (ValueError, "must be finite", lambda: sim.set_force("bar", infinite)),
            (TypeError, "real numbers", lambda: sim.set_force("bar", np.zeros((n, 3), dtype=complex))),
            (TypeError, "real numbers", lambda: sim.set_force("bar", [["a", "b", "c"]] * n)),
            (TypeError, "real numbers", lambda: sim.set_force("bar", np.zeros((n, 3), dtype=bool))),
            ((TypeError, ValueError), "", lambda: sim.set_force("bar", [[1, 2], [3]])),
            (TypeError, "", lambda: sim.set_force(3, np.zeros((n, 3)))),
            (ValueError, "no inflow", lambda: sim.set_flow("tap", [0, 0, 0])),
            (ValueError, "three components", lambda: sim.set_flow("tap", 3)),
            (ValueError, "there is no hold 1", lambda: sim.move_hold("bar", 1, [0, 0, 0], 1)),
            (ValueError, "there is no hold -1", lambda: sim.move_hold("bar", -1, [0, 0, 0], 1)),
            (TypeError, "whole number", lambda: sim.move_hold("bar", 0.5, [0, 0, 0], 1)),
            (ValueError, "seconds above 0", lambda: sim.move_hold("bar", 0, [0, 0, 0], 0)),
            (ValueError, "must be finite", lambda: sim.move_hold("bar", 0, [0, np.nan, 0], 1)),
            (ValueError, "seconds above 0", lambda: sim.move_hold("bar", 0, [0, 0, 0], np.nan)),
            (ValueError, "no muscle|there is no muscle", lambda: sim.set_activation("bar", "push", 1)),
            (ValueError, "between 0 and 1", lambda: sim.set_activation("bar", "pull", 1.5)),
            (ValueError, "between 0 and 1", lambda: sim.set_activation("bar", "pull", np.nan)),
            (TypeError, "real numbers", lambda: sim.set_activation("bar", "pull", "much")),
        ]
        for kind, message, call in wrong:
            with self.subTest(message=message), self.assertRaisesRegex(kind, message):
                call()
        for _ in sim.frames():  # nothing was set
            pass
        np.testing.assert_array_equal(sim.bodies["bar"].x, sim.bodies["bar"].rest)

    def test_a_simulation_goes_on_after_a_step_that_failed(self):
        sim = coracle.Simulation(BAR, set={"time.min_dt": 0.03, "time.frames": 100})
        sim.set_force("bar", np.full((len(sim.bodies["bar"].x), 3), 1e9))
        with self.assertRaises(coracle.StepError):
            while True:
                before, steps = sim.bodies["bar"].x, sim.steps
                sim.step()
        np.testing.assert_array_equal(sim.bodies["bar"].x, before)
        sim.set_force("bar", None)
        sim.save(os.path.join(folder(self), "state.h5"))
        self.assertEqual(sim.step().step, steps + 1)
        self.assertTrue(np.isfinite(sim.bodies["bar"].x).all())

    def test_files(self):
        here = folder(self)
        for name in ("a\0b.h5", b"a\0b.h5"):
            with self.assertRaisesRegex(ValueError, "zero byte"):
                self.sim.save(name)
        with self.assertRaisesRegex(TypeError, "must be a path"):
            self.sim.save(3)
        with self.assertRaisesRegex(TypeError, "save it"):
            copy.copy(self.sim)
        with self.assertRaisesRegex(TypeError, "save it"):
            pickle.dumps(self.sim)
        with self.assertRaisesRegex(coracle.RunError, "nowhere"):
            self.sim.save(here + "/nowhere/state.h5")
        with self.assertRaisesRegex(coracle.RunError, "nothing.h5: there is no such file or folder"):
            coracle.resume(here + "/nothing.h5")
        with open(here + "/junk.h5", "wb") as file:
            file.write(b"\x89HDF\r\n\x1a\n" + bytes(100))
        with self.assertRaises(coracle.RunError):
            coracle.resume(here + "/junk.h5")
        with self.assertRaises((coracle.RunError, coracle.SceneError)):
            coracle.resume(here)
        with self.assertRaises((coracle.RunError, coracle.SceneError)):
            coracle.Run(here)
        with self.assertRaisesRegex(ValueError, "give out="):
            coracle.run(BAR)
        for minutes in (-1, np.nan):
            with self.assertRaisesRegex(ValueError, "checkpoint_minutes must be at least 0"):
                coracle.run(BAR, here + "/run", checkpoint_minutes=minutes, progress=False)

    def test_pictures(self):
        run = coracle.run(BAR, folder(self) + "/run", progress=False)
        for kind, message, call in (
            (IndexError, "no frame 9; it has 0 to 4", lambda: run.render(9)),
            (IndexError, "no frame -9", lambda: run.render(-9)),
            (ValueError, "color must be one of", lambda: run.render(0, color="sped")),
            (coracle.SceneError, "film", lambda: run.render(0, color="film")),
            (ValueError, "the width must be", lambda: run.render(0, size=(0, 5))),
            (TypeError, "the width must be", lambda: run.render(0, size=(64.5, 5))),
            (ValueError, "size must be", lambda: run.render(0, size=5)),
            (ValueError, "range must be", lambda: run.render(0, range=(1,))),
            (ValueError, "ends in .png", lambda: run.render(0).save("x.jpg")),
            (ValueError, "ends in .mp4", lambda: run.film("x.jpg")),
            (ValueError, "at least one frame", lambda: run.film("x/", [])),
            (TypeError, "frame must be a whole number", lambda: run.surface(1.0)),
            (TypeError, "frame must be a whole number", lambda: run.surface(True)),
            (ValueError, "array of bytes", lambda: coracle.Picture(np.zeros((8, 8), np.uint8))),
            (ValueError, "array of bytes", lambda: coracle.Picture(np.zeros((8, 8, 4), np.uint8))),
            (coracle.SceneError, "camera and look", lambda: run.render(0, set={"body.bar.young": 3})),
            (ValueError, "samples", lambda: run.render(0, samples=-1)),
            (coracle.RunError, "particles; run the scene with set: output.particles=true", lambda: run.particles()),
            (coracle.NameNotFound, "there are bar", lambda: run.body("bra")),
        ):
            with self.subTest(message), self.assertRaisesRegex(kind, message):
                call()


class TheEnd(unittest.TestCase):
    """Python ends as it should, whatever still goes on."""

    def run_python(self, program):
        return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30)

    def test_a_thread_that_steps_does_not_break_the_end(self):
        said = self.run_python("import coracle, threading, time\n"
                               "sim = coracle.Simulation('dam_break', preset='quick')\n"
                               "def work():\n"
                               "    try:\n"
                               "        while True: sim.step()\n"
                               "    except RuntimeError as error: assert 'Python ends' in str(error)\n"
                               "threading.Thread(target=work, daemon=True).start()\n"
                               "time.sleep(0.5)\n")
        self.assertEqual((said.returncode, said.stderr), (0, ""))

    def test_a_thread_that_runs_a_scene_does_not_break_the_end(self):
        out = folder(self)
        said = self.run_python("import coracle, threading, time\n"
                               f"threading.Thread(target=coracle.run, args=('dam_break', '{out}/run'),"
                               " kwargs={'preset': 'quick', 'progress': False}, daemon=True).start()\n"
                               "time.sleep(1)\n")
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        self.assertGreater(len(coracle.Run(out + "/run").stats), 0)

    def test_a_forked_child_ends(self):
        said = self.run_python("import coracle, os, sys\n"
                               "sim = coracle.Simulation('bar', preset='quick')\n"
                               "child = os.fork()\n"
                               "if child == 0: sys.exit(0)\n"
                               "print(os.waitpid(child, 0)[1])\n")
        self.assertEqual((said.returncode, said.stdout), (0, "0\n"), said.stderr)


class Fuzz(unittest.TestCase):
    """Random arguments to every call of the module: an exception of Python, or an answer."""

    VALUES = [None, 0, -1, 1, 2**31, 2**63, 2**70, 0.5, float("nan"), float("inf"), "", "bar", "pull", "x", "\0", "\ud800",
              b"bar", [], [1, 2, 3], [[1, 2, 3]], {}, {"a": 1}, (1, 2), object(), np.zeros((7, 3)), np.zeros(3), True,
              np.zeros((2, 2), dtype=complex), np.array("x"), np.zeros((3, 3), np.uint8), np.zeros((2, 2, 4), np.uint8), lambda *a: None, coracle.Record()]

    def test_random_calls(self):
        rng = random.Random(7)
        sims = [coracle.Simulation(BAR), coracle.Simulation(POOL), coracle.Simulation(SMOKE)]
        calls = ["set_force", "set_flow", "move_hold", "set_activation", "bodies", "solids"]
        os.chdir(folder(self))
        self.addCleanup(os.chdir, "/")
        for _ in range(3000):
            sim = rng.choice(sims)
            arguments = [rng.choice(self.VALUES) for _ in range(rng.randrange(5))]
            owner, name = rng.choice([(sim, rng.choice(calls)), (sim._core, rng.choice(
                ["body", "solid", "particles", "field", "muscle_names", *calls[:4]])),
                (coracle, rng.choice(["Simulation", "resume", "Run"])),
                (_core, rng.choice(["find_scene", "load_scene", "parse_scene", "plot", "require_run", "judge", "write_png"]))])
            call = getattr(owner, name)
            try:
                call[arguments[0]] if name in ("bodies", "solids") and arguments else call(*arguments)
            except Exception:  # not a crash
                pass
        for sim in sims:
            sim.set_force(next(iter(sim.bodies)), None) if sim.bodies else None
            self.assertTrue(sim.step().dt > 0)


if __name__ == "__main__":
    unittest.main()
