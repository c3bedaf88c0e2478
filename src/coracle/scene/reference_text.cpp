// The words and examples of docs/scenes.md. The tests load every example.
#include "coracle/scene/reference.h"

#include <utility>

namespace coracle {

std::string_view reference_opening() {
  return R"(# Scene files

Every option of a scene. This page is written by the program: `coracle reference > docs/scenes.md`. A test compares the
two. `coracle check SCENE` says what a scene holds, or lists all that is wrong with it, with file, line and column.

A scene is a [TOML](https://toml.io) file. `[name]` begins a table that stands once, `[[name]]` one entry of a list.

**Units.** Metres, seconds, kilograms, newtons, pascals, kelvin above the surroundings. Angles of motions are in radians,
of `rotate` and `fov` in degrees. Colours are red, green, blue from 0 to 1, sRGB.

**Axes.** y is up, right-handed; gravity is `[0, -9.81, 0]` unless given. The domain is a box of cubic cells,
`resolution` of them along its longest side. Its sides are walls unless they are open.

**Names.** Solids and bodies share their names. A name becomes part of file names and of the columns of `probes.csv`.

**Paths** of files are relative to the file that names them.

**Numbers** lie between -1e9 and 1e9 unless the tables say otherwise.

## Files that include others

```toml
include = ["tank.toml", "look.toml"]    # at the top of the file

[domain]
resolution = 48                         # in place of what tank.toml says

[solid.post]                            # changes the solid `post` of tank.toml
radius = 0.05
```

The included files come first, in their order; the file itself is merged over them. Tables merge key by key. Lists of
tables (`[[solid]]`, `[[body]]`, ...) are joined, the included entries first; `[solid.NAME]` or `[solid.0]` changes an
included entry. Everything else is replaced. Included files may include others, and have presets and variables. A file
that is included twice counts once; files that include each other in a circle are refused.

## Variables and formulas

```toml
[variables]
radius = 0.1
gap = "=radius/2"                       # variables may use each other, in any order

[[solid]]
name = "ball"
shape = "sphere"
center = [0.5, "=2*radius + gap", 0.5]
radius = "=radius"
```

Where a number may stand, also inside a list, a string that begins with `=` may stand: a formula. It has numbers, names
of variables, `+ - * / ^`, parentheses, `pi`, the functions `sqrt exp log sin cos tan abs floor ceil round` of one value,
and `min max` of two or more. Angles in formulas are radians. Where an integer must stand, the result must be one.

`coracle run SCENE --set variables.radius=0.2` changes a variable, and so does `variables.radius = 0.2` in a preset. The
`scene.toml` that a run writes holds the plain numbers.

## Presets

```toml
[preset.quick]
domain.resolution = 16
time.frames = 12
```

`--preset quick` merges these values over the rest. Entries of lists are chosen by number or name: `solid.ball.radius`,
`body.0.young`. Without a preset the scene is as written, which is also called `preview`.
)";
}

std::string_view reference_closing() {
  return R"(
## Files of meshes

| for | formats | rules |
|--|--|--|
| surfaces: `shape = "mesh"` of solids, regions and bodies, and `render` | OBJ, PLY, STL, glTF (`.obj .ply .stl .gltf .glb`) | closed: every edge has two triangles; oriented either way; all parts of the file together; identical vertices are joined; solids may be [animated](#animated-meshes) |
| sheets: `shape = "mesh"` of bodies with `kind = "shell"` | the same | open or closed; an edge has at most two triangles, oriented alike |
| lines: `shape = "mesh"` of bodies with `kind = "rod"` | OBJ with `l` elements | vertices at the same place are joined; segments longer than `edge` are divided |
| tetrahedra: `shape = "mesh"` of bodies | Gmsh 2.2 and 4.1 (`.msh`), Medit (`.mesh`), TetGen (`.node` and `.ele`), VTK (`.vtu`, not compressed) | linear tetrahedra alone, every node used, all of one orientation |

The length unit of the file is the metre; `scale`, then `rotate`, then `translate` are applied. A body whose file is a
surface is filled with tetrahedra of about `edge`; a file of tetrahedra is taken as it is.

`start_file` of a body is text: one line per node, in the order of the file of tetrahedra, or else of the points of
`body_NAME.0000.vtu`; three or six numbers with blanks or commas between them; lines that begin with `#` are skipped.

## Animated meshes

A solid with `shape = "mesh"` moves by itself if its file is one of these:

| file | moves by | options |
|--|--|--|
| glTF (`.glb`, `.gltf`) with a skin: a mesh that bones carry | a clip of the file; linear, stepped and cubic keys | `clip`, needed if there are several |
| OBJ files of one mesh whose vertices move: `file = "walk_####.obj"`, the `#` stand for digits | straight from file to file | `fps`, files a second |

Both take `clip_start`, `speed` and `loop`. `scale`, `rotate` and `translate` hold for all poses; the motions of
`[[solid.motion]]` come after the animation. Vertices that the file splits at seams are joined; a mesh of the file without
a skin follows its node. The mesh must be closed and turned outward, and all files of a sequence have the same faces.
Morph targets (shape keys) and Alembic files are not read: export OBJ files instead. `coracle check` says where a clip
passes through itself, leaves the domain, or jumps where it begins again.

```toml
[[solid]]
name = "arm"
shape = "mesh"
file = "arm.glb"                        # or "wave_####.obj", with fps = 24
clip = "wave"
clip_start = 0.5
speed = 2
loop = true
scale = 0.4
translate = [0.5, 0.4, 0.5]
```

## Changes on the command line

`--set path=value`, any number of them, for `coracle run` and `coracle check`: keys with dots between them, entries of
lists by number or name. `--set solid.ball.radius=0.2`, `--set body.0.young=1e6`, `--set variables.gap=0.01`,
`--set 'domain.max=[2, 1, 1]'`, `--set 'liquid.density==rho*1000'`. A bare word is text.
)";
}

std::string_view reference_example(std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> examples[] = {
      {"top", R"(title = "A column of water"
method = "cutcell"
gravity = [0, -9.81, 0]
)"},
      {"domain", R"([domain]
min = [0, 0, 0]
max = [2, 1, 1]
resolution = 64
)"},
      {"time", R"([time]
frames = 96
fps = 24
)"},
      {"liquid", R"([liquid]
density = 1000
advection = "apic"

[[liquid.region]]
shape = "box"
min = [0, 0, 0]
max = [0.4, 0.5, 1]
)"},
      {"liquid.region", R"([[liquid.region]]
shape = "sphere"
center = [0.5, 0.7, 0.5]
radius = 0.1
velocity = [0, -1, 0]
)"},
      {"liquid.kind", R"(method = "proxy"

[[liquid.kind]]
name = "honey"
density = 1400
viscosity = 10

[[liquid.region]]
shape = "sphere"
center = [0.5, 0.7, 0.5]
radius = 0.1
kind = "honey"
)"},
      {"proxy", R"(method = "proxy"

[proxy]
splitting = "delta"
stiffness = 2e5

[liquid]
viscosity = 0.1
)"},
      {"inflow", R"([[inflow]]
name = "tap"
shape = "cylinder"
center = [0.5, 0.9, 0.5]
radius = 0.05
height = 0.1
velocity = [0, -1.5, 0]
end = 2
)"},
      {"outflow", R"([[outflow]]
name = "drain"
shape = "box"
min = [0.9, 0, 0]
max = [1, 0.05, 1]
)"},
      {"gas", R"([gas]
expansion = 0.0034
confinement = 0.2

[[gas.region]]
shape = "sphere"
center = [0.5, 0.2, 0.5]
radius = 0.1
smoke = 1
temperature = 60
)"},
      {"gas.region", R"([[gas.region]]
shape = "sphere"
center = [0.5, 0.2, 0.5]
radius = 0.1
smoke = 1
)"},
      {"jet", R"([domain]
open = ["x_max"]

[[jet]]
name = "nozzle"
shape = "box"
min = [0.05, 0.4, 0.4]
max = [0.15, 0.6, 0.6]
velocity = [2, 0, 0]
noise = 0.05
)"},
      {"solid.skin", R"([[solid]]
name = "ball"
shape = "sphere"
center = [0.5, 0.5, 0.5]
radius = 0.2
[solid.skin]                    # with method = "skinned": water runs over it and drips
hold = 0.001                    # m
)"},
      {"solid.skin.fur", R"([[solid]]
name = "ball"
shape = "sphere"
center = [0.5, 0.5, 0.5]
radius = 0.2
[solid.skin]
fur = {porosity = 0.95, along = 2e-8, across = 1e-8, residual = 0.2}
)"},
      {"solid", R"([[solid]]
name = "gate"
shape = "box"
min = [0.5, 0, 0]
max = [0.55, 0.6, 1]

[[solid.motion]]
type = "velocity"
velocity = [0, 0.5, 0]
start = 0.2
end = 1.2
)"},
      {"body", R"([[body]]
name = "ring"
shape = "torus"
center = [0.5, 0.6, 0.5]
radius = 0.13
tube = 0.05
edge = 0.04
material = "stable_neo_hookean"
young = 5e4
poisson = 0.4
density = 900
start_velocity = [0, "=2*x - 1", 0]           # a field: x, y, z are the place at rest

[[body]]
name = "crate"
kind = "rigid"
shape = "box"
center = [0.5, 0.9, 0.5]
size = [0.1, 0.1, 0.1]
density = 400
)"},
      {"attachment", R"([[body]]
name = "ball"
kind = "rigid"
shape = "sphere"
center = [0.5, 0.3, 0.5]
radius = 0.1

[[body]]
name = "rope"
kind = "rod"
shape = "line"
points = [[0.5, 0.405, 0.5], [0.5, 0.9, 0.5]]
rod_radius = 0.004

[[body.hold]]                      # it hangs from its upper end
type = "pin"
side = "y_max"

[[attachment]]                     # and the ball from its lower one
body = "rope"
to = "ball"
points = [[0.5, 0.405, 0.5]]
)"},
      {"body.hold", R"([[body]]
name = "beam"
shape = "box"
center = [0.7, 0.3, 0.5]
size = [0.1, 0.6, 0.2]
mesh = "grid6"
cells = [1, 6, 2]

[[body.hold]]
type = "pin"
side = "y_min"
)"},
      {"body.muscle", R"([[body]]
name = "tail"
shape = "box"
center = [0.5, 0.5, 0.5]
size = [0.4, 0.1, 0.1]
mesh = "grid6"
cells = [8, 2, 2]

[[body.muscle]]                    # the left half pulls in waves that run to -x,
name = "left"
stress = 2e3
frequency = 2
wavelength = 0.4
along = [-1, 0, 0]

[[body.muscle.region]]
shape = "box"
center = [0.5, 0.5, 0.525]
size = [0.4, 0.1, 0.05]

[[body.muscle]]                    # and the right half when the left one does not
name = "right"
stress = 2e3
frequency = 2
phase = "=pi"
wavelength = 0.4
along = [-1, 0, 0]

[[body.muscle.region]]
shape = "box"
center = [0.5, 0.5, 0.475]
size = [0.4, 0.1, 0.05]
)"},
      {"elastic", R"([elastic]
integrator = "backward_euler"
newton = true
)"},
      {"contact", R"([contact]
kind = "barrier"
friction = 0.4
)"},
      {"probe", R"([[solid]]
name = "bowl"
shape = "box"
center = [0.5, 0.3, 0.5]
size = [0.3, 0.02, 0.3]

[[solid.motion]]
type = "oscillation"
amplitude = [0.1, 0, 0]
frequency = 1

[[probe]]                       # the length of the wet part of a line
name = "level"
type = "height"
from = [0.5, 0.32, 0.5]
to = [0.5, 0.9, 0.5]
moves_with = "bowl"             # the line follows the bowl

[[probe]]
name = "current"
type = "velocity"
point = [0.2, 0.1, 0.5]

[[probe]]
name = "in_bowl"
type = "volume"
min = [0.35, 0.31, 0.35]
max = [0.65, 0.6, 0.65]
moves_with = "bowl"

[[probe]]
name = "load"
type = "force"
solid = "bowl"
)"},
      {"solver", R"([solver]
tolerance = 1e-8
)"},
      {"output", R"([output]
particles = true
paraview = false                # PLY alone: no second copy of the surfaces
every = 2
)"},
      {"camera", R"([camera]
position = [2.5, 1.5, 2.5]
target = [0.5, 0.4, 0.5]
)"},
      {"look", R"([look]
liquid_color = [0.3, 0.68, 0.86]
tank = "floor"
)"},
      {"shape", R"([[liquid.region]]               # what a box and a ball have in common
shape = "intersection"
parts = [
  {shape = "box", min = [0, 0, 0], max = [0.5, 0.5, 1]},
  {shape = "sphere", center = [0.3, 0.2, 0.5], radius = 0.4},
]

[[solid]]
name = "cup"
shape = "mesh"
file = "cup.obj"
scale = 0.5
rotate = [0, 45, 0]
translate = [0.7, 0.2, 0.5]
)"},
      {"expect", R"([[expect]]
claim = "the level stays below the rim"
of = "probes.level"             # a number in stats.jsonl or probes.csv; or two: "a / b", "a - b"
take = "max"
at_most = 0.3
presets = ["quick"]
reason = "the bowl is 0.3 m deep"
)"},
      {"motion", R"([[solid]]
name = "paddle"
shape = "box"
center = [0.5, 0.3, 0.5]
size = [0.4, 0.1, 0.02]

[[solid.motion]]
type = "rotation"
axis = [0, 1, 0]
pivot = [0.5, 0.3, 0.5]
rate = 3

[[solid.motion]]
type = "keyframes"
times = [0, 1, 2]
offsets = [[0, 0, 0], [0, 0.2, 0], [0, 0, 0]]
)"},
  };
  for (const auto& [section, toml] : examples)
    if (section == name) return toml;
  return {};
}

}  // namespace coracle
