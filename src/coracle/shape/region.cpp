#include "coracle/shape/region.h"

#include "coracle/base/parallel.h"
#include "coracle/shape/closest.h"
#include "coracle/shape/distance.h"
#include "coracle/shape/region_view.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace coracle {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Vec3 turned_axis(const ShapeOptions& s) { return rotation_xyz(s.rotate) * s.axis.normalized(); }

Bounds around(const Vec3& center, const Vec3& half) { return {center - half, center + half}; }

// Half extent along each axis a of a disc with radius r and normal w: r √(1 − wₐ²).
Vec3 disc(double radius, const Vec3& w) { return radius * (1 - w.array().square()).max(0).sqrt(); }

Bounds half_space_bounds(const ShapeOptions& s) {
  Bounds b = {Vec3::Constant(-infinity), Vec3::Constant(infinity)};
  for (int a = 0; a < 3; ++a)
    if (s.normal[(a + 1) % 3] == 0 && s.normal[(a + 2) % 3] == 0) (s.normal[a] > 0 ? b.hi : b.lo)[a] = s.point[a];
  return b;
}

Bounds mesh_bounds(const TriMesh& mesh) {
  Bounds b;
  for (const Vec3& x : mesh.x) b.extend(x);
  return b;
}

double sampled_volume(const ShapeOptions& s) {
  constexpr int n = 32;  // samples per side of the bounds
  const Region region(s);
  const Bounds& b = region.bounds();
  const Vec3 step = (b.hi - b.lo) / n;
  if (!step.allFinite()) return infinity;
  const double hits = sum_blocks(
      std::size_t(n) * n,
      [&](std::size_t begin, std::size_t end) {
        double count = 0;
        for (std::size_t row = begin; row < end; ++row)
          for (int i = 0; i < n; ++i)
            count += region.contains(b.lo + step.cwiseProduct(Vec3(i + 0.5, int(row % n) + 0.5, int(row / n) + 0.5)));
        return count;
      },
      64);
  return hits * step.prod();
}

}  // namespace

Bounds shape_bounds(const ShapeOptions& s) {
  switch (s.kind) {
    case ShapeKind::box:
      return around(s.center, rotation_xyz(s.rotate).cwiseAbs() * (0.5 * s.size));
    case ShapeKind::sphere:
      return around(s.center, Vec3::Constant(s.radius));
    case ShapeKind::cylinder: {
      const Vec3 w = turned_axis(s);
      return around(s.center, disc(s.radius, w) + 0.5 * s.height * w.cwiseAbs());
    }
    case ShapeKind::torus:
      return around(s.center, disc(s.radius, turned_axis(s)) + Vec3::Constant(s.tube));
    case ShapeKind::hollow_sphere:
      return around(s.center, Vec3::Constant(s.radius));
    case ShapeKind::half_space:
      return half_space_bounds(s);
    case ShapeKind::mesh:
      return mesh_bounds(shape_mesh(s, 1));
    case ShapeKind::union_of:
    case ShapeKind::smooth_union: {
      Bounds b;
      for (const ShapeOptions& part : s.parts) {
        const Bounds inner = shape_bounds(part);
        b.lo = b.lo.cwiseMin(inner.lo);
        b.hi = b.hi.cwiseMax(inner.hi);
      }
      if (s.kind == ShapeKind::smooth_union) {
        const Vec3 fillets = Vec3::Constant(blend_reach(s));
        b.lo -= fillets;
        b.hi += fillets;
      }
      return b;
    }
    case ShapeKind::difference:
      return s.parts.empty() ? Bounds() : shape_bounds(s.parts[0]);
    case ShapeKind::intersection: {
      if (s.parts.empty()) return {};
      Bounds b = shape_bounds(s.parts[0]);
      for (std::size_t i = 1; i < s.parts.size(); ++i) {
        const Bounds other = shape_bounds(s.parts[i]);
        b.lo = b.lo.cwiseMax(other.lo);
        b.hi = b.hi.cwiseMin(other.hi);
      }
      return b;
    }
    case ShapeKind::rectangle:
    case ShapeKind::net:
      return around(s.center, 0.5 * (s.along.cwiseAbs() + s.across.cwiseAbs()));
    case ShapeKind::line: {
      Bounds b;
      for (const Vec3& x : s.points) b.extend(x);
      return b;
    }
  }
  return {};
}

