// Rules for liquid and gas, and where they enter and leave.
#include "coracle/scene/animation.h"
#include "coracle/scene/checker.h"
#include "coracle/scene/liquid_kinds.h"
#include "coracle/scene/nearest.h"
#include "coracle/scene/sizes.h"
#include "coracle/scene/tables.h"

#include <algorithm>
#include <string>

namespace coracle {
namespace {

constexpr double least_layers = 1.5;  // of tets in a shell; thinner ones have holes

int dominant_axis(const Vec3& v) {
  int axis = 0;
  v.cwiseAbs().maxCoeff(&axis);
  return axis;
}

// Whether no point of the domain is in the half space.
bool half_space_misses(const ShapeOptions& s, const Bounds& domain, int axes) {
  double least = 0;
  for (int a = 0; a < axes; ++a)
    least += std::min(s.normal[a] * (domain.lo[a] - s.point[a]), s.normal[a] * (domain.hi[a] - s.point[a]));
  return least >= 0;
}

}  // namespace

bool Checker::misses_domain(const ShapeOptions& s, const Bounds& b) const {
  return s.kind == ShapeKind::half_space ? half_space_misses(s, *domain, axes()) : misses_domain(b);
}

void Checker::check_overlap(const ShapeOptions& shape, const char* what) {
  const std::optional<Bounds> b = bounds_of(shape);
  if (b && misses_domain(shape, *b)) problem(shape.place, "shape", "the {} lies wholly outside the domain", what);
}

// Whether fluid can enter through the surface of the shape.
bool Checker::can_be_inlet(const ShapeOptions& shape, const char* what) {
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
  if (has_gas(scene))
    for (const OutflowOptions& o : scene.outflows)
      problem(o.place, "shape",
              "an outflow takes liquid away, and the scene has gas; open a side of the domain instead");
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
  for (const GasRegionOptions& region : scene.gas.regions) check_overlap(region.shape, "gas region");
  for (const JetOptions& jet : scene.jets) {
    const bool blows = jet.velocity.norm() > 0;
    if (blows && !can_be_inlet(jet.shape, "jet")) continue;
    check_overlap(jet.shape, "jet");
    const std::optional<Bounds> b = bounds_of(jet.shape);
    if (blows && scene.domain.open.empty() && !places.doubtful(scene.domain.place))
      problem(jet.place, "velocity",
              "the jet blows gas into a closed domain; open a side, such as open = [\"{}\"] in [domain]",
              words(Side())[2 * dominant_axis(jet.velocity) + (jet.velocity[dominant_axis(jet.velocity)] > 0)]);
    if (!b) continue;
    const Vec3 middle = 0.5 * (b->lo + b->hi);
    const auto check_in = [&](const ShapeOptions& shape, bool container, const char* what, const std::string& name) {
      if (!bounds_of(shape, fmt::format("the {} '{}'", what, name)) || shape.kind == ShapeKind::half_space) return;
      try {
        if (Region(shape).contains(middle) != container)
          problem(jet.shape.place, "shape", "the jet lies inside the {} '{}'; move it out, into the gas", what, name);
      } catch (const std::exception&) {  // a file of tets
      }
    };
    for (const SolidOptions& solid : scene.solids)
      if (!moves(solid)) check_in(solid.shape, solid.container, "solid", solid.name);
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
    if (can_be_inlet(i.shape, "inflow")) check_overlap(i.shape, "inflow");
  for (const OutflowOptions& o : scene.outflows) check_overlap(o.shape, "outflow");
}

// What only liquid of smoothed particles has, and what it does not have.
void Checker::check_proxy() {
  const LiquidOptions& liquid = scene.liquid;
  std::vector<std::string> names;
  for (const LiquidKindOptions& kind : liquid.kinds) names.push_back(kind.name);
  const auto check_kind = [&](const auto& entry) {
    if (entry.kind.empty() || std::find(names.begin(), names.end(), entry.kind) != names.end()) return;
    problem(entry.place, "kind", "there is no kind of liquid {}{}", in_quotes(entry.kind),
            names.empty() ? "; give a [[liquid.kind]] of this name" : did_you_mean(entry.kind, names));
  };
  for (const RegionOptions& region : liquid.regions) check_kind(region);
  for (const InflowOptions& inflow : scene.inflows) check_kind(inflow);
  if (liquid.kinds.size() > most_liquid_kinds)
    problem(liquid.kinds[most_liquid_kinds].place, "name", "a scene has at most {} kinds of liquid", most_liquid_kinds);

  if (places.doubtful(scene.place, "method")) return;
  const char* const method = words(scene.method)[int(scene.method)];
  if (scene.method != Method::proxy) {
    if (liquid.viscosity > 0)
      problem(liquid.place, "viscosity", "method = '{}' has no viscosity; take method = 'proxy', or leave it out",
              method);
    for (const LiquidKindOptions& kind : liquid.kinds)
      problem(kind.place, "name", "method = '{}' has one liquid; take method = 'proxy' for several", method);
    return;
  }
  if (has_gas(scene))
    problem(scene.place, "method", "method = 'proxy' is for liquid, and the scene has gas; take method = 'cutcell'");
  if ((!has_liquid(scene) && !has_three_phases(scene)) || scene.bodies.empty()) return;
  if (has_three_phases(scene) && !places.doubtful(scene.proxy.place, "splitting"))
    for (const BodyOptions& body : scene.bodies)
      if (body.kind == BodyKind::solid && body.material == MaterialModel::neo_hookean)
        problem(body.place, "material",
                "splitting = '{}' moves contacts without elasticity and may invert elements, which 'neo_hookean' does "
                "not allow; take 'stable_neo_hookean', or another splitting",
                words(scene.proxy.splitting)[int(scene.proxy.splitting)]);
  if (scene.contact.kind != ContactKind::barrier && !places.doubtful(scene.contact.place))
    problem(scene.contact.place, "kind",
            "method = 'proxy' keeps surfaces and particles apart by the barrier: leave out 'kind', or take 'barrier'");
  if (scene.elastic.integrator != Integrator::backward_euler && !places.doubtful(scene.elastic.place))
    problem(scene.elastic.place, "integrator", "method = 'proxy' takes bodies by 'backward_euler' only");
}

// Under the other methods a skin is left alone: so scenes can be compared.
void Checker::check_skins() {
  if (places.doubtful(scene.place, "method") || scene.method != Method::skinned) return;
  if (has_gas(scene))
    problem(scene.place, "method", "method = 'skinned' is for liquid, and the scene has gas; take method = 'cutcell'");
  bool any = false;
  for (const SolidOptions& solid : scene.solids) {
    any = any || solid.skin.on;
    if (solid.skin.on && solid.container)
      problem(solid.skin.place, "on",
              "the solid '{}' is a container: liquid lies in it, not on it; take [solid.skin] out", solid.name);
    const double edge = shell_edge(solid.skin, cell_size(scene.domain));
    if (solid.skin.on && solid.skin.thickness > 0 && solid.skin.thickness < least_layers * edge)
      problem(solid.skin.place, "thickness",
              "a shell of {:.3g} m is too thin for tets of {:.3g} m: it has holes; give it {:.3g} m or more, or give "
              "'edge' {:.3g} m or less",
              solid.skin.thickness, edge, least_layers * edge, solid.skin.thickness / least_layers);
    if (solid.skin.on && edge > cell_size(scene.domain) * (1 + 1e-9))
      problem(solid.skin.place, "edge",
              "tets of {:.3g} m are larger than the cells of {:.3g} m: drops would be larger than the liquid's own "
              "particles; give 'edge' {:.3g} m or less, or leave it out",
              edge, cell_size(scene.domain), cell_size(scene.domain));
    const FurOptions& fur = solid.skin.fur;
    if ((fur.along > 0) != (fur.across > 0))
      problem(fur.place, fur.along > 0 ? "across" : "along", "fur needs both permeabilities, 'along' and 'across'");
  }
  if (!any && has_liquid(scene))
    problem(scene.place, "method",
            "method = 'skinned' holds liquid on the skin of solids, and none has one: give a solid a table "
            "[solid.skin], or take method = 'cutcell'");
}

}  // namespace coracle
