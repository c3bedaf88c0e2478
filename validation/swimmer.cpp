// A fish that swims by waves of its muscles (scenes/swimmer), and a bar that is the same to the front and to the back.
//
// What the scheme keeps exactly. In a step the fish takes up M (v − vⁿ) = F Δt + ½ (Δtⁿ + Δt) M g, because forces of
// elements, those of muscles included, add up to nothing: its momentum changes by what the report says the water pushes
// it, and F stands for the same patches and pressures as the force on the water: what the fish gains, the water loses
// in the same solve, to round-off (case coupled_momentum). The water's momentum is kept only in the solve: particles
// carry it to the next one, and walls take what they must. In a full rigid tank ∫ ρ u dV over water and fish together
// is zero at all times, as nothing passes the walls; how far the particles' sum is from that is reported.
//
// Energy. The pull of a muscle is constant within a step, where its work is Ψ(x) − Ψ(x + Δx) with Ψ its energy
// (step/body/muscles.h). Water without viscosity and fish together can have at most the sum of that. Most of it is not
// found again: backward Euler takes it from what the tail swings with, less where steps are shorter, and the midpoint
// rule takes nothing. So figures of work are only as good as the steps.
//
// Swimming has no thrust to measure: at a steady speed thrust is drag. So efficiency is that of the start from rest,
// the share of the muscles' work that is found in the forward motion of the fish, ½ M U² / W; and what swimming costs
// is the work per mass and distance.
#include "coracle/scene/scenes.h"
#include "coracle/step/body/measure.h"
#include "coracle/step/body/muscles.h"
#include "coracle/world/build.h"
#include "validation/case.h"
#include "validation/figures.h"
#include "validation/setup.h"
#include "validation/swimming_bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace coracle::validation {
namespace {

constexpr double beat = 1 / beats_per_s;

// Over time, of the first body.
struct Swim {
  Points x;       // m, of its centre along the way
  Points tail;    // m, where the tail is across the way
  Points work;    // J, of the muscles since the start
  Points excess;  // J, kinetic and elastic energy of everything, less that work
  double mass = 0;
  double unclosed = 0;  // kg m/s: the largest error of the balance of its momentum
  double impulse = 0;   // kg m/s: sum of |F| Δt
  double total = 0;     // kg m/s: largest momentum of water and fish along the way
  double largest = 0;   // kg m/s: the same of the fish alone

