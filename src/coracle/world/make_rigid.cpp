#include "coracle/world/make_rigid.h"

#include "coracle/base/check.h"
#include "coracle/shape/tri_mesh.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace coracle {
namespace {

// Lengths in units of the body's own size along each of its axes: z = (S/m)^−½ (X − c). The mass points are at √3, the
// corners of a box at 3. A thin plate is as thick there as it is wide.
using Scaled = std::vector<Vec3>;

// A tied vertex no farther than this from the line or the plane of leaders lies on it. Files hold coordinates to 1e-7.
constexpr double flat = 1e-5;
constexpr double no_weight = 1e-12;

// Distance of a point from the affine hull of others.
double distance_to_hull(const Scaled& z, const std::vector<int>& hull, int node) {
  if (hull.empty()) return z[node].norm();
  Vec3 away = z[node] - z[hull[0]];
  std::vector<Vec3> axes;
  for (std::size_t i = 1; i < hull.size(); ++i) {
    Vec3 axis = z[hull[i]] - z[hull[0]];
    for (const Vec3& a : axes) axis -= a * a.dot(axis);
    axes.push_back(axis.normalized());
  }
  for (const Vec3& a : axes) away -= a * a.dot(away);
  return away.norm();
}

double frame_size(const Scaled& z, const std::vector<int>& four) {
  return std::abs((z[four[1]] - z[four[0]]).dot((z[four[2]] - z[four[0]]).cross(z[four[3]] - z[four[0]])));
}

// The tied nodes that lead: farthest from the centre, then from the first, from the line of two, from the plane of
// three.
std::vector<int> tied_leaders(const Scaled& z, const std::vector<int>& tied) {
  std::vector<int> leaders;
  while (leaders.size() < 4) {
    int best = -1;
    double most = leaders.empty() ? -1 : flat;
    for (const int node : tied)
      if (const double d = distance_to_hull(z, leaders, node); d > most) best = node, most = d;
    if (best < 0) break;
    leaders.push_back(best);
  }
  return leaders;
}

// Completed to four by the mass points that make the largest tet.
std::vector<int> complete(const Scaled& z, const std::vector<int>& tied) {
  std::vector<int> best;
  double most = 0;
  for (int chosen = 0; chosen < 1 << mass_points; ++chosen) {
    std::vector<int> four = tied;
    for (int i = 0; i < mass_points; ++i)
      if (chosen >> i & 1) four.push_back(i);
    if (four.size() != 4) continue;
    if (const double size = frame_size(z, four); size > most) best = four, most = size;
  }
  CHECK(best.size() == 4);
  return best;
}

// Affine coordinates of a node, or of the point nearest to it in the hull of the leaders: Σ w = 1, Σ w z_leader = z.
Follower follower(const Scaled& z, const std::vector<int>& leaders, int node) {
  const auto sides = Eigen::Index(leaders.size()) - 1;
  Eigen::MatrixXd edges(3, sides);
  for (Eigen::Index i = 0; i < sides; ++i) edges.col(i) = z[leaders[i + 1]] - z[leaders[0]];
  Eigen::VectorXd w(sides + 1);
  w.tail(sides) = edges.colPivHouseholderQr().solve(z[node] - z[leaders[0]]);
  for (Eigen::Index i = 1; i <= sides; ++i)
    if (std::abs(w[i]) < no_weight) w[i] = 0;
  w[0] = 1 - w.tail(sides).sum();
  Follower f{.node = node, .leaders = {}, .weights = {}};
  for (Eigen::Index i = 0; i <= sides; ++i) {
    if (std::abs(w[i]) < no_weight) continue;
    f.leaders.push_back(leaders[i]);
    f.weights.push_back(w[i]);
  }
  return f;
}

}  // namespace

Moments moments(const TriMesh& surface, double density) {
  // Sums over the tets (o, a, b, c) of a triangle and a point o near the body, with s = a + b + c from o:
  //     ∫ 1 = V,   ∫ X = V s / 4,   ∫ X Xᵀ = V (s sᵀ + a aᵀ + b bᵀ + c cᵀ) / 20.
  Vec3 o = Vec3::Zero();
  for (const Vec3& x : surface.x) o += x / double(surface.x.size());
  double volume = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (const Vec3i& t : surface.tris) {
    const Vec3 a = surface.x[t[0]] - o, b = surface.x[t[1]] - o, c = surface.x[t[2]] - o, s = a + b + c;
    const double v = cone_volume(a, b, c);
    volume += v;
    first += v / 4 * s;
    second += v / 20 * (s * s.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
  }
  const Vec3 center = first / volume;
  return {.mass = density * volume,
          .center = o + center,
          .second = density * (second - volume * center * center.transpose())};
}

RigidParts make_rigid(const TriMesh& surface, double density, const std::vector<int>& tied) {
  if (const std::string problem = closedness_problem(surface); !problem.empty()) throw std::runtime_error(problem);
  const Moments m = moments(surface, density);
  const Eigen::SelfAdjointEigenSolver<Mat3> axes(m.second / m.mass);
  // Below this, round-off hides the thickness.
  constexpr double thinnest = 1e-12;  // of (thickness / width)²
  if (!(axes.eigenvalues()[0] > thinnest * axes.eigenvalues()[2]))
    throw std::runtime_error("the surface encloses no volume: give it thickness");
  const Mat3 root = axes.operatorSqrt(), inverse_root = axes.operatorInverseSqrt();

  RigidParts parts;
  for (const Vec3& u : {Vec3(1, 1, 1), Vec3(1, -1, -1), Vec3(-1, 1, -1), Vec3(-1, -1, 1)})
    parts.x.push_back(m.center + root * u);
  parts.x.insert(parts.x.end(), surface.x.begin(), surface.x.end());
  parts.mass.assign(parts.x.size(), 0);
  std::fill_n(parts.mass.begin(), mass_points, m.mass / mass_points);
  for (const Vec3i& t : surface.tris) parts.tris.push_back(t.array() + mass_points);

  Scaled z;
  for (const Vec3& x : parts.x) z.push_back(inverse_root * (x - m.center));
  std::vector<int> tied_nodes;
  std::vector<bool> is_tied(parts.x.size(), false);
  for (const int vertex : tied) {
    tied_nodes.push_back(mass_points + vertex);
    is_tied[mass_points + vertex] = true;
  }
  const std::vector<int> tied_first = tied_leaders(z, tied_nodes);
  std::vector<int> leaders = complete(z, tied_first);
  // Tied nodes follow tied ones only.
  for (int node = 0; node < int(parts.x.size()); ++node) {
    if (std::find(leaders.begin(), leaders.end(), node) != leaders.end()) continue;
    parts.followers.push_back(follower(z, is_tied[node] ? tied_first : leaders, node));
  }

  const auto edges = [&] {
    Mat3 e;
    for (int c = 0; c < 3; ++c) e.col(c) = parts.x[leaders[c + 1]] - parts.x[leaders[0]];
    return e;
  };
  if (edges().determinant() < 0) std::swap(leaders[0], leaders[1]);
  parts.rigid.frame.tets = {Vec4i(leaders[0], leaders[1], leaders[2], leaders[3])};
  parts.rigid.frame.volume = {m.mass / density};
  parts.rigid.frame.inverse_edges = {edges().inverse()};
  return parts;
}

}  // namespace coracle
