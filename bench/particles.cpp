// The solve for liquid particles [Xie23 table 6.3]: with an assembled matrix and without; the bodies' phase with the
// particles' blocks eliminated and without; a second thread; growth to a million particles.
#include "bench/measure.h"
#include "coracle/base/parallel.h"
#include "coracle/base/random.h"
#include "coracle/scene/liquid_kinds.h"
#include "coracle/scene/scenes.h"
#include "coracle/step/advance.h"
#include "coracle/step/body/body_solve.h"
#include "coracle/step/sph/solid_phase.h"
#include "coracle/step/sph/sph_page.h"
#include "coracle/step/sph/sph_solve.h"
#include "coracle/world/build.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace coracle::bench {
namespace {

constexpr int rounds = 5;  // of two things in turn

// ---- A matrix, or none

// The fluid's matrix A = M + h² Dᵀ K D + h V as 3×3 blocks, row by row. Particles are coupled that have a neighbour in
// common, so that a row has some two hundred blocks.
struct BlockRows {
  std::vector<std::size_t> start{0};
  std::vector<std::uint32_t> column;
  std::vector<Mat3> block;
  std::size_t bytes() const {
    return sizeof(std::size_t) * start.size() + sizeof(std::uint32_t) * column.size() + sizeof(Mat3) * block.size();
  }
};

BlockRows assemble(const SphSystem& s) {
  struct Part {
    std::vector<std::uint32_t> column;
    std::vector<Mat3> block;
  };
  constexpr std::size_t rows = 256;
  const std::size_t n = s.size();
  std::vector<Part> parts((n + rows - 1) / rows);
  BlockRows a;
  a.start.assign(n + 1, 0);
  // Row j of D at particle l, with the slope of that pair.
  const auto entry = [&](std::size_t j, std::size_t l, double slope) -> Vec3 {
    if (j == l) return -vec3(s.closing[j]);
    return s.share(l) * s.pairs.unit * slope * vec3(s.place[j] - s.place[l]);
  };
  for_blocks(n, rows, [&](std::size_t begin, std::size_t end) {
    Part& part = parts[begin / rows];
    std::vector<int> place(n, -1);  // of column l in the row
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t first = part.column.size();
      const auto add = [&](std::size_t l, const Mat3& block) {
        if (place[l] < 0) {
          place[l] = int(part.column.size());
          part.column.push_back(std::uint32_t(l));
          part.block.push_back(block);
        } else {
          part.block[place[l]] += block;
        }
      };
      const auto add_row = [&](std::size_t j, double slope) {  // of D: K_j d_j(i) d_j(l)ᵀ for all l
        const double k = s.dt * s.dt * s.stiffness[j] * s.volume * s.ratio[j] * s.ratio[j];
        const Vec3 own = k * entry(j, i, slope);
        add(j, own * entry(j, j, 0).transpose());
        for (std::size_t m = s.pairs.start[j]; m < s.pairs.start[j + 1]; ++m)
          add(s.pairs.other[m], own * entry(j, s.pairs.other[m], s.pairs.slope[m]).transpose());
      };
      add(i, s.mass[i] * Mat3::Identity());
      add_row(i, 0);
      for (std::size_t m = s.pairs.start[i]; m < s.pairs.start[i + 1]; ++m) add_row(s.pairs.other[m], s.pairs.slope[m]);
      if (!s.viscous.empty())
        for (std::size_t m = s.pairs.start[i]; m < s.pairs.start[i + 1]; ++m) {
          const Vec3 d = vec3(s.place[i] - s.place[s.pairs.other[m]]);
          const Mat3 drag = s.dt * s.viscous_unit * double(s.viscous[m]) * d * d.transpose();
          add(i, drag);
          add(s.pairs.other[m], -drag);
        }
      for (std::size_t k = first; k < part.column.size(); ++k) place[part.column[k]] = -1;
      a.start[i + 1] = part.column.size() - first;
    }
  });
  for (std::size_t i = 0; i < n; ++i) a.start[i + 1] += a.start[i];
  a.column.resize(a.start.back());
  a.block.resize(a.start.back());
  for_blocks(n, rows, [&](std::size_t begin, std::size_t) {
    std::copy(parts[begin / rows].column.begin(), parts[begin / rows].column.end(), a.column.begin() + a.start[begin]);
    std::copy(parts[begin / rows].block.begin(), parts[begin / rows].block.end(), a.block.begin() + a.start[begin]);
    parts[begin / rows] = {};
  });
  return a;
}

