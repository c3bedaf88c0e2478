// Rules for deformable bodies.
#include "coracle/scene/body_size.h"
#include "coracle/scene/checker.h"
#include "coracle/scene/layers.h"
#include "coracle/scene/nearest.h"
#include "coracle/scene/tables.h"
#include "coracle/shape/stuffing.h"
#include "coracle/shape/thin_meshes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

namespace coracle {
namespace {

constexpr double most_elements = 1e7;   // of a body; its run would take tens of gigabytes
constexpr double shortest_wave = 1e-6;  // m, of a muscle's activation
constexpr double other_units = 20;      // a body this many times larger than the domain may be in millimetres

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
  if (body.kind != BodyKind::solid) {
    const BodySize size = expected_size(body);
    const bool rod = body.kind == BodyKind::rod;
    const double count = size.triangles + size.segments;
    if (count > most_elements)
      problem(body.place, "edge",
              "an edge of {:.3g} m would give {} about {:.2g} {}, and {:.0e} are the most; use an edge of {:.2g} m",
              body.edge, with_file(body), count, rod ? "segments" : "triangles", most_elements,
              rounded_up(body.edge * std::pow(count / most_elements, rod ? 1.0 : 0.5)));
  } else if (body.mesh == BodyMesh::stuffed && expected_tets((b.hi - b.lo).prod(), body.edge) <= most_elements) {
    return;  // quick
  }
  const double count = expected_tets(body);
  if (count <= most_elements) return;
  if (body.kind == BodyKind::rigid || body.mesh == BodyMesh::stuffed)
    problem(
        body.place, "edge",
        "an edge of {:.3g} m would give {} about {:.2g} tetrahedra, and {:.0e} are the most; use an edge of {:.2g} m",
        body.edge, with_file(body), count, most_elements, rounded_up(body.edge * std::cbrt(count / most_elements)));
  else
    problem(body.place, "cells",
            "{} x {} x {} cubes would give {} {:.2g} tetrahedra, and {:.0e} are the most; use {:.2g} times as many "
            "along each side",
            body.cells.x(), body.cells.y(), body.cells.z(), named(body), count, most_elements,
            std::floor(100 * std::cbrt(most_elements / count)) / 100);
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

// Whether a sheet or a rope can be made, and lies in the domain.
void Checker::check_thin(const BodyOptions& body) {
  try {
    Bounds b;
    if (body.shape.kind == ShapeKind::mesh) {
      constexpr double as_it_is = std::numeric_limits<double>::infinity();
      const bool shell = body.kind == BodyKind::shell;
      for (const Vec3& x : shell ? sheet_of(body.shape, as_it_is).x : lines_of(body.shape, as_it_is).x) b.extend(x);
    } else {
      b = shape_bounds(body.shape);
    }
    const double length = (b.hi - b.lo).norm();
    if (body.kind == BodyKind::rod && !(length > 2 * body.rod_radius))
      problem(body.place, "rod_radius",
              "{} is {:.6g} m thick and {:.6g} m long; a rod must be longer than it is thick: make 'rod_radius' "
              "smaller, or use a solid",
              with_file(body), 2 * body.rod_radius, length);
    if (domain && check_place(body, b)) check_count(body, b);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    problem(body.shape.place, body.shape.kind == ShapeKind::mesh ? "file" : "shape", "{} cannot be made: {}",
            with_file(body), one_line(error.what(), 300));
  }
}

// Whether the options of a body belong to its kind.
bool Checker::check_kind(const BodyOptions& body) {
  const std::size_t before = problems.size();
  const ShapeOptions& shape = body.shape;
  const char* kind = words(body.kind)[int(body.kind)];
  const char* form = words(shape.kind)[int(shape.kind)];
  const BodyOptions usual;
  const auto only_for = [&](BodyKind owner, const char* key, bool set) {
    if (body.kind != owner && set)
      problem(body.place, key, "'{}' belongs to kind = '{}', and {} has kind = '{}'", key, words(owner)[int(owner)],
              named(body), kind);
  };
  only_for(BodyKind::shell, "shell_thickness", body.shell_thickness > 0);
  only_for(BodyKind::rod, "rod_radius", body.rod_radius > 0);
  only_for(BodyKind::solid, "mesh", body.mesh != usual.mesh);
  only_for(BodyKind::solid, "cells", body.cells != usual.cells);
  only_for(BodyKind::solid, "element", body.element != usual.element);
  only_for(BodyKind::solid, "material", body.material != usual.material);
  if (body.kind != BodyKind::solid && body.kind != BodyKind::rigid && !body.render.empty())
    problem(body.place, "render", "a {} shows itself: leave out 'render'", kind);
  switch (body.kind) {
    case BodyKind::solid:
    case BodyKind::rigid:
      if (is_thin(shape.kind))
        problem(shape.place, "shape", "a {} has no volume; for {} set kind = '{}'", form,
                shape.kind == ShapeKind::rectangle ? "a sheet" : "ropes",
                shape.kind == ShapeKind::rectangle ? "shell" : "rod");
      if (body.kind == BodyKind::rigid)
        for (const auto& [key, set] : {std::pair("young", body.young != usual.young),
                                       {"poisson", body.poisson != usual.poisson},
                                       {"damping_stiffness", body.damping_stiffness > 0},
                                       {"stretch", body.stretch != usual.stretch},
                                       {"start_displacement", !body.start_displacement.empty()},
                                       {"start_file", !body.start_file.empty()}})
          if (set) problem(body.place, key, "{} is rigid and does not deform: leave out '{}'", named(body), key);
      break;
    case BodyKind::shell:
      if (shape.kind == ShapeKind::line || shape.kind == ShapeKind::net || shape.kind == ShapeKind::half_space ||
          has_parts(shape.kind) || shape.kind == ShapeKind::hollow_sphere)
        problem(shape.place, "shape",
                "a {} cannot be a shell; use a rectangle, a sphere, box, cylinder or torus, whose surface it is, or a "
                "mesh",
                form);
      if (!(body.shell_thickness > 0))
        problem(body.place, "kind", "{} is a shell and needs its thickness: set 'shell_thickness', in m", named(body));
      if (body.poisson < 0)
        problem(body.place, "poisson", "'poisson' of a shell must not be below 0, and is {}", body.poisson);
      break;
    case BodyKind::rod:
      if (shape.kind != ShapeKind::line && shape.kind != ShapeKind::net && shape.kind != ShapeKind::mesh)
        problem(shape.place, "shape", "a {} cannot be a rod; use a line, a net, or a mesh with lines (OBJ)", form);
      if (!(body.rod_radius > 0))
        problem(body.place, "kind", "{} is a rod and needs its radius: set 'rod_radius', in m", named(body));
      if (shape.kind == ShapeKind::line && shape.points.size() < 2)
        problem(shape.place, "points", "a line needs two points or more, and has {}", shape.points.size());
      if (shape.kind == ShapeKind::net && body.rod_radius > 0 && !(shape.spacing > 2 * body.rod_radius))
        problem(shape.place, "spacing", "the ropes of {} are {:.6g} m thick and must be further apart than {:.6g} m",
                named(body), 2 * body.rod_radius, shape.spacing);
      break;
  }
  const bool sheet = shape.kind == ShapeKind::rectangle || shape.kind == ShapeKind::net;
  if (sheet && std::abs(shape.along.dot(shape.across)) > 1e-6 * shape.along.norm() * shape.across.norm())
    problem(shape.place, "across", "'along' and 'across' must be at right angles");
  const bool thin = body.kind == BodyKind::shell || body.kind == BodyKind::rod;
  if (body.kind == BodyKind::shell && has_fluid(scene) && fluid_kind(scene) != FluidKind::sph)
    problem(
        body.place, "kind",
        "{} is a shell, and fluids on a grid need bodies with a volume: use a solid, method = 'proxy', or leave out "
        "the fluid",
        named(body));
  if (body.kind != BodyKind::solid && scene.method == Method::simultaneous)
    problem(body.place, "kind", "a {} needs Newton's method, which method = 'simultaneous' does not have", kind);
  else if (thin && scene.contact.kind == ContactKind::penalty)
    problem(scene.contact.place, "kind",
            "'kind' = 'penalty' needs an inside and an outside, and {} has none; leave it out to have barrier contact",
            named(body));
  if (body.kind == BodyKind::rigid && scene.solver.form != CoupledForm::schur)
    problem(scene.solver.place, "form", "rigid bodies need form = 'schur': leave out 'form'");
  const bool told = scene.contact.kind == ContactKind::barrier;  // that the barrier needs it
  if (body.kind != BodyKind::solid && scene.method != Method::simultaneous && !scene.elastic.newton && !told)
    problem(scene.elastic.place, "newton",
            "a {} needs Newton's method, without which it does not turn freely: leave out newton = false", kind);
  return problems.size() == before;
}

void Checker::check_attachments() {
  for (const AttachmentOptions& a : scene.attachments) {
    if (places.doubtful(a.place)) continue;
    const auto known = [&](const char* key, const std::string& name) {
      if (std::none_of(scene.bodies.begin(), scene.bodies.end(), [&](const BodyOptions& b) { return b.name == name; }))
        problem(a.place, key, "there is no body '{}'", name);
    };
    known("body", a.body);
    known("to", a.to);
    if (a.body == a.to) problem(a.place, "to", "'{}' cannot be tied to itself", a.body);
    if (scene.solver.form != CoupledForm::schur)
      problem(scene.solver.place, "form", "attachments need form = 'schur': leave out 'form'");
    if (a.points.empty()) problem(a.place, "points", "an attachment needs one point or more");
  }
}

void Checker::check_muscles(const BodyOptions& body) {
  if (!body.muscles.empty() && body.kind != BodyKind::solid)
    problem(body.muscles[0].place, "name", "only a body of kind 'solid' can have muscles; {} is none", named(body));
  for (std::size_t m = 0; m < body.muscles.size(); ++m) {
    const MuscleOptions& muscle = body.muscles[m];
    for (const ShapeOptions& region : muscle.regions)
      if (!places.doubtful(region.place)) check_meshes(region, "a muscle of " + named(body));
    if (!(muscle.end > muscle.start)) problem(muscle.place, "end", "'end' must be later than 'start'");
    if (muscle.wavelength > 0 && muscle.wavelength < shortest_wave)
      problem(muscle.place, "wavelength", "'wavelength' must be at least {} m, or 0: all of the muscle acts at once",
              shortest_wave);
    for (std::size_t other = 0; other < m; ++other)
      if (!muscle.name.empty() && body.muscles[other].name == muscle.name)
        problem(muscle.place, "name", "two muscles of {} are named '{}'", named(body), muscle.name);
  }
}

void Checker::check_bodies() {
  check_attachments();
  for (const BodyOptions& body : scene.bodies) {
    if (places.doubtful(body.place)) continue;
    const ShapeOptions& shape = body.shape;
    const bool right_kind = check_kind(body);
    if (shape.kind == ShapeKind::half_space && body.kind != BodyKind::shell && body.kind != BodyKind::rod)
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
    check_muscles(body);
    for (const SolidOptions& solid : scene.solids)
      if (!body.name.empty() && solid.name == body.name)
        problem(body.place, "name", "the name '{}' belongs to a solid already", body.name);
    if (!makes_shape || !right_kind) continue;
    if (body.kind == BodyKind::shell || body.kind == BodyKind::rod) {
      check_thin(body);
      continue;
    }
    const std::optional<Bounds> b = bounds_of(shape, named(body), body.mesh == BodyMesh::stuffed);
    if (b && shape.kind != ShapeKind::half_space && check_place(body, *b)) check_count(body, *b);
    check_render(body, b);
  }
}

}  // namespace coracle
