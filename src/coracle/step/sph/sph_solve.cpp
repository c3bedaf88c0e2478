#include "coracle/step/sph/sph_solve.h"

#include "coracle/base/parallel.h"
#include "coracle/base/point_text.h"
#include "coracle/scene/liquid_kinds.h"
#include "coracle/step/body/held.h"
#include "coracle/step/sph/joint.h"
#include "coracle/step/sph/particle_phase.h"
#include "coracle/step/sph/solid_phase.h"
#include "coracle/step/sph/sph_flows.h"
#include "coracle/timer.h"
#include "coracle/world/ties.h"

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

constexpr double default_reach = 0.6, reach_without_ghost = 0.5;  // D
// How far from the predicted place, in reaches, a particle or node may end without a new search. The joint solve
// predicts nothing but free flight.
constexpr double margin = 0.5, joint_margin = 2;

std::vector<Vec3> node_positions(const World& world) {
  std::vector<Vec3> x;
  for (const Body& body : world.bodies) x.insert(x.end(), body.x.begin(), body.x.end());
  return x;
}

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

// What a particle comes near in the step.
struct Company {
  enum Kind : std::uint8_t { none, given, bodies };  // sides and solids, or bodies as well
  Kind kind = none;
  std::vector<int> triangles;
};

std::vector<Company> find_company(ContactMesh& mesh, const Bounds& domain, const std::vector<Vec3>& x,
                                  const std::vector<Vec3>& v, const std::vector<Vec3>& from,
                                  const std::vector<Vec3>& to, const std::vector<std::uint8_t>& held, double reach,
                                  double dt) {
  fit_triangles(mesh, from, to);
  double around = reach;
  for (const ContactPart& part : mesh.parts) around = std::max(around, reach + part.radius);
  std::vector<Company> company(x.size());
  for_each_index(
      x.size(),
      [&](std::size_t i) {
        if (held[i]) return;
        const Vec3 end = x[i] + dt * v[i];
        const Bounds box{x[i].cwiseMin(end) - Vec3::Constant(around), x[i].cwiseMax(end) + Vec3::Constant(around)};
        Company& c = company[i];
        if (!mesh.tris.empty()) mesh.tri_tree.visit(box, [&](int t) { c.triangles.push_back(t); });
        std::sort(c.triangles.begin(), c.triangles.end());
        const bool side = (box.lo.array() < domain.lo.array()).any() || (box.hi.array() > domain.hi.array()).any();
        if (side || !c.triangles.empty()) c.kind = Company::given;
        for (const int t : c.triangles)
          if (mesh.tris[t][0] < mesh.nodes) c.kind = Company::bodies;
      },
      256);
  return company;
}

CoupledParticles gather_coupled(const std::vector<Company>& company, const std::vector<Vec3>& x,
                                const FluidPhase& fluid, const SphSystem& system, const std::vector<double>& kappa,
                                std::vector<std::size_t>& of) {
  CoupledParticles coupled;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (company[i].kind != Company::bodies) continue;
    of.push_back(i);
    coupled.x.push_back(x[i]);
    coupled.v.push_back(fluid.particles[i]);
    coupled.mass.push_back(system.mass[i]);
    coupled.kappa.push_back(kappa[i]);
    coupled.force.push_back(fluid.particle_force[i]);
  }
  return coupled;
}

// Those that come near sides and solids only. Returns what went wrong, or nothing.
std::string settle_lone(const std::vector<Company>& company, const ContactMesh& mesh, const Bounds& domain,
                        const std::vector<Vec3>& from, const std::vector<Vec3>& to, const std::vector<Vec3>& x,
                        const SphSystem& system, const std::vector<double>& kappa, const TouchLaw& law, double dt,
                        double stick, double near_enough, FluidPhase& fluid, SphSolve& solve) {
  std::vector<LoneResult> lone(x.size());
  for_each_index(
      x.size(),
      [&](std::size_t i) {
        if (company[i].kind != Company::given) return;
        LoneParticle p{.x = x[i],
                       .target = fluid.particles[i],
                       .force = fluid.particle_force[i],
                       .mass = system.mass[i],
                       .kappa = kappa[i],
                       .triangles = {}};
        for (const int t : company[i].triangles) {
          const Vec3i& v = mesh.tris[t];
          MovingTriangle& m = p.triangles.emplace_back();
          for (int c = 0; c < 3; ++c) m.x[c] = from[v[c]], m.way[c] = to[v[c]] - from[v[c]];
          m.radius = mesh.parts[mesh.part[v[0]]].radius;
        }
        lone[i] = settle(p, domain, law, dt, stick, near_enough);
      },
      64);
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (company[i].kind != Company::given) continue;
    if (!lone[i].ok) return fmt::format("a particle near {} finds no place beside a solid", point_text(x[i]));
    fluid.particles[i] = lone[i].v;
    solve.min_distance = std::min(solve.min_distance, lone[i].nearest);
    solve.newton_iterations = std::max(solve.newton_iterations, lone[i].iterations);
  }
  return "";
}

