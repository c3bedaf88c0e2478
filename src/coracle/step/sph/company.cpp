#include "coracle/step/sph/company.h"

#include "coracle/base/parallel.h"
#include "coracle/shape/ccd.h"

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

constexpr std::size_t grain = 256;

double thickest(const ContactMesh& mesh) {
  double radius = 0;
  for (const ContactPart& part : mesh.parts) radius = std::max(radius, part.radius);
  return radius;
}

Bounds way_of(const Ways& ways, std::size_t i, double around) {
  const Vec3 &x = ways.x[i], end = x + ways.dt * ways.v[i];
  return {x.cwiseMin(end) - Vec3::Constant(around), x.cwiseMax(end) + Vec3::Constant(around)};
}

void name_kind(const ContactMesh& mesh, const Bounds& box, Company& c) {
  const bool side = (box.lo.array() < mesh.domain.lo.array()).any() || (box.hi.array() > mesh.domain.hi.array()).any();
  if (c.kind == Company::none && (side || !c.triangles.empty())) c.kind = Company::given;
  for (const int t : c.triangles)
    if (mesh.tris[t][0] < mesh.nodes) c.kind = Company::bodies;
}

}  // namespace

std::vector<Company> find_company(ContactMesh& mesh, const Ways& predicted, double room) {
  fit_triangles(mesh, predicted.from, predicted.to);
  const double radius = thickest(mesh);
  std::vector<Company> company(predicted.x.size());
  for_each_index(
      company.size(),
      [&](std::size_t i) {
        if (predicted.held[i]) return;
        const Bounds box = way_of(predicted, i, room + radius);
        Company& c = company[i];
        const double way = predicted.dt * predicted.v[i].norm();
        const auto add = [&](int t) {
          const Vec3i& v = mesh.tris[t];
          double far = room + mesh.parts[mesh.part[v[0]]].radius + way, most = 0;
          for (const int k : v) most = std::max(most, (predicted.to[k] - predicted.from[k]).squaredNorm());
          far += std::sqrt(most);
          const FourNodes start{predicted.x[i], predicted.from[v[0]], predicted.from[v[1]], predicted.from[v[2]]};
          if (point_triangle_distance(start).squared < far * far) c.triangles.push_back(t);
        };
        if (!mesh.tris.empty()) mesh.tri_tree.visit(box, add);
        std::sort(c.triangles.begin(), c.triangles.end());
        name_kind(mesh, way_of(predicted, i, room), c);
      },
      grain);
  return company;
}

std::size_t add_missed(ContactMesh& mesh, const Ways& found, double reach, std::vector<Company>& company) {
  fit_triangles(mesh, found.from, found.to);
  const double radius = thickest(mesh);
  std::vector<char> missed(company.size(), 0);
  for_each_index(
      company.size(),
      [&](std::size_t i) {
        Company& c = company[i];
        if (found.held[i] || c.kind == Company::bodies) return;  // these were solved with all triangles
        const Vec3 way = found.dt * found.v[i];
        std::vector<int> more;
        const auto look = [&](int t) {
          if (std::binary_search(c.triangles.begin(), c.triangles.end(), t)) return;
          const Vec3i& v = mesh.tris[t];
          const double offset = mesh.parts[mesh.part[v[0]]].radius, near = offset + reach;
          FourNodes start{found.x[i], found.from[v[0]], found.from[v[1]], found.from[v[2]]}, end, u;
          u[0] = way, end[0] = start[0] + way;
          for (int k = 0; k < 3; ++k) u[1 + k] = found.to[v[k]] - found.from[v[k]], end[1 + k] = found.to[v[k]];
          if (point_triangle_distance(end).squared < near * near || point_triangle_ccd(start, u, {.gap = offset}) < 1)
            more.push_back(t);
        };
        if (!mesh.tris.empty()) mesh.tri_tree.visit(way_of(found, i, reach + radius), look);
        const Vec3 end = found.x[i] + way;
        const bool at_side =
            ((end - mesh.domain.lo).array() < reach).any() || ((mesh.domain.hi - end).array() < reach).any();
        if (more.empty() && !(at_side && c.kind == Company::none)) return;
        missed[i] = 1;
        c.triangles.insert(c.triangles.end(), more.begin(), more.end());
        std::sort(c.triangles.begin(), c.triangles.end());
        name_kind(mesh, way_of(found, i, reach), c);
      },
      grain);
  return std::size_t(std::count(missed.begin(), missed.end(), 1));
}

}  // namespace coracle
