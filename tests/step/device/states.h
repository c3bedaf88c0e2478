// States of short runs with liquid, for tests of the stages that are written for any place.
#pragma once

#include "coracle/base/place/fields.h"
#include "coracle/base/random.h"
#include "coracle/out/simulation_state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace coracle::device_tests {

struct LiquidState {
  Simulation sim;
  LiquidState(const std::string& toml, int steps) : sim(parse_scene(toml, "state.toml")) {
    for (int i = 0; i < steps; ++i) sim.step();
  }
  const Scene& scene() { return sim.state().scene; }
  World& world() { return sim.state().world; }
  Liquid& liquid() { return std::get<Liquid>(sim.state().world.fluid); }
  LiquidWork& work() { return std::get<LiquidWork>(sim.state().work.fluid); }
};

inline const std::string dam =
    "[domain]\nmax = [1, 1, 0.8]\nresolution = 21\n[time]\nframes = 4\nfps = 24\n"
    "[[liquid.region]]\nshape = 'box'\nmin = [0, 0, 0]\nmax = [0.4, 0.6, 0.8]\n";
inline const std::string ball =
    "[[solid]]\nname = 'ball'\nshape = 'sphere'\ncenter = [0.55, 0.25, 0.4]\nradius = 0.2\n";
inline const std::string soft =
    "[[body]]\nname = 'beam'\nshape = 'box'\ncenter = [0.6, 0.3, 0.4]\nsize = [0.15, 0.5, 0.2]\nmesh = 'grid5'\n"
    "cells = [2, 4, 2]\nyoung = 1e5\n[[body.hold]]\ntype = 'pin'\nside = 'y_min'\n";
inline const std::string tap =
    "[[inflow]]\nname = 'tap'\nshape = 'box'\ncenter = [0.7, 0.8, 0.4]\nsize = [0.2, 0.2, 0.2]\n"
    "velocity = [0, -1, 0]\n";

template <class T>
void expect_equal(const Array3<T>& a, const Array3<T>& b) {
  ASSERT_EQ(a.n, b.n);
  EXPECT_EQ(a.data, b.data);
}
template <class T>
void expect_equal(const FaceField<T>& a, const FaceField<T>& b) {
  for (int axis = 0; axis < 3; ++axis) expect_equal(a[axis], b[axis]);
}
inline double largest_difference(const Array3<double>& a, const Array3<double>& b) {
  EXPECT_EQ(a.n, b.n);
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a.data[i] - b.data[i]));
  return most;
}
inline double largest_difference(const FaceField<double>& a, const FaceField<double>& b) {
  double most = 0;
  for (int axis = 0; axis < 3; ++axis) most = std::max(most, largest_difference(a[axis], b[axis]));
  return most;
}

}  // namespace coracle::device_tests
