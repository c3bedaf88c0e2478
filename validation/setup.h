// Building blocks that several cases share.
#pragma once

#include "coracle/base/random.h"
#include "coracle/shape/tri_mesh.h"
#include "coracle/step/advance.h"
#include "coracle/step/grid/fluid_system.h"
#include "coracle/step/grid/solid_field.h"

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace coracle::validation {

inline constexpr double g = 9.81, water = 1000;  // m/s², kg/m³

inline Solid make_solid(TriMesh mesh, bool container = false, const Vec3& velocity = Vec3::Zero()) {
  Solid s;
  s.name = container ? "container" : "solid";
  s.container = container;
  s.x = mesh.x;
  s.v.assign(mesh.x.size(), velocity);
  s.rest = std::make_shared<const TriMesh>(std::move(mesh));
  return s;
}

inline Grid unit_grid(int n) { return {Vec3::Zero(), 1.0 / n, Vec3i::Constant(n)}; }

// Cut cells of the solids, with slivers removed.
inline Boundary cut_grid(const Grid& grid, const std::vector<Solid>& solids) {
  SolidField field;
  update_solid_field(grid, solids, boundary_maker(Method::cutcell), field);
  return field.cut;
}

// Exact distance to the plane through `point`, liquid below `normal`.
inline Array3<double> plane_phi(const Grid& grid, const Vec3& point, const Vec3& normal) {
  Array3<double> phi(grid.n);
  for (std::size_t i = 0; i < phi.size(); ++i) phi.data[i] = normal.dot(grid.center(phi.cell(i)) - point);
  return phi;
}

inline FaceField<double> uniform_velocity(const Grid& grid, const Vec3& v) {
  FaceField<double> u;
  for (int a = 0; a < 3; ++a) u[a].assign(grid.faces(a), v[a]);
  return u;
}

// Largest |u − v| over the faces that the projection has set, without the domain's sides.
inline double largest_deviation(const Grid& grid, const FaceField<double>& u, const FaceField<std::uint8_t>& valid,
                                const Vec3& v) {
  double worst = 0;
  for (int a = 0; a < 3; ++a)
    for (std::size_t i = 0; i < u[a].size(); ++i) {
      const int at = u[a].cell(i)[a];
      if (valid[a].data[i] && at > 0 && at < grid.n[a]) worst = std::max(worst, std::abs(u[a].data[i] - v[a]));
    }
  return worst;
}

inline Vec3 random_unit(std::uint64_t key) {
  const double z = 2 * uniform(key, 0) - 1, a = 2 * M_PI * uniform(key, 1), r = std::sqrt(1 - z * z);
  return {r * std::cos(a), r * std::sin(a), z};
}

// A closed bumpy star-shaped surface at a random pose.
TriMesh random_mesh(std::uint64_t key, const Vec3& center, double radius, double edge);

// Rollers on some of a body's sides, as TOML.
std::string rollers(const std::vector<std::string>& sides);

// The head of a scene of bodies that do not touch anything, in a domain with room to move or to fall, as TOML.
std::string without_contact(int frames, double fps, double dt, const char* integrator);

// The back end of all cases that run scenes: that of `coracle validate --backend`.
inline Backend chosen_backend = Backend::cpu;

// Runs a scene given as TOML and calls `on_step` after every step.
using OnStep = std::function<void(const StepReport&, const World&, const Workspace&)>;
void run_text(const std::string& toml, const std::string& name, const OnStep& on_step);

// The same; returns whether the run reached its end. It ends early if `on_step` throws `Stop` or a step fails.
struct Stop {};
bool run_to_the_end(const std::string& toml, const std::string& name, const OnStep& on_step);

// The particles of the world's liquid, whichever method moves them.
inline const std::vector<Vec3>& particle_places(const World& world) {
  const SphLiquid* sph = std::get_if<SphLiquid>(&world.fluid);
  return sph ? sph->x : liquid_of(world).particles.x;
}

// Mean displacement of the nodes that `where` selects by their rest positions.
Vec3 displacement(const Body& body, const std::function<bool(const Vec3&)>& where);

// Sums over the nodes of bodies.
struct Momenta {
  double mass = 0;              // kg
  Vec3 center = Vec3::Zero();   // m, of mass
  Vec3 linear = Vec3::Zero();   // kg m/s
  Vec3 angular = Vec3::Zero();  // kg m²/s about the origin
  double energy = 0;            // J, kinetic
};
Momenta momenta(const std::vector<Body>& bodies);

}  // namespace coracle::validation
