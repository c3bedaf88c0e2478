#include "coracle/shape/thickness.h"

#include "coracle/base/parallel.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace coracle {
namespace {

constexpr std::size_t most_rays = 400;

// Distance along a ray to a triangle; infinity if the ray misses it [MollerTrumbore97].
double hit(const Vec3& from, const Vec3& along, const Vec3& a, const Vec3& b, const Vec3& c) {
  constexpr double never = std::numeric_limits<double>::infinity();
  const Vec3 e1 = b - a, e2 = c - a, p = along.cross(e2);
  const double det = e1.dot(p);
  if (std::abs(det) < 1e-300) return never;
  const Vec3 s = from - a, q = s.cross(e1);
  const double u = s.dot(p) / det, v = along.dot(q) / det, t = e2.dot(q) / det;
  return u >= 0 && v >= 0 && u + v <= 1 && t > 0 ? t : never;
}

}  // namespace

double median_thickness(std::span<const Vec3> x, std::span<const Vec3i> tris) {
  struct Ray {
    double length, area;
  };
  const std::size_t stride = std::max<std::size_t>(1, tris.size() / most_rays),
                    count = (tris.size() + stride - 1) / stride;
  std::vector<Ray> rays(count);
  for_each_index(
      count,
      [&](std::size_t r) {
        const std::size_t own = r * stride;
        const Vec3i& t = tris[own];
        const Vec3 out = (x[t[1]] - x[t[0]]).cross(x[t[2]] - x[t[0]]), middle = (x[t[0]] + x[t[1]] + x[t[2]]) / 3;
        rays[r] = {std::numeric_limits<double>::infinity(), 0.5 * out.norm()};
        if (!(out.norm() > 0)) return;
        const Vec3 in = -out.normalized();
        for (std::size_t o = 0; o < tris.size(); ++o)
          if (o != own)
            rays[r].length = std::min(rays[r].length, hit(middle, in, x[tris[o][0]], x[tris[o][1]], x[tris[o][2]]));
      },
      8);
  std::sort(rays.begin(), rays.end(), [](const Ray& a, const Ray& b) { return a.length < b.length; });
  double half = 0, sum = 0;
  for (const Ray& r : rays) half += 0.5 * r.area;
  for (const Ray& r : rays)
    if ((sum += r.area) >= half) return r.length;
  return 0;
}

}  // namespace coracle
