"""Small scenes, which a test runs in a second, and the program beside the module."""
import copy
import os
import subprocess
import tempfile

PROGRAM = os.environ["CORACLE_PROGRAM"]

POOL = {
    "title": "A block falls into water",
    "domain": {"resolution": 12},
    "time": {"frames": 4},
    "liquid": {"region": [{"shape": "box", "min": [0, 0, 0], "max": [1, 0.4, 1]}]},
    "body": [{
        "name": "block", "shape": "box", "center": [0.5, 0.6, 0.5], "size": [0.3, 0.3, 0.3],
        "mesh": "grid5", "cells": [2, 2, 2], "element": "linear", "young": 2e4,
    }],
    "probe": [{"name": "top", "type": "displacement", "body": "block", "point": [0.5, 0.75, 0.5]}],
    "output": {"particles": True},
}

SMOKE = {
    "domain": {"resolution": 12, "open": ["y_max"]},
    "time": {"frames": 2},
    "jet": [{"name": "nozzle", "shape": "sphere", "center": [0.5, 0.2, 0.5], "radius": 0.15, "velocity": [0, 1, 0]}],
}

# A bar in nothing, with a hold at its left and a muscle.
BAR = {
    "domain": {"resolution": 8},
    "time": {"frames": 4},
    "gravity": [0, 0, 0],
    "body": [{
        "name": "bar", "shape": "box", "center": [0.5, 0.5, 0.5], "size": [0.6, 0.1, 0.1],
        "mesh": "grid5", "cells": [6, 1, 1], "element": "linear", "young": 1e5,
        "hold": [{"type": "pin", "side": "x_min"}],
        "muscle": [{"name": "pull", "stress": 1e4, "level": 0, "swing": 0}],
    }],
}


def without_hold(scene):
    """A copy whose first body is free."""
    free = copy.deepcopy(scene)
    del free["body"][0]["hold"]
    return free


def command(*words, cwd=None):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, cwd=cwd, timeout=300)


def folder(test):
    """A folder that goes when the test ends."""
    made = tempfile.TemporaryDirectory()
    test.addCleanup(made.cleanup)
    return made.name
