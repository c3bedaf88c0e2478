#include "coracle/step/gas/carry.h"

#include "coracle/base/for_cells.h"
#include "coracle/base/interpolate.h"
#include "coracle/step/grid/solid_field.h"

#include <algorithm>

namespace coracle {
namespace {

constexpr double sample_distance = 0.5;  // cells between the points of a path that are tested against solids

// Positions in cells from the grid's origin.
class Paths {
 public:
  explicit Paths(const Carrier& c)
      : c_(c), scale_(c.dt / c.grid.dx), last_(c.grid.n.cast<double>()), band_(distance_band * c.grid.dx) {}

  // The start (sign −1) or the end (+1) of the path through q.
  Vec3 end(const Vec3& q, double sign) const {
    const Vec3 middle = q + sign * 0.5 * scale_ * sample_faces(c_.u, q);
    return q + sign * scale_ * sample_faces(c_.u, middle);
  }
  // The same, but the path stops at solids; `room`: m, from q to the nearest solid, or more.
  Vec3 open_end(const Vec3& q, double sign, double room) const {
    const Vec3 to = end(q, sign);
    const double length = (to - q).norm();
    if (room > std::min(length * c_.grid.dx, 0.99 * band_) && length < distance_band) return to;
    const int steps = std::max(1, int(std::ceil(length / sample_distance)));
    Vec3 free = q;
    for (int s = 1; s <= steps; ++s) {
      const Vec3 next = q + double(s) / steps * (to - q);
      if (sample_cells(c_.wall_phi, next) < 0) return free;
      free = next;
    }
    return to;
  }
  // The axis of the open side that q lies beyond; -1: none. Points beyond a wall count as inside.
  int beyond(const Vec3& q) const {
    for (int a = 0; a < 3; ++a)
      if ((q[a] < 0 && c_.open[2 * a]) || (q[a] > last_[a] && c_.open[2 * a + 1])) return a;
    return -1;
  }

 private:
  const Carrier& c_;
  double scale_;
  Vec3 last_;
  double band_;
};

struct Spread {
  double value, least, most;
};

// The trilinear value at s (in samples) and the range of the eight values around it.
template <class T>
Spread sample_spread(const Array3<T>& f, const Vec3& s) {
  const std::size_t row = f.n.x(), layer = row * f.n.y();
  const Between x(s.x(), f.n.x(), 1), y(s.y(), f.n.y(), row), z(s.z(), f.n.z(), layer);
  const T* p = f.data.data() + x.at + y.at + z.at;
  const double v[8] = {p[0],      p[x.step],          p[y.step],          p[y.step + x.step],
                       p[z.step], p[z.step + x.step], p[z.step + y.step], p[z.step + y.step + x.step]};
  const auto mix = [](double a, double b, double share) { return a + share * (b - a); };
  const double low = mix(mix(v[0], v[1], x.share), mix(v[2], v[3], x.share), y.share);
  const double high = mix(mix(v[4], v[5], x.share), mix(v[6], v[7], x.share), y.share);
  return {mix(low, high, z.share), *std::min_element(v, v + 8), *std::max_element(v, v + 8)};
}

// Samples of f lie at c + offset, in cells; f is the velocity along `axis`; -1: f is a scalar. `room_at` gives m to the
// nearest solid (negative inside).
template <class T, class Room>
void carry(const Carrier& carrier, int axis, const Vec3& offset, const Array3<T>& f, const Array3<std::uint8_t>* plain,
           Room&& room_at, Array3<T>& out) {
  const Paths paths(carrier);
  const bool correct = carrier.how == GasAdvection::maccormack;
  Array3<T> first;  // f̂
  if (correct) first.assign(f.n);
  Array3<T>& hat = correct ? first : out;
  // The limits of the correction: the range of values around the path's start. least ≥ most: no correction.
  struct Range {
    float least, most;
  };
  std::vector<Range> range(correct ? f.size() : 0);
  for_cells(f.n, [&](const Vec3i& c, std::size_t i) {
    const Vec3 q = c.cast<double>() + offset;
    const double room = room_at(c);
    if (correct) range[i] = {1, 0};
    hat.data[i] = f.data[i];
    if (room < 0) return;
    const Vec3 from = paths.open_end(q, -1, room);
    if (const int side = paths.beyond(from); side >= 0) {
      hat.data[i] = side == axis ? T(0.5 * interpolate(f, from - offset)) : T(0);
      return;
    }
    if (!correct) {
      hat.data[i] = T(interpolate(f, from - offset));
      return;
    }
    const Spread s = sample_spread(f, from - offset);
    hat.data[i] = T(s.value);
    if (!plain || !plain->data[i]) range[i] = {float(s.least), float(s.most)};
  });
  if (!correct) return;
  for_cells(f.n, [&](const Vec3i& c, std::size_t i) {
    out.data[i] = hat.data[i];
    if (range[i].least >= range[i].most) return;  // nothing to correct
    const Vec3 q = c.cast<double>() + offset;
    const Vec3 to = paths.open_end(q, 1, room_at(c));
    if (paths.beyond(to) >= 0) return;
    const double back = interpolate(hat, to - offset);
    const double corrected = hat.data[i] + 0.5 * (double(f.data[i]) - back);
    out.data[i] = T(std::clamp(corrected, double(range[i].least), double(range[i].most)));
  });
}

}  // namespace

void carry_scalar(const Carrier& carrier, Array3<float>& f) {
  const Array3<float> before = f;
  carry(
      carrier, -1, Vec3::Constant(0.5), before, carrier.plain, [&](const Vec3i& c) { return carrier.wall_phi[c]; }, f);
}

void carry_velocity(const Carrier& carrier, const FaceField<double>& v, FaceField<double>& out) {
  for (int a = 0; a < 3; ++a) {
    Vec3 offset = Vec3::Constant(0.5);
    offset[a] = 0;
    if (out[a].n != v[a].n) out[a].assign(v[a].n);
    carry(
        carrier, a, offset, v[a], nullptr,
        [&](const Vec3i& f) {
          const auto [lo, hi] = cells_beside(a, f, carrier.grid.n);
          return 0.5 * (carrier.wall_phi[lo] + carrier.wall_phi[hi]);
        },
        out[a]);
  }
}

}  // namespace coracle
