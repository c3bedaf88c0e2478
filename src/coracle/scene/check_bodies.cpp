// Rules for deformable bodies.
#include "coracle/scene/body_size.h"
#include "coracle/scene/checker.h"
#include "coracle/scene/nearest.h"
#include "coracle/scene/tables.h"
#include "coracle/shape/stuffing.h"

#include <algorithm>
#include <cmath>
#include <new>

namespace coracle {
namespace {

constexpr double most_tets = 1e7;   // of a body; its run would take tens of gigabytes
constexpr double other_units = 20;  // a body this many times larger than the domain may be in millimetres

std::string named(const BodyOptions& body) { return fmt::format("the body '{}'", body.name); }

std::string with_file(const BodyOptions& body) {
  return body.shape.kind == ShapeKind::mesh ? fmt::format("{} ('{}')", named(body), body.shape.file) : named(body);
}

// 0.0123 becomes 0.013.
double rounded_up(double value) {
  const double digit = std::pow(10, std::floor(std::log10(value)) - 1);
  return std::ceil(value / digit) * digit;
}

}  // namespace

void Checker::check_count(const BodyOptions& body, const Bounds& b) {
  if (body.mesh == BodyMesh::stuffed && expected_tets((b.hi - b.lo).prod(), body.edge) <= most_tets) return;  // quick
  const double count = expected_tets(body);
  if (count <= most_tets) return;
  if (body.mesh == BodyMesh::stuffed)
    problem(
        body.place, "edge",
        "an edge of {:.3g} m would give {} about {:.2g} tetrahedra, and {:.0e} are the most; use an edge of {:.2g} m",
        body.edge, with_file(body), count, most_tets, rounded_up(body.edge * std::cbrt(count / most_tets)));
  else
    problem(body.place, "cells",
            "{} x {} x {} cubes would give {} {:.2g} tetrahedra, and {:.0e} are the most; use {:.2g} times as many "
            "along each side",
            body.cells.x(), body.cells.y(), body.cells.z(), named(body), count, most_tets,
            std::floor(100 * std::cbrt(most_tets / count)) / 100);
}

// Whether the body lies in the domain.
bool Checker::check_place(const BodyOptions& body, const Bounds& b) {
  const ShapeOptions& shape = body.shape;
  const bool from_file = shape.kind == ShapeKind::mesh;
  for (int a = 0; a < axes(); ++a)
    for (const bool high : {false, true}) {
      const double reach = high ? b.hi[a] - domain->hi[a] : domain->lo[a] - b.lo[a];
      if (!(reach > margin())) continue;
      const double times = (b.hi - b.lo).maxCoeff() / (domain->hi - domain->lo).head(axes()).maxCoeff();
      std::string remedy = from_file ? "change 'translate' or 'scale', or make the domain larger"
                                     : "move it, make it smaller, or make the domain larger";
      if (from_file && times > other_units)
        remedy =
            fmt::format("lengths are in metres; if the file is in millimetres, set scale = {:.6g}", 1e-3 * shape.scale);
      problem(shape.place, "shape", "{} reaches out of the domain in {}: to {:.6g} m, beyond {:.6g} m; {}",
              with_file(body), "xyz"[a], high ? b.hi[a] : b.lo[a], high ? domain->hi[a] : domain->lo[a], remedy);
      return false;
    }
  return true;
}

void Checker::check_render(const BodyOptions& body, const std::optional<Bounds>& own) {
  if (body.render.empty()) return;
  std::string reason;
  try {
    Bounds b;
    for (const Vec3& x : read_tri_mesh(body.render).x) b.extend(x);
    if (own && (((b.lo - own->hi).array() > 0).any() || ((own->lo - b.hi).array() > 0).any()))
      reason = "lies apart from it; save it at the place and in the size of the body at rest, in metres";
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    reason = fmt::format("cannot be read: {}", one_line(error.what(), 300));
  }
  if (!reason.empty())
    problem(body.place, "render", "the surface '{}' to show for {} {}", body.render, named(body), reason);
}

void Checker::check_bodies() {
  for (const BodyOptions& body : scene.bodies) {
    if (places.doubtful(body.place)) continue;
    const ShapeOptions& shape = body.shape;
    if (shape.kind == ShapeKind::half_space)
      problem(shape.place, "shape", "a half_space cannot be a body, it has no end; use a box");
    const bool makes_shape = body.mesh == BodyMesh::stuffed || shape.kind == ShapeKind::box;
    if (!makes_shape)
      problem(body.place, "mesh", "'mesh' = '{}' makes boxes only; leave it out to mesh a {}",
              words(body.mesh)[int(body.mesh)], words(shape.kind)[int(shape.kind)]);
    for (const auto& [key, field] :
         {std::pair("start_displacement", &body.start_displacement), {"start_velocity", &body.start_velocity}})
      if (!field->empty() && field->size() != 3)
        problem(body.place, key, "'{}' must have three formulas, not {}", key, field->size());
    for (const HoldOptions& hold : body.holds) {
      for (const MotionOptions& motion : hold.motions) check_motion(motion);
      for (const ShapeOptions& region : hold.regions)
        if (!places.doubtful(region.place)) check_meshes(region, "a hold of " + named(body));
      if (!places.doubtful(hold.place) && (hold.side == BodySide::none) == hold.regions.empty())
        problem(hold.place, "side", "a hold needs either 'side' or [[body.hold.region]]s");
    }
    for (const SolidOptions& solid : scene.solids)
      if (!body.name.empty() && solid.name == body.name)
        problem(body.place, "name", "the name '{}' belongs to a solid already", body.name);
    if (!makes_shape) continue;
    const std::optional<Bounds> b = bounds_of(shape, named(body), body.mesh == BodyMesh::stuffed);
    if (b && shape.kind != ShapeKind::half_space && check_place(body, *b)) check_count(body, *b);
    check_render(body, b);
  }
}

}  // namespace coracle
