#include "coracle/scene/validate.h"

#include "coracle/scene/animation.h"
#include "coracle/scene/check_fields.h"
#include "coracle/scene/checker.h"
#include "coracle/scene/nearest.h"
#include "coracle/scene/tables.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace coracle {

constexpr double most_cells = 1073741824;  // 2³⁰: cell indices are 32-bit ints in several places

void Checker::check_domain() {
  const DomainOptions& d = scene.domain;
  const auto doubtful = [&](const char* key) { return places.doubtful(d.place, key); };
  if (places.doubtful(d.place)) {  // its box may still be valid
    if (!doubtful("min") && !doubtful("max") && !doubtful("slab") && (d.max - d.min).minCoeff() > 0)
      domain = Bounds{d.min, d.max};
    return;
  }
  const Vec3 side = d.max - d.min;
  for (int a = 0; a < axes(); ++a)
    if (!(side[a] > 0))
      return problem(d.place, "max", "the domain has no extent in {}: 'max' must be above 'min'", "xyz"[a]);
  const double dx = side.head(axes()).maxCoeff() / d.resolution;
  double cells = 1;
  for (int a = 0; a < 3; ++a) cells *= a < axes() ? std::max(1.0, std::ceil(side[a] / dx - slack)) : d.slab;
  if (cells > most_cells) {
    const double fit = std::floor(d.resolution * std::pow(most_cells / cells, 1.0 / axes()));
    return problem(d.place, "resolution",
                   "the grid would have {:.3g} cells, and {:.3g} are the most; lower 'resolution' to {}", cells,
                   most_cells, fit);
  }
  if (d.slab > d.resolution)
    return problem(d.place, "slab", "a slab {} cells deep and {} cells long is no 2-D case; set slab = 0 for 3-D",
                   d.slab, d.resolution);
  domain = Bounds{d.min, d.max};
  if (d.slab > 0) domain->hi.z() = d.min.z() + d.slab * dx;
}

void Checker::check_times() {
  const TimeOptions& t = scene.time;
  if (!places.doubtful(t.place) && !(t.min_dt < t.max_dt))
    problem(t.place, "min_dt", "'min_dt' ({} s) must be below 'max_dt' ({} s)", t.min_dt, t.max_dt);
  const auto check_span = [&](const auto& i, const char* what) {
    if (!places.doubtful(i.place) && !(i.start < i.end))
      problem(i.place, "end", "the {}'s 'end' ({} s) must come after its 'start' ({} s)", what, i.end, i.start);
  };
  for (const InflowOptions& i : scene.inflows) check_span(i, "inflow");
  for (const JetOptions& j : scene.jets) check_span(j, "jet");
}

bool Checker::check_sizes(const ShapeOptions& shape) {
  bool fine = true;
  for (const ShapeOptions& part : shape.parts) fine = check_sizes(part) && fine;
  if (places.doubtful(shape.place)) return false;
  if (is_thin(shape.kind)) {
    problem(shape.place, "shape", "a {} has no volume: it can only be a body, with kind = 'shell' or 'rod'",
            words(shape.kind)[int(shape.kind)]);
    return false;
  }
  if (shape.kind == ShapeKind::torus && !(shape.tube < shape.radius)) {
    problem(shape.place, "tube", "'tube' ({} m) must be below 'radius' ({} m): the torus would meet itself", shape.tube,
            shape.radius);
    return false;
  }
  if (shape.kind == ShapeKind::hollow_sphere && !(shape.thickness < shape.radius)) {
    problem(shape.place, "thickness", "'thickness' ({} m) must be below 'radius' ({} m); for a full ball use a sphere",
            shape.thickness, shape.radius);
    return false;
  }
  return fine;
}

