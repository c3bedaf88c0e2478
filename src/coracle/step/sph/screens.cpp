#include "coracle/step/sph/screens.h"

#include "coracle/base/parallel.h"
#include "coracle/step/sph/kernels.h"
#include "coracle/step/sph/touches.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

constexpr std::size_t block = 256;

struct Screen {
  std::array<Vec3, 3> x;
  Vec3 normal;
  double height;  // of the particle over the triangle's plane, times |normal|
};

// Whether the segment from a to b crosses; `from`, `over`: n·(a − x₀), n·(b − x₀). A segment through an edge crosses
// both triangles that share it: rounding leaves no slit.
bool crosses(const Screen& s, const Vec3& a, double from, const Vec3& b, double over) {
  constexpr double slit = 1e-9;
  if (from * over > 0 || from == over) return false;
  const Vec3 at = a + from / (from - over) * (b - a);
  const double least = -slit * s.normal.squaredNorm();
  for (int c = 0; c < 3; ++c)
    if (s.normal.dot((s.x[(c + 1) % 3] - s.x[c]).cross(at - s.x[c])) < least) return false;
  return true;
}

}  // namespace

void part_by_surfaces(ContactMesh& mesh, const std::vector<Vec3>& vertices, const std::vector<Vec3>& x, double support,
                      SphPairs& pairs) {
  if (mesh.surface_tris == 0) return;
  fit_triangles(mesh, vertices, vertices);
  for_blocks(x.size(), block, [&](std::size_t begin, std::size_t end) {
    std::vector<int> near;
    std::vector<Screen> screens;
    for (std::size_t i = begin; i < end; ++i) {
      near.clear(), screens.clear();
      const Vec3 around = Vec3::Constant(support);
      mesh.tri_tree.visit({x[i] - around, x[i] + around}, [&](int t) {
        if (t < mesh.surface_tris) near.push_back(t);
      });
      if (near.empty()) continue;
      std::sort(near.begin(), near.end());
      for (const int t : near) {
        const Vec3i& v = mesh.tris[t];
        Screen s{.x = {vertices[v[0]], vertices[v[1]], vertices[v[2]]}, .normal = Vec3::Zero(), .height = 0};
        s.normal = (s.x[1] - s.x[0]).cross(s.x[2] - s.x[0]);
        s.height = s.normal.dot(x[i] - s.x[0]);
        if (std::abs(s.height) < support * s.normal.norm()) screens.push_back(s);
      }
      for (std::size_t k = pairs.start[i]; k < pairs.start[i + 1]; ++k) {
        const std::size_t j = pairs.other[k];
        for (const Screen& s : screens) {
          const double other = s.normal.dot(x[j] - s.x[0]);
          // From the lower number to the higher, so that both see the same.
          if (!(i < j ? crosses(s, x[i], s.height, x[j], other) : crosses(s, x[j], other, x[i], s.height))) continue;
          pairs.slope[k] = 0;
          pairs.number_density[i] -= cubic_kernel((x[i] - x[j]).norm(), support);
          break;
        }
      }
    }
  });
}

}  // namespace coracle