// Returns what went wrong, or nothing.
std::string take_over(const BodySolve& bodies, SphSolve& solve) {
  solve.bodies = bodies;
  solve.newton_iterations = bodies.iterations;
  if (bodies.contact) solve.min_distance = std::min(solve.min_distance, bodies.contact->min_distance);
  return bodies.ok ? "" : bodies.trouble;
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
  const bool delta = o.splitting == Splitting::delta, joint = o.splitting == Splitting::joint,
             halves = o.splitting == Splitting::two_phase;
  const std::vector<SphMaterial> materials = sph_materials(scene);
  TouchLaw law{.reach = sph_reach(scene, liquid.grid), .friction = o.friction};
  SphSolve solve{.trouble = {}, .min_distance = law.reach, .phases = {}, .bodies = {}};
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
  const std::vector<Vec3> from = contact_positions(work.mesh, world, node_positions(world));
  std::vector<Touch> touches;
  if (delta || halves)
    phases("touches", [&] {
      std::vector<Vec3> slip(n), vertex_slip(from.size(), Vec3::Zero());
      for_each_index(n, [&](std::size_t i) { slip[i] = dt * (2 * liquid.v[i] - liquid.v_last[i]); });
      for (std::size_t i = 0; i < nodes.free.size(); ++i) vertex_slip[i] = dt * (nodes.free[i] - gravity_dv);
      for (std::size_t i = 0; i < nodes.given.size(); ++i) vertex_slip[nodes.free.size() + i] = dt * nodes.given[i];
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
  FluidPhase fluid;
  if (joint) {
    fluid.particles = free;
    fluid.nodes = nodes.free;
  } else {
    phases("liquid",
           [&] { fluid = solve_fluid_phase(system, touches, delta ? 1 : 0.5, free, liquid.v, held, nodes, work.cg); });
    solve.cg_iterations = fluid.iterations;
    solve.residual = work.cg.residual;
    if (!fluid.ok) return done("conjugate gradients of the liquid did not converge");
    if (!delta) {  // the paper's forms take nothing out
      std::fill(fluid.particle_force.begin(), fluid.particle_force.end(), Vec3::Zero());
      std::fill(fluid.node_force.begin(), fluid.node_force.end(), Vec3::Zero());
    }
  }
  if (halves) law.share = 0.5;
  if (delta) law.friction = 0;

  // The bodies' phase. Particles that come near a body are solved with the bodies; those that come near sides and
  // solids only, one by one; the others are done.
  std::vector<Vec3> to = from;
  for (std::size_t i = 0; i < fluid.nodes.size(); ++i) to[i] += dt * fluid.nodes[i];
  for (std::size_t i = 0; i < nodes.given.size(); ++i) to[fluid.nodes.size() + i] += dt * nodes.given[i];
  const std::vector<Company> company = phases("search", [&] {
    return find_company(work.mesh, world.domain, liquid.x, fluid.particles, from, to, held,
                        (1 + (joint ? joint_margin : margin)) * law.reach, dt);
  });
  std::string trouble;
  if (joint) {
    phases("joint", [&] {
      std::vector<std::size_t> near;
      for (std::size_t i = 0; i < n; ++i)
        if (company[i].kind != Company::none) near.push_back(i);
      solve.coupled = near.size();
      JointResult found = solve_joint(scene, world, system, liquid.x, liquid.v, free, kappa, held, near, law, dt,
                                      o.newton_tolerance, step, work.coupled, work.cg);
      solve.cg_iterations = found.cg_iterations;
      fluid.particles = std::move(found.v);
      trouble = take_over(found.solve, solve);
    });
  } else {
    phases("bodies", [&] {
      if (world.bodies.empty()) return;
      std::vector<std::size_t> coupled_of;
      const CoupledParticles coupled = gather_coupled(company, liquid.x, fluid, system, kappa, coupled_of);
      solve.coupled = coupled_of.size();
      std::size_t at = 0;
      for (Body& body : world.bodies)
        for (Vec3& v : body.v) v = fluid.nodes[at++];
      const SolidPhase solid =
          solve_solid_phase(scene, world, coupled, fluid.node_force, law, dt, o.newton_tolerance, step, work.coupled);
      trouble = take_over(solid.solve, solve);
      for (std::size_t k = 0; k < solid.v.size(); ++k) fluid.particles[coupled_of[k]] = solid.v[k];
    });
    if (trouble.empty())
      phases("walls", [&] {
        trouble = settle_lone(company, work.mesh, world.domain, from, to, liquid.x, system, kappa, law, dt,
                              dt * scene.contact.slip, o.newton_tolerance, fluid, solve);
      });
  }
  if (!trouble.empty()) return done(trouble);

  WideField u(n);
  for_each_index(n, [&](std::size_t i) { u[i] = wide(fluid.particles[i]); });
  const std::vector<double> rate = divergence(system, u);
  for (std::size_t i = 0; i < n; ++i) {
    const double ratio = system.ratio[i] * (1 + dt * rate[i]);
    solve.j_min = i == 0 ? ratio : std::min(solve.j_min, ratio);
    solve.j_max = i == 0 ? ratio : std::max(solve.j_max, ratio);
  }
  liquid.v = std::move(fluid.particles);
  return done("");
}

}  // namespace coracle
