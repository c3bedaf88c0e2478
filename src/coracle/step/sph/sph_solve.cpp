#include "coracle/step/sph/sph_solve.h"

#include "coracle/base/parallel.h"
#include "coracle/base/point_text.h"
#include "coracle/scene/liquid_kinds.h"
#include "coracle/step/body/held.h"
#include "coracle/step/body/load.h"
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
// How often the liquid is solved for the slips of its last solution, until friction is not larger than it can be.
constexpr int most_looks = 8;

PhaseNodes phase_nodes(const World& world, const ContactMesh& mesh, const Vec3& gravity_dv, double dt) {
  PhaseNodes nodes;
  for (const Body& body : world.bodies) {
    nodes.mass.insert(nodes.mass.end(), body.rest->mass.begin(), body.rest->mass.end());
    const int first = int(nodes.free.size());
    for (const Vec3& v : body.v) nodes.start.push_back(v), nodes.free.push_back(v + gravity_dv);
    add_load_dv(body, dt, first, nodes.free);
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

// One step. Each phase says what went wrong, or nothing.
class SplitStep {
 public:
  SplitStep(const Scene& scene, World& world, SphLiquid& liquid, StepWork& step, SphWork& work, double dt)
      : scene_(scene),
        o_(scene.proxy),
        world_(world),
        liquid_(liquid),
        step_(step),
        work_(work),
        dt_(dt),
        shares_(shares_of(scene.proxy.splitting)),
        law_{.reach = sph_reach(scene, liquid.grid), .friction = scene.proxy.friction},
        held_(inside_inflows(scene, world, work.inflows, liquid.x)) {}

  SphSolve solve() {
    make_system();
    find_what_touches();
    std::string trouble = joint() ? predict_flight() : liquid_phase();
    if (trouble.empty() && shares_.three) trouble = elastic_phase();
    if (trouble.empty()) trouble = last_phase_verified();
    if (trouble.empty()) finish();
    solve_.ok = trouble.empty();
    solve_.trouble = trouble;
    solve_.phases = times_.seconds();
    return std::move(solve_);
  }

 private:
  bool joint() const { return o_.splitting == Splitting::joint; }
  Vec3 gravity_dv() const { return dt_ * scene_.gravity; }

  // Volumes, how hard a particle is pushed, and the velocities without forces of the liquid.
  void make_system() {
    times_("system", [&] {
      const std::vector<SphMaterial> materials = sph_materials(scene_);
      const std::size_t n = liquid_.size();
      system_ = make_sph_system(std::move(work_.pairs), world_.domain, liquid_.x, liquid_.v, liquid_.kind, materials,
                                particle_spacing(liquid_.grid), sph_form(scene_), dt_);
      kappa_.assign(n, 0);
      free_.resize(n);
      for_each_index(n, [&](std::size_t i) {
        const double area = M_PI * std::pow(3 * system_.share(i) / (4 * M_PI), 2.0 / 3);
        if (!held_[i]) kappa_[i] = o_.contact_stiffness * materials[liquid_.kind[i]].stiffness * area;
        free_[i] = held_[i] ? liquid_.v[i] : Vec3(liquid_.v[i] + gravity_dv());
      });
    });
    work_.cg.tolerance = o_.tolerance;
  }

  // At the start of the step.
  void find_what_touches() {
    if (!fits(work_.mesh, world_)) work_.mesh = make_contact_mesh(world_, scene_.contact.distance);
    nodes_ = phase_nodes(world_, work_.mesh, gravity_dv(), dt_);
    from_ = contact_positions(work_.mesh, world_, node_positions(world_.bodies));
    loads_.resize(work_.mesh.parts.size());
    if (shares_.liquid == 0) return;
    times_("touches", [&] {
      std::vector<Vec3> slip(liquid_.size()), vertex_slip = all_vertices(nodes_.start);
      // The particles' velocities looked ahead; those of bodies and solids as they are.
      const double ahead = world_.clock.last_dt > 0 ? dt_ / world_.clock.last_dt : 1;
      for_each_index(slip.size(), [&](std::size_t i) {
        slip[i] = dt_ * (liquid_.v[i] + ahead * (liquid_.v[i] - liquid_.v_last[i]));
      });
      for (Vec3& s : vertex_slip) s *= dt_;
      touches_ = find_touches(
          work_.mesh,
          {.x = liquid_.x,
           .kappa = kappa_,
           .vertices = from_,
           .slip = slip,
           .vertex_slip = vertex_slip,
           .stick = dt_ * scene_.contact.slip,
           .ghost =
               [&](std::size_t q, int side) {
                 return ghost_force(system_, world_.domain, liquid_.x[q], q, sph_form(scene_), side) / shares_.liquid;
               }},
          law_);
    });
  }

  // The joint solve has no first phase.
  std::string predict_flight() {
    u_ = free_;
    u_nodes_ = nodes_.free;
    return "";
  }

  // Where it has no contact, the bodies are not in it.
  std::string liquid_phase() {
    // Where the guess of the slip was too small, friction is larger than it can be: look again. The paper's forms do
    // not.
    const bool looks = shares_.taken_out && law_.friction > 0;
    for (int look = 0; look < most_looks; ++look) {
      times_("liquid", [&] {
        fluid_ = solve_fluid_phase(system_, touches_, shares_.liquid, free_, look == 0 ? liquid_.v : fluid_.particles,
                                   look == 0 ? nodes_.free : fluid_.nodes, held_, nodes_, work_.cg);
      });
      solve_.cg_iterations += fluid_.iterations;
      solve_.residual = work_.cg.residual;
      if (!fluid_.ok) return "conjugate gradients of the liquid did not converge";
      if (!looks || look + 1 == most_looks ||
          !look_again(touches_, fluid_.particles, all_vertices(nodes_.start), dt_, dt_ * scene_.contact.slip))
        break;
    }
    u_ = fluid_.particles, u_nodes_ = fluid_.nodes;
    add_loads(touches_, shares_.liquid, !shares_.taken_out, work_.mesh, from_, u_, all_vertices(u_nodes_),
              all_vertices(nodes_.start), dt_, loads_);
    if (!shares_.taken_out) {
      std::fill(fluid_.particle_force.begin(), fluid_.particle_force.end(), Vec3::Zero());
      std::fill(fluid_.node_force.begin(), fluid_.node_force.end(), Vec3::Zero());
    }
    for (std::size_t i = 0; i < u_nodes_.size(); ++i) fluid_.node_force[i] += fluid_.node_friction[i];
    return "";
  }

  std::string elastic_phase() {
    ElasticPhase found = times_("elastic", [&] {
      return solve_elastic_phase(scene_, world_, liquid_.x, system_, fluid_, touches_, shares_.elastic, shares_.model,
                                 nodes_, work_.mesh, o_.newton_tolerance, step_, work_.elastic);
    });
    elastic_ = std::move(found.solve);
    if (!elastic_.ok) return elastic_.trouble;
    u_ = std::move(found.particles), u_nodes_ = std::move(found.nodes);
    add_loads(touches_, shares_.elastic, true, work_.mesh, from_, u_, all_vertices(u_nodes_), all_vertices(u_nodes_),
              dt_, loads_);
    return "";
  }

  // Who comes near whom is predicted from the phases before, and verified in the end.
  std::string last_phase_verified() {
    law_.share = shares_.bodies;
    if (shares_.taken_out) law_.friction = 0;  // all of it was in the liquid's phase
    to_ = moved(u_nodes_);
    company_ = times_("search", [&] {
      return find_company(work_.mesh, ways(u_, to_), (1 + (joint() ? joint_margin : margin)) * law_.reach);
    });
    const std::vector<Vec3> start = joint() ? node_velocities(world_.bodies) : u_nodes_;
    std::vector<EnergyWatch> watched;
    for (const Body& body : world_.bodies) watched.push_back(body.energy);
    for (int attempt = 0;; ++attempt) {
      std::size_t at = 0;
      for (std::size_t b = 0; b < world_.bodies.size(); ++b) {
        world_.bodies[b].energy = watched[b];
        for (Vec3& v : world_.bodies[b].v) v = start[at++];
      }
      v_ = u_;
      solve_.min_distance = solve_.reach = law_.reach;
      solve_.loads = loads_;
      if (const std::string trouble = joint() ? joint_phase() : last_phase(); !trouble.empty()) return trouble;
      const std::vector<Vec3> end = moved(node_velocities(world_.bodies));
      const std::size_t missed =
          times_("verify", [&] { return add_missed(work_.mesh, ways(v_, end), law_.reach, company_); });
      if (missed == 0) return "";
      if (attempt == most_attempts)
        return fmt::format("{} particles end far from where they were expected; allow shorter steps (time.min_dt)",
                           missed);
    }
  }

  std::string joint_phase() {
    return times_("joint", [&] {
      std::vector<std::size_t> near;
      for (std::size_t i = 0; i < company_.size(); ++i)
        if (company_[i].kind != Company::none) near.push_back(i);
      solve_.coupled = near.size();
      JointResult found = solve_joint(scene_, world_, system_, liquid_.x, liquid_.v, free_, kappa_, held_, near, law_,
                                      dt_, o_.newton_tolerance, step_, work_.coupled, work_.cg);
      solve_.cg_iterations += found.cg_iterations;
      v_ = std::move(found.v);
      return take_over(found.solve);
    });
  }

  // Particles that come near a body are solved with the bodies; those that come near sides and solids only, one by one;
  // the others are done.
  std::string last_phase() {
    std::string trouble;
    if (!world_.bodies.empty()) trouble = times_("bodies", [&] { return solve_coupled(); });
    return trouble.empty() ? times_("walls", [&] { return settle_lone(); }) : trouble;
  }

  std::string solve_coupled() {
    CoupledParticles coupled;
    std::vector<std::size_t> of;
    for (std::size_t i = 0; i < company_.size(); ++i) {
      if (company_[i].kind != Company::bodies) continue;
      of.push_back(i);
      coupled.x.push_back(liquid_.x[i]);
      coupled.v.push_back(u_[i]);
      coupled.mass.push_back(system_.mass[i]);
      coupled.kappa.push_back(kappa_[i]);
      coupled.force.push_back(fluid_.particle_force[i]);
    }
    solve_.coupled = of.size();
    const SolidPhase solid =
        solve_solid_phase(scene_, world_, coupled, fluid_.node_force, law_, dt_, o_.newton_tolerance,
                          {.elastic = !shares_.three, .surfaces = shares_.barrier}, step_, work_.coupled);
    for (std::size_t k = 0; k < solid.v.size(); ++k) v_[of[k]] = solid.v[k];
    return take_over(solid.solve);
  }

  std::string settle_lone() {
    const std::size_t n = liquid_.size();
    const ContactMesh& mesh = work_.mesh;
    std::vector<LoneResult> lone(n);
    for_each_index(
        n,
        [&](std::size_t i) {
          if (company_[i].kind != Company::given) return;
          LoneParticle p{.x = liquid_.x[i],
                         .target = u_[i],
                         .force = fluid_.particle_force[i],
                         .mass = system_.mass[i],
                         .kappa = kappa_[i],
                         .triangles = {}};
          for (const int t : company_[i].triangles) {
            const Vec3i& c = mesh.tris[t];
            MovingTriangle& m = p.triangles.emplace_back();
            for (int k = 0; k < 3; ++k) m.x[k] = from_[c[k]], m.way[k] = to_[c[k]] - from_[c[k]];
            m.radius = mesh.parts[mesh.part[c[0]]].radius;
          }
          lone[i] = settle(p, mesh.domain, law_, dt_, dt_ * scene_.contact.slip, o_.newton_tolerance);
        },
        64);
    for (std::size_t i = 0; i < n; ++i) {
      if (company_[i].kind != Company::given) continue;
      if (!lone[i].ok) return fmt::format("a particle near {} finds no place beside a solid", point_text(liquid_.x[i]));
      v_[i] = lone[i].v;
      solve_.min_distance = std::min(solve_.min_distance, lone[i].nearest);
      solve_.newton_iterations = std::max(solve_.newton_iterations, lone[i].iterations);
      int last = -1;
      for (const LoneResult::Push& push : lone[i].pushes) {
        const int part = mesh.part[mesh.tris[company_[i].triangles[push.triangle]][0]];
        solve_.loads[part].push(push.place, push.force);
        solve_.loads[part].points += std::exchange(last, part) != part;
      }
    }
    return "";
  }

  // Among the parts of the bodies' solve, the liquid stands between bodies and solids.
  std::string take_over(const BodySolve& found) {
    const std::size_t bodies = world_.bodies.size();
    solve_.bodies = found;
    solve_.bodies.iterations += elastic_.iterations;
    solve_.bodies.notes.insert(solve_.bodies.notes.begin(), elastic_.notes.begin(), elastic_.notes.end());
    newton_iterations_ += found.iterations;
    solve_.newton_iterations = elastic_.iterations + newton_iterations_;
    if (found.contact && found.contact->min_distance < found.contact->reach)
      solve_.min_distance = std::min(solve_.min_distance, found.contact->min_distance);
    for (std::size_t p = 0; p < found.loose_loads.size(); ++p) {
      if (p == bodies) continue;
      LooseLoad& load = solve_.loads[p - (p > bodies)];
      load.force += found.loose_loads[p].force;
      load.torque += found.loose_loads[p].torque;
      load.points += found.loose_loads[p].points;
    }
    return found.ok ? "" : found.trouble;
  }

  void finish() {
    WideField u(v_.size());
    for_each_index(u.size(), [&](std::size_t i) { u[i] = wide(v_[i]); });
    const std::vector<double> rate = divergence(system_, u);
    for (std::size_t i = 0; i < u.size(); ++i) {
      const double ratio = system_.ratio[i] * (1 + dt_ * rate[i]);
      solve_.j_min = i == 0 ? ratio : std::min(solve_.j_min, ratio);
      solve_.j_max = i == 0 ? ratio : std::max(solve_.j_max, ratio);
    }
    liquid_.v = std::move(v_);
  }

  // Of the vertices of the mesh: those of solids are given.
  std::vector<Vec3> all_vertices(std::vector<Vec3> of_nodes) const {
    of_nodes.insert(of_nodes.end(), nodes_.given.begin(), nodes_.given.end());
    return of_nodes;
  }
  std::vector<Vec3> moved(const std::vector<Vec3>& node_velocity) const {
    std::vector<Vec3> to = all_vertices(node_velocity);
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = from_[i] + dt_ * to[i];
    return to;
  }
  Ways ways(const std::vector<Vec3>& v, const std::vector<Vec3>& to) const {
    return {.x = liquid_.x, .v = v, .dt = dt_, .from = from_, .to = to, .held = held_};
  }

  const Scene& scene_;
  const ProxyOptions& o_;
  World& world_;
  SphLiquid& liquid_;
  StepWork& step_;
  SphWork& work_;
  const double dt_;
  const Shares shares_;
  TouchLaw law_;
  const std::vector<std::uint8_t> held_;  // particles inside inflows
  SphSystem system_;
  std::vector<double> kappa_;  // N, κ s_q
  std::vector<Vec3> free_;     // m/s, v̂ of the particles
  PhaseNodes nodes_;
  std::vector<Vec3> from_, to_;  // m, vertices of the mesh: at the start, and where they are expected
  std::vector<Touch> touches_;
  FluidPhase fluid_;
  BodySolve elastic_;
  std::vector<Vec3> u_, u_nodes_;  // m/s, before the last phase
  std::vector<LooseLoad> loads_;   // of the phases before the last
  std::vector<Company> company_;
  std::vector<Vec3> v_;        // m/s, of the particles at the end
  int newton_iterations_ = 0;  // of the bodies in the last phase, of all attempts
  SphSolve solve_;
  StageTimes times_;
};

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
  return {.clamp = scene.proxy.clamp,
          .release = scene.proxy.release,
          .gradient = scene.proxy.gradient_scale,
          .ghost = scene.proxy.ghost,
          .uniform = scene.proxy.preconditioner == ParticlePreconditioner::uniform};
}

double sph_reach(const Scene& scene, const Grid& grid) {
  const ProxyOptions& o = scene.proxy;
  return particle_spacing(grid) * (o.reach > 0 ? o.reach : o.ghost > 0 ? default_reach : reach_without_ghost);
}

SphSolve solve_sph(const Scene& scene, World& world, SphLiquid& liquid, StepWork& step, SphWork& work, double dt) {
  return SplitStep(scene, world, liquid, step, work, dt).solve();
}

}  // namespace coracle
