#include "coracle/scene/validate.h"

#include "coracle/scene/nearest.h"
#include "coracle/scene/tables.h"
#include "coracle/shape/region.h"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace coracle {
namespace {

constexpr double most_cells = 1073741824;    // 2³⁰: cell indices are 32-bit ints in several places
constexpr std::size_t longest_reason = 200;  // bytes of a mesh reader's message
constexpr double slack = 1e-9;               // relative: corners that were written with rounded digits

struct Checker {
  const Scene& scene;
  const KeyPlaces& places;
  std::vector<Problem> problems;
  std::optional<Bounds> domain;                           // none where it makes no sense itself
  std::map<std::string, std::string> broken_meshes = {};  // by file, what is wrong; read once each

  template <class... Args>
  void problem(const Place& table, const char* key, fmt::format_string<Args...> format, Args&&... args) {
    problems.push_back({places.find(table, key), fmt::format(format, std::forward<Args>(args)...)});
  }

  void check_domain();
  void check_times();
  void check_liquid();
  void check_gas();
  void check_solids();
  void check_bodies();
  void check_coupling();
  void check_motion(const MotionOptions& motion);
  void check_probes();
  void check_camera();
  template <class T>
  void check_names(const std::vector<T>& things, const char* what);

  bool check_meshes(const ShapeOptions& shape);
  bool check_sizes(const ShapeOptions& shape);
  std::optional<Bounds> bounds_of(const ShapeOptions& shape);
  int axes() const { return scene.domain.slab > 0 ? 2 : 3; }  // of the domain that matter: a slab's z does not
  double margin() const { return slack * (domain->hi - domain->lo).head(axes()).maxCoeff(); }
  bool misses_domain(const Bounds& b) const;
  bool misses_domain(const ShapeOptions& shape, const Bounds& b) const;
  void check_port(const ShapeOptions& shape, const char* what);
  bool check_mouth(const ShapeOptions& shape, const char* what);
  void check_inside(const ShapeOptions& shape, const Bounds& b);
  void check_point(const ProbeOptions& probe, const char* key, const Vec3& x);
};

void Checker::check_domain() {
  const DomainOptions& d = scene.domain;
  const auto doubtful = [&](const char* key) { return places.doubtful(d.place, key); };
  if (places.doubtful(d.place)) {  // its box may still be known
    if (!doubtful("min") && !doubtful("max") && !doubtful("slab") && (d.max - d.min).minCoeff() > 0)
      domain = Bounds{d.min, d.max};
    return;
  }
  const Vec3 side = d.max - d.min;
  for (int a = 0; a < axes(); ++a)
    if (!(side[a] > 0))
      return problem(d.place, "max", "the domain has no extent in {}: 'max' must be above 'min'", "xyz"[a]);
  if (d.resolution < 1) return problem(d.place, "resolution", "'resolution' must be at least 1 cell");
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

bool Checker::check_meshes(const ShapeOptions& shape) {
  bool fine = true;
  for (const ShapeOptions& part : shape.parts) fine = check_meshes(part) && fine;
  if (shape.kind != ShapeKind::mesh) return fine;
  const auto [it, added] = broken_meshes.try_emplace(shape.file);
  if (added) try {
      it->second = closedness_problem(read_tri_mesh(shape.file));
    } catch (const std::exception& error) {
      it->second = fmt::format("cannot be read: {}", one_line(error.what(), longest_reason));
    }
  if (!it->second.empty()) problem(shape.place, "file", "the mesh '{}' {}", shape.file, it->second);
  return it->second.empty();
}

bool Checker::check_sizes(const ShapeOptions& shape) {
  bool fine = true;
  for (const ShapeOptions& part : shape.parts) fine = check_sizes(part) && fine;
  if (places.doubtful(shape.place)) return false;
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

// Nothing where the shape cannot be judged.
std::optional<Bounds> Checker::bounds_of(const ShapeOptions& shape) {
  const auto doubtful = [&](const auto& self, const ShapeOptions& s) -> bool {
    return places.doubtful(s.place) ||
           std::any_of(s.parts.begin(), s.parts.end(), [&](const ShapeOptions& part) { return self(self, part); });
  };
  const bool fine = check_sizes(shape);
  if (doubtful(doubtful, shape) || !check_meshes(shape) || !fine || !domain) return {};
  try {
    return shape_bounds(shape);
  } catch (const std::exception&) {  // a mesh that vanished since it was checked
    return {};
  }
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

int dominant_axis(const Vec3& v) {
  int axis = 0;
  v.cwiseAbs().maxCoeff(&axis);
  return axis;
}

// No corner of the domain, nor anything between, is in the half space.
bool half_space_misses(const ShapeOptions& s, const Bounds& domain, int axes) {
  double least = 0;
  for (int a = 0; a < axes; ++a)
    least += std::min(s.normal[a] * (domain.lo[a] - s.point[a]), s.normal[a] * (domain.hi[a] - s.point[a]));
  return least >= 0;
}

bool Checker::misses_domain(const ShapeOptions& s, const Bounds& b) const {
  return s.kind == ShapeKind::half_space ? half_space_misses(s, *domain, axes()) : misses_domain(b);
}

void Checker::check_port(const ShapeOptions& shape, const char* what) {
  const std::optional<Bounds> b = bounds_of(shape);
  if (b && misses_domain(shape, *b)) problem(shape.place, "shape", "the {} lies wholly outside the domain", what);
}

// Whether its surface can give off fluid.
bool Checker::check_mouth(const ShapeOptions& shape, const char* what) {
  if (places.doubtful(shape.place)) return false;
  if (shape.kind != ShapeKind::half_space && !has_parts(shape.kind)) return true;
  problem(shape.place, "shape", "a {} cannot be {}; use a box, sphere, cylinder or mesh",
          words(shape.kind)[int(shape.kind)], what == std::string("inflow") ? "an inflow" : "a jet");
  return false;
}

void Checker::check_gas() {
  const Place first = !scene.jets.empty()          ? scene.jets.front().place
                      : !scene.gas.regions.empty() ? scene.gas.regions.front().place
                                                   : Place{};
  if (has_gas(scene) && has_liquid(scene))
    problem(first, "shape",
            "gas and liquid in one scene: a scene has one fluid, so take out either the gas regions and jets or the "
            "liquid regions and inflows");
  if (!scene.domain.open.empty() && !places.doubtful(scene.domain.place)) {
    if (has_liquid(scene))
      problem(scene.domain.place, "open",
              "open sides are for gas: liquid would leave without end; take them out, or drain it with an [[outflow]]");
    else if (!has_gas(scene) && !places.doubtful(scene.place))
      problem(scene.domain.place, "open",
              "open sides are for gas, and there is none: give a [[gas.region]] or a [[jet]]");
    for (const Side side : scene.domain.open)
      if (scene.domain.slab > 0 && side >= Side::z_min)
        problem(scene.domain.place, "open", "a slab's z sides are walls; set slab = 0 for 3-D");
  }
  for (const GasRegionOptions& region : scene.gas.regions) check_port(region.shape, "gas region");
  for (const JetOptions& jet : scene.jets) {
    const bool blows = jet.velocity.norm() > 0;
    if (blows && !check_mouth(jet.shape, "jet")) continue;
    check_port(jet.shape, "jet");
    const std::optional<Bounds> b = bounds_of(jet.shape);
    if (blows && scene.domain.open.empty() && scene.bodies.empty() && !places.doubtful(scene.domain.place))
      problem(jet.place, "velocity",
              "the jet blows gas into a closed domain; open a side, such as open = [\"{}\"] in [domain]",
              words(Side())[2 * dominant_axis(jet.velocity) + (jet.velocity[dominant_axis(jet.velocity)] > 0)]);
    if (!b) continue;
    const Vec3 middle = 0.5 * (b->lo + b->hi);
    const auto check_in = [&](const ShapeOptions& shape, bool container, const char* what, const std::string& name) {
      if (!bounds_of(shape) || shape.kind == ShapeKind::half_space) return;
      try {
        if (Region(shape).contains(middle) != container)
          problem(jet.shape.place, "shape", "the jet lies inside the {} '{}'; move it out, into the gas", what, name);
      } catch (const std::exception&) {  // a file of tets
      }
    };
    for (const SolidOptions& solid : scene.solids)
      if (solid.motions.empty()) check_in(solid.shape, solid.container, "solid", solid.name);
    for (const BodyOptions& body : scene.bodies)
      if (body.shape.kind != ShapeKind::mesh) check_in(body.shape, false, "body", body.name);
  }
}

void Checker::check_liquid() {
  if (!has_liquid(scene) && !has_gas(scene) && scene.bodies.empty() && !places.doubtful(scene.liquid.place) &&
      !places.doubtful(scene.place))
    problem(
        scene.liquid.place, "",
        "the scene has no fluid and no body: give a [[liquid.region]], an [[inflow]], a [[gas.region]], a [[jet]] or "
        "a [[body]]");
  for (const RegionOptions& region : scene.liquid.regions) {
    const ShapeOptions& shape = region.shape;
    const std::optional<Bounds> b = bounds_of(shape);
    if (!b) continue;
    if (misses_domain(shape, *b))
      problem(shape.place, "shape", "liquid outside the domain: the region lies wholly outside");
    else if (shape.kind != ShapeKind::half_space && !has_parts(shape.kind))
      check_inside(shape, *b);
  }
  for (const InflowOptions& i : scene.inflows)
    if (check_mouth(i.shape, "inflow")) check_port(i.shape, "inflow");
  for (const OutflowOptions& o : scene.outflows) check_port(o.shape, "outflow");
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
      problem(m.place, key, "'{}' has {} entries for {} times; one a time is needed", key, count, m.times.size());
  };
  check_count("offsets", m.offsets.size());
  check_count("angles", m.angles.size());
}

void Checker::check_solids() {
  for (const SolidOptions& solid : scene.solids) {
    for (const MotionOptions& motion : solid.motions) check_motion(motion);
    const ShapeOptions& shape = solid.shape;
    if (places.doubtful(shape.place)) continue;
    if (shape.kind == ShapeKind::half_space) {
      problem(shape.place, "shape", "a half_space cannot be a solid, it has no closed surface; use a large box");
    } else if (has_parts(shape.kind)) {
      problem(shape.place, "shape", "a {} cannot be a solid; use several solids", words(shape.kind)[int(shape.kind)]);
    } else if (const std::optional<Bounds> b = bounds_of(shape); b && misses_domain(*b) && solid.motions.empty()) {
      problem(shape.place, "shape", "the solid '{}' lies wholly outside the domain and never moves", solid.name);
    }
  }
}

void Checker::check_bodies() {
  for (const BodyOptions& body : scene.bodies) {
    if (places.doubtful(body.place)) continue;
    const ShapeOptions& shape = body.shape;
    if (shape.kind == ShapeKind::half_space)
      problem(shape.place, "shape", "a half_space cannot be a body, it has no end; use a box");
    if (body.mesh != BodyMesh::stuffed && shape.kind != ShapeKind::box)
      problem(body.place, "mesh", "'mesh' = '{}' makes boxes only; leave it out to mesh a {}",
              words(body.mesh)[int(body.mesh)], words(shape.kind)[int(shape.kind)]);
    for (const HoldOptions& hold : body.holds) {
      for (const MotionOptions& motion : hold.motions) check_motion(motion);
      if (!places.doubtful(hold.place) && (hold.side == BodySide::none) == hold.regions.empty())
        problem(hold.place, "side", "a hold needs either 'side' or [[body.hold.region]]s");
    }
    for (const SolidOptions& solid : scene.solids)
      if (!body.name.empty() && solid.name == body.name)
        problem(body.place, "name", "the name '{}' belongs to a solid already", body.name);
    if (shape.kind == ShapeKind::mesh) continue;  // its file may hold tetrahedra
    if (const std::optional<Bounds> b = bounds_of(shape); b && shape.kind != ShapeKind::half_space)
      for (int a = 0; a < axes(); ++a)
        if (b->lo[a] < domain->lo[a] - margin() || b->hi[a] > domain->hi[a] + margin()) {
          problem(shape.place, "shape", "the body '{}' reaches out of the domain in {}", body.name, "xyz"[a]);
          break;
        }
  }
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
              "Newton's method goes down a potential, which the system of method = 'simultaneous' has not; take newton "
              "= false or method = 'cutcell'");
  }
  if (scene.solver.coupling != CouplingStrength::damping_only || places.doubtful(scene.solver.place)) return;
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

void Checker::check_probes() {
  std::vector<std::string> solids;
  for (const SolidOptions& s : scene.solids) solids.push_back(s.name);
  std::vector<std::string> bodies;
  for (const BodyOptions& b : scene.bodies) bodies.push_back(b.name);
  solids.insert(solids.end(), bodies.begin(), bodies.end());
  for (const ProbeOptions& probe : scene.probes) {
    if (places.doubtful(probe.place)) continue;
    if (probe.kind == ProbeKind::force) {
      if (std::find(solids.begin(), solids.end(), probe.solid) == solids.end())
        problem(probe.place, "solid", "there is no solid or body {}{}", in_quotes(probe.solid),
                did_you_mean(probe.solid, solids));
    } else if (probe.kind == ProbeKind::displacement || probe.kind == ProbeKind::outside) {
      if (std::find(bodies.begin(), bodies.end(), probe.body) == bodies.end())
        problem(probe.place, "body", "there is no body {}{}", in_quotes(probe.body), did_you_mean(probe.body, bodies));
    } else if (probe.kind == ProbeKind::height) {
      if ((probe.from - probe.to).norm() == 0) problem(probe.place, "to", "'from' and 'to' are the same point");
      if (domain) check_point(probe, "from", probe.from);
      if (domain) check_point(probe, "to", probe.to);
    } else if (domain) {
      check_point(probe, "point", probe.point);
    }
  }
}

void Checker::check_camera() {
  const CameraOptions& c = scene.camera;
  if (places.doubtful(c.place) || !domain) return;
  if (!c.position) return;  // then it follows from the domain
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

}  // namespace

std::vector<Problem> validate(const Scene& scene, const KeyPlaces& places) {
  Checker checker{scene, places, {}, {}};
  checker.check_domain();
  checker.check_times();
  checker.check_liquid();
  checker.check_gas();
  checker.check_solids();
  checker.check_bodies();
  checker.check_coupling();
  checker.check_probes();
  checker.check_camera();
  checker.check_names(scene.inflows, "inflow");
  checker.check_names(scene.outflows, "outflow");
  checker.check_names(scene.jets, "jet");
  checker.check_names(scene.solids, "solid");
  checker.check_names(scene.bodies, "body");
  checker.check_names(scene.probes, "probe");
  return std::move(checker.problems);
}

std::vector<Problem> validate(const Scene& scene) { return validate(scene, KeyPlaces()); }

}  // namespace coracle