// Whether the parts of every intersection have something in common.
bool Checker::check_common(const ShapeOptions& shape) {
  bool fine = true;
  for (const ShapeOptions& part : shape.parts) fine = check_common(part) && fine;
  if (shape.kind != ShapeKind::intersection || !fine) return fine;
  const Bounds b = shape_bounds(shape);
  if ((b.lo.array() < b.hi.array()).all()) return true;
  problem(shape.place, "parts", "the parts have nothing in common: their intersection is empty; move or enlarge one");
  return false;
}

bool Checker::misses_domain(const Bounds& b) const {
  for (int a = 0; a < axes(); ++a)
    if (b.hi[a] <= domain->lo[a] || b.lo[a] >= domain->hi[a]) return true;
  return false;
}

void Checker::check_inside(const ShapeOptions& shape, const Bounds& b) {
  for (int a = 0; a < axes(); ++a)
    for (const bool high : {false, true}) {
      const double reach = high ? b.hi[a] - domain->hi[a] : domain->lo[a] - b.lo[a];
      if (reach > margin())
        return problem(shape.place, "shape",
                       "liquid outside the domain: the {} reaches {} = {:.9g} m, the domain ends at {:.9g} m",
                       words(shape.kind)[int(shape.kind)], "xyz"[a], high ? b.hi[a] : b.lo[a],
                       high ? domain->hi[a] : domain->lo[a]);
    }
}

void Checker::check_motion(const MotionOptions& m) {
  if (places.doubtful(m.place)) return;
  if (m.kind != MotionKind::keyframes) {
    if (!(m.start < m.end))
      problem(m.place, "end", "the motion's 'end' ({} s) must come after its 'start' ({} s)", m.end, m.start);
    return;
  }
  if (m.times.empty()) return problem(m.place, "times", "'times' must not be empty");
  for (std::size_t i = 1; i < m.times.size(); ++i)
    if (!(m.times[i - 1] < m.times[i]))
      return problem(m.place, "times", "'times' must increase: {} s is followed by {} s", m.times[i - 1], m.times[i]);
  if (m.offsets.empty() && m.angles.empty()) problem(m.place, "times", "keyframes need 'offsets' or 'angles'");
  const auto check_count = [&](const char* key, std::size_t count) {
    if (count != 0 && count != m.times.size())
      problem(m.place, key, "'{}' has {} entries for {} times; one per time is needed", key, count, m.times.size());
  };
  check_count("offsets", m.offsets.size());
  check_count("angles", m.angles.size());
}

void Checker::check_solids() {
  for (const SolidOptions& solid : scene.solids) {
    for (const MotionOptions& motion : solid.motions) check_motion(motion);
    const ShapeOptions& shape = solid.shape;
    if (places.doubtful(shape.place) || check_animation(solid)) continue;
    if (shape.kind == ShapeKind::half_space) {
      problem(shape.place, "shape", "a half_space cannot be a solid, it has no closed surface; use a large box");
    } else if (has_parts(shape.kind)) {
      problem(shape.place, "shape", "{} {} cannot be a solid; use several solids",
              shape.kind == ShapeKind::intersection ? "an" : "a", words(shape.kind)[int(shape.kind)]);
    } else if (const std::optional<Bounds> b = bounds_of(shape, fmt::format("the solid '{}'", solid.name));
               b && misses_domain(*b) && solid.motions.empty()) {
      problem(shape.place, "shape", "the solid '{}' lies wholly outside the domain and never moves", solid.name);
    }
  }
}

void Checker::check_contact() {
  if (scene.contact.kind != ContactKind::barrier || places.doubtful(scene.contact.place)) return;
  if (scene.method == Method::simultaneous)
    problem(scene.contact.place, "kind",
            "'kind' = 'barrier' needs Newton's method, which method = 'simultaneous' does not have; take 'penalty' or "
            "method = 'cutcell'");
  else if (!scene.elastic.newton && !places.doubtful(scene.elastic.place))
    problem(scene.elastic.place, "newton", "contact.kind = 'barrier' needs Newton's method: leave out newton = false");
}

