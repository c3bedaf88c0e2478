#include "coracle/shape/surface_distance.h"

#include "coracle/base/check.h"
#include "coracle/base/parallel.h"
#include "coracle/shape/closest.h"

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

constexpr int most_parts = 512;  // of an edge
constexpr std::size_t block = 256;

// Of one surface: its area, and the integrals of the distance to the other and of its square.
struct Integrals {
  double area = 0, distance = 0, square = 0, largest = 0;

  void add(double a, const std::array<double, 3>& corners, double center) {
    area += a;
    distance += a / 12 * (corners[0] + corners[1] + corners[2] + 9 * center);
    square +=
        a / 12 * (corners[0] * corners[0] + corners[1] * corners[1] + corners[2] * corners[2] + 9 * center * center);
    largest = std::max({largest, corners[0], corners[1], corners[2], center});
  }
};

Integrals sum(const Integrals& p, const Integrals& q) {
  return {p.area + q.area, p.distance + q.distance, p.square + q.square, std::max(p.largest, q.largest)};
}

// A triangle cut into n² ones, by corners that are numbered (i, j) with i + j ≤ n: x₀ + i/n (x₁ − x₀) + j/n (x₂ − x₀).
class CutTriangle {
 public:
  CutTriangle(const Vec3& x0, const Vec3& x1, const Vec3& x2, double spacing)
      : x0_(x0), e1_(x1 - x0), e2_(x2 - x0), area_(e1_.cross(e2_).norm() / 2) {
    const double longest = std::max({e1_.norm(), e2_.norm(), (e2_ - e1_).norm()});
    n_ = int(std::clamp(std::ceil(longest / spacing), 1.0, double(most_parts)));
  }

  // `known`: the distances at the triangle's own corners.
  template <class Distance>
  Integrals integrate(const std::array<double, 3>& known, Distance&& distance) const {
    std::vector<std::vector<double>> at(n_ + 1);
    for (int i = 0; i <= n_; ++i)
      for (int j = 0; j <= n_ - i; ++j) at[i].push_back(i % n_ == 0 && j % n_ == 0 ? NAN : distance(place(i, j)));
    at[0][0] = known[0], at[n_][0] = known[1], at[0][n_] = known[2];
    Integrals all;
    const double area = area_ / (double(n_) * n_), third = 1.0 / 3;
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < n_ - i; ++j) {
        all.add(area, {at[i][j], at[i + 1][j], at[i][j + 1]}, distance(place(i + third, j + third)));
        if (i + j < n_ - 1)
          all.add(area, {at[i + 1][j], at[i + 1][j + 1], at[i][j + 1]}, distance(place(i + 2 * third, j + 2 * third)));
      }
    return all;
  }

 private:
  Vec3 place(double i, double j) const { return x0_ + i / n_ * e1_ + j / n_ * e2_; }

  Vec3 x0_, e1_, e2_;
  double area_;
  int n_ = 1;
};

Integrals integrate(const TriMesh& from, const TriTree& to, double spacing) {
  const auto distance = [&](const Vec3& x) { return std::abs(to.closest(x).distance); };
  std::vector<double> at_points(from.x.size());
  for_each_index(
      from.x.size(), [&](std::size_t i) { at_points[i] = distance(from.x[i]); }, block);
  return reduce_blocks(
      from.tris.size(), block, Integrals{},
      [&](std::size_t begin, std::size_t end) {
        Integrals part;
        for (std::size_t i = begin; i < end; ++i) {
          const Vec3i& t = from.tris[i];
          const CutTriangle triangle(from.x[t[0]], from.x[t[1]], from.x[t[2]], spacing);
          part = sum(part, triangle.integrate({at_points[t[0]], at_points[t[1]], at_points[t[2]]}, distance));
        }
        return part;
      },
      sum);
}

}  // namespace

SurfaceDistance surface_distance(const TriMesh& a, const TriMesh& b, double spacing) {
  CHECK(!a.tris.empty() && !b.tris.empty() && spacing > 0);
  const Integrals from_a = integrate(a, TriTree(b.x, b.tris), spacing);
  const Integrals from_b = integrate(b, TriTree(a.x, a.tris), spacing);
  const Integrals both = sum(from_a, from_b);
  SurfaceDistance result{.largest = both.largest, .between = both.distance / 2};
  // Without any area: the largest stands for all.
  result.mean = both.area > 0 ? both.distance / both.area : both.largest;
  result.rms = both.area > 0 ? std::sqrt(both.square / both.area) : both.largest;
  return result;
}

}  // namespace coracle
