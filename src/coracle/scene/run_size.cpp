#include "coracle/scene/run_size.h"

#include "coracle/scene/fluid_summary.h"
#include "coracle/scene/layers.h"
#include "coracle/scene/liquid_kinds.h"
#include "coracle/scene/sizes.h"
#include "coracle/shape/region.h"
#include "coracle/solve/block_solver.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace coracle {
namespace {

// Bytes, measured as the largest resident memory of runs of shipped scenes, also with finer and quadratic bodies.
constexpr double program_bytes = 75e6;
constexpr double liquid_cell_bytes = 500, particle_bytes = 265;
constexpr double gas_cell_bytes = 720;
constexpr double sph_cell_bytes = 500, sph_particle_bytes = 1240;
constexpr double shell_tet_bytes = 1100;  // of the shell around a skin
constexpr double node_bytes = 8000, quadratic_node_bytes = 10000;
// A factor of the matrix of a body of n nodes takes so much times n^(4/3), as for any solid ordered by dissection.
constexpr double factor_bytes = 650;
// Of conjugate gradients, per element that sound crosses in a step: 15 to 20 are measured.
constexpr double iterations_per_element = 18;

double cell_bytes(const Scene& scene) {
  switch (fluid_kind(scene)) {
    case FluidKind::none:
      return 0;
    case FluidKind::liquid:
      return liquid_cell_bytes;
    case FluidKind::gas:
      return gas_cell_bytes;
    case FluidKind::sph:
      return sph_cell_bytes;
  }
  return 0;
}

double bytes_a_particle(const Scene& scene) {
  return fluid_kind(scene) == FluidKind::sph ? sph_particle_bytes : particle_bytes;
}

// Shells around skins, of method skinned: of a volume of about area times thickness, in tets of edge³/12.
double shell_bytes(const Scene& scene, const Grid& grid) {
  double bytes = 0;
  for (const SolidOptions& solid : scene.solids) {
    if (!has_film(scene, solid)) continue;
    const double edge = shell_edge(solid.skin, grid.dx), thickness = shell_thickness(solid.skin, grid.dx);
    const TriMesh mesh = shape_mesh(solid.shape, grid.dx);
    double area = 0;
    for (const Vec3i& t : mesh.tris)
      area += 0.5 * (mesh.x[t[1]] - mesh.x[t[0]]).cross(mesh.x[t[2]] - mesh.x[t[0]]).norm();
    bytes += shell_tet_bytes * 12 * area * thickness / (edge * edge * edge);
  }
  return bytes;
}

double fastest(const std::vector<MotionOptions>& motions, double reach) {
  double speed = 0;
  for (const MotionOptions& m : motions) {
    speed = std::max(
        {speed, m.velocity.norm(), std::abs(m.rate) * reach, 2 * std::numbers::pi * m.frequency * m.amplitude.norm()});
    for (std::size_t i = 1; i < std::min(m.times.size(), m.offsets.size()); ++i)
      speed = std::max(speed, (m.offsets[i] - m.offsets[i - 1]).norm() / (m.times[i] - m.times[i - 1]));
    for (std::size_t i = 1; i < std::min(m.times.size(), m.angles.size()); ++i)
      speed = std::max(speed, std::abs(m.angles[i] - m.angles[i - 1]) * reach / (m.times[i] - m.times[i - 1]));
  }
  return speed;
}

// m/s. What falls through half of the domain reaches √(g H); warm gas that rises, √(β ΔT g H).
double expected_speed(const Scene& scene, const Grid& grid) {
  const Vec3 size = grid.upper() - grid.origin;
  const double fall = scene.gravity.cwiseAbs().dot(size);
  double weight = fluid_kind(scene) == FluidKind::gas && scene.bodies.empty() ? 0 : 1;
  double speed = 0;
  const auto heat = [&](double kelvin) { weight = std::max(weight, scene.gas.expansion * std::abs(kelvin)); };
  for (const GasRegionOptions& r : scene.gas.regions) heat(r.temperature), speed = std::max(speed, r.velocity.norm());
  for (const JetOptions& j : scene.jets) heat(j.temperature), speed = std::max(speed, j.velocity.norm());
  for (const RegionOptions& r : scene.liquid.regions) speed = std::max(speed, r.velocity.norm());
  for (const InflowOptions& i : scene.inflows) speed = std::max(speed, i.velocity.norm());
  for (const SolidOptions& s : scene.solids) speed = std::max(speed, fastest(s.motions, 0.5 * size.maxCoeff()));
  for (const BodyOptions& b : scene.bodies) speed = std::max(speed, b.velocity.norm());
  return std::max(speed, std::sqrt(weight * fall));
}

// Elements that sound crosses in `dt`.
double crossed_elements(const BodyOptions& o, const BodySize& size, double dt) {
  const double stiffness = o.young * (1 - o.poisson) / ((1 + o.poisson) * (1 - 2 * o.poisson));  // Pa, of a thick piece
  return std::sqrt(stiffness / o.density) * dt / size.spacing;
}

double body_bytes(const Scene& scene, const std::vector<BodySize>& bodies, double dt) {
  double bytes = 0, factor = 0, nodes = 0, iterations = 0;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const BodyOptions& options = scene.bodies[b];
    bytes += bodies[b].nodes * (options.element == ElementOrder::quadratic ? quadratic_node_bytes : node_bytes);
    // The factor of a rod is hardly larger than its matrix, and a rigid body has twelve unknowns.
    if (options.kind == BodyKind::rod || options.kind == BodyKind::rigid) continue;
    factor += factor_bytes * std::pow(bodies[b].nodes, 4.0 / 3);
    nodes += bodies[b].nodes;
    iterations = std::max(iterations, iterations_per_element * crossed_elements(options, bodies[b], dt));
  }
  const bool iterates = nodes > BlockSolver::always_factorised && iterations < BlockSolver::most_iterations(nodes);
  return iterates ? bytes : bytes + factor;
}

}  // namespace