void Checker::check_coupling() {
  if (scene.method == Method::simultaneous && !places.doubtful(scene.solver.place)) {
    if (scene.solver.form == CoupledForm::spd)
      problem(scene.solver.place, "form",
              "'form' = 'spd' needs a symmetric system, and that of method = 'simultaneous' is not; take 'schur' or "
              "'indefinite'");
    if (scene.solver.coupling == CouplingStrength::damping_only)
      problem(scene.solver.place, "coupling",
              "'coupling' = 'damping_only' belongs to method = 'cutcell'; take 'strong' or 'weak'");
    if (scene.elastic.newton && !places.doubtful(scene.elastic.place))
      problem(scene.elastic.place, "newton",
              "Newton's method goes down a potential, which the system of method = 'simultaneous' does not have; take "
              "newton = false or method = 'cutcell'");
  }
  if (scene.solver.coupling != CouplingStrength::damping_only || scene.method != Method::cutcell ||
      places.doubtful(scene.solver.place))
    return;
  if (scene.elastic.integrator != Integrator::backward_euler || scene.elastic.newton)
    problem(scene.solver.place, "coupling",
            "'coupling' = 'damping_only' takes elasticity in a step of its own: it needs elastic.integrator = "
            "'backward_euler' and no Newton's method");
}

void Checker::check_point(const ProbeOptions& probe, const char* key, const Vec3& x) {
  for (int a = 0; a < axes(); ++a)
    if (x[a] < domain->lo[a] - margin() || x[a] > domain->hi[a] + margin())
      return problem(probe.place, key, "'{}' lies outside the domain: {} = {:.9g} m is not between {:.9g} and {:.9g}",
                     key, "xyz"[a], x[a], domain -> lo[a], domain -> hi[a]);
}

void Checker::check_moves_with(const ProbeOptions& probe) {
  std::vector<std::string> names;
  for (const SolidOptions& s : scene.solids) names.push_back(s.name);
  for (const SolidOptions& s : scene.solids)
    if (s.name == probe.moves_with && is_animated(s) && s.motions.empty())
      return problem(probe.place, "moves_with",
                     "the solid '{}' is animated, and a probe follows the [[solid.motion]] of a solid alone; give the "
                     "place without 'moves_with'",
                     s.name);
  if (std::find(names.begin(), names.end(), probe.moves_with) != names.end()) return;
  const bool body = std::any_of(scene.bodies.begin(), scene.bodies.end(),
                                [&](const BodyOptions& b) { return b.name == probe.moves_with; });
  if (body)
    problem(probe.place, "moves_with",
            "'{}' is a body, which deforms; a probe moves with a solid, or measures the displacement of a body",
            probe.moves_with);
  else
    problem(probe.place, "moves_with", "there is no solid {}{}", in_quotes(probe.moves_with),
            did_you_mean(probe.moves_with, names));
}

