// The skin of a body: the boundary of its stuffed tets, relaxed, and the weights of its bones.
#include "tools/characters/character.h"
#include "tools/characters/coarsen.h"

#include "coracle/base/parallel.h"
#include "coracle/shape/stuffing.h"
#include "coracle/shape/tet_mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace coracle::characters {
namespace {

constexpr int project_steps = 3;

TriMesh boundary_of(const TetMesh& tets) {
  TriMesh skin;
  std::vector<int> number(tets.x.size(), -1);
  for (const Vec3i& t : boundary_triangles(tets)) {
    Vec3i renamed;
    for (int k = 0; k < 3; ++k) {
      int& n = number[t[k]];
      if (n < 0) {
        n = int(skin.x.size());
        skin.x.push_back(tets.x[t[k]]);
      }
      renamed[k] = n;
    }
    skin.tris.push_back(renamed);
  }
  return skin;
}

// x ← x − φ ∇φ / |∇φ|², Newton's step to the surface.
Vec3 projected(const std::vector<Flesh>& body, Vec3 x, double h) {
  for (int step = 0; step < project_steps; ++step) {
    Vec3 slope;
    for (int k = 0; k < 3; ++k)
      slope[k] = (distance_to(body, x + h * Vec3::Unit(k)) - distance_to(body, x - h * Vec3::Unit(k))) / (2 * h);
    x -= distance_to(body, x) * slope / std::max(slope.squaredNorm(), 0.25);
  }
  return x;
}

// Evens out the triangles: every vertex half way to the mean of its neighbours, then back onto the surface.
void relax(TriMesh& skin, const std::vector<Flesh>& body, double edge, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    std::vector<Vec3> sum(skin.x.size(), Vec3::Zero());
    std::vector<int> count(skin.x.size(), 0);
    for (const Vec3i& t : skin.tris)
      for (int k = 0; k < 3; ++k) {  // every edge belongs to two triangles, which name its ends once each
        sum[t[k]] += skin.x[t[(k + 1) % 3]];
        ++count[t[k]];
      }
    for_each_index(skin.x.size(), [&](std::size_t v) {
      skin.x[v] = projected(body, 0.5 * (skin.x[v] + sum[v] / count[v]), 1e-3 * edge);
    });
  }
}

// How long edges shall be at a point: half as long as the flesh there is thick from its axis, within the two bounds.
double edge_length(const Character& character, const Vec3& x) {
  double nearest = std::numeric_limits<double>::infinity(), thick = 0;
  for (const Flesh& part : character.body)
    if (const double d = distance_to(part, x); d < nearest) {
      nearest = d;
      thick = part.flat * std::min(part.ra, part.rb);
    }
  return std::clamp(0.5 * thick, character.edge, character.longest);
}

// The radius of the flesh at a point of the skin: a mean that the nearest parts dominate.
double thickness_at(const std::vector<Flesh>& body, const Vec3& x) {
  double sum = 0, total = 0;
  for (const Flesh& part : body) {
    const double w = std::pow(relative_distance(part, x), -8);
    sum += w * part.flat * std::min(part.ra, part.rb);
    total += w;
  }
  return sum / total;
}

// w ∝ d⁻⁴ for every bone, of sum 1. d = 1 on a bone's own flesh. Off it, d is the larger of two measures: the distance
// to its axis in units of its radius, so that a finger leaves the next one alone, and 1 + the distance to its flesh in
// units of the thickness here, so that a trunk leaves thin legs alone.
Eigen::VectorXd shares_at(const Character& character, const Vec3& x) {
  Eigen::VectorXd d = Eigen::VectorXd::Constant(character.bones.size(), 1e3);
  const double thickness = thickness_at(character.body, x);
  for (const Flesh& part : character.body)
    d[part.bone] = std::min(d[part.bone],
                            std::max(relative_distance(part, x), 1 + std::max(distance_to(part, x), 0.0) / thickness));
  const Eigen::VectorXd w = d.array().pow(-4);
  return w / w.sum();
}

// The four largest. Each is first lowered by the fifth, so that the weights are continuous where bones change places.
SkinWeights largest(const Eigen::VectorXd& shares) {
  std::vector<int> order(shares.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return shares[a] > shares[b]; });
  const int kept = std::min<int>(4, int(order.size()));
  const double fifth = order.size() > 4 ? shares[order[4]] : 0;
  double total = 0;
  for (int k = 0; k < kept; ++k) total += shares[order[k]] - fifth;
  SkinWeights w;
  for (int k = 0; k < kept; ++k) {
    w.weight[k] = (shares[order[k]] - fifth) / total;
    w.bone[k] = w.weight[k] > 0 ? order[k] : 0;
  }
  return w;
}

// Weights that spread a little along the skin fold less where limbs meet.
std::vector<SkinWeights> weights_of(const Character& character) {
  const TriMesh& skin = character.skin;
  std::vector<Eigen::VectorXd> shares(skin.x.size());
  for_each_index(skin.x.size(), [&](std::size_t v) { shares[v] = shares_at(character, skin.x[v]); });
  for (int round = 0; round < character.spread; ++round) {
    std::vector<Eigen::VectorXd> sum(skin.x.size(), Eigen::VectorXd::Zero(character.bones.size()));
    std::vector<int> count(skin.x.size(), 0);
    for (const Vec3i& t : skin.tris)
      for (int k = 0; k < 3; ++k) sum[t[k]] += shares[t[(k + 1) % 3]], ++count[t[k]];
    for (std::size_t v = 0; v < shares.size(); ++v) shares[v] = 0.5 * (shares[v] + sum[v] / count[v]);
  }
  std::vector<SkinWeights> weights;
  for (const Eigen::VectorXd& s : shares) weights.push_back(largest(s));
  return weights;
}

}  // namespace

void grow_skin(Character& character) {
  const Bounds box = bounds_of(character.body);
  // Half the distance has a slope below 1 wherever flesh is pressed, too.
  const TetMesh tets =
      stuff([&](const Vec3& x) { return 0.5 * distance_to(character.body, x); }, box.lo, box.hi, character.edge);
  character.skin = boundary_of(tets);
  relax(character.skin, character.body, character.edge, 4);
  coarsen(
      character.skin, [&](const Vec3& x) { return edge_length(character, x); },
      [&](const Vec3& x) { return projected(character.body, x, 1e-3 * character.edge); });
  relax(character.skin, character.body, character.edge, 6);
  character.weights = weights_of(character);
}

}  // namespace coracle::characters
