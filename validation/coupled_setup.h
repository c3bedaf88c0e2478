// Bodies and rules that the cases of the coupled projection share.
#pragma once

#include "validation/case.h"
#include "validation/setup.h"
#include "validation/snapshot.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>
#include <vector>

namespace coracle::validation {

struct Rule {
  const char* name;
  Integrator integrator;
  double a0, a, d0, d, c0, c, at;  // at: θ_e
};
inline const Rule rules[] = {{"backward Euler", Integrator::backward_euler, 0, 1, 0, 1, 0, 1, 1},
                             {"trapezoidal", Integrator::trapezoidal, 0.5, 0.5, 0, 1, 0.5, 0.5, 1},
                             {"midpoint", Integrator::midpoint, 0.25, 0.25, 0.5, 0.5, 0.5, 0.5, 0.5}};

inline const std::vector<std::pair<CoupledForm, const char*>> forms{
    {CoupledForm::schur, "schur"}, {CoupledForm::spd, "spd"}, {CoupledForm::indefinite, "indefinite"}};

inline BodyOptions ball(const Vec3& center, double radius, double edge) {
  BodyOptions o;
  o.name = "ball";
  o.shape.kind = ShapeKind::sphere;
  o.shape.center = center;
  o.shape.radius = radius;
  o.edge = edge;
  o.density = 600;
  return o;
}

inline BodyOptions block(const Vec3& center, const Vec3& size, const Vec3i& cells, const Vec3& rotate = Vec3::Zero()) {
  BodyOptions o;
  o.name = "block";
  o.mesh = BodyMesh::grid6;
  o.shape.kind = ShapeKind::box;
  o.shape.center = center;
  o.shape.size = size;
  o.shape.rotate = rotate;
  o.cells = cells;
  o.density = 1700;
  return o;
}

inline HoldOptions pin(const Vec3& center, double radius) {
  HoldOptions hold;
  ShapeOptions around;
  around.kind = ShapeKind::sphere;
  around.center = center;
  around.radius = radius;
  hold.regions.push_back(around);
  return hold;
}

inline HoldOptions roller(BodySide side, const Vec3& normal) {
  HoldOptions hold;
  hold.kind = HoldKind::roller;
  hold.side = side;
  hold.normal = normal;
  return hold;
}

inline BodyOptions shell(const Vec3& center, double radius, double thickness, double edge) {
  BodyOptions o = ball(center, radius, edge);
  o.shape.kind = ShapeKind::hollow_sphere;
  o.shape.thickness = thickness;
  return o;
}

// Trouble ends the case.
inline void projected(Snapshot& s) {
  const CoupledReport report = s.project();
  if (!report.ok) throw std::runtime_error(report.trouble);
}

}  // namespace coracle::validation