void multiply(const BlockRows& a, const WideField& p, WideField& y) {
  for_each_index(
      y.size(),
      [&](std::size_t i) {
        Vec3 sum = Vec3::Zero();
        for (std::size_t k = a.start[i]; k < a.start[i + 1]; ++k) sum += a.block[k] * vec3(p[a.column[k]]);
        y[i] = wide(sum);
      },
      256);
}

template <class T>
std::size_t bytes_of(const std::vector<T>& list) {
  return sizeof(T) * list.size();
}
std::size_t bytes_of(const SphSystem& s) {
  return bytes_of(s.mass) + bytes_of(s.ratio) + bytes_of(s.stiffness) + bytes_of(s.closing) + bytes_of(s.place) +
         bytes_of(s.pairs.start) + bytes_of(s.pairs.other) + bytes_of(s.pairs.slope) +
         bytes_of(s.pairs.number_density) + bytes_of(s.viscous) + bytes_of(s.scratch[0]) + bytes_of(s.scratch[1]);
}

// n³ particles, a little out of order, that fill a box.
SphSystem full_box(int n, double stiffness, const SphForm& form) {
  const double spacing = 0.01, h = 5e-3;
  const Bounds domain{Vec3::Zero(), Vec3::Constant(n * spacing)};
  const Grid grid{Vec3::Zero(), 2 * spacing, Vec3i::Constant((n + 1) / 2)};
  std::vector<Vec3> x, v;
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        const std::uint64_t key = 6 * (std::uint64_t(i) + std::uint64_t(n) * (j + std::uint64_t(n) * k));
        const auto random = [&](int at) { return uniform(1, key + at) - 0.5; };
        x.push_back(spacing * (Vec3(i + 0.5, j + 0.5, k + 0.5) + 0.3 * Vec3(random(0), random(1), random(2))));
        v.emplace_back(random(3), random(4), random(5));
      }
  const CellOrder sorted = order_by_cell(grid, x);
  reorder(sorted.order, x);
  reorder(sorted.order, v);
  return make_sph_system(find_pairs(grid, sorted.start, x, 2 * spacing), domain, x, v,
                         std::vector<std::uint8_t>(x.size(), 0),
                         {{.density = 1000, .stiffness = stiffness, .viscosity = 0}}, spacing, form, h);
}

void matrix_or_none(Results& results) {
  progress("an assembled matrix, and none");
  const SphSystem s = full_box(28, 2e5, {});
  WideField free(s.size());
  for (std::size_t i = 0; i < free.size(); ++i) free[i] = Double4{uniform(2, 2 * i), uniform(2, 2 * i + 1), 0, 0};
  const WideField b = right_side(s, free);
  std::vector<double> ratios, assembly, by_matrix, none, setup;
  double matrix_bytes = 0, iterations = 0, differ = 0;
  for (int r = 0; r < 3; ++r) {
    MatrixFreeCg cg;
    WideField u = free, w = free;
    auto begin = Clock::now();
    const std::vector<Mat3> blocks = diagonal(s);
    setup.push_back(seconds_since(begin));
    begin = Clock::now();
    const bool solved = cg.solve([&](const WideField& p, WideField& y) { multiply(s, p, y); }, blocks, b, u);
    none.push_back(seconds_since(begin));
    iterations = cg.iterations;
    begin = Clock::now();
    const BlockRows a = assemble(s);
    assembly.push_back(seconds_since(begin));
    matrix_bytes = double(a.bytes());
    begin = Clock::now();
    const bool also = cg.solve([&](const WideField& p, WideField& y) { multiply(a, p, y); }, blocks, b, w);
    by_matrix.push_back(seconds_since(begin));
    ratios.push_back((assembly.back() + by_matrix.back()) / (setup.back() + none.back()));
    for (std::size_t i = 0; i < u.size(); ++i) differ = std::max(differ, vec3(u[i] - w[i]).norm());
    if (!solved || !also) differ = std::nan("");
  }
  const double memory = matrix_bytes / double(bytes_of(s));
  results.rows.push_back({"particles/matrix",
                          0,
                          {{"particles", double(s.size())},
                           {"iterations", iterations},
                           {"assembly_s", median(assembly)},
                           {"with_s", median(by_matrix)},
                           {"setup_s", median(setup)},
                           {"without_s", median(none)},
                           {"ratio", median(ratios)},
                           {"paper", 20.8},
                           {"matrix_mb", matrix_bytes / 1e6},
                           {"without_mb", double(bytes_of(s)) / 1e6},
                           {"memory_ratio", memory},
                           {"paper_memory", 12375.0 / 1469},
                           {"differ_m_s", differ}}});
  results.require_at_least(10, "assembled matrix over none, time of a step's solve", median(ratios));
  results.require_at_least(5, "assembled matrix over none, memory", memory);
}

