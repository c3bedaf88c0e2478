// Sorting, and velocity between particles and grid, as they are written for any place, against the processor's stages.
#include "coracle/step/liquid/transfer.h"

#include "coracle/step/liquid/device/particles.h"
#include "coracle/step/liquid/device/transfer.h"
#include "tests/step/device/states.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

using namespace device_tests;

// A dam that has met a soft body, and a jet. Every 37th particle is spray, besides those that are.
struct State : LiquidState {
  Host place;
  PlacedParticles<Host> particles;
  Host::Array<std::uint32_t> start;
  Host::Array<std::uint8_t> spray;
  PlacedCells<Host> cells;

  State() : LiquidState(dam + soft + tap, 20) {
    for (std::size_t p = 0; p < work().spray.size(); p += 37) work().spray[p] = 1;
    put();
  }
  void put() {
    upload(place, liquid().particles, particles);
    place.upload(work().spray.data(), work().spray.size(), spray);
    sort_by_cell(place, liquid().grid, particles, start, cells);
  }
  double speed() { return max_speed(liquid().particles); }
};

template <class T>
std::vector<T> values(const Host::Array<T>& array, std::size_t count) {
  return {array.data(), array.data() + count};
}

TEST(PlacedTransfer, particles_are_sorted_as_on_the_processor) {
  State s;
  const Grid& grid = s.liquid().grid;
  Particles shuffled = s.liquid().particles;
  const std::size_t n = shuffled.size();
  std::uint64_t key = 0;
  for (std::size_t p = n - 1; p > 0; --p) {
    const std::size_t other = std::size_t(uniform(++key, 0) * double(p));
    std::swap(shuffled.x[p], shuffled.x[other]), std::swap(shuffled.v[p], shuffled.v[other]);
    std::swap(shuffled.c[p], shuffled.c[other]);
  }
  upload(s.place, shuffled, s.particles);
  sort_by_cell(s.place, grid, s.particles, s.start, s.cells);
  CellStart start;
  sort_by_cell(grid, shuffled, start);

  Particles mine;
  download(s.place, s.particles, mine);
  EXPECT_EQ(mine.x, shuffled.x);
  EXPECT_EQ(mine.v, shuffled.v);
  EXPECT_EQ(mine.c, shuffled.c);
  EXPECT_EQ(values(s.start, s.start.size()), start);
  std::vector<std::uint32_t> filled, number(start.size() - 1), of;
  for (std::uint32_t c = 0; c + 1 < start.size(); ++c) {
    if (start[c] < start[c + 1]) filled.push_back(c), number[c] = std::uint32_t(filled.size());
    of.insert(of.end(), start[c + 1] - start[c], c);
  }
  EXPECT_EQ(values(s.cells.filled, s.cells.count), filled);
  EXPECT_EQ(values(s.cells.number, number.size()), number);
  EXPECT_EQ(values(s.cells.of, n), of);
}

TEST(PlacedTransfer, no_particles_fill_no_cell_and_touch_no_face) {
  State s;
  const Grid& grid = s.liquid().grid;
  s.liquid().particles = {};
  s.work().spray.clear();
  s.put();
  EXPECT_EQ(s.cells.count, 0);
  for (const std::uint32_t first : values(s.start, s.start.size())) EXPECT_EQ(first, 0);
  PlacedFaces<Host, double> u;
  PlacedFaces<Host, std::uint8_t> touched;
  ScatterMemory<Host> memory;
  particles_to_grid(s.place, grid, s.particles, s.start, s.cells, s.spray, memory, u, touched);
  for (int a = 0; a < 3; ++a)
    for (std::size_t i = 0; i < u[a].size(); ++i) EXPECT_TRUE(u[a].data.data()[i] == 0 && !touched[a].data.data()[i]);
}

