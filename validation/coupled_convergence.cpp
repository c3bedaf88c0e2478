// Grid, mesh and time step refined together: errors of coupled motion against theory, and their order.
//
// Expected order: a cell has one pressure, at its centre, wherever a body's surface is in the cell. On a surface
// parallel to the grid the load has an error of up to ρ g dx / 2: first order. On a curved surface these errors have
// both signs and average out: second order. In time the splitting is first order.
#include "validation/column.h"
#include "validation/figures.h"
#include "validation/released_sphere.h"

#include <fmt/format.h>

#include <stdexcept>

namespace coracle::validation {
namespace {

// The errors over the number of cells, and a line of the expected order through the last one.
Curve error_curve(const std::string& title, const Points& errors, int order) {
  Curve curve{title, "cells", "error", errors, {}, {{fmt::format("order {}", order), {}}}, true};
  for (const auto& [n, error] : errors)
    curve.others[0].points.push_back({n, errors.back().second * std::pow(errors.back().first / n, order)});
  return curve;
}

}  // namespace

Outcome coupled_convergence() {
  Outcome out;
  const auto add = [&](const std::string& name, const Points& errors, int order, double least, const std::string& unit,
                       const std::string& why) {
    const auto& [n, error] = errors.back();
    out.results.push_back(reported(fmt::format("{}, {} cells", name, n), error, unit, why));
    out.results.push_back(at_least(name + ": order", -slope(errors), least, "", why));
    out.curves.push_back(error_curve(name, errors, order));
  };

  // One dimension. Δt and the mesh are proportional to dx. Errors depend on the position of the block's top in its
  // cell, so several positions are used.
  const ColumnTheory theory(water);
  Points sag, frequency, decay;
  for (const int n : {32, 64, 128, 192}) {
    constexpr int shifts = 6;
    std::vector<double> sags, frequencies, decays;
    for (int i = 0; i < shifts; ++i) {
      ColumnRun run{.fps = 50, .dt = 0.64 / n, .seconds = 1.7, .cells = n, .across = 2, .shift = (i + 0.5) / shifts};
      const Swing s = swing(run);
      if (!s.completed || s.frequency == 0) throw std::runtime_error("the column does not swing");
      run.dt = 0.02;
      sags.push_back(static_sag(run, 0.8) / theory.sag - 1);
      frequencies.push_back(s.frequency * theory.period - 1), decays.push_back(s.decay);
    }
    sag.push_back({n, rms(sags)}), frequency.push_back({n, rms(frequencies)}), decay.push_back({n, rms(decays)});
  }
  add("Water on a block: static displacement, error", sag, 1, 0.9, "of it", "one pressure a cell on a flat top");
  add("Water on a block: frequency, error", frequency, 2, 1.5, "of it",
      "the pressure's lag of half a step damps, and shifts the frequency at second order");
  add("Water on a block: decay of the swing", decay, 1, 0.9, "1/s", "first order in time; theory has none");

  // Three dimensions: the initial acceleration of a sphere.
  for (const double share : {0.2, 2.0}) {
    Points errors;
    for (const int n : {16, 24, 32, 48, 64}) {
      const double dx = 1.0 / n;
      std::vector<double> poses;
      for (int pose = 0; pose < 3; ++pose) {
        const Vec3 center = Vec3::Constant(0.5) + 0.5 * dx * random_unit(pose);
        poses.push_back(released_in_projection(share, n, center, 2.5 * dx, 60) / released_in_theory(share) - 1);
      }
      errors.push_back({n, rms(poses)});
    }
    add(fmt::format("Released sphere, ρs/ρf {}: acceleration, error", share), errors, 2, 1.7, "of it",
        "(1 − s) / (s + C); curved surfaces: second order");
  }
  return out;
}

}  // namespace coracle::validation
