"""The programs in python/examples run, and do what they promise."""
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

    def test_the_search_finds_the_faster_of_what_it_tried(self):
        said = self.run_example("tune_beat.py", "--frames", "12", "--tries", "3", "--low", "2", "--high", "5")
        tried = {float(beats): float(speed) for beats, speed in re.findall(r"([\d.]+) beats/s: +(-?[\d.]+) cm/s, S", said)}
        self.assertEqual(len(tried), 3)
        best = float(re.search(r"the fastest of 3: ([\d.]+)", said)[1])
        self.assertEqual(tried[best], max(tried.values()))


if __name__ == "__main__":
    unittest.main()