void Checker::check_probes() {
  std::vector<std::string> solids;
  for (const SolidOptions& s : scene.solids) solids.push_back(s.name);
  std::vector<std::string> bodies;
  for (const BodyOptions& b : scene.bodies) bodies.push_back(b.name);
  solids.insert(solids.end(), bodies.begin(), bodies.end());
  for (const ProbeOptions& probe : scene.probes) {
    if (places.doubtful(probe.place)) continue;
    const bool of_liquid =
        probe.kind == ProbeKind::height || probe.kind == ProbeKind::outside || probe.kind == ProbeKind::volume;
    if (has_gas(scene) && of_liquid)
      problem(probe.place, "type", "'{}' measures liquid, and the scene has gas", words(probe.kind)[int(probe.kind)]);
    if (!probe.moves_with.empty()) check_moves_with(probe);
    const bool placed = domain && probe.moves_with.empty();  // a moving place may enter the domain later
    if (probe.kind == ProbeKind::force) {
      if (std::find(solids.begin(), solids.end(), probe.solid) == solids.end())
        problem(probe.place, "solid", "there is no solid or body {}{}", in_quotes(probe.solid),
                did_you_mean(probe.solid, solids));
    } else if (probe.kind == ProbeKind::displacement || probe.kind == ProbeKind::outside) {
      if (std::find(bodies.begin(), bodies.end(), probe.body) == bodies.end())
        problem(probe.place, "body", "there is no body {}{}", in_quotes(probe.body), did_you_mean(probe.body, bodies));
      for (const BodyOptions& body : scene.bodies)
        if (probe.kind == ProbeKind::outside && body.name == probe.body && body.kind != BodyKind::solid &&
            body.kind != BodyKind::rigid)
          problem(probe.place, "body", "'{}' has no inside, so that nothing can be outside", body.name);
    } else if (probe.kind == ProbeKind::height) {
      if ((probe.from - probe.to).norm() == 0) problem(probe.place, "to", "'from' and 'to' are the same point");
      if (placed) check_point(probe, "from", probe.from);
      if (placed) check_point(probe, "to", probe.to);
    } else if (probe.kind == ProbeKind::volume) {
      const Bounds box{probe.min, probe.max};
      if (!(probe.min.array() < probe.max.array()).all())
        problem(probe.place, "max", "'max' must be above 'min' in x, y and z");
      else if (placed && misses_domain(box))
        problem(probe.place, "min", "the box lies wholly outside the domain");
    } else if (placed) {
      check_point(probe, "point", probe.point);
    }
  }
}

void Checker::check_camera() {
  const CameraOptions& c = scene.camera;
  if (places.doubtful(c.place) || !domain) return;
  if (!c.position) return;  // it follows from the domain
  const Vec3 along = c.target.value_or(0.5 * (domain->lo + domain->hi)) - *c.position;
  if (along.norm() == 0)
    problem(c.place, "position", "the camera stands in its own 'target'{}", c.target ? "" : ", the domain's centre");
  else if (along.cross(c.up).norm() < slack * along.norm() * c.up.norm())
    problem(c.place, "up", "the camera looks along 'up'; give another direction, such as up = [0.0, 0.0, -1.0]");
}

template <class T>
void Checker::check_names(const std::vector<T>& things, const char* what) {
  std::map<std::string, Place> first;
  for (const T& thing : things) {
    if (thing.name.empty()) continue;
    const Place place = places.find(thing.place, "name");
    const auto [it, added] = first.try_emplace(thing.name, place);
    if (!added)
      problems.push_back(
          {place, fmt::format("a second {} named '{}'; the first is at {}", what, thing.name, it->second.text())});
  }
}

std::vector<Problem> cross_field_problems(const Scene& scene, const KeyPlaces& places) {
  Checker checker{.scene = scene, .places = places};
  checker.check_domain();
  checker.check_times();
  checker.check_liquid();
  checker.check_gas();
  checker.check_proxy();
  checker.check_skins();
  checker.check_solids();
  checker.check_bodies();
  checker.check_contact();
  checker.check_coupling();
  checker.check_probes();
  checker.check_camera();
  checker.check_names(scene.liquid.kinds, "kind of liquid");
  checker.check_names(scene.inflows, "inflow");
  checker.check_names(scene.outflows, "outflow");
  checker.check_names(scene.jets, "jet");
  checker.check_names(scene.solids, "solid");
  checker.check_names(scene.bodies, "body");
  checker.check_names(scene.probes, "probe");
  return std::move(checker.problems);
}

std::vector<Problem> validate(const Scene& scene) {
  Scene copy = scene;
  KeyPlaces places;
  std::vector<Problem> problems = check_fields(copy, places);
  const std::vector<Problem> broken = cross_field_problems(copy, places);
  problems.insert(problems.end(), broken.begin(), broken.end());
  return problems;
}

}  // namespace coracle