  double speed(double from, double to) const { return (value_at(x, to) - value_at(x, from)) / (to - from); }
  // From one side to the other in a beat, mean over some beats. Over several at once its drift would count.
  double amplitude(double from, int beats) const {
    double sum = 0;
    for (int i = 0; i < beats; ++i) {
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (const auto& [t, z] : tail)
        if (t >= from + i * beat && t <= from + (i + 1) * beat) low = std::min(low, z), high = std::max(high, z);
      sum += high - low;
    }
    return sum / beats;
  }
};

int column(const Scene& scene, const std::string& name) {
  const std::vector<std::string> columns = probe_columns(scene);
  const auto at = std::find(columns.begin(), columns.end(), name);
  return at == columns.end() ? -1 : int(at - columns.begin());
}

double mass_of(const Body& body) {
  double mass = 0;
  for (const double m : body.rest->mass) mass += m;
  return mass;
}

Swim swim(const Scene& scene) {
  World world = build_world(scene);
  Workspace work;
  start(scene, world, work);
  const Body& body = world.bodies[0];
  const int tail = column(scene, "tail_z");
  Swim s;
  s.mass = mass_of(body);
  s.x.push_back({0, momenta(world.bodies).center.x()});
  s.work.push_back({0, 0});
  NodeField last = body.x;
  Vec3 momentum = momenta(world.bodies).linear, pushed = momentum;  // measured, and as the forces say
  double dt = 0;                                                    // s, of the step before
  while (world.clock.frame < scene.time.frames)
    advance_frame(scene, world, work, [&](const StepReport& r) {
      const BodyReport& b = r.bodies[0];
      pushed += r.dt * b.fluid_force + 0.5 * (dt + r.dt) * s.mass * scene.gravity;
      momentum = b.momentum;
      dt = r.dt;
      s.impulse += r.dt * b.fluid_force.norm();
      s.unclosed = std::max(s.unclosed, (momentum - pushed).norm());
      s.total = std::max(s.total, std::abs(b.momentum.x() + r.liquid().momentum.x()));
      s.largest = std::max(s.largest, std::abs(b.momentum.x()));
      const double done = s.work.back().second + pull_energy(body, last) - pull_energy(body, body.x);
      last = body.x;
      s.x.push_back({r.time, b.center.x()});
      s.work.push_back({r.time, done});
      s.excess.push_back({r.time, b.kinetic_energy + b.elastic_energy + r.liquid().kinetic_energy - done});
      if (tail >= 0) s.tail.push_back({r.time, r.probes[tail]});
    });
  return s;
}

// The shipped scene with some cells along the tank. Steps are in proportion to the cells, or a share of that.
Scene fish(int cells, double seconds, double share = 1) {
  constexpr double quick = 65;  // cells of the preset
  Scene scene = load_scene(find_scene("swimmer"), {}, "quick");
  scene.time.max_dt *= share * quick / cells;
  scene.time.cfl *= share;
  scene.domain.resolution = cells;
  scene.time.frames = int(std::lround(seconds * scene.time.fps));
  return scene;
}

double largest(const Points& points) {
  double most = -std::numeric_limits<double>::infinity();
  for (const auto& [t, value] : points) most = std::max(most, value);
  return most;
}

Curve speed_curve(const std::string& title, const Swim& s) {
  Curve curve{title, "t, s", "mean speed over a beat, m/s", {}, {}};
  for (double t = beat; t <= s.x.back().first + 1e-9; t += beat / 4)
    curve.measured.push_back({t, s.speed(std::max(t - beat, 1e-6), t)});
  return curve;
}

// Where a semi-Lagrangian field carries the velocity, the flow in a full tank does not see the particles' random
// places. A mirror image then differs only where the program chooses by the order of cells, as between faces of a
// sliver that are alike, and by how vortices let that grow: it is an error of the grid, as that of a bar between other
// cells.
void add_reversal(Outcome& out) {
  const double from = 1, to = 2;  // s: three beats
  const auto speed = [&](double way, const std::string& advection, int seed, double aside = 0) {
    return swim(swimming_bar(way, advection, seed, aside)).speed(from, to);
  };
  const double forward = speed(-1, "semi_lagrangian", 1), back = speed(1, "semi_lagrangian", 1);
  out.results.push_back(
      at_least("bar, wave to -x: its speed", forward, 1e-2, "m/s", "it swims against its wave, far above round-off"));
  out.results.push_back(within("bar: speed with the wave reversed, over that before", back / forward, -1, 0.05, "",
                               "mirror images, but for errors of the grid"));
  constexpr double third = 0.02 / 3;  // m, of a cell
  out.results.push_back(reported("bar: speed a third of a cell aside, over that before",
                                 speed(-1, "semi_lagrangian", 1, third) / forward, "",
                                 "what the place on the grid changes"));
  const double first = speed(-1, "apic", 1);
  out.results.push_back(reported("bar, velocity on particles: speed with the wave reversed, over that before",
                                 speed(1, "apic", 1) / first, "", "mirror images but for particles"));
  out.results.push_back(reported("bar, velocity on particles: speed with another seed, over that before",
                                 speed(-1, "apic", 2) / first, "", "what the random places of particles change"));
}

void add_balances(Outcome& out, const std::string& name, const Swim& s) {
  out.results.push_back(at_most(name + ": momentum, largest error of its balance", s.unclosed / s.impulse, 1e-9,
                                "of Σ |F| Δt", "M Δv = F Δt: forces inside add up to nothing, up to round-off"));
  out.results.push_back(at_most(name + ": energy of all that moves, less the work of the muscles, largest",
                                largest(s.excess) / s.work.back().second, 1e-6, "of the work",
                                "muscles are the only source; the solver's tolerance"));
  out.results.push_back(reported(name + ": momentum of water and fish along the tank, largest", s.total / s.largest,
                                 "of the fish's", "zero in a full tank; particles are no exact sum of the flow"));
}

// The muscles stop after some beats. What is elastic comes to rest within a beat; then the fish coasts.
void add_coasting(Outcome& out) {
  const double stop = 4 * beat, calm = 5 * beat, end = 8 * beat;
  Scene scene = fish(65, end);
  for (MuscleOptions& muscle : scene.bodies[0].muscles) muscle.end = stop;
  const Swim s = swim(scene);
  const double power = (s.speed(3 * beat, stop) - s.speed(beat, 2 * beat)) / (2 * beat);
  const double first = s.speed(calm, calm + beat), last = s.speed(end - beat, end);
  const double loss = (first - last) / (end - beat - calm);
  out.results.push_back(reported("fish: mean acceleration over the second to fourth beat", power, "m/s²", ""));
  out.results.push_back(at_most("fish: it gains no speed once its muscles have stopped: change over two beats",
                                last - first, 0, "m/s", "nothing pushes it"));
  out.results.push_back(at_least("fish: it goes on: speed three beats later, over that one beat later", last / first, 0,
                                 "", "nothing can turn it back"));
  out.results.push_back(at_most("fish: deceleration while it coasts", loss / power, 0.5, "of that acceleration",
                                "no thrust, and no viscosity: what slows it is its wake and the grid"));
  out.results.push_back(reported("fish: decay of its speed while it coasts",
                                 std::log(first / last) / (end - beat - calm), "1/s",
                                 "inviscid: by vortices and by the grid"));
  out.curves.push_back(speed_curve("A fish whose muscles stop after 1.33 s", s));
}

void add_reversed_fish(Outcome& out, double forward, double seconds) {
  Scene scene = fish(65, seconds);
  for (MuscleOptions& muscle : scene.bodies[0].muscles) muscle.along = -muscle.along;
  const double back = swim(scene).speed(seconds - 3 * beat, seconds);
  out.results.push_back(at_most("fish: speed with the wave reversed, over that before", back / forward, -0.2, "",
                                "it swims tail first; its head is no tail, so less well"));
}

// The same fish with shorter steps, and by the midpoint rule.
void add_steps(Outcome& out) {
  struct Way {
    const char* name;
    double share;
    Integrator integrator;
  };
  const double seconds = 2;
  for (const Way& way :
       {Way{"steps as they are", 1, Integrator::backward_euler}, Way{"half as long", 0.5, Integrator::backward_euler},
        Way{"a quarter as long", 0.25, Integrator::backward_euler}, Way{"midpoint rule", 1, Integrator::midpoint}}) {
    Scene scene = fish(65, seconds, way.share);
    scene.elastic.integrator = way.integrator;
    scene.elastic.newton = way.integrator == Integrator::midpoint;
    const Swim s = swim(scene);
    const double all = s.work.back().second;
    const std::string name = fmt::format("fish, 65 cells, {}: ", way.name);
    out.results.push_back(reported(name + "speed in beat 6", s.speed(seconds - beat, seconds), "m/s", ""));
    out.results.push_back(reported(name + "work of the muscles", all, "J", "over six beats from rest"));
    out.results.push_back(reported(name + "share of it that is energy at the end", 1 + s.excess.back().second / all, "",
                                   "the rest went in steps and cells"));
  }
}

void add_convergence(Outcome& out) {
  const double seconds = 2, from = 1;  // s: the last three of six beats from rest
  struct Figure {
    const char *name, *unit, *why;
    std::vector<double> at;
  };
  std::vector<Figure> figures{{"mean speed over beats 4 to 6", "m/s", "", {}},
                              {"Strouhal number over beats 4 to 6", "", "f A / U", {}},
                              {"forward motion, ½ M U² over work", "", "over six beats from rest", {}},
                              {"work per mass and distance", "J/(kg m)", "over beats 4 to 6", {}}};
  for (const int cells : {65, 82, 104}) {  // ratios of 1.26
    const Swim s = swim(fish(cells, seconds));
    const double u = s.speed(from, seconds), last = s.speed(seconds - beat, seconds), all = s.work.back().second;
    const double recent = all - value_at(s.work, from), way = u * (seconds - from);
    const double values[] = {u, beats_per_s * s.amplitude(from, 3) / u, 0.5 * s.mass * last * last / all,
                             recent / (s.mass * way)};
    for (std::size_t i = 0; i < figures.size(); ++i) {
      figures[i].at.push_back(values[i]);
      out.results.push_back(reported(fmt::format("fish, {} cells: {}", cells, figures[i].name), values[i],
                                     figures[i].unit, figures[i].why));
    }
    if (cells == 65) {
      add_balances(out, "fish", s);
      add_reversed_fish(out, u, seconds);
      out.curves.push_back(speed_curve("A fish starts from rest", s));
    }
  }
  for (const Figure& f : figures)
    out.results.push_back(reported(fmt::format("fish: {}: second change over the first", f.name),
                                   (f.at[2] - f.at[1]) / (f.at[1] - f.at[0]), "",
                                   "0.79 at first order, 0.63 at second"));
}

}  // namespace

Outcome swimmer() {
  Outcome out;
  add_reversal(out);
  add_convergence(out);
  add_steps(out);
  add_coasting(out);
  return out;
}

}  // namespace coracle::validation