// Particles out of order, as in a flow, by the two preconditioners.
void two_preconditioners(Results& results) {
  progress("two preconditioners as the liquid becomes stiffer");
  double gain = 0;
  for (const double k : {1e5, 1e6, 1e7, 1e8}) {
    double its[2] = {}, size = 0;
    for (const bool uniform : {false, true}) {
      const SphSystem s = full_box(24, k, {.uniform = uniform});
      const WideField free(s.size(), Double4{0, -0.05, 0, 0});
      WideField u = free;
      MatrixFreeCg cg;
      its[uniform] = cg.solve([&](const WideField& p, WideField& y) { multiply(s, p, y); }, preconditioner(s),
                              right_side(s, free), u)
                         ? cg.iterations
                         : std::nan("");
      size = double(s.size());
    }
    gain = its[0] / its[1];
    results.rows.push_back({"particles/preconditioner",
                            0,
                            {{"particles", size},
                             {"k_Pa", k},
                             {"ch_over_D", std::sqrt(k / 1000) * 0.5},
                             {"block", its[0]},
                             {"uniform", its[1]},
                             {"ratio", gain}}});
  }
  results.require_at_least(1.2, "block over uniform preconditioner of the stiffest liquid, iterations", gain);
}

// ---- The bodies' phase: particles eliminated, or not

// The particles that may touch a body.
CoupledParticles near_bodies(const Scene& scene, const World& world, const SphLiquid& liquid) {
  const double reach = sph_reach(scene, liquid.grid), spacing = particle_spacing(liquid.grid);
  ContactMesh mesh = make_contact_mesh(world, scene.contact.distance);
  std::vector<Vec3> x;
  for (const Body& body : world.bodies) x.insert(x.end(), body.x.begin(), body.x.end());
  x = contact_positions(mesh, world, x);
  fit_triangles(mesh, x, x);
  const double area = M_PI * std::pow(3 / (4 * M_PI), 2.0 / 3) * spacing * spacing;
  CoupledParticles near;
  for (std::size_t i = 0; i < liquid.size(); ++i) {
    const Vec3 around = Vec3::Constant(1.5 * reach);
    bool touches = false;
    mesh.tri_tree.visit({liquid.x[i] - around, liquid.x[i] + around},
                        [&](int t) { touches = touches || mesh.tris[t][0] < mesh.nodes; });
    if (!touches) continue;
    near.x.push_back(liquid.x[i]);
    near.v.push_back(liquid.v[i]);
    near.mass.push_back(sph_materials(scene)[0].density * std::pow(spacing, 3));
    near.kappa.push_back(scene.proxy.contact_stiffness * scene.proxy.stiffness * area);
  }
  return near;
}

void eliminated_or_not(Results& results) {
  progress("the bodies' phase with and without elimination of the particles");
  const Scene scene = load_scene(find_scene("duck"), {}, "quick");
  World world = build_world(scene);
  Workspace work;
  start(scene, world, work);
  while (world.clock.time < 0.5) advance_step(scene, world, work);
  const auto& liquid = std::get<SphLiquid>(world.fluid);
  const CoupledParticles near = near_bodies(scene, world, liquid);
  const TouchLaw law{.reach = sph_reach(scene, liquid.grid), .friction = 0};
  std::vector<double> ratios, phases, factors[2];
  double iterations = 0, nodes = 0;
  for (int r = 0; r < rounds; ++r) {
    double factor[2], phase[2];
    for (const int eliminated : {0, 1}) {
      BodiesWithParticles with(scene, world, near, law, 5e-3, scene.proxy.newton_tolerance);
      BodySystem system;
      system.matrix.set_leaves(eliminated ? int(near.x.size()) : 0);
      system.matrix.use_factor_only();
      std::vector<NodeField> motion;
      const auto begin = Clock::now();
      const BodySolve solve = solve_bodies(with.step(Vec3::Zero()), system, with.bodies(), motion);
      phase[eliminated] = seconds_since(begin);
      factor[eliminated] = solve.factor_s;
      factors[eliminated].push_back(solve.factor_s / solve.iterations);
      iterations = solve.iterations;
      nodes = double(system.matrix.nodes() - int(near.x.size()));
    }
    ratios.push_back(factor[0] / factor[1]);
    phases.push_back(phase[0] / phase[1]);
  }
  results.rows.push_back({"particles/elimination",
                          scene.domain.resolution,
                          {{"scene", "duck"},
                           {"nodes", nodes},
                           {"particles", double(near.x.size())},
                           {"newton", iterations},
                           {"all_s", median(factors[0])},
                           {"eliminated_s", median(factors[1])},
                           {"ratio", median(ratios)},
                           {"phase_ratio", median(phases)},
                           {"paper", 1.45 / 1.11}}});
  results.require_at_least(1.3, "factorisation of all over that with the particles eliminated, time", median(ratios));
}

