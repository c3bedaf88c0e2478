#!/usr/bin/env python3
"""Which beat of the tail is the fastest? Searches by the golden section, with one run of the scene `swimmer` per try.

    PYTHONPATH=build/python python3 python/examples/tune_beat.py

A search by the golden section finds the maximum of a function that rises and then falls: each try shortens the interval
to 0.618 of its length. Every try has as many beats from rest, so that no beat has a head start.
"""
import argparse
import math

import numpy as np

import coracle

FPS = 24


def measure(beats_per_s, beats):
    """Over the last half of the beats: speed ahead, m/s, and the Strouhal number f A / U.

    A is the way of the tail from side to side in a beat, its mean.
    """
    frames = math.ceil(FPS * beats / beats_per_s)
    sim = coracle.Simulation("swimmer", preset="quick", set={"variables.beats": beats_per_s, "time.frames": frames})
    time, ahead, tail = [], [], []
    for frame in sim.frames():
        for step in frame.steps:
            time.append(step.time)
            ahead.append(step.bodies.fish.center[0])
            tail.append(step.probes.tail_z)
    time, ahead, tail = map(np.array, (time, ahead, tail))
    first, last = beats - beats // 2, beats
    begin, end = np.interp([first / beats_per_s, last / beats_per_s], time, ahead)
    speed = (end - begin) * beats_per_s / (last - first)
    ways = [np.ptp(tail[(time >= b / beats_per_s) & (time <= (b + 1) / beats_per_s)]) for b in range(first, last)]
    return speed, beats_per_s * np.mean(ways) / speed


def largest(function, low, high, tries):
    """The place of the largest of `tries` values, and all of them by place."""
    ratio = (math.sqrt(5) - 1) / 2
    known = {}

    def value(x):
        if x not in known:
            known[x] = function(x)
        return known[x]

    a, b = high - ratio * (high - low), low + ratio * (high - low)
    for _ in range(tries - 1):
        if value(a) > value(b):
            high, b = b, a
            a = high - ratio * (high - low)
        else:
            low, a = a, b
            b = low + ratio * (high - low)
    return max(known, key=known.get), known


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--low", type=float, default=1.5, help="beats per second")
    options.add_argument("--high", type=float, default=9.0)
    options.add_argument("--tries", type=int, default=8)
    options.add_argument("--beats", type=int, default=6, help="of each try")
    given = options.parse_args()
    if not 0 < given.low < given.high or given.tries < 2 or given.beats < 2:
        options.error("give 0 < low < high, at least two tries, and at least two beats")

    def speed(beats_per_s):
        ahead, strouhal = measure(beats_per_s, given.beats)
        print(f"{beats_per_s:6.3f} beats/s: {100 * ahead:6.2f} cm/s, Strouhal number {strouhal:.2f}", flush=True)
        return ahead

    best, known = largest(speed, given.low, given.high, given.tries)
    print(f"the fastest of {len(known)}: {best:.3f} beats/s, {100 * known[best]:.2f} cm/s")


if __name__ == "__main__":
    main()
