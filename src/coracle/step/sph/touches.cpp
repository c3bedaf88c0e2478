#include "coracle/step/sph/touches.h"

#include "coracle/base/parallel.h"
#include "coracle/step/contact/barrier.h"
#include "coracle/step/contact/friction_law.h"

#include <algorithm>

namespace coracle {
namespace {

constexpr std::size_t block = 256;

// Friction between the closest points, with u* the difference of their slips.
void set_drag(const SimplexDistance& closest, double grip, const FourNodes& slip, double stick, Touch& t) {
  if (!(grip > 0) || !(closest.squared > 0)) return;
  const Vec3 n = closest.difference.normalized();
  const Mat3 across = Mat3::Identity() - n * n.transpose();
  Vec3 u = Vec3::Zero();
  for (int i = 0; i < 4; ++i) u += closest.weight[i] * slip[i];
  t.grip = grip;
  t.per_slip = friction_f1_over_u((across * u).norm(), stick);
  t.drag = grip * t.per_slip * across;
}

}  // namespace

SimplexDistance to_side(const Bounds& domain, const Vec3& x, int side) {
  const int a = side / 2;
  const double d = side % 2 ? domain.hi[a] - x[a] : x[a] - domain.lo[a];
  SimplexDistance closest;
  closest.squared = d * d;
  closest.weight = Weights::UnitX();
  closest.difference = (side % 2 ? -d : d) * Vec3::Unit(a);
  closest.feature = ClosestFeature::corner_a;
  return closest;
}

void fit_triangles(ContactMesh& mesh, const std::vector<Vec3>& from, const std::vector<Vec3>& to) {
  constexpr double too_loose = 2;
  std::vector<Bounds> boxes(mesh.tris.size());
  for_each_index(boxes.size(), [&](std::size_t t) {
    for (int c = 0; c < 3; ++c) {
      boxes[t].extend(from[mesh.tris[t][c]]);
      boxes[t].extend(to[mesh.tris[t][c]]);
    }
  });
  if (mesh.tri_tree.size() == int(boxes.size())) mesh.tri_tree.refit(boxes);
  if (mesh.tri_tree.size() != int(boxes.size()) || mesh.tri_tree.looseness() > too_loose)
    mesh.tri_tree = BoxTree(boxes);
}

bool look_again(std::vector<Touch>& touches, const std::vector<Vec3>& u, const std::vector<Vec3>& surface, double dt,
                double stick) {
  std::vector<double> force(touches.size(), 0);
  constexpr double over = 0.05, one_over = 1;
  double excess = 0, bound = 0;
  bool too_large = false;
  for (std::size_t k = 0; k < touches.size(); ++k) {
    const Touch& t = touches[k];
    if (t.grip == 0) continue;
    Vec3 slip = dt * u[t.particle];
    for (int j = 1; j < t.vertices(); ++j) slip += dt * t.weight[j] * surface[t.vertex[j - 1]];
    force[k] = (t.drag * slip).norm();
    excess += std::max(force[k] - t.grip, 0.0), bound += t.grip;
    too_large = too_large || force[k] > (1 + one_over) * t.grip;
  }
  too_large = too_large || excess > over * bound;
  for (std::size_t k = 0; k < touches.size() && too_large; ++k) {
    Touch& t = touches[k];
    if (t.grip == 0) continue;
    const double per_slip = friction_f1_over_u(force[k] / (t.grip * t.per_slip), stick);
    t.drag *= per_slip / t.per_slip;
    t.per_slip = per_slip;
  }
  return too_large;
}

void add_loads(const std::vector<Touch>& touches, double share, bool barrier, const ContactMesh& mesh,
               const std::vector<Vec3>& vertices, const std::vector<Vec3>& u, const VertexVelocities& vertex_u,
               const VertexVelocities& slip_u, double dt, std::vector<LooseLoad>& loads) {
  for (const Touch& t : touches) {
    if (t.vertex[0] < 0) continue;
    FourNodes way{dt * u[t.particle], Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
    for (int c = 0; c < 3; ++c) way[1 + c] = dt * vertex_u[t.vertex[c]];
    Vec3 slip = way[0];
    for (int j = 1; j < 4; ++j) slip += dt * t.weight[j] * slip_u[t.vertex[j - 1]];
    for (int i = 1; i < 4; ++i) {
      Vec3 force = t.weight[i] * (t.drag * slip);
      if (barrier) force += t.barrier.gradient[i];
      for (int j = 0; j < 4 && barrier; ++j) force += t.barrier.hessian.block<3, 3>(3 * i, 3 * j) * way[j];
      const int vertex = t.vertex[i - 1];
      loads[mesh.part[vertex]].push(vertices[vertex], -share * force);
    }
  }
}

std::vector<Touch> find_touches(ContactMesh& mesh, const TouchInput& in, const TouchLaw& law) {
  fit_triangles(mesh, in.vertices, in.vertices);
  double thickest = 0;
  for (const ContactPart& part : mesh.parts) thickest = std::max(thickest, part.radius);
  std::vector<std::vector<Touch>> lists((in.x.size() + block - 1) / block);
  for_blocks(in.x.size(), block, [&](std::size_t begin, std::size_t end) {
    std::vector<Touch>& list = lists[begin / block];
    std::vector<int> near;
    for (std::size_t q = begin; q < end; ++q) {
      if (in.kappa[q] == 0) continue;
      const Vec3& x = in.x[q];
      const auto add = [&](const FourNodes& nodes, const SimplexDistance& closest, double offset,
                           const std::array<int, 3>& vertex, double more = 0) {
        const BarrierLaw barrier{.kappa = law.share * in.kappa[q], .reach = law.reach, .offset = offset};
        Touch& t = list.emplace_back();
        t.particle = std::uint32_t(q);
        t.vertex = vertex;
        t.barrier = barrier_term(nodes, closest, barrier, Hessian::projected);
        t.weight = closest.weight;
        FourNodes slip{in.slip[q], Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
        for (int c = 0; c < 3 && vertex[0] >= 0; ++c) slip[1 + c] = in.vertex_slip[vertex[c]];
        set_drag(closest, law.friction * (barrier_force(nodes, closest, barrier) + more), slip, in.stick, t);
      };
      near.clear();
      const Vec3 around = Vec3::Constant(law.reach + thickest);
      if (!mesh.tris.empty()) mesh.tri_tree.visit({x - around, x + around}, [&](int t) { near.push_back(t); });
      std::sort(near.begin(), near.end());
      for (const int t : near) {
        const Vec3i& v = mesh.tris[t];
        const FourNodes nodes{x, in.vertices[v[0]], in.vertices[v[1]], in.vertices[v[2]]};
        const SimplexDistance closest = point_triangle_distance(nodes);
        const double offset = mesh.parts[mesh.part[v[0]]].radius, reach = offset + law.reach;
        if (closest.squared < reach * reach) add(nodes, closest, offset, {v[0], v[1], v[2]});
      }
      for (int side = 0; side < 6; ++side) {
        const SimplexDistance closest = to_side(mesh.domain, x, side);
        const double ghost = law.friction > 0 && in.ghost ? in.ghost(q, side) : 0;
        if (ghost > 0 || closest.squared < law.reach * law.reach) add({x, x, x, x}, closest, 0, {-1, -1, -1}, ghost);
      }
    }
  });
  std::vector<Touch> all;
  for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

}  // namespace coracle
