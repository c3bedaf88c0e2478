#include "coracle/step/liquid/extrapolate.h"

#include "coracle/base/for_cells.h"
#include "coracle/base/interpolate.h"

namespace coracle {

void extrapolate(int layers, FaceField<double>& u, FaceField<std::uint8_t>& valid) {
  for (int a = 0; a < 3; ++a) {
    Array3<double>& f = u[a];
    Array3<std::uint8_t>& known = valid[a];  // 0 unknown, 1 valid, m + 1 found in layer m
    for (int layer = 1; layer <= layers; ++layer)
      for_cells(f.n, [&](const Vec3i& c, std::size_t i) {
        if (known.data[i]) return;
        double sum = 0;
        int count = 0;
        const auto look = [&](std::size_t j) {
          const int mark = known.data[j];
          if (mark && mark <= layer) sum += f.data[j], ++count;
        };
        for (int b = 0; b < 3; ++b) {
          if (c[b] > 0) look(i - f.stride(b));
          if (c[b] + 1 < f.n[b]) look(i + f.stride(b));
        }
        if (count == 0) return;
        f.data[i] = sum / count;
        known.data[i] = std::uint8_t(layer + 1);
      });
    for_each_index(f.size(), [&](std::size_t i) {
      if (!known.data[i]) f.data[i] = 0;
    });
  }
}

void constrain(const Grid& grid, const Surfaces& surfaces, const SolidField& field,
               const FaceField<std::uint8_t>& fixed, FaceField<double>& u) {
  if (field.each.empty()) return;
  const FaceField<double> before = u;
  const Array3<Vec3f> velocity = surface_velocity(grid, surfaces, field);
  const bool moving = velocity.size() > 0;
  for (int a = 0; a < 3; ++a)
    for_cells(u[a].n, [&](const Vec3i& f, std::size_t i) {
      if (fixed[a].data[i] == 1) return;
      Vec3i lo = f, hi = f;
      lo[a] = std::max(f[a] - 1, 0), hi[a] = std::min(f[a], grid.n[a] - 1);
      if (field.phi[lo] + field.phi[hi] >= 0) return;
      const Vec3 q = grid.to_cells(grid.face_center(a, f));
      const Vec3 slope = cell_gradient(field.phi, q);
      const double length = slope.norm();
      if (length < 1e-3 * grid.dx) return;  // far inside, where distances are cut
      const Vec3 n = slope / length;
      const Vec3 v = moving ? Vec3(0.5 * (velocity[lo] + velocity[hi]).cast<double>()) : Vec3(Vec3::Zero());
      u[a].data[i] -= n[a] * (sample_faces(before, q) - v).dot(n);
    });
}

}  // namespace coracle
