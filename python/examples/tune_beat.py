#!/usr/bin/env python3
"""Which beat of the tail is the fastest? Searches by the golden section, with one run of the scene `swimmer` per try.

    PYTHONPATH=build/python python3 python/examples/tune_beat.py

A search by the golden section finds the maximum of a function that rises and then falls: each try shortens the interval
to 0.618 of its length.
"""
import argparse

import numpy as np

import coracle


def measure(beats, frames):
    """Speed ahead, m/s, and the Strouhal number f A / U, over the last two whole beats."""
    sim = coracle.Simulation("swimmer", preset="quick", set={"variables.beats": beats, "time.frames": frames})
    time, ahead, tail = [], [], []
    for frame in sim.frames():
        for step in frame.steps:
            time.append(step.time)
            ahead.append(step.bodies.fish.center[0])
            tail.append(step.probes.tail_z - step.bodies.fish.center[2])
    time, ahead, tail = map(np.array, (time, ahead, tail))
    late = time > time[-1] - 2 / beats
    speed = (ahead[late][-1] - ahead[late][0]) / (time[late][-1] - time[late][0])
    return speed, beats * np.ptp(tail[late]) / speed


def fastest(low, high, tries, frames):
    ratio = (np.sqrt(5) - 1) / 2
    known = {}

    def speed(beats):
        if beats not in known:
            known[beats], strouhal = measure(beats, frames)
            print(f"{beats:6.3f} beats/s: {100 * known[beats]:6.2f} cm/s, Strouhal number {strouhal:.2f}", flush=True)
        return known[beats]

    a, b = high - ratio * (high - low), low + ratio * (high - low)
    for _ in range(tries - 1):
        if speed(a) > speed(b):
            high, b = b, a
            a = high - ratio * (high - low)
        else:
            low, a = a, b
            b = low + ratio * (high - low)
    return max(known, key=known.get), known


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--low", type=float, default=1.5, help="beats per second")
    options.add_argument("--high", type=float, default=6.0)
    options.add_argument("--tries", type=int, default=8)
    options.add_argument("--frames", type=int, default=48, help="of each try")
    given = options.parse_args()
    best, known = fastest(given.low, given.high, given.tries, given.frames)
    print(f"the fastest of {len(known)}: {best:.3f} beats/s, {100 * known[best]:.2f} cm/s")
