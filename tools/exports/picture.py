# Renders a frame of exported OBJ files with Blender's Cycles: blender -b -P picture.py -- OBJ_FOLDER FRAME PICTURE
import math
import sys

import bpy
from mathutils import Vector

folder, frame, picture = sys.argv[-3], int(sys.argv[-2]), sys.argv[-1]
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene


def material(name, **inputs):
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    for key, value in inputs.items():
        made.node_tree.nodes["Principled BSDF"].inputs[key.replace("_", " ")].default_value = value
    return made


def load(name, look):
    bpy.ops.wm.obj_import(filepath=f"{folder}/{name}.{frame:04}.obj")  # y up in the file, z up here
    thing = bpy.context.object
    thing.data.materials.clear()
    thing.data.materials.append(look)
    bpy.ops.object.shade_smooth()
    return thing


load("surface", material("water", Base_Color=(0.55, 0.8, 0.95, 1), Roughness=0.03, IOR=1.33, Transmission=1.0))
beam = load("body_beam", material("beam", Base_Color=(0.85, 0.33, 0.1, 1), Roughness=0.5))
beam.data.use_auto_smooth = True  # its edges stay sharp

bpy.ops.mesh.primitive_plane_add(size=30, location=(0, 0, -0.002))
bpy.context.object.data.materials.append(material("floor", Base_Color=(0.6, 0.6, 0.58, 1), Roughness=0.8))
scene.world = bpy.data.worlds.new("sky")
scene.world.use_nodes = True
scene.world.node_tree.nodes["Background"].inputs[0].default_value = (0.75, 0.85, 1.0, 1)
scene.world.node_tree.nodes["Background"].inputs[1].default_value = 0.6
bpy.ops.object.light_add(type="SUN", rotation=(math.radians(40), math.radians(-25), 0))
bpy.context.object.data.energy, bpy.context.object.data.angle = 3.0, 0.1

target = Vector((0.5, -0.5, 0.36))  # z of the run points to -y here
bpy.ops.object.camera_add(location=(1.9, -3.2, 1.35))
scene.camera = bpy.context.object
scene.camera.rotation_euler = (target - scene.camera.location).to_track_quat("-Z", "Y").to_euler()
scene.camera.data.lens = 58

scene.render.engine = "CYCLES"
scene.cycles.device, scene.cycles.samples, scene.cycles.use_denoising = "CPU", 128, False
scene.cycles.caustics_refractive = scene.cycles.caustics_reflective = False
scene.render.resolution_x, scene.render.resolution_y = 440, 248
scene.view_settings.view_transform = "Filmic"
scene.render.image_settings.file_format, scene.render.image_settings.color_mode = "PNG", "RGB"
scene.render.image_settings.compression = 100
scene.render.filepath = picture
bpy.ops.render.render(write_still=True)