// The order of the sums differs, and a sum of n numbers in single precision has an error of at most n · 6e-8 of the
// largest one: n is 144 here, 18 cells of eight particles.
TEST(PlacedTransfer, faces_get_what_they_get_on_the_processor) {
  State s;
  const Grid& grid = s.liquid().grid;
  for (const bool affine : {true, false}) {
    if (!affine) s.liquid().particles.c.clear(), s.put();
    FaceField<double> u, mine;
    FaceField<std::uint8_t> touched, my_touched;
    particles_to_grid(grid, s.liquid().particles, s.work().cell_start, s.work().spray, u, touched);
    PlacedFaces<Host, double> placed;
    PlacedFaces<Host, std::uint8_t> placed_touched;
    ScatterMemory<Host> memory;
    particles_to_grid(s.place, grid, s.particles, s.start, s.cells, s.spray, memory, placed, placed_touched);
    download(s.place, placed, mine);
    download(s.place, placed_touched, my_touched);
    expect_equal(my_touched, touched);
    EXPECT_LT(largest_difference(mine, u), 144 * 6e-8 * s.speed());
  }
}

TEST(PlacedTransfer, slabs_make_no_difference_to_faces) {
  State s;
  const Grid& grid = s.liquid().grid;
  const auto transfer = [&](std::uint32_t most, FaceField<double>& u, FaceField<std::uint8_t>& touched) {
    PlacedFaces<Host, double> placed;
    PlacedFaces<Host, std::uint8_t> placed_touched;
    ScatterMemory<Host> memory;
    particles_to_grid(s.place, grid, s.particles, s.start, s.cells, s.spray, memory, placed, placed_touched, most);
    download(s.place, placed, u);
    download(s.place, placed_touched, touched);
    return memory.sums.size() / CellSums::per_cell;
  };
  FaceField<double> whole, u;
  FaceField<std::uint8_t> whole_touched, touched;
  const std::size_t all = transfer(most_cell_sums, whole, whole_touched);
  EXPECT_EQ(all, s.cells.count);
  std::size_t least = all;
  for (const std::size_t most : {all - 1, all / 2, all / 3, std::size_t(1)}) {
    const std::size_t room = transfer(std::uint32_t(most), u, touched);
    EXPECT_LT(room, all);
    least = std::min(least, room);
    expect_equal(u, whole);
    expect_equal(touched, whole_touched);
  }
  EXPECT_LT(least, all / 4);  // three layers of 17
}

// The same sums of 18 products of values of the velocity's size, in single precision; the compiler joins products and
// sums in its own way in each of both.
TEST(PlacedTransfer, particles_get_what_they_get_on_the_processor) {
  State s;
  const Grid& grid = s.liquid().grid;
  const FaceField<double>&u = s.liquid().u, &u_before = s.work().drift;
  PlacedFaces<Host, double> placed_u, placed_before;
  upload(s.place, u, placed_u), upload(s.place, u_before, placed_before);
  double fastest = 0;
  for (int a = 0; a < 3; ++a)
    for (const double v : u[a].data) fastest = std::max(fastest, std::abs(v));
  for (const Advection advection : {Advection::apic, Advection::flip}) {
    LiquidOptions options;
    options.advection = advection, options.flip_blend = 0.95;
    const bool affine = advection == Advection::apic;
    if (!affine) s.liquid().particles.c.clear(), s.put();
    Particles after, mine;
    grid_to_particles(grid, options, u, u_before, s.work().cell_start, s.work().spray, s.liquid().particles, after);
    PlacedParticles<Host> placed;
    grid_to_particles(s.place, grid, options, placed_u, placed_before, s.cells, s.spray, s.particles, placed);
    download(s.place, placed, mine);
    ASSERT_EQ(mine.v.size(), after.v.size());
    ASSERT_EQ(mine.c.size(), after.c.size());
    float worst_v = 0, worst_c = 0;
    for (std::size_t p = 0; p < after.v.size(); ++p) {
      worst_v = std::max(worst_v, (mine.v[p] - after.v[p]).cwiseAbs().maxCoeff());
      if (affine) worst_c = std::max(worst_c, (mine.c[p] - after.c[p]).cwiseAbs().maxCoeff());
      if (s.work().spray[p]) {
        EXPECT_EQ(mine.v[p], s.liquid().particles.v[p]);
      }
    }
    EXPECT_LT(worst_v, 18 * 6e-8 * fastest);
    EXPECT_LT(worst_c, 2 * 18 * 6e-8 * fastest / grid.dx);
  }
}

}  // namespace
}  // namespace coracle
