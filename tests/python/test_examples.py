"""The programs in python/examples run, and do what they promise."""
import importlib.util
import os
import re
import subprocess
import sys
import unittest

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../python/examples")


class Examples(unittest.TestCase):
    def run_example(self, name, *words):
        said = subprocess.run([sys.executable, os.path.join(EXAMPLES, name), *words], capture_output=True, text=True,
                              timeout=300)
        self.assertEqual(said.returncode, 0, said.stderr)
        return said.stdout

    def test_the_bladder_keeps_the_depth(self):
        last = self.run_example("keep_depth.py", "--frames", "18").splitlines()[-1]
        without, held = map(float, re.findall(r"(-?[\d.]+) mm", last))
        self.assertGreater(without, 15)  # 3 % heavier, and the water moves along: (0.03 g / 2) t² / 2 = 41 mm, less drag
        self.assertLess(abs(held), 5)  # before the controller knows the weight: lift / stiffness = 0.03 g / 72 s⁻² = 4 mm

    def test_the_search_closes_in_on_the_maximum(self):
        spec = importlib.util.spec_from_file_location("tune_beat", os.path.join(EXAMPLES, "tune_beat.py"))
        tune_beat = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(tune_beat)
        for top in (1.2, 3.7, 8.9):
            best, known = tune_beat.largest(lambda x: -(x - top) ** 2, 1.0, 9.0, 12)
            self.assertEqual(len(known), 12)
            # After n tries the maximum lies in an interval of 0.618^(n − 1) of the first, and so does the best of them.
            self.assertLess(abs(best - top), 8 * 0.618**11)

    def test_a_fast_beat_has_a_speed_and_a_strouhal_number(self):
        said = self.run_example("tune_beat.py", "--beats", "2", "--tries", "2", "--low", "4", "--high", "8")
        tried = {float(beats): float(speed) for beats, speed in re.findall(r"([\d.]+) beats/s: +(-?[\d.]+) cm/s, S", said)}
        self.assertEqual(len(tried), 2)
        best = float(re.search(r"the fastest of 2: ([\d.]+)", said)[1])
        self.assertEqual(tried[best], max(tried.values()))


if __name__ == "__main__":
    unittest.main()
