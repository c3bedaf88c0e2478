# Opens the files of coracle export in ParaView and compares them with the run's statistics.
#   in_paraview.py EXPORTS STATS FRAME PICTURE
import json
import sys

from paraview import servermanager
from paraview.simple import *

exports, stats_file, frame, picture = sys.argv[1:5]
steps = [json.loads(line) for line in open(stats_file)]
last = [s for s in steps if s["frame"] == int(frame)][-1]  # the step that ends the frame


def check(what, found, expected, tolerance):
    print(f"  {what}: {found:.6g}, expected {expected:.6g}")
    assert abs(found - expected) <= tolerance * abs(expected), what


def opened(name):
    reader = OpenDataFile(f"{exports}/vtu/{name}.pvd")
    reader.UpdatePipelineInformation()
    time = reader.TimestepValues[int(frame)]
    check(f"{name}, s", time, last["time"], 1e-6)
    reader.UpdatePipeline(time)
    return reader, reader.GetDataInformation()


def integrals(source):
    whole = IntegrateVariables(Input=source)
    whole.UpdatePipeline(last["time"])
    return servermanager.Fetch(whole)


body, body_is = opened("body_beam")
assert set(body.PointData.keys()) == {"velocity", "displacement", "von_mises", "pressure"}, body.PointData.keys()
sums = integrals(body)
volume = sums.GetCellData().GetArray("Volume").GetValue(0)
check("body, m3", volume, last["bodies"][0]["volume"], 1e-5)
for axis in range(3):  # centre of mass in the statistics, of volume here: a stretched part has less density
    check(f"its centre's {'xyz'[axis]}, m", sums.GetPoints().GetPoint(0)[axis], last["bodies"][0]["center"][axis], 5e-3)

particles, particles_is = opened("particles")
check("particles", particles_is.GetNumberOfPoints(), last["liquid"]["particles"], 0)
surface, surface_is = opened("surface")
assert "velocity" in surface.PointData.keys()
assert surface_is.GetNumberOfCells() > 0

# A picture of water and body.
view = GetActiveViewOrCreate("RenderView")
view.ViewSize = [640, 360]
view.ViewTime = last["time"]
water_look, body_look = Show(surface, view), Show(body, view)
ColorBy(water_look, ("POINTS", "velocity", "Magnitude"))
water_look.Opacity = 0.6
ColorBy(body_look, ("POINTS", "von_mises"))
view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [2.6, 1.5, 3.0], [0.5, 0.33, 0.5], [0, 1, 0]
view.CameraViewAngle = 25
view.OrientationAxesVisibility = 1
SaveScreenshot(picture, view)
