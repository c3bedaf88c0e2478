// Water on a frictionless tilted plane. The plane's patches all share one normal, so no pressure acts along the plane:
// grid artefacts would show as sticking.
#include "validation/case.h"
#include "validation/setup.h"

#include <fmt/format.h>

namespace coracle::validation {
namespace {

struct Slope {
  double angle;  // rad, falling towards +x
  Vec3 along() const { return {std::cos(angle), -std::sin(angle), 0}; }
  Vec3 normal() const { return {std::sin(angle), std::cos(angle), 0}; }
};

// Momentum and mass of the liquid in the projection's terms: Σ ρ A θ dx³ u and Σ ρ A θ dx³ over the faces, per axis.
struct FaceSums {
  Vec3 momentum = Vec3::Zero(), mass = Vec3::Zero();
};

FaceSums face_sums(const ProjectionInput& in, const PressureSystem& system, const FaceField<double>& u) {
  FaceSums sums;
  for (int a = 0; a < 3; ++a)
    for (std::size_t i = 0; i < u[a].size(); ++i) {
      const Vec3i hi = u[a].cell(i), lo = hi - Vec3i::Unit(a);
      if (lo[a] < 0 || hi[a] >= in.grid.n[a]) continue;
      const bool wet_lo = system.active[lo], wet_hi = system.active[hi];
      if (!wet_lo && !wet_hi) continue;
      double theta = 1;
      if (!wet_hi) theta = surface_fraction(in.fluid_phi[lo], in.fluid_phi[hi]);
      if (!wet_lo) theta = surface_fraction(in.fluid_phi[hi], in.fluid_phi[lo]);
      const double m = in.density * in.cut.open[a].data[i] * theta * in.grid.cell_volume();
      sums.mass[a] += m;
      sums.momentum[a] += m * u[a].data[i];
    }
  return sums;
}

}  // namespace

Outcome tilted_momentum() {
  Outcome out;
  for (double degrees : {17.0, 30.0}) {
    const Slope slope{degrees * M_PI / 180};
    const Grid grid{Vec3::Zero(), 1.0 / 40, Vec3i(40, 40, 4)};
    TriMesh plane = box_mesh(Vec3(-2, -2, -1), Vec3(2, 0, 1));
    transform(plane, 1, rotation_xyz(Vec3(0, 0, -degrees)), Vec3(0.5, 0.4, 0));
    const std::vector<Solid> solids{make_solid(plane)};
    const Boundary cut = cut_grid(grid, solids);
    const Vec3 center = Vec3(0.47, 0.4, 0) + 0.07 * slope.normal();
    Array3<double> phi(grid.n);
    for (std::size_t i = 0; i < phi.size(); ++i) {
      const Vec3 x = grid.center(phi.cell(i));
      phi.data[i] = std::hypot(x.x() - center.x(), x.y() - center.y()) - 0.15;
    }
    ProjectionInput in{
        .grid = grid, .cut = cut, .fluid_phi = phi, .surfaces = solids, .density = water, .dt = 0.01, .solver = {}};
    in.solver.tolerance = 1e-12;
    FaceField<double> u = uniform_velocity(grid, Vec3(0, -g * in.dt, 0));
    Array3<double> p(grid.n);
    FaceField<std::uint8_t> valid;
    PressureSystem system;
    (void)project(in, system, u, p, valid);
    const FaceSums sums = face_sums(in, system, u);
    const double expected = sums.mass.y() * g * std::sin(slope.angle) * in.dt;
    out.results.push_back(within(fmt::format("along-slope momentum over m g sin θ Δt, {}°", degrees),
                                 sums.momentum.dot(slope.along()) / expected, 1, 1e-9, "",
                                 "Newton; only gravity acts along the plane"));
  }
  return out;
}

Outcome tilted_slide() {
  Outcome out;
  for (double degrees : {17.0, 30.0}) {
    const Slope slope{degrees * M_PI / 180};
    const Vec3 foot(0.75, 0.9, 0);
    const Vec3 block = foot + 0.075 * slope.normal(), plane = foot - 0.5 * slope.normal();
    Vec3 start = Vec3::Zero();
    double travelled = 0, time = 0;
    Curve curve{fmt::format("Slide down {}°", degrees), "t, s", "along the slope, m", {}, {}};
    run_text(fmt::format(R"(
[domain]
min = [0, 0, 0]
max = [2, 1.5, 1]
resolution = 100
slab = 4
[time]
fps = 100
frames = 30
[liquid]
volume_correction = false
[[liquid.region]]
shape = "box"
center = [{}, {}, 0.04]
size = [0.3, 0.15, 1]
rotate = [0, 0, {}]
[[solid]]
name = "plane"
shape = "box"
center = [{}, {}, 0]
size = [5, 1, 1]
rotate = [0, 0, {}]
)",
                         block.x(), block.y(), -degrees, plane.x(), plane.y(), -degrees),
             "tilted_slide", [&](const StepReport& r, const World& w, const Workspace&) {
               Vec3 mean = Vec3::Zero();
               for (const Vec3& x : liquid_of(w).particles.x) mean += x;
               mean /= double(liquid_of(w).particles.size());
               if (time == 0) start = mean - 0.5 * r.time * r.time * g * std::sin(slope.angle) * slope.along();
               travelled = (mean - start).dot(slope.along());
               time = r.time;
               curve.measured.push_back({time, travelled});
               curve.reference.push_back({time, 0.5 * g * std::sin(slope.angle) * time * time});
             });
    const double expected = 0.5 * g * std::sin(slope.angle) * time * time;
    out.results.push_back(within(fmt::format("travelled in {:.2f} s, {}°", time, degrees), travelled, expected,
                                 0.02 * expected, "m", "½ g sin θ t²"));
    out.curves.push_back(curve);
  }
  return out;
}

}  // namespace coracle::validation
