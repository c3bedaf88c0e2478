#include "coracle/step/sph/sph_solve.h"

#include "coracle/base/parallel.h"
#include "coracle/scene/liquid_kinds.h"
#include "coracle/step/contact/barrier.h"
#include "coracle/step/sph/sph_flows.h"
#include "coracle/timer.h"

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

constexpr double default_reach = 0.6, reach_without_ghost = 0.5;  // D
constexpr int most_passes = 100;                                  // of the solve along an axis
constexpr double smallest_step = 1e-10;                           // D, of its positions

// How much of the contact's energy each phase has.
struct Shares {
  double fluid = 1, solid = 1;
  bool delta = true;  // what F took is taken out of S
};
Shares shares_of(Splitting splitting) {
  switch (splitting) {
    case Splitting::baseline:
      return {.fluid = 0, .solid = 1, .delta = false};
    case Splitting::two_phase:
      return {.fluid = 0.5, .solid = 0.5, .delta = false};
    default:
      return {};
  }
}

// C and its derivatives by a coordinate y between two sides.
struct AxisContact {
  double low = 0, high = 0;  // m, places of the sides
  BarrierLaw law;

  struct Value {
    double first = 0, second = 0;  // N, N/m
  };
  // Infinite beyond the sides: the slope then points there.
  Value at(double y) const {
    Value sum;
    for (const bool upper : {false, true}) {
      const double d = upper ? high - y : y - low, sign = upper ? -1 : 1;
      if (d >= law.reach) continue;
      if (!(d > 0)) return {-sign * INFINITY, INFINITY};
      const BarrierValue b = barrier(law, d * d);
      if (!std::isfinite(b.value)) return {-sign * INFINITY, INFINITY};
      sum.first += sign * 2 * d * b.first;
      sum.second += 2 * b.first + 4 * d * d * b.second;
    }
    return sum;
  }
  double distance(double y) const { return std::min(y - low, high - y); }
};

AxisContact contact_of(const Bounds& domain, int axis, const BarrierLaw& law) {
  return {.low = domain.lo[axis], .high = domain.hi[axis], .law = law};
}

// The velocity w with m (w − u) + h (share C'(y + h w) − taken) = 0. The left side grows with w, from −∞ at one side of
// the domain to ∞ at the other: Newton's method, and bisection where it would leave what is known to hold the solution.
double settle(const AxisContact& contact, double y, double mass, double u, double share, double taken, double dt,
              double spacing, int& passes) {
  double below = (contact.low - y) / dt, above = (contact.high - y) / dt, w = u;
  if (!(w > below && w < above)) w = 0;
  for (passes = 0; passes < most_passes; ++passes) {
    const AxisContact::Value c = contact.at(y + dt * w);
    const double f = mass * (w - u) + dt * (share * c.first - taken);
    (f > 0 ? above : below) = w;
    double change = std::isfinite(c.first) ? -f / (mass + dt * dt * share * c.second) : INFINITY;
    if (std::abs(change) * dt <= smallest_step * spacing) break;
    if (!(w + change > below && w + change < above)) change = 0.5 * (below + above) - w;
    w += change;
  }
  return w;
}

}  // namespace

std::vector<SphMaterial> sph_materials(const Scene& scene) {
  std::vector<SphMaterial> materials;
  for (const LiquidKindOptions& kind : liquid_kinds(scene))
    materials.push_back({.density = kind.density,
                         .stiffness = kind.stiffness,
                         .viscosity = scene.proxy.viscosity_scale * kind.viscosity});
  return materials;
}

SphForm sph_form(const Scene& scene) {
  return {.clamp = scene.proxy.clamp, .release = scene.proxy.release, .ghost = scene.proxy.ghost};
}

double sph_reach(const Scene& scene, const Grid& grid) {
  const ProxyOptions& o = scene.proxy;
  return particle_spacing(grid) * (o.reach > 0 ? o.reach : o.ghost > 0 ? default_reach : reach_without_ghost);
}