RunSize run_size(const Scene& scene, const Grid& grid, const std::vector<BodySize>& bodies) {
  RunSize size;
  size.cells = grid.n.cast<double>().prod();
  size.particles = expected_particles(scene, grid);
  for (const BodySize& body : bodies) {
    size.tets += body.tets;
    size.triangles += body.triangles;
    size.segments += body.segments;
    size.nodes += body.nodes;
  }
  size.grid_bytes = cell_bytes(scene) * size.cells + bytes_a_particle(scene) * size.particles;
  const double dt = 1 / (scene.time.fps * expected_steps(scene, grid));
  size.bytes = program_bytes + size.grid_bytes + body_bytes(scene, bodies, dt) + shell_bytes(scene, grid);
  return size;
}

double expected_steps(const Scene& scene, const Grid& grid) {
  const double speed = expected_speed(scene, grid), g = scene.gravity.norm();
  double dt = std::min(scene.time.max_dt, 1 / scene.time.fps);
  if (fluid_kind(scene) == FluidKind::sph)
    return std::ceil(1 / (scene.time.fps * std::min(dt, longest_sph_step(scene, grid, speed))) - 1e-9);
  if (speed > 0) dt = std::min(dt, scene.time.cfl * grid.dx / speed);
  if (g > 0 && fluid_kind(scene) != FluidKind::gas) dt = std::min(dt, std::sqrt(grid.dx / (std::numbers::pi * g)));
  return std::ceil(1 / (scene.time.fps * dt) - 1e-9);
}

double relative_cost(const Scene& scene, const Grid& grid) {
  if (fluid_kind(scene) != FluidKind::sph) return 1;
  // Measured: eight iterations per diameter that sound passes, each a tenth of the rest of the step.
  const double dt = 1 / (scene.time.fps * expected_steps(scene, grid));
  return 1 + 0.1 * 8 * fastest_sound(scene) * dt / particle_spacing(grid);
}

int fitting_resolution(const Scene& scene, const RunSize& size, double memory) {
  constexpr int least = 4;
  const double left = memory - (size.bytes - size.grid_bytes);
  if (!(left > 0) || !(size.grid_bytes > 0)) return 0;
  const double share = std::pow(left / size.grid_bytes, scene.domain.slab > 0 ? 1.0 / 2 : 1.0 / 3);
  const int fit = int(std::floor(0.98 * std::min(share, 1.0) * scene.domain.resolution));
  return fit < least ? 0 : fit;
}

}  // namespace coracle
