// Gas and smoke: laws that hold whatever the flow looks like.
#include "coracle/base/for_cells.h"
#include "coracle/step/body/body_solve.h"
#include "coracle/step/body/motion.h"
#include "coracle/world/build.h"
#include "validation/coupled_setup.h"
#include "validation/figures.h"

#include <algorithm>

namespace coracle::validation {
namespace {

struct Thermal {
  double risen = 0;  // m, of the centre of the heat
  double loss = 0;   // of the smoke, largest |smoke / expected − 1|
};

// A hot ball of smoke, released in a closed box.
Thermal thermal(const std::string& more) {
  Thermal t;
  double start = -1;
  run_text("[domain]\nmax = [1, 1.5, 1]\nresolution = 32\n[time]\nframes = 24\n[gas]\n" + more +
               "[[gas.region]]\nshape = 'sphere'\ncenter = [0.5, 0.35, 0.5]\nradius = 0.18\nsmoke = 1\ntemperature = "
               "100\n",
           "thermal", [&](const StepReport& r, const World& w, const Workspace&) {
             const Gas& gas = gas_of(w);
             double heat = 0, moment = 0;
             for (std::size_t i = 0; i < gas.temperature.size(); ++i) {
               heat += gas.temperature.data[i];
               moment += gas.temperature.data[i] * gas.grid.center(gas.temperature.cell(i)).y();
             }
             if (start < 0) start = moment / heat;
             t.risen = moment / heat - start;
             t.loss = std::max(t.loss, std::abs(r.gas().smoke / r.gas().expected_smoke - 1));
           });
  return t;
}

// A duct with a waist: the largest |flux through a plane x = const / inflow − 1|.
double duct_error(Method method) {
  const Grid grid{Vec3::Zero(), 1.0 / 40, Vec3i(60, 24, 24)};
  const Vec3 side = grid.upper();
  std::vector<Solid> solids;
  for (const double y : {-0.02, side.y() + 0.02})
    solids.push_back(make_solid(sphere_mesh(Vec3(0.75, y, 0.5 * side.z()), 0.21, grid.dx)));
  Solid piston = make_solid(box_mesh(Vec3(-1, -1, -1), Vec3(0.11, 2, 2)), false, Vec3(1.5, 0, 0));
  piston.moving = true;
  solids.push_back(piston);
  Snapshot s = make_snapshot(grid, {}, solids);
  s.use(method);
  s.density = 1.2;
  s.open[int(Side::x_max)] = true;
  s.solver.tolerance = 1e-11;
  projected(s);
  const double coming = 1.5 * side.y() * side.z();
  double worst = 0;
  for (int i = 6; i <= grid.n.x(); ++i) {
    double flux = 0;
    for (int k = 0; k < grid.n.z(); ++k)
      for (int j = 0; j < grid.n.y(); ++j) flux += s.field.cut.open[0](i, j, k) * s.flow.u[0](i, j, k);
    worst = std::max(worst, std::abs(flux * grid.dx * grid.dx / coming - 1));
  }
  return worst;
}

// The share of a steady vortex's kinetic energy that is left after `turns` turns of its centre.
double vortex_left(const std::string& how, int n, double turns, int steps_per_second) {
  const Scene scene = parse_scene(
      fmt::format("gravity = [0, 0, 0]\n[domain]\nresolution = {}\nslab = 4\n[time]\nfps = {}\nframes = 10000\ncfl = "
                  "1\n[gas]\nadvection = '{}'\n[[gas.region]]\nshape = 'box'\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n",
                  n, steps_per_second, how),
      "vortex.toml");
  World world = build_world(scene);
  Workspace work;
  start(scene, world, work);
  Gas& gas = gas_of(world);
  for (int a = 0; a < 2; ++a)
    for_cells(gas.u[a].n, [&](const Vec3i& f, std::size_t i) {
      const Vec3 x = M_PI * gas.grid.face_center(a, f);
      gas.u[a].data[i] = a == 0 ? std::sin(x.x()) * std::cos(x.y()) : -std::cos(x.x()) * std::sin(x.y());
    });
  gas.carried = gas.u;
  // Near its centre it rotates at π rad/s.
  double first = 0, last = 0;
  while (world.clock.time < 2 * turns)
    advance_frame(scene, world, work, [&](const StepReport& r) {
      if (first == 0) first = r.gas().kinetic_energy;
      last = r.gas().kinetic_energy;
    });
  return last / first;
}

}  // namespace

Outcome plume() {
  const Thermal sharp = thermal("conserve = false\n"),
                smooth = thermal("conserve = false\nadvection = 'semi_lagrangian'\n"), kept = thermal("");
  Outcome out;
  // Buoyancy on a sphere with added mass, ½ of its own, from rest: h = ½ (2/3) g β T t² at first; later it slows down.
  const double early = 0.5 * (2.0 / 3) * g * 0.0034 * 100;
  out.results = {at_least("the heat's centre has risen in 1 s", sharp.risen, 0.2, "m", "hot gas is lighter"),
                 at_most("and no further than a ball that nothing mixes", sharp.risen, early, "m", "½ (2/3) g β T t²"),
                 reported("smoke lost or gained at most, MacCormack", sharp.loss, "", "reported in gas.expected_smoke"),
                 reported("the same, semi-Lagrangian", smooth.loss, "", "reported in gas.expected_smoke"),
                 at_most("the same, conserve = true", kept.loss, 1e-5, "", "made up for in every step")};
  return out;
}

Outcome narrowing() {
  Outcome out;
  out.results = {at_most("flux through any plane over what comes in, less 1, cutcell", duct_error(Method::cutcell),
                         1e-8, "", "the flow keeps its volume; exact pieces of the piston's cells"),
                 at_most("the same, simultaneous", duct_error(Method::simultaneous), 1e-8, "",
                         "the flow keeps its volume; the piston fills the duct, whole faces carry all of it")};
  return out;
}

Outcome taylor_green() {
  Outcome out;
  constexpr double turns = 2;
  for (const char* how : {"maccormack", "semi_lagrangian"})
    for (const int n : {32, 64}) {
      const std::string claim = fmt::format("kinetic energy left after two turns, {}, {}²", how, n);
      const double left = vortex_left(how, n, turns, 100);
      out.results.push_back(std::string(how) == "maccormack"
                                ? at_least(claim, left, 0.95, "", "1: the vortex is a steady solution")
                                : reported(claim, left, "", "first order in space"));
    }
  const auto left = [&](int i) { return out.results[i].measured; };
  const double finer = vortex_left("maccormack", 32, turns, 400);
  out.results.push_back(
      reported("the same, maccormack, 32², a quarter of the step", finer, "",
               "what MacCormack loses it loses in time: velocities are kept just behind the middle of the step"));
  out.results.push_back(at_most("loss with a quarter of the step over loss, maccormack, 32²",
                                (1 - finer) / (1 - out.results[0].measured), 0.5, "", "at least first order in time"));
  out.results.push_back(at_most("nothing gains energy", std::max({left(0), left(1), left(2), left(3)}), 1.001, "",
                                "the projection takes away, carrying must not add"));
  out.results.push_back(at_least("MacCormack at 32² keeps more than semi-Lagrangian at 64²", left(0) / left(3), 1, "",
                                 "second order against first"));
  return out;
}

// The mouth is one diameter away from the sheet, because advection loses momentum on the way: from one and a half
// diameters the force is 0.89 of what leaves the mouth.
Outcome jet_on_sheet() {
  Outcome out;
  constexpr double speed = 3, radius = 0.09, density = 1.2;
  const std::string head =
      "gravity = [0, 0, 0]\n[domain]\nmax = [0.7, 0.9, 0.9]\nresolution = 54\nopen = ['x_max', 'x_min', 'y_min', "
      "'y_max', 'z_min', 'z_max']\n[time]\nfps = 24\nframes = 36\ncfl = 2\n[contact]\nkind = "
      "'none'\n[elastic]\nintegrator = 'backward_euler'\n";
  const std::string sheet =
      "[[body]]\nname = 'sheet'\nshape = 'box'\nmin = [0.42, 0.15, 0.15]\nmax = [0.46, 0.75, 0.75]\nmesh = "
      "'grid5'\nelement = 'linear'\ncells = [2, 12, 12]\nmaterial = 'corotational'\nyoung = 4e4\npoisson = "
      "0.3\ndensity = "
      "30\ndamping_stiffness = 0.05\n[[body.hold]]\ntype = 'pin'\nside = 'y_min'\n[[body.hold]]\ntype = 'pin'\nside = "
      "'y_max'\n";
  const std::string jet = fmt::format(
      "[[jet]]\nname = 'nozzle'\nshape = 'cylinder'\ncenter = [0.2, 0.45, 0.45]\nradius = {}\nheight = 0.1\naxis = [1, "
      "0, 0]\nvelocity = [{}, 0, 0]\n",
      radius, speed);
  const auto middle = [](const Body& b) {
    return displacement(b, [](const Vec3& x) { return std::hypot(x.y() - 0.45, x.z() - 0.45) < 0.06; }).x();
  };
  // Deflection of the sheet at rest under a force. The pressure of a jet is at most ½ ρ U², so its force ρ A U² spreads
  // over twice its cross-section. The pressure is taken as ½ ρ U² exp(−r² / 2R²), which adds up to that force.
  const auto bent_by = [&](double force) {
    const Scene scene = parse_scene(head.substr(0, head.find("open")) + "[contact]\nkind = 'none'\n" + sheet, "s.toml");
    World world = build_world(scene);
    Body& body = world.bodies[0];
    NodeField pushing(body.x.size(), Vec3::Zero());
    double sum = 0;
    for (const int n : body.rest->skin.nodes) {
      const Vec3& x = body.rest->x[n];
      if (x.x() > 0.421) continue;
      const double r = std::hypot(x.y() - 0.45, x.z() - 0.45), weight = std::exp(-r * r / (2 * radius * radius));
      pushing[n] = Vec3(weight, 0, 0);
      sum += weight;
    }
    for (Vec3& f : pushing) f *= force / sum;
    constexpr double dt = 0.02;  // s
    const BodyStep body_step{.options = scene.elastic,
                             .contact = no_contact,
                             .world = world,
                             .trees = {},
                             .dt = dt,
                             .gravity_dv = Vec3::Zero()};
    BodySystem system;
    std::vector<NodeField> motion;
    for (int step = 0; step < 400; ++step) {
      if (!solve_bodies(body_step, system, world.bodies, motion, &pushing).ok)
        throw std::runtime_error("the sheet at rest");
      move_bodies(world.bodies, motion, dt);
    }
    return middle(body);
  };
  for (const char* method : {"cutcell", "simultaneous"}) {
    Mean force, deflection, blown;
    run_text(fmt::format("method = '{}'\n{}{}{}", method, head, sheet, jet), "jet",
             [&](const StepReport& r, const World& w, const Workspace&) {
               if (r.time < 0.8) return;
               for (const BodyReport& b : r.bodies)
                 if (b.name == "sheet") force.add(b.fluid_force.x(), r.dt);
               deflection.add(middle(w.bodies[0]), r.dt);
               blown.add(r.gas().outflow, r.dt);
             });
    const double flux = density * speed * blown.value();  // from the flux of the nozzle's cells, with their own area
    const std::string by = fmt::format(", {}", method);
    const std::string momentum = "ρ A U²: the jet leaves along the sheet", statics = "the sheet's own statics";
    const double pushed = force.value() / flux, bent = deflection.value() / bent_by(flux);
    const bool exact = method == std::string("cutcell");  // with whole faces, force ≠ the flow's loss
    const auto add = [&](const std::string& name, double value, const std::string& source) {
      out.results.push_back(exact ? within(name + by, value, 1, 0.1, "", source)
                                  : reported(name + by, value, "", source));
    };
    add("mean force over the jet's momentum flux", pushed, momentum);
    add("mean deflection over that under the same force at rest", bent, statics);
    out.results.push_back(reported("what the nozzle blows over π R² U" + by,
                                   blown.value() / (M_PI * radius * radius * speed), "", "area by cells"));
  }
  return out;
}

}  // namespace coracle::validation
