#include "coracle/step/skinned/fur.h"

#include "coracle/base/parallel.h"

#include <Eigen/LU>

namespace coracle {

std::vector<Vec3> upright_fibres(const SkinShell& shell) {
  std::vector<Vec3> fibres(shell.tets.size());
  for_each_index(fibres.size(), [&](std::size_t t) {
    Vec3 sum = Vec3::Zero();
    for (const int node : shell.tets[t]) sum += shell.anchors[node].offset;
    fibres[t] = sum.norm() > 0 ? Vec3(sum.normalized()) : Vec3(Vec3::UnitY());  // all on the skin: there is no length
  });
  return fibres;
}

void deform_fibres(const SkinShell& shell, const std::vector<Vec3>& rest, const std::vector<Vec3>& x,
                   std::vector<Vec3>& now) {
  const auto edges = [](const std::vector<Vec3>& at, const Vec4i& n) {
    Mat3 e;
    e << at[n[1]] - at[n[0]], at[n[2]] - at[n[0]], at[n[3]] - at[n[0]];
    return e;
  };
  now.resize(rest.size());
  for_each_index(rest.size(), [&](std::size_t t) {
    const Vec3 d = edges(x, shell.tets[t]) * (edges(shell.x, shell.tets[t]).inverse() * rest[t]);
    const double length = d.norm();
    now[t] = length > 0 ? Vec3(d / length) : rest[t];
  });
}

void drag(const Fur& fur, const std::vector<Vec3>& fibres, const MovingShell& shell, double viscosity, double dt,
          TetLiquid& liquid) {
  if (!fur.grows()) return;
  for_each_index(liquid.volume.size(), [&](std::size_t t) {
    if (!(liquid.volume[t] > 0) || shell.shut(int(t))) return;
    const double mobile = (liquid.volume[t] / shell.capacity[t] - fur.residual) / (1 - fur.residual);
    if (!(mobile > 0)) {
      liquid.v[t] = shell.v[t];
      return;
    }
    const double k_r = std::min(1.0, mobile * mobile * mobile);
    const double resistance = dt * viscosity * fur.porosity / k_r;  // m², to be divided by k
    const Vec3 w = liquid.v[t] - shell.v[t], along = fibres[t] * fibres[t].dot(w);
    liquid.v[t] = shell.v[t] + along / (1 + resistance / fur.along) + (w - along) / (1 + resistance / fur.across);
  });
}

}  // namespace coracle
