// The shell of tets over one step: where it ends, how fast it moves, and how much liquid its tets can hold.
#pragma once

#include "coracle/skinned.h"

#include <functional>
#include <vector>

namespace coracle {

// Whether a point lies in a solid; called from several threads.
using InSolid = std::function<bool(const Vec3&)>;

// Row f: area vector of the face opposite corner f, outward.
using FaceAreas = Eigen::Matrix<double, 4, 3>;

struct MovingShell {
  std::vector<Vec3> x;           // m, nodes at the end of the step
  std::vector<Vec3> node_v;      // m/s: displacement over the step
  std::vector<Vec3> v;           // m/s per tet: mean of its nodes
  std::vector<double> volume;    // m³, negative where the shell is turned inside out
  std::vector<double> capacity;  // m³ of liquid; 0: shut
  std::vector<FaceAreas> area;   // m² per tet

  Vec3 face_area(int tet, int face) const { return area[tet].row(face); }
  bool shut(int tet) const { return capacity[tet] == 0; }
};

// C = max(V, 0) (1 − s), where s is the share of the volume that fibres take. A tet is shut where V < 0.05 V_rest, or
// its centroid lies in a solid: where parts of the skin meet, tets overlap, and room must not count twice.
// `in_solid` may be empty.
void move_shell(const SkinShell& shell, const std::vector<Vec3>& x_n, const std::vector<Vec3>& x_np1, double dt,
                double solid_share, const InSolid& in_solid, MovingShell& moving);

// The liquid in a tet takes up `amount` with velocity u: volume and momentum together. Equal velocities stay equal to
// the last bit.
inline void take_up(TetLiquid& liquid, int tet, double amount, const Vec3& u) {
  const double volume = liquid.volume[tet] + amount;
  if (volume > 0) liquid.v[tet] += amount / volume * (u - liquid.v[tet]);
  liquid.volume[tet] = volume;
}

inline Vec3 centroid(const SkinShell& shell, const std::vector<Vec3>& x, int tet) {
  const Vec4i& n = shell.tets[tet];
  return 0.25 * (x[n[0]] + x[n[1]] + x[n[2]] + x[n[3]]);
}

// The volume of a tet of the lattice inside the shell, by which amounts and substeps are measured.
inline double usual_volume(const SkinShell& shell) { return shell.edge * shell.edge * shell.edge / 12; }

inline bool is_outer(const SkinShell& shell, int tet) {
  return (shell.neighbours[tet].array() == SkinShell::outside).any();
}

// The middle of a tet's faces on the outer hull, where its liquid leaves; the centroid of a tet that has none.
Vec3 way_out(const SkinShell& shell, const std::vector<Vec3>& x, int tet);

}  // namespace coracle
