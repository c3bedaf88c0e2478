"""Arrays share memory with the state until the next step; one that is held keeps its values."""
import ctypes
import gc
import os
import unittest

import numpy as np

import coracle
from small import POOL, SMOKE, folder


def resident_kb():
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))


class Arrays(unittest.TestCase):
    def views(self, sim):
        block = sim.bodies["block"]
        return {"x": block.x, "v": block.v, "px": sim.particles.x, "pv": sim.particles.v, "p": sim.pressure,
                **{f"u{a}": u for a, u in enumerate(sim.velocity)}}

    def test_arrays_are_the_memory_of_the_state(self):
        sim, file = coracle.Simulation(POOL), os.path.join(folder(self), "state.h5")
        sim.step()
        changed = {}
        for name, array in self.views(sim).items():
            self.assertFalse(array.flags.writeable)
            with self.assertRaises(ValueError):
                array[0] = 1
            # Behind the back of NumPy. A checkpoint holds the state itself.
            changed[name] = array.dtype.type(array.flat[0] + 0.001)
            ctypes.memmove(array.ctypes.data, changed[name].tobytes(), array.itemsize)
        sim.save(file)
        for name, array in self.views(coracle.resume(file)).items():
            self.assertEqual(array.flat[0], changed[name], name)

    def test_memory_of_the_state_stays_in_place_while_nobody_holds_it(self):
        sim = coracle.Simulation(POOL)
        before = sim.bodies["block"].x.ctypes.data
        sim.step()
        self.assertEqual(sim.bodies["block"].x.ctypes.data, before)

    def test_held_arrays_keep_their_values(self):
        sim = coracle.Simulation(POOL)
        sim.step()
        held = self.views(sim)
        old = {name: (array.copy(), array.ctypes.data) for name, array in held.items()}
        sim.frame()
        now = self.views(sim)
        for name, array in held.items():
            with self.subTest(name):
                np.testing.assert_array_equal(array, old[name][0])
                self.assertEqual(array.ctypes.data, old[name][1])
                self.assertFalse(np.shares_memory(array, now[name]))
                self.assertTrue((array.shape != now[name].shape) or (array != now[name]).any())

    def test_held_arrays_outlive_the_simulation(self):
        sim = coracle.Simulation(POOL)
        sim.step()
        held = self.views(sim)
        held["mass"] = sim.bodies["block"].mass
        part = held["px"][10:20]
        old = {name: (array.copy(), array.ctypes.data) for name, array in held.items()}
        part_before = part.copy()
        del sim
        gc.collect()
        coracle.Simulation(POOL).step()  # takes memory that has become free
        for name, array in held.items():
            with self.subTest(name):
                np.testing.assert_array_equal(array, old[name][0])
                self.assertEqual(array.ctypes.data, old[name][1])
        del held
        gc.collect()
        np.testing.assert_array_equal(part, part_before)

    def test_holding_arrays_changes_no_bit(self):
        free, watched = coracle.Simulation(POOL), coracle.Simulation(POOL)
        held = []
        for _ in range(12):
            free.step()
            held.append(self.views(watched))
            watched.step()
        for name, array in self.views(free).items():
            np.testing.assert_array_equal(array, self.views(watched)[name], name)

    def test_a_control_leaves_held_arrays_alone(self):
        sim = coracle.Simulation(POOL)
        sim.set_force("block", np.full((len(sim.bodies["block"].x), 3), 2.0))
        held = sim.bodies["block"].force
        sim.set_force("block", np.full((len(sim.bodies["block"].x), 3), 3.0))
        self.assertTrue((held == 2).all())
        self.assertTrue((sim.bodies["block"].force == 3).all())

    def test_memory_does_not_grow_over_a_thousand_steps(self):
        sim = coracle.Simulation({**POOL, "domain": {"resolution": 6}, "time": {"frames": 10000, "fps": 1000}},
                                 log=lambda line: None)  # that such cells are coarse

        def steps(count):
            held = None
            for _ in range(count):
                report = sim.step()
                held = (self.views(sim), report, sim.bodies["block"].stress)
            return held

        steps(300)
        gc.collect()
        before = resident_kb()
        steps(1000)
        gc.collect()
        self.assertLess(resident_kb() - before, 2000)

    def test_fields_have_the_axes_of_the_domain(self):
        scene = {**POOL, "domain": {"min": [0, 0, 0], "max": [1, 0.75, 0.5], "resolution": 12}, "body": [], "probe": []}
        scene["liquid"] = {"region": [{"shape": "box", "min": [0, 0, 0], "max": [1, 0.4, 0.5]}]}
        sim = coracle.Simulation(scene)
        for _ in sim.frames(1):
            pass
        self.assertEqual(sim.pressure.shape, (12, 9, 6))
        self.assertEqual([u.shape for u in sim.velocity], [(13, 9, 6), (12, 10, 6), (12, 9, 7)])
        self.assertEqual(sim.grid.cells, (12, 9, 6))
        # Still water: pressure is ρ g times the depth of the cell's centre. Jittered particles tell the height of the
        # surface to a tenth of a cell.
        depth = 0.4 - (np.arange(9) + 0.5) * sim.grid.dx
        wet = depth > sim.grid.dx
        expected = np.broadcast_to((1000 * 9.81 * depth[wet])[None, :, None], sim.pressure[:, wet, :].shape)
        np.testing.assert_allclose(sim.pressure[:, wet, :], expected, rtol=0, atol=1000 * 9.81 * 0.1 * sim.grid.dx)

    def test_smoke_is_where_the_jet_is(self):
        sim = coracle.Simulation(SMOKE)
        for _ in sim.frames():
            pass
        self.assertEqual(sim.smoke.shape, (12, 12, 12))
        self.assertGreater(sim.smoke[5:7, 1:4, 5:7].min(), 0.5)
        self.assertEqual(sim.smoke[0, 11, 0], 0)
        self.assertEqual(sim.temperature.shape, (12, 12, 12))

    def test_particles_of_method_proxy_have_kinds(self):
        scene = {"method": "proxy", "domain": {"resolution": 8}, "time": {"frames": 1},
                 "liquid": {"region": [{"shape": "box", "min": [0, 0, 0], "max": [0.5, 0.5, 0.5]}]}}
        sim = coracle.Simulation(scene)
        self.assertEqual(len(sim.particles), len(sim.particles.kind))
        self.assertTrue((sim.particles.kind == 0).all())
        self.assertEqual(sim.particles.x.dtype, np.float64)
        with self.assertRaisesRegex(AttributeError, "no pressure"):
            sim.pressure

    def test_the_film_is_as_thick_as_the_scene_says(self):
        scene = {"method": "skinned", "domain": {"resolution": 12}, "time": {"frames": 1}, "gravity": [0, 0, 0],
                 "liquid": {"region": [{"shape": "box", "min": [0, 0, 0], "max": [1, 0.1, 1]}]},
                 "solid": [{"name": "ball", "shape": "sphere", "center": [0.5, 0.6, 0.5], "radius": 0.2,
                            "skin": {"film": 5e-4}}]}
        film = coracle.Simulation(scene).film
        self.assertEqual(list(film), ["ball"])
        np.testing.assert_allclose(film["ball"], 5e-4, rtol=1e-6)
        self.assertEqual(coracle.Simulation(POOL).film, {})


if __name__ == "__main__":
    unittest.main()
