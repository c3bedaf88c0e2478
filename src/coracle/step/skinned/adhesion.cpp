#include "coracle/step/skinned/adhesion.h"

#include "coracle/base/parallel.h"

#include <Eigen/Geometry>

#include <cmath>

namespace coracle {
namespace {

// Sheets do not follow a bend sharper than themselves: a radius below this many edges of the shell.
constexpr double sharpest = 1;

}  // namespace

void update_curvature(const SkinMotion& skin, const SkinFrame& frame, SkinCurvature& curvature) {
  std::vector<Vec3>& normal = curvature.vertex_normal;
  normal.assign(skin.x.size(), Vec3::Zero());
  for (std::size_t t = 0; t < skin.tris.size(); ++t)
    for (const int v : skin.tris[t]) normal[v] += frame.area[t] * frame.normal[t];
  for_each_index(normal.size(), [&](std::size_t v) { normal[v].normalize(); });
  curvature.gradient.resize(skin.tris.size());
  for_each_index(skin.tris.size(), [&](std::size_t t) {
    // S = Σ n_k ∇φ_kᵀ with the linear functions φ_k of the corners.
    const Vec3i& c = skin.tris[t];
    Mat3& s = curvature.gradient[t];
    s.setZero();
    for (int k = 0; k < 3; ++k) {
      const Vec3 opposite = skin.x[c[(k + 2) % 3]] - skin.x[c[(k + 1) % 3]];
      s += normal[c[k]] * (frame.normal[t].cross(opposite) / (2 * frame.area[t])).transpose();
    }
  });
}

void adhere(const SkinShell& shell, const SkinFrame& frame, const SkinCurvature& curvature, const Film& film,
            double wet, double dt, TetLiquid& tets) {
  for_each_index(tets.volume.size(), [&](std::size_t t) {
    if (!(tets.volume[t] > 0)) return;
    const int tri = shell.tri[t];
    if (film.volume[tri] < wet * frame.area[tri]) return;
    const Vec3& n = frame.normal[tri];
    const Vec3 u = tets.v[t] - frame.v[tri], w = along_skin(frame, tri, u);
    const double square = w.squaredNorm(), kappa = w.dot(curvature.gradient[tri] * w) / square;
    if (!(kappa > 0) || kappa * sharpest * shell.edge > 1) return;
    // Turned by the angle that it runs through on the parallel surface at the tet: so its speed is kept.
    const double speed = std::sqrt(square), out = u.dot(n);
    const double angle = dt * speed * kappa / (1 + kappa * shell.rank[t]);
    const double c = std::cos(angle), s = std::sin(angle);
    tets.v[t] = frame.v[tri] + (c * speed + s * out) / speed * w + (c * out - s * speed) * n;
  });
}

}  // namespace coracle
