#include "coracle/show/views.h"
#include "coracle/world/build.h"

#include "coracle/base/files.h"
#include "coracle/base/random.h"
#include "coracle/error.h"
#include "coracle/out/frame_check.h"
#include "coracle/shape/tet_readers.h"
#include "coracle/shape/tet_topology.h"
#include "coracle/show/picture.h"
#include "coracle/step/grid/solid_field.h"
#include "coracle/world/surface.h"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace coracle {
namespace {

constexpr double shrunk = 0.86;       // scale of a tet's edges
constexpr float line_share = 0.035f;  // line width over the side of a tet or cell

// A body's tets in a frame; not validated, because deformed tets may be inverted.
TetMesh read_tets(const Replay& replay, const BodyOptions& body, int frame) {
  if (!replay.scene.output.paraview)
    throw RunError("the run kept no tets; run the scene again with output.paraview = true");
  const std::string path = usable_file(replay, {"body_" + body.name, "vtu", frame});
  const NumberedTets read = read_vtu(path, read_file(path));
  TetMesh mesh{read.x, {}};
  for (const auto& corners : read.corners) {
    Vec4i tet;
    for (int c = 0; c < 4; ++c) tet[c] = read.index.at(corners[c]);
    mesh.tets.push_back(tet);
  }
  return mesh;
}

// The part of a convex polygon inside a cell, in units of cells.
std::vector<Vec3> clipped_to_cell(std::vector<Vec3> polygon, const Vec3i& cell) {
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0}) {
      const double bound = cell[axis] + (side > 0 ? 1 : 0);
      const auto out = [&](const Vec3& x) { return side * (x[axis] - bound); };  // > 0: beyond
      std::vector<Vec3> kept;
      for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Vec3 &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
        if (out(a) <= 0) kept.push_back(a);
        if (out(a) * out(b) < 0) kept.push_back(a + out(a) / (out(a) - out(b)) * (b - a));
      }
      polygon = std::move(kept);
    }
  return polygon;
}

// Area of a planar convex polygon times its normal.
Vec3 area_of(const std::vector<Vec3>& polygon) {
  Vec3 area = Vec3::Zero();
  for (std::size_t i = 1; i + 1 < polygon.size(); ++i)
    area += 0.5 * (polygon[i] - polygon[0]).cross(polygon[i + 1] - polygon[0]);
  return area;
}

// A colour that distinguishes a cell from its neighbours.
Vec3f cell_color(int cell) {
  const double hue = 6 * uniform(7, std::uint64_t(cell)), value = 0.6 + 0.35 * uniform(8, std::uint64_t(cell));
  Vec3 c;
  for (int a = 0; a < 3; ++a) c[a] = 0.35 + 0.65 * std::clamp(std::abs(std::fmod(hue + 2 * a, 6.0) - 3) - 1, 0.0, 1.0);
  return linear_of(Vec3(value * c));
}

// The piece of a triangle that a patch stands for, in cells: the part of the triangle inside the cell that holds the
// patch's centroid. Empty for a patch that only closes a cell.
std::vector<Vec3> piece_of_triangle(const Grid& grid, const Surfaces& surfaces, const Patch& patch) {
  const Vec3i cell = grid.cell_of(patch_center(patch, surfaces));
  const Surface& surface = surfaces[patch.surface];
  std::vector<Vec3> polygon(3);
  for (int c = 0; c < 3; ++c) polygon[c] = grid.to_cells(surface.x[surface.tris[patch.tri][c]]);
  polygon = clipped_to_cell(polygon, cell);
  if (std::abs(area_of(polygon).norm() - patch.area.norm()) > 1e-3 * patch.area.norm()) return {};
  return polygon;
}

// The closed face that a patch stands for, in cells: on the side of its cell that the area points to.
std::vector<Vec3> whole_face(const Boundary& cut, const Patch& patch) {
  int axis = 0;
  patch.area.cwiseAbs().maxCoeff(&axis);
  Vec3 corner = cut.volume.cell(patch.cell).cast<double>();
  if (patch.area[axis] > 0) corner[axis] += 1;
  const Vec3 b = Vec3::Unit((axis + 1) % 3), d = Vec3::Unit((axis + 2) % 3);
  return {corner, corner + b, corner + b + d, corner + d};
}

}  // namespace

void add_particles(std::vector<Prop>& props, const Replay& replay, const PlyMesh& particles, const Coloring& coloring) {
  if (particles.x.empty()) return;
  Prop balls{.x = particles.x, .radius = float(scene_grid(replay.scene.domain).dx / 3)};
  balls.colors = field_colors(field_values(particles, coloring.field), coloring.range);
  props.push_back(std::move(balls));
}

void add_tets(std::vector<Prop>& props, const Replay& replay, const ReplayFrame& frame) {
  const Scene& scene = replay.scene;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    Prop prop{.material = {.color = body_color(scene, b)}};
    if (scene.bodies[b].kind == BodyKind::solid) {
      const TetMesh mesh = read_tets(replay, scene.bodies[b], frame.number);
      for (const Vec4i& tet : mesh.tets) {
        const Vec3 center = 0.25 * (mesh.x[tet[0]] + mesh.x[tet[1]] + mesh.x[tet[2]] + mesh.x[tet[3]]);
        const int first = int(prop.x.size());
        for (int c = 0; c < 4; ++c) prop.x.push_back((center + shrunk * (mesh.x[tet[c]] - center)).cast<float>());
        for (int f = 0; f < 4; ++f) prop.tris.push_back(tet_face(Vec4i(first, first + 1, first + 2, first + 3), f));
      }
    } else if (b < frame.bodies.size()) {
      const PlyMesh& surface = frame.bodies[b];
      prop.x = surface.x, prop.tris = surface.tris, prop.normals = surface.normals;
    }
    if (prop.tris.empty()) continue;
    double edges = 0;
    for (const Vec3i& t : prop.tris) edges += double((prop.x[t[1]] - prop.x[t[0]]).norm());
    prop.material.line = line_share * float(edges / double(prop.tris.size()));
    props.push_back(std::move(prop));
  }
}

void add_cut_cells(std::vector<Prop>& props, const Replay& replay, int frame, World& world) {
  move_solids(world.solids, frame / replay.scene.time.fps);
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    TetMesh mesh = read_tets(replay, replay.scene.bodies[b], frame);
    if (mesh.x.size() != world.bodies[b].x.size())
      throw RunError(fmt::format("body '{}' of frame {} has another number of nodes than the scene's",
                                 world.bodies[b].name, frame));
    world.bodies[b].x = std::move(mesh.x);
  }
  const Surfaces surfaces(world);
  const Grid grid = scene_grid(replay.scene.domain);
  SolidField field;
  update_solid_field(grid, surfaces, boundary_maker(replay.scene.method), field);

  Prop prop;
  for (const Patch& patch : field.cut.patches) {
    const std::vector<Vec3> polygon =
        field.cut.on_surface ? piece_of_triangle(grid, surfaces, patch) : whole_face(field.cut, patch);
    if (polygon.empty()) continue;
    const int first = int(prop.x.size());
    for (const Vec3& x : polygon) {
      prop.x.push_back((grid.origin + grid.dx * x).cast<float>());
      prop.colors.push_back(cell_color(patch.cell));
    }
    for (int i = 1; i + 1 < int(polygon.size()); ++i) prop.tris.emplace_back(first, first + i, first + i + 1);
  }
  if (!prop.tris.empty()) props.push_back(std::move(prop));
}

}  // namespace coracle
