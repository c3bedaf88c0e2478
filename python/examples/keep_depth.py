#!/usr/bin/env python3
"""A fish that is heavier than water keeps its depth by a swim bladder, while it swims.

    PYTHONPATH=build/python python3 python/examples/keep_depth.py

The bladder is a force on all nodes, as if some of the fish's mass had no weight. A controller sets it after every step
from what it sees: depth, speed of sinking, and the sum of past errors, which finds the weight that nobody tells it.
"""
import argparse

import numpy as np

import coracle

GRAVITY = 9.81  # m/s²


class Bladder:
    """Lift per mass, m/s²: a PID controller. The water that moves along doubles the mass that it must move."""

    def __init__(self, depth, frequency=6.0, largest=0.06 * GRAVITY):
        self.depth, self.largest, self.sum = depth, largest, 0.0
        inertia = 2.0
        self.stiffness = inertia * frequency**2  # 1/s²
        self.damping = 2 * inertia * 0.8 * frequency  # 1/s
        self.integral = 0.3 * self.stiffness * frequency  # 1/s³

    def lift(self, y, speed, dt):
        error = self.depth - y
        wanted = self.stiffness * error - self.damping * speed + self.integral * self.sum
        if abs(wanted) < self.largest:  # else the sum would run away
            self.sum += error * dt
        return float(np.clip(wanted, -self.largest, self.largest))


def swim(frames, heavier, control):
    """How deep it is after each frame, m below where it began."""
    scene = {"gravity": [0, -GRAVITY, 0], "body.fish.density": 1000 * (1 + heavier), "time.frames": frames}
    sim = coracle.Simulation("swimmer", preset="quick", set=scene)
    fish = sim.bodies["fish"]
    mass = fish.mass
    bladder, start, below = Bladder(fish.center[1]), fish.center[1], []
    while not sim.done:
        number = sim.frame_number
        dt = sim.step().dt
        if control:
            lift = bladder.lift(fish.center[1], mass @ fish.v[:, 1] / mass.sum(), dt)
            sim.set_force("fish", np.outer(mass, [0, lift, 0]))
        if sim.frame_number > number:
            below.append(start - fish.center[1])
    return np.array(below)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--frames", type=int, default=72, help="24 a second")
    options.add_argument("--heavier", type=float, default=0.03, help="than water, relative")
    given = options.parse_args()
    if given.frames < 1 or given.heavier <= -1:
        options.error("give at least one frame, and a mass above zero")
    sinks = swim(given.frames, given.heavier, control=False)
    keeps = swim(given.frames, given.heavier, control=True)
    for frame in range(5, given.frames, 6):
        print(f"{(frame + 1) / 24:5.2f} s: {1e3 * sinks[frame]:7.1f} mm below without, {1e3 * keeps[frame]:7.2f} mm with")
    print(f"at the end {1e3 * sinks[-1]:.1f} mm and {1e3 * keeps[-1]:.2f} mm")
