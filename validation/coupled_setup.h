// Bodies and integration rules that the cases of the coupled projection share.
#pragma once

#include "validation/case.h"
#include "validation/setup.h"
#include "validation/snapshot.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>
#include <vector>

namespace coracle::validation {

// The weights of an integrator (step/body/body_problem.h).
struct Rule {
  const char* name;
  Integrator integrator;
  double d0, d;  // damping acts on d₀ vⁿ + d v
  double c0, c;  // nodes move by c₀ vⁿ + c v
  double at;     // θ_e: the elastic force acts at x + θ_e Δt (c₀ vⁿ + c v)
};
inline const Rule rules[] = {
    {.name = "backward Euler", .integrator = Integrator::backward_euler, .d0 = 0, .d = 1, .c0 = 0, .c = 1, .at = 1},
    {.name = "trapezoidal", .integrator = Integrator::trapezoidal, .d0 = 0, .d = 1, .c0 = 0.5, .c = 0.5, .at = 1},
    {.name = "midpoint", .integrator = Integrator::midpoint, .d0 = 0.5, .d = 0.5, .c0 = 0.5, .c = 0.5, .at = 0.5}};

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

// Throws if the projection fails, which ends the case.
inline void projected(Snapshot& s) {
  const CoupledReport report = s.project();
  if (!report.ok) throw std::runtime_error(report.trouble);
}

}  // namespace coracle::validation
