# Loads the files of coracle export into Blender and compares them with the run's statistics.
#   blender -b --python-exit-code 1 -P in_blender.py -- EXPORTS STATS FRAME
import json
import os
import sys

import bmesh
import bpy

exports, stats_file, frame = sys.argv[-3], sys.argv[-2], int(sys.argv[-1])
steps = [json.loads(line) for line in open(stats_file)]
last = [s for s in steps if s["frame"] == frame][-1]  # the step that ends the frame


def volume(thing):
    mesh = bmesh.new()
    mesh.from_mesh(thing.data)
    mesh.transform(thing.matrix_world)
    return mesh.calc_volume(signed=True)


def check(what, found, expected, tolerance):
    print(f"  {what}: {found:.6g}, expected {expected:.6g}")
    assert abs(found - expected) <= tolerance * abs(expected), what


def water_and_body(water, body, water_tolerance):
    check("water, m3", volume(water), last["liquid"]["volume"], water_tolerance)
    check("body, m3", volume(body), last["bodies"][0]["volume"], 1e-4)  # single precision


def centre_height(thing, axis):
    return sum((thing.matrix_world @ v.co)[axis] for v in thing.data.vertices) / len(thing.data.vertices)


bpy.ops.wm.read_factory_settings(use_empty=True)
print("PLY, y up as in the file")
loaded = []
for name in ("surface", "body_beam"):
    bpy.ops.import_mesh.ply(filepath=f"{exports}/ply/{name}.{frame:04}.ply")
    loaded.append(bpy.context.object)
# The surface is a mesh of the particles' distance field; the statistics sum the liquid's shares of the cells. The two
# volumes differ by the surface's area times a fraction of a cell.
water_and_body(*loaded, water_tolerance=0.1)
surface = loaded[0]
ply_points = len(surface.data.vertices)
height = centre_height(loaded[1], 1)

print("OBJ, turned to z up by the importer")
loaded = []
for name in ("surface", "body_beam"):
    bpy.ops.wm.obj_import(filepath=f"{exports}/obj/{name}.{frame:04}.obj")
    loaded.append(bpy.context.object)
water_and_body(*loaded, water_tolerance=0.1)
assert len(loaded[0].data.vertices) == ply_points
check("height of the body's points, m", centre_height(loaded[1], 2), height, 1e-5)

print("VDB")
files = sorted(f for f in os.listdir(f"{exports}/vdb") if f.endswith(".vdb"))
bpy.ops.object.volume_import(filepath=f"{exports}/vdb/{files[0]}", directory=f"{exports}/vdb",
                             files=[{"name": f} for f in files], use_sequence_detection=True)
liquid = bpy.context.object
assert liquid.data.is_sequence and liquid.data.frame_duration == len(files), "a sequence of all frames"
liquid.data.grids.load()
half = liquid.data.grids[0].matrix_object[0][0] / 2
grids = {g.name: g.data_type for g in liquid.data.grids}
print(" ", len(files), "files", grids)
assert grids == {"surface": "FLOAT", "velocity": "VECTOR_FLOAT"}
# Volume to Mesh extracts the surface at this frame, shifted by half a voxel along all axes.
liquid.data.frame_start = int(files[0].split(".")[1])  # Blender's frame numbers equal the run's
bpy.context.scene.frame_set(frame)
bpy.ops.mesh.primitive_cube_add()
again = bpy.context.object
modifier = again.modifiers.new("mesh", "VOLUME_TO_MESH")
modifier.object, modifier.grid_name, modifier.threshold = liquid, "surface", 0.0
mesh = again.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
print("  Volume to Mesh gives", len(mesh.vertices), "points")
for axis in range(3):
    found, expected = (max(v.co[axis] for v in m.vertices) for m in (mesh, surface.data))
    check(f"its end along {'xyz'[axis]}, m", found - half, expected, 1e-3)
inside = bmesh.new()
inside.from_mesh(mesh)
check("its volume, m3", inside.calc_volume(signed=True), volume(surface), 0.01)

if not bpy.app.build_options.usd:
    print("USD: this Blender was built without it; not tried")
else:
    print("USD")
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.wm.usd_import(filepath=f"{exports}/usd/run.usda", import_materials=True)
    meshes = {o.name: o for o in bpy.data.objects if o.type == "MESH"}
    assert {"water", "beam"} <= set(meshes), meshes
    counts = []
    for f in (0, frame):
        bpy.context.scene.frame_set(f)
        graph = bpy.context.evaluated_depsgraph_get()
        counts.append({n: len(o.evaluated_get(graph).data.vertices) for n, o in meshes.items()})
    print("  points", counts)
    assert counts[1]["water"] == ply_points and counts[0]["water"] != ply_points
    assert counts[0]["beam"] == counts[1]["beam"]
