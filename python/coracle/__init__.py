"""Fluids and deformable bodies, solved together.

    import coracle

    sim = coracle.Simulation("dam_break", preset="quick")
    for frame in sim.frames():
        print(frame.time, sim.bodies["beam"].x[:, 1].max())

    run = coracle.run("dam_break", "runs/dam", preset="quick")
    run.plot()       # in a notebook, these two show themselves
    run.render(-1)

Simulation drives a scene step by step, with its state as NumPy arrays. run() simulates a scene into a folder, as the
command `coracle run` does; Run reads such a folder. scenes() lists what ships. SI units, y up.
"""

try:
    from . import _core
except ImportError as error:
    import glob
    import os
    import sys

    built = [os.path.basename(file) for file in glob.glob(os.path.join(os.path.dirname(__file__), "_core.*.so"))]
    raise ImportError(
        f"{sys.executable} (Python {sys.version.split()[0]}) cannot load {' or '.join(built) or 'the module _core'}, which "
        "is built for one version of Python: use that one, of Debian /usr/bin/python3, or build the module for this one, "
        f"PYTHON={sys.executable} ./do python"
    ) from error
from .errors import InternalError, NameNotFound, Problem, RunError, SceneError, StepError
from .pictures import Picture, Plot
from .record import Record
from .runs import Expectation, Mesh, Run, run
from .scenes import ShippedScene, scenes, schema
from .simulation import Body, Frame, Grid, Particles, Simulation, Solid, resume

__version__: str = _core.version

__all__ = [
    "Body",
    "Expectation",
    "Frame",
    "Grid",
    "InternalError",
    "Mesh",
    "NameNotFound",
    "Particles",
    "Picture",
    "Plot",
    "Problem",
    "Record",
    "Run",
    "RunError",
    "SceneError",
    "ShippedScene",
    "Simulation",
    "Solid",
    "StepError",
    "resume",
    "run",
    "scenes",
    "schema",
]