double shape_volume(const ShapeOptions& s) {
  constexpr double pi = std::numbers::pi;
  switch (s.kind) {
    case ShapeKind::box:
      return s.size.prod();
    case ShapeKind::sphere:
      return 4 * pi / 3 * std::pow(s.radius, 3);
    case ShapeKind::cylinder:
      return pi * s.radius * s.radius * s.height;
    case ShapeKind::torus:
      return 2 * pi * pi * s.radius * s.tube * s.tube;
    case ShapeKind::hollow_sphere:
      return 4 * pi / 3 * (std::pow(s.radius, 3) - std::pow(std::max(0.0, s.radius - s.thickness), 3));
    case ShapeKind::half_space:
      return infinity;
    case ShapeKind::mesh:
      return enclosed_volume(shape_mesh(s, 1));
    case ShapeKind::union_of:
    case ShapeKind::smooth_union:
    case ShapeKind::difference:
    case ShapeKind::intersection:
      return sampled_volume(s);
    case ShapeKind::rectangle:
    case ShapeKind::net:
    case ShapeKind::line:
      return 0;
  }
  return 0;
}

TriMesh shape_mesh(const ShapeOptions& s, double edge) {
  const Mat3 rotation = rotation_xyz(s.rotate);
  switch (s.kind) {
    case ShapeKind::box: {
      TriMesh mesh = box_mesh(-0.5 * s.size, 0.5 * s.size);
      transform(mesh, 1, rotation, s.center);
      return mesh;
    }
    case ShapeKind::sphere:
      return sphere_mesh(s.center, s.radius, edge);
    case ShapeKind::cylinder:
      return cylinder_mesh(s.center, turned_axis(s), s.radius, s.height, edge);
    case ShapeKind::torus:
      return torus_mesh(s.center, turned_axis(s), s.radius, s.tube, edge);
    case ShapeKind::hollow_sphere:
      return hollow_sphere_mesh(s.center, s.radius, s.thickness, edge);
    case ShapeKind::mesh: {
      TriMesh mesh = read_tri_mesh(s.file);
      transform(mesh, s.scale, rotation, s.translate);
      return mesh;
    }
    default:
      throw std::runtime_error("this shape has no closed surface of its own");
  }
}

Region::Region(const ShapeOptions& shape)
    : shape_(shape), to_local_(rotation_xyz(shape.rotate).transpose()), axis_(Vec3::UnitY()) {
  if (shape.kind != ShapeKind::smooth_union)
    for (const ShapeOptions& part : shape.parts) parts_.emplace_back(part);
  if (shape.kind == ShapeKind::cylinder || shape.kind == ShapeKind::torus) axis_ = turned_axis(shape);
  if (shape.kind == ShapeKind::smooth_union) distance_ = std::make_shared<const ShapeDistance>(shape);
  if (shape.kind == ShapeKind::mesh)
    *this = Region(shape_mesh(shape, 1));
  else
    bounds_ = shape_bounds(shape);
}

Region::Region(const TriMesh& mesh)
    : bounds_(mesh_bounds(mesh)),
      to_local_(Mat3::Identity()),
      axis_(Vec3::UnitY()),
      tree_(std::make_shared<const TriTree>(mesh.x, mesh.tris)) {
  shape_.kind = ShapeKind::mesh;
}

bool Region::contains(const Vec3& x) const {
  switch (shape_.kind) {
    case ShapeKind::union_of:
      for (const Region& part : parts_)
        if (part.contains(x)) return true;
      return false;
    case ShapeKind::difference:
      if (parts_.empty() || !parts_[0].contains(x)) return false;
      for (std::size_t i = 1; i < parts_.size(); ++i)
        if (parts_[i].contains(x)) return false;
      return true;
    case ShapeKind::smooth_union:
      return (*distance_)(x) <= 0;
    case ShapeKind::intersection:
      return !parts_.empty() &&
             std::all_of(parts_.begin(), parts_.end(), [&](const Region& part) { return part.contains(x); });
    default:
      return shape_contains(shape_, to_local_, axis_, bounds_, tree_ ? tree_->view() : TreeView(), x);
  }
}

bool Region::steps(std::vector<RegionStep>& out, int waiting) const {
  constexpr int most_waiting = 64;  // bits of steps_contain
  if (shape_.kind == ShapeKind::smooth_union || waiting >= most_waiting) return false;
  const bool whole = has_parts(shape_.kind);
  if (!whole || parts_.empty()) {
    RegionStep step;
    step.view = {.kind = shape_.kind,
                 .center = shape_.center,
                 .size = shape_.size,
                 .point = shape_.point,
                 .normal = shape_.normal,
                 .radius = shape_.radius,
                 .height = shape_.height,
                 .tube = shape_.tube,
                 .thickness = shape_.thickness};
    step.to_local = to_local_, step.axis = axis_, step.bounds = bounds_;
    if (tree_) step.tree = tree_->view();
    out.push_back(step);
    return true;
  }
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (!parts_[i].steps(out, waiting + (i > 0))) return false;
    if (i == 0) continue;
    out.emplace_back().kind = shape_.kind == ShapeKind::union_of     ? RegionStep::either
                              : shape_.kind == ShapeKind::difference ? RegionStep::without
                                                                     : RegionStep::both;
  }
  return true;
}

}  // namespace coracle