// ---- Whole steps

// A tank half full, particles 4 n³.
Scene tank(int n) {
  return parse_scene(
      fmt::format("method = 'proxy'\n[domain]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\nresolution = {}\n[proxy]"
                  "\nstiffness = 2e5\n[[liquid.region]]\nshape = 'box'\nmin = [0, 0, 0]\nmax = [1, 0.5, "
                  "1]\n",
                  n),
      "bench.toml");
}

struct Step {
  double seconds = 0, liquid = 0, iterations = 0;
  double at_30() const { return seconds - liquid + liquid * 30 / iterations; }
};

Step time_step(const Scene& scene, World& world, Workspace& work) {
  const auto begin = Clock::now();
  const StepReport r = advance_step(scene, world, work);
  const auto& sph = std::get<SphReport>(r.fluid);
  Step step{.seconds = seconds_since(begin), .iterations = double(sph.cg_iterations)};
  for (const auto& [name, s] : sph.phases)
    if (name == "liquid") step.liquid = s;
  return step;
}

void grow(Results& results) {
  struct Size {
    double particles, at_30;
  };
  std::vector<Size> sizes;
  for (const int n : {20, 30, 42, 63}) {
    progress(fmt::format("{} particles", 4 * n * n * n));
    forget_peak_memory();
    const Scene scene = tank(n);
    World world = build_world(scene);
    Workspace work;
    start(scene, world, work);
    time_step(scene, world, work);
    std::vector<double> seconds, liquid, at_30, its;
    for (int k = 0; k < 5; ++k) {
      const Step step = time_step(scene, world, work);
      seconds.push_back(step.seconds), liquid.push_back(step.liquid), at_30.push_back(step.at_30());
      its.push_back(step.iterations);
    }
    const double count = double(std::get<SphLiquid>(world.fluid).size()), peak = peak_memory_mb();
    sizes.push_back({count, median(at_30)});
    results.rows.push_back({"particles/growth",
                            n,
                            {{"particles", count},
                             {"step_s", median(seconds)},
                             {"liquid_s", median(liquid)},
                             {"cg", median(its)},
                             {"at_30_s", median(at_30)},
                             {"us_a_particle", 1e6 * median(at_30) / count},
                             {"peak_mb", peak}}});
    if (n == 30) results.require_at_most(0.5, "108,000 particles, 30 iterations: s a step", median(at_30));
    if (n == 63) results.require_at_most(12000, "a million particles: MB", peak);
  }
  results.require_at_most(
      1.1, "growth of a step from 32,000 to 1,000,000 particles, exponent",
      std::log(sizes.back().at_30 / sizes[0].at_30) / std::log(sizes.back().particles / sizes[0].particles));
}

void second_thread(Results& results) {
  const Scene scene = tank(30);
  World state = build_world(scene);
  {
    Workspace work;
    start(scene, state, work);
    for (int k = 0; k < 3; ++k) time_step(scene, state, work);
  }
  progress("a second thread");
  std::vector<double> gains, controls, one, two;
  for (int r = 0; r < rounds; ++r) {
    double step_s[2], control_s[2];
    for (const int threads : {1, 2}) {
      const ThreadLimit limit(threads);
      World world = state;
      Workspace work;
      derive(scene, world, work);
      step_s[threads - 1] = time_step(scene, world, work).seconds;
      control_s[threads - 1] = seconds_of_control();
    }
    one.push_back(step_s[0]), two.push_back(step_s[1]);
    gains.push_back(step_s[0] / step_s[1]);
    controls.push_back(control_s[0] / control_s[1]);
  }
  results.rows.push_back(
      {"particles/threads",
       scene.domain.resolution,
       {{"one_s", median(one)}, {"two_s", median(two)}, {"gain", median(gains)}, {"control_gain", median(controls)}}});
  results.require_at_least(
      1.7, fmt::format("108,000 particles: two threads over one (control {:.2f})", median(controls)), median(gains));
}

}  // namespace

Results particles() {
  Results results;
  matrix_or_none(results);
  two_preconditioners(results);
  eliminated_or_not(results);
  grow(results);
  second_thread(results);
  return results;
}

}  // namespace coracle::bench
