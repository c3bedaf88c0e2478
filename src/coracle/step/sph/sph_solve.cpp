#include "coracle/step/sph/sph_solve.h"

#include "coracle/base/parallel.h"
#include "coracle/base/point_text.h"
#include "coracle/scene/liquid_kinds.h"
#include "coracle/step/body/held.h"
#include "coracle/step/sph/company.h"
#include "coracle/step/sph/elastic_phase.h"
#include "coracle/step/sph/joint.h"
#include "coracle/step/sph/particle_phase.h"
#include "coracle/step/sph/solid_phase.h"
#include "coracle/step/sph/sph_flows.h"
#include "coracle/timer.h"
#include "coracle/world/bodies.h"
#include "coracle/world/ties.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace coracle {
namespace {

constexpr double default_reach = 0.6, reach_without_ghost = 0.5;  // D
// How far from the predicted place, in reaches, a particle or node may end without a new search. The joint solve
// predicts nothing but free flight.
constexpr double margin = 0.5, joint_margin = 2;
// How often particles that were missed are added to those that are solved together.
constexpr int most_attempts = 4;

PhaseNodes phase_nodes(const World& world, const ContactMesh& mesh, const Vec3& gravity_dv, double dt) {
  PhaseNodes nodes;
  for (const Body& body : world.bodies) {
    nodes.mass.insert(nodes.mass.end(), body.rest->mass.begin(), body.rest->mass.end());
    for (const Vec3& v : body.v) nodes.free.push_back(v + gravity_dv);
  }
  nodes.fixed = held_velocities(world.bodies, world.clock.time, dt);
  nodes.followers = all_followers(world);
  for (const int s : mesh.solids)
    for (const Vec3& v : world.solids[s].v) nodes.given.push_back(world.solids[s].moving ? v : Vec3::Zero());
  return nodes;
}

// How the energies are divided among the phases.
struct Shares {
  double liquid;          // of C_sf: in the liquid's phase, as its model,
  double elastic;         // in the elastic one, as its model,
  double bodies;          // and in the last phase
  bool taken_out;         // the model's gradient, again, in the last phase
  bool three;             // elasticity has a phase of its own
  double model, barrier;  // of C_ss: in the elastic phase, and in the last
};

Shares shares_of(Splitting splitting) {
  switch (splitting) {
    case Splitting::two_phase:
      return {0.5, 0, 0.5, false, false, 0, 1};
    case Splitting::baseline:
      return {0, 0, 1, false, false, 0, 1};
    case Splitting::three_phase:
      return {1.0 / 3, 1.0 / 3, 1.0 / 3, false, true, 0.5, 0.5};
    case Splitting::baseline_three:
      return {0, 0, 1, false, true, 0, 1};
    case Splitting::joint:
      return {0, 0, 1, false, false, 0, 1};
    case Splitting::delta:
      break;
  }
  return {1, 0, 1, true, false, 0, 1};
}

CoupledParticles gather_coupled(const std::vector<Company>& company, const std::vector<Vec3>& x,
                                const std::vector<Vec3>& u, const std::vector<Vec3>& force, const SphSystem& system,
                                const std::vector<double>& kappa, std::vector<std::size_t>& of) {
  CoupledParticles coupled;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (company[i].kind != Company::bodies) continue;
    of.push_back(i);
    coupled.x.push_back(x[i]);
    coupled.v.push_back(u[i]);
    coupled.mass.push_back(system.mass[i]);
    coupled.kappa.push_back(kappa[i]);
    coupled.force.push_back(force[i]);
  }
  return coupled;
}

