#include "coracle/step/skinned/moving_shell.h"

#include "coracle/base/parallel.h"
#include "coracle/shape/tet_topology.h"

#include <Eigen/Geometry>

#include <algorithm>

namespace coracle {

void move_shell(const SkinShell& shell, const std::vector<Vec3>& x_n, const std::vector<Vec3>& x_np1, double dt,
                double solid_share, const InSolid& in_solid, MovingShell& moving) {
  constexpr double least_share = 0.05;  // of the volume at rest: flatter tets have no room
  copy(x_np1, moving.x);
  moving.node_v.resize(moving.x.size());
  for_each_index(moving.x.size(), [&](std::size_t i) { moving.node_v[i] = (moving.x[i] - x_n[i]) / dt; });
  const std::size_t count = shell.tets.size();
  moving.v.resize(count);
  moving.volume.resize(count);
  moving.capacity.resize(count);
  moving.area.resize(count);
  for_each_index(count, [&](std::size_t t) {
    const Vec4i& n = shell.tets[t];
    const std::vector<Vec3>&x = moving.x, &u = moving.node_v;
    moving.v[t] = 0.25 * (u[n[0]] + u[n[1]] + u[n[2]] + u[n[3]]);
    const Vec3 a = x[n[1]] - x[n[0]], b = x[n[2]] - x[n[0]], c = x[n[3]] - x[n[0]];
    const Vec3 opposite_1 = 0.5 * c.cross(b), opposite_2 = 0.5 * a.cross(c), opposite_3 = 0.5 * b.cross(a);
    moving.area[t] << -(opposite_1 + opposite_2 + opposite_3).transpose(), opposite_1.transpose(),
        opposite_2.transpose(), opposite_3.transpose();
    const double volume = -a.dot(opposite_1) / 3;
    moving.volume[t] = volume;
    const bool shut =
        volume < least_share * shell.volume[t] || (in_solid && in_solid(centroid(shell, moving.x, int(t))));
    moving.capacity[t] = shut ? 0 : volume * (1 - solid_share);
  });
}

Vec3 way_out(const SkinShell& shell, const std::vector<Vec3>& x, int tet) {
  Vec3 sum = Vec3::Zero();
  int faces = 0;
  for (int f = 0; f < 4; ++f)
    if (shell.neighbours[tet][f] == SkinShell::outside) {
      for (const int node : tet_face(shell.tets[tet], f)) sum += x[node] / 3;
      ++faces;
    }
  return faces > 0 ? Vec3(sum / faces) : centroid(shell, x, tet);
}

}  // namespace coracle
