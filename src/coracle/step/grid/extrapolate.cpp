#include "coracle/step/grid/extrapolate.h"

#include "coracle/base/for_cells.h"
#include "coracle/step/grid/constrain.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace coracle {

namespace {

// One bit per sample, row by row, so that 64 samples are tested at once.
struct Bits {
  int words;
  std::vector<std::uint64_t> data;
  explicit Bits(const Vec3i& n) : words((n.x() + 63) / 64), data(std::size_t(words) * n.y() * n.z(), 0) {}
  std::uint64_t* row(std::size_t r) { return data.data() + r * words; }
  const std::uint64_t* row(std::size_t r) const { return data.data() + r * words; }
};

// One layer: every sample beside a known one takes the mean of its known neighbours.
template <class T>
void grow(const Bits& known, int layer, Bits& next, std::span<Array3<T>* const> fields, Array3<std::uint8_t>& mark) {
  const Vec3i n = mark.n;
  const int words = known.words;
  for_rows(n, [&](std::size_t r, int j, int k) {
    const std::uint64_t *here = known.row(r), *beside[4] = {};
    if (j > 0) beside[0] = known.row(r - 1);
    if (j + 1 < n.y()) beside[1] = known.row(r + 1);
    if (k > 0) beside[2] = known.row(r - n.y());
    if (k + 1 < n.z()) beside[3] = known.row(r + n.y());
    const std::ptrdiff_t row = n.x(), layer_stride = row * n.y();
    const std::ptrdiff_t to[] = {-row, row, -layer_stride, layer_stride};
    for (int w = 0; w < words; ++w) {
      const std::uint64_t lower = here[w] << 1 | (w > 0 ? here[w - 1] >> 63 : 0);
      const std::uint64_t upper = here[w] >> 1 | (w + 1 < words ? here[w + 1] << 63 : 0);
      std::uint64_t found = lower | upper;
      for (const std::uint64_t* b : beside)
        if (b) found |= b[w];
      found &= ~here[w];
      if (w + 1 == words && n.x() % 64) found &= (std::uint64_t(1) << n.x() % 64) - 1;
      next.row(r)[w] = here[w] | found;
      for (; found; found &= found - 1) {
        const int bit = std::countr_zero(found);
        const std::size_t i = r * row + 64 * w + bit;
        std::array<std::size_t, 6> from;
        int count = 0;
        const auto look = [&](std::uint64_t bits, std::size_t at) {
          if (bits >> bit & 1) from[count++] = at;
        };
        look(lower, i - 1);
        look(upper, i + 1);
        for (int b = 0; b < 4; ++b)
          if (beside[b]) look(beside[b][w], i + to[b]);
        for (Array3<T>* f : fields) {
          double sum = 0;
          for (int c = 0; c < count; ++c) sum += f->data[from[c]];
          f->data[i] = T(sum / count);
        }
        mark.data[i] = std::uint8_t(layer + 1);
      }
    }
  });
}

// mark: 0 unknown, 1 valid, m + 1 in layer m
template <class T>
void extrapolate_all(int layers, std::span<Array3<T>* const> fields, Array3<std::uint8_t>& mark) {
  const Vec3i n = mark.n;
  Bits known(n), next(n);
  for_rows(n, [&](std::size_t r, int, int) {
    const std::uint8_t* marks = mark.data.data() + r * n.x();
    for (int i = 0; i < n.x(); ++i) known.row(r)[i / 64] |= std::uint64_t(marks[i] != 0) << i % 64;
  });
  for (int layer = 1; layer <= layers; ++layer) {
    grow(known, layer, next, fields, mark);
    known.data.swap(next.data);
  }
  for_rows(n, [&](std::size_t r, int, int) {
    for (int w = 0; w < known.words; ++w) {
      const std::size_t first = r * n.x() + 64 * w;
      const int count = std::min(64, n.x() - 64 * w);
      const std::uint64_t unknown = ~known.row(r)[w];
      for (Array3<T>* f : fields)
        if (unknown == ~std::uint64_t(0))
          std::fill_n(f->data.begin() + first, count, T(0));
        else
          for (int i = 0; i < count; ++i)
            if (unknown >> i & 1) f->data[first + i] = 0;
    }
  });
}

}  // namespace

void extrapolate(int layers, const std::vector<FaceField<double>*>& fields, FaceField<std::uint8_t>& valid) {
  for (int a = 0; a < 3; ++a) {
    std::vector<Array3<double>*> parts(fields.size());
    for (std::size_t i = 0; i < fields.size(); ++i) parts[i] = &(*fields[i])[a];
    extrapolate_all(layers, std::span<Array3<double>* const>(parts), valid[a]);
  }
}

void extrapolate(int layers, FaceField<double>& u, FaceField<std::uint8_t>& valid) {
  extrapolate(layers, std::vector{&u}, valid);
}

void extrapolate(int layers, Array3<float>& f, Array3<std::uint8_t>& valid) {
  Array3<float>* const one[] = {&f};
  extrapolate_all(layers, std::span<Array3<float>* const>(one), valid);
}

void constrain(const Grid& grid, const Surfaces& surfaces, const SolidField& field,
               const FaceField<std::uint8_t>& fixed, FaceField<double>& u) {
  if (field.each.empty()) return;
  const Array3<Vec3f> velocity = surface_velocity(grid, surfaces, field);
  const bool moving = velocity.size() > 0;
  struct Stopped {
    int axis = -1;
    std::size_t face = 0;
    double u = 0;
  };
  std::vector<std::vector<Stopped>> stopped;
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    if (!surfaces[s].present) continue;
    const SolidGeometry& g = field.each[s];
    constexpr std::size_t block = 512;
    const std::size_t first = stopped.size();
    stopped.resize(first + (g.band.size() + block - 1) / block);
    for_blocks(g.band.size(), block, [&](std::size_t begin, std::size_t end) {
      std::vector<Stopped>& found = stopped[first + begin / block];
      for (std::size_t b = begin; b < end; ++b) {
        if (g.phi.data[g.band[b]] > 2 * grid.dx) continue;  // its faces lie outside the solid
        const Vec3i c = g.phi.cell(g.band[b]);
        for (int a = 0; a < 3; ++a)
          for (int side = 0; side < (ends_band(grid, field.phi, a, c) ? 2 : 1); ++side) {
            const Vec3i f = c + side * Vec3i::Unit(a);
            const WallVelocity wall = wall_velocity(grid, field.phi, velocity, moving, fixed, u, a, f);
            if (wall.found) found.push_back({a, u[a].index(f), wall.u});
          }
      }
    });
  }
  for (const auto& block : stopped)
    for (const Stopped& at : block) u[at.axis].data[at.face] = at.u;
}

}  // namespace coracle