// Those that come near sides and solids only. Returns what went wrong, or nothing.
std::string settle_lone(const std::vector<Company>& company, const ContactMesh& mesh, const Ways& ways,
                        const std::vector<Vec3>& force, const SphSystem& system, const std::vector<double>& kappa,
                        const TouchLaw& law, double stick, double near_enough, std::vector<Vec3>& v, SphSolve& solve) {
  const std::size_t n = ways.x.size();
  std::vector<LoneResult> lone(n);
  for_each_index(
      n,
      [&](std::size_t i) {
        if (company[i].kind != Company::given) return;
        LoneParticle p{.x = ways.x[i],
                       .target = ways.v[i],
                       .force = force[i],
                       .mass = system.mass[i],
                       .kappa = kappa[i],
                       .triangles = {}};
        for (const int t : company[i].triangles) {
          const Vec3i& c = mesh.tris[t];
          MovingTriangle& m = p.triangles.emplace_back();
          for (int k = 0; k < 3; ++k) m.x[k] = ways.from[c[k]], m.way[k] = ways.to[c[k]] - ways.from[c[k]];
          m.radius = mesh.parts[mesh.part[c[0]]].radius;
        }
        lone[i] = settle(p, mesh.domain, law, ways.dt, stick, near_enough);
      },
      64);
  for (std::size_t i = 0; i < n; ++i) {
    if (company[i].kind != Company::given) continue;
    if (!lone[i].ok) return fmt::format("a particle near {} finds no place beside a solid", point_text(ways.x[i]));
    v[i] = lone[i].v;
    solve.min_distance = std::min(solve.min_distance, lone[i].nearest);
    solve.newton_iterations = std::max(solve.newton_iterations, lone[i].iterations);
    int last = -1;
    for (const LoneResult::Push& push : lone[i].pushes) {
      const int part = mesh.part[mesh.tris[company[i].triangles[push.triangle]][0]];
      solve.loads[part].push(push.place, push.force);
      solve.loads[part].points += std::exchange(last, part) != part;
    }
  }
  return "";
}

