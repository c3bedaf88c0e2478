#include "coracle/step/body/rigid.h"

#include "coracle/world/frame_edges.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <Eigen/LU>

namespace coracle {
namespace {

// ω at the middle of a step of free motion: ω + ½ dt J⁻¹ (L × ω), with L the angular momentum.
Vec3 spin_at_middle(const std::vector<double>& mass, const std::vector<Vec3>& x, const std::vector<Vec3>& v,
                    double dt) {
  double all = 0;
  Vec3 center = Vec3::Zero(), l = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();
  for (std::size_t i = 0; i < x.size(); ++i) all += mass[i], center += mass[i] * x[i];
  center /= all;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (mass[i] == 0) continue;
    const Vec3 r = x[i] - center;
    l += mass[i] * r.cross(v[i]);
    inertia += mass[i] * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
  }
  const Mat3 inverse = inertia.inverse();
  const Vec3 spin = inverse * l;
  return spin + 0.5 * dt * (inverse * l.cross(spin));
}

}  // namespace

Rigid rigid_at_end(const BodyRest& rest, const Rigid& rigid, const std::vector<Vec3>& x, const std::vector<Vec3>& v,
                   double dt) {
  const Mat3 one = Mat3::Identity(), f = deformation(rigid.frame, x, 0);
  const Vec3 spin = spin_at_middle(rest.mass, x, v, dt);
  Mat3 rate;
  for (int c = 0; c < 3; ++c) rate.col(c) = spin.cross(f.col(c));
  // ¼ ΔFᵀΔF = sin² ½φ across the axis. From t = tan² ½φ this is t / (1 + t).
  const Mat3 t = 0.25 * dt * dt * rate.transpose() * rate;
  const Eigen::SelfAdjointEigenSolver<Mat3> chord(t);
  const Mat3 quarter_turned = chord.eigenvectors() *
                              (chord.eigenvalues().array() / (1 + chord.eigenvalues().array())).matrix().asDiagonal() *
                              chord.eigenvectors().transpose();
  const Eigen::SelfAdjointEigenSolver<Mat3> shape(0.5 * (one + f.transpose() * f) - quarter_turned);
  constexpr double smallest = 0.01;  // half a turn in a step would shrink the middle to a line
  const Vec3 stretch = shape.eigenvalues().cwiseMax(smallest).cwiseSqrt();
  Rigid shaped = rigid;
  shaped.frame.inverse_edges[0] *=
      shape.eigenvectors() * stretch.cwiseInverse().asDiagonal() * shape.eigenvectors().transpose();
  return shaped;
}

void add_edge_damping(const Rigid& rigid, const std::vector<Vec3>& x, double scale, int first,
                      const ElementSlots& slots, BlockSolver& matrix) {
  const auto edges = frame_edges(rigid, first, x);
  for (std::size_t e = 0; e < edges.size(); ++e) add_damper(edges[e], scale, slots[e], matrix);
}

void subtract_edge_damping(const Rigid& rigid, const std::vector<Vec3>& x, double scale, int first,
                           const std::vector<Vec3>& v, std::vector<Vec3>& r) {
  for (const FrameEdge& e : frame_edges(rigid, first, x)) pull_together(e, scale * rate(e, v), r);
}

}  // namespace coracle