SphSolve solve_sph(const Scene& scene, World& world, SphLiquid& liquid, StepWork&, SphWork& work, double dt) {
  const std::size_t n = liquid.size();
  const double spacing = particle_spacing(liquid.grid), reach = sph_reach(scene, liquid.grid);
  const std::vector<SphMaterial> materials = sph_materials(scene);
  const Shares shares = shares_of(scene.proxy.splitting);
  SphSolve result{.trouble = {}, .min_distance = reach, .phases = {}};
  StageTimes phases;

  const SphSystem system = phases("system", [&] {
    return make_sph_system(std::move(work.pairs), world.domain, liquid.x, liquid.v, liquid.kind, materials, spacing,
                           sph_form(scene), dt);
  });
  const std::vector<std::uint8_t> held = inside_inflows(scene, world, work.inflows, liquid.x);
  const auto law_of = [&](std::size_t i) {
    const double area = M_PI * std::pow(3 * system.share(i) / (4 * M_PI), 2.0 / 3);
    return BarrierLaw{.kappa = scene.proxy.contact_stiffness * materials[liquid.kind[i]].stiffness * area,
                      .reach = reach};
  };

  // F: (A + h² ∇²Ĉ) u = b − h ∇C(xⁿ)
  WideField u(n), slope(n), curvature(n);
  const bool solved = phases("fluid", [&] {
    for_each_index(n, [&](std::size_t i) { u[i] = wide(liquid.v[i] + dt * scene.gravity); });
    WideField b = right_side(system, u);
    std::vector<Mat3> blocks = diagonal(system);
    for_each_index(n, [&](std::size_t i) {
      u[i] = wide(liquid.v[i]);
      if (held[i]) {
        b[i] = system.mass[i] * u[i], blocks[i] = system.mass[i] * Mat3::Identity();
        return;
      }
      const BarrierLaw law = law_of(i);
      for (int a = 0; a < 3; ++a) {
        const AxisContact::Value c = contact_of(world.domain, a, law).at(liquid.x[i][a]);
        slope[i][a] = shares.fluid * c.first, curvature[i][a] = shares.fluid * c.second;
        blocks[i](a, a) += dt * dt * curvature[i][a];
      }
      b[i] -= dt * slope[i];
    });
    const auto product = [&](const WideField& p, WideField& y) {
      multiply(system, p, y);
      for_each_index(n, [&](std::size_t i) {
        y[i] += dt * dt * curvature[i] * p[i];
        if (held[i]) y[i] = system.mass[i] * p[i];  // from u = v on, nothing changes it
      });
    };
    work.cg.tolerance = scene.proxy.tolerance;
    return work.cg.solve(product, blocks, b, u);
  });
  result.cg_iterations = work.cg.iterations;
  result.residual = work.cg.residual;
  if (!solved) {
    result.ok = false;
    result.trouble = "conjugate gradients of the liquid did not converge";
    return result;
  }

  // S: every particle by itself.
  phases("solid", [&] {
    struct Found {
      int passes = 0;
      double distance = INFINITY;
    };
    const Found found = reduce_blocks(
        n, 4096, Found{},
        [&](std::size_t begin, std::size_t end) {
          Found most;
          for (std::size_t i = begin; i < end; ++i) {
            if (held[i]) continue;
            const BarrierLaw law = law_of(i);
            for (int a = 0; a < 3; ++a) {
              const AxisContact contact = contact_of(world.domain, a, law);
              const double y = liquid.x[i][a], target = u[i][a];
              const double taken = shares.delta ? slope[i][a] + dt * curvature[i][a] * target : 0;
              double w = target;
              if (taken != 0 || contact.distance(y + dt * w) < reach) {
                int passes = 0;
                w = settle(contact, y, system.mass[i], target, shares.solid, taken, dt, spacing, passes);
                most.passes = std::max(most.passes, passes);
              }
              u[i][a] = w;
              most.distance = std::min(most.distance, contact.distance(y + dt * w));
            }
          }
          return most;
        },
        [](const Found& a, const Found& b) {
          return Found{std::max(a.passes, b.passes), std::min(a.distance, b.distance)};
        });
    result.newton_iterations = found.passes;
    result.min_distance = std::min(reach, found.distance);
  });

  const std::vector<double> rate = divergence(system, u);
  for (std::size_t i = 0; i < n; ++i) {
    const double ratio = system.ratio[i] * (1 + dt * rate[i]);
    result.j_min = i == 0 ? ratio : std::min(result.j_min, ratio);
    result.j_max = i == 0 ? ratio : std::max(result.j_max, ratio);
  }
  for_each_index(n, [&](std::size_t i) { liquid.v[i] = vec3(u[i]); });
  result.phases = phases.seconds();
  return result;
}

}  // namespace coracle