// Returns what went wrong, or nothing. Among the parts of the bodies' solve, the liquid stands between bodies and
// solids.
std::string take_over(const BodySolve& found, std::size_t bodies, SphSolve& solve) {
  solve.bodies = found;
  solve.newton_iterations = std::max(solve.newton_iterations, found.iterations);
  if (found.contact) solve.min_distance = std::min(solve.min_distance, found.contact->min_distance);
  for (std::size_t p = 0; p < found.loose_loads.size(); ++p) {
    if (p == bodies) continue;
    LooseLoad& load = solve.loads[p - (p > bodies)];
    load.force += found.loose_loads[p].force;
    load.torque += found.loose_loads[p].torque;
    load.points += found.loose_loads[p].points;
  }
  return found.ok ? "" : found.trouble;
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

SphSolve solve_sph(const Scene& scene, World& world, SphLiquid& liquid, StepWork& step, SphWork& work, double dt) {
  const ProxyOptions& o = scene.proxy;
  const std::size_t n = liquid.size();
  const Vec3 gravity_dv = dt * scene.gravity;
  const bool joint = o.splitting == Splitting::joint;
  const Shares shares = shares_of(o.splitting);
  const std::vector<SphMaterial> materials = sph_materials(scene);
  TouchLaw law{.reach = sph_reach(scene, liquid.grid), .friction = o.friction};
  SphSolve solve;
  StageTimes phases;
  const auto done = [&](const std::string& trouble) {
    solve.ok = trouble.empty();
    solve.trouble = trouble;
    solve.phases = phases.seconds();
    return solve;
  };

  // Volumes, and how hard a particle is pushed.
  const std::vector<std::uint8_t> held = inside_inflows(scene, world, work.inflows, liquid.x);
  std::vector<double> kappa(n, 0);
  const SphSystem system = phases("system", [&] {
    SphSystem s = make_sph_system(std::move(work.pairs), world.domain, liquid.x, liquid.v, liquid.kind, materials,
                                  particle_spacing(liquid.grid), sph_form(scene), dt);
    for_each_index(n, [&](std::size_t i) {
      const double area = M_PI * std::pow(3 * s.share(i) / (4 * M_PI), 2.0 / 3);
      if (!held[i]) kappa[i] = o.contact_stiffness * materials[liquid.kind[i]].stiffness * area;
    });
    return s;
  });

  // What the particles touch at the start.
  if (!fits(work.mesh, world)) work.mesh = make_contact_mesh(world, scene.contact.distance);
  const PhaseNodes nodes = phase_nodes(world, work.mesh, gravity_dv, dt);
  const std::vector<Vec3> from = contact_positions(work.mesh, world, node_positions(world.bodies));
  const auto all_vertices = [&](const std::vector<Vec3>& of_nodes) {
    std::vector<Vec3> v = of_nodes;
    v.insert(v.end(), nodes.given.begin(), nodes.given.end());
    return v;
  };
  std::vector<Touch> touches;
  if (shares.liquid > 0)
    phases("touches", [&] {
      std::vector<Vec3> slip(n), vertex_slip = all_vertices(nodes.free);
      for_each_index(n, [&](std::size_t i) { slip[i] = dt * (2 * liquid.v[i] - liquid.v_last[i]); });
      for (std::size_t i = 0; i < nodes.free.size(); ++i) vertex_slip[i] -= gravity_dv;
      for (Vec3& s : vertex_slip) s *= dt;
      touches = find_touches(work.mesh,
                             {.x = liquid.x,
                              .kappa = kappa,
                              .vertices = from,
                              .slip = slip,
                              .vertex_slip = vertex_slip,
                              .stick = dt * scene.contact.slip},
                             law);
    });

  // The liquid's phase. Where it has no contact, the bodies are not in it.
  std::vector<Vec3> free(n);
  for_each_index(n, [&](std::size_t i) { free[i] = held[i] ? liquid.v[i] : Vec3(liquid.v[i] + gravity_dv); });
  work.cg.tolerance = o.tolerance;
  std::vector<LooseLoad> loads(work.mesh.parts.size());  // of the first phases
  FluidPhase fluid;
  if (joint) {
    fluid.particles = free;
    fluid.nodes = nodes.free;
  } else {
    phases("liquid",
           [&] { fluid = solve_fluid_phase(system, touches, shares.liquid, free, liquid.v, held, nodes, work.cg); });
    solve.cg_iterations = fluid.iterations;
    solve.residual = work.cg.residual;
    if (!fluid.ok) return done("conjugate gradients of the liquid did not converge");
    add_loads(touches, shares.liquid, !shares.taken_out, work.mesh, from, fluid.particles, all_vertices(fluid.nodes),
              dt, loads);
  }
  std::vector<Vec3> u = fluid.particles, u_nodes = fluid.nodes;  // before the last phase

  // Elasticity alone.
  if (shares.three) {
    phases("elastic", [&] {
      const ElasticPhase elastic =
          solve_elastic_phase(scene, world, liquid.x, system, fluid, touches, shares.elastic, shares.model, nodes,
                              work.mesh, o.newton_tolerance, step, work.elastic);
      u = elastic.particles, u_nodes = elastic.nodes;
      solve.bodies = elastic.solve;
    });
    if (!solve.bodies.ok) return done(solve.bodies.trouble);
    add_loads(touches, shares.elastic, true, work.mesh, from, u, all_vertices(u_nodes), dt, loads);
  }

  // The last phase. Particles that come near a body are solved with the bodies; those that come near sides and solids
  // only, one by one; the others are done. Who comes near is predicted, and verified in the end.
  if (!shares.taken_out) {
    std::fill(fluid.particle_force.begin(), fluid.particle_force.end(), Vec3::Zero());
    std::fill(fluid.node_force.begin(), fluid.node_force.end(), Vec3::Zero());
  }
  law.share = shares.bodies;
  if (o.splitting == Splitting::delta) law.friction = 0;
  const auto moved = [&](const std::vector<Vec3>& of_nodes) {
    std::vector<Vec3> to = all_vertices(of_nodes);
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = from[i] + dt * to[i];
    return to;
  };
  const std::vector<Vec3> to = moved(u_nodes);
  const Ways predicted{.x = liquid.x, .v = u, .dt = dt, .from = from, .to = to, .held = held};
  std::vector<Company> company = phases(
      "search", [&] { return find_company(work.mesh, predicted, (1 + (joint ? joint_margin : margin)) * law.reach); });
  const std::vector<Vec3> start = joint ? node_velocities(world.bodies) : u_nodes;
  std::vector<EnergyWatch> watched;
  for (const Body& body : world.bodies) watched.push_back(body.energy);
  std::vector<Vec3> v;
  const auto solve_last = [&]() -> std::string {
    v = u;
    solve.min_distance = law.reach;
    solve.loads = loads;
    std::size_t at = 0;
    for (std::size_t b = 0; b < world.bodies.size(); ++b) {
      world.bodies[b].energy = watched[b];
      for (Vec3& w : world.bodies[b].v) w = start[at++];
    }
    std::string trouble;
    if (joint) {
      phases("joint", [&] {
        std::vector<std::size_t> near;
        for (std::size_t i = 0; i < n; ++i)
          if (company[i].kind != Company::none) near.push_back(i);
        solve.coupled = near.size();
        JointResult found = solve_joint(scene, world, system, liquid.x, liquid.v, free, kappa, held, near, law, dt,
                                        o.newton_tolerance, step, work.coupled, work.cg);
        solve.cg_iterations += found.cg_iterations;
        v = std::move(found.v);
        trouble = take_over(found.solve, world.bodies.size(), solve);
      });
      return trouble;
    }
    if (!world.bodies.empty())
      phases("bodies", [&] {
        std::vector<std::size_t> of;
        const CoupledParticles coupled = gather_coupled(company, liquid.x, u, fluid.particle_force, system, kappa, of);
        solve.coupled = of.size();
        const SolidPhase solid =
            solve_solid_phase(scene, world, coupled, fluid.node_force, law, dt, o.newton_tolerance,
                              {.elastic = !shares.three, .surfaces = shares.barrier}, step, work.coupled);
        trouble = take_over(solid.solve, world.bodies.size(), solve);
        for (std::size_t k = 0; k < solid.v.size(); ++k) v[of[k]] = solid.v[k];
      });
    if (!trouble.empty()) return trouble;
    phases("walls", [&] {
      trouble = settle_lone(company, work.mesh, predicted, fluid.particle_force, system, kappa, law,
                            dt * scene.contact.slip, o.newton_tolerance, v, solve);
    });
    return trouble;
  };
  for (int attempt = 0;; ++attempt) {
    if (const std::string trouble = solve_last(); !trouble.empty()) return done(trouble);
    const std::vector<Vec3> end = moved(node_velocities(world.bodies));
    const std::size_t missed = phases("verify", [&] {
      return add_missed(work.mesh, {.x = liquid.x, .v = v, .dt = dt, .from = from, .to = end, .held = held}, law.reach,
                        company);
    });
    if (missed == 0) break;
    if (attempt == most_attempts)
      return done(
          fmt::format("{} particles end far from where they were expected; allow shorter steps (time.min_dt)", missed));
  }

  WideField end(n);
  for_each_index(n, [&](std::size_t i) { end[i] = wide(v[i]); });
  const std::vector<double> rate = divergence(system, end);
  for (std::size_t i = 0; i < n; ++i) {
    const double ratio = system.ratio[i] * (1 + dt * rate[i]);
    solve.j_min = i == 0 ? ratio : std::min(solve.j_min, ratio);
    solve.j_max = i == 0 ? ratio : std::max(solve.j_max, ratio);
  }
  liquid.v = std::move(v);
  return done("");
}

}  // namespace coracle
