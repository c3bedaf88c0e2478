#include "coracle/world/overlap.h"

#include "coracle/shape/closest.h"
#include "coracle/world/bodies.h"

#include <fmt/format.h>

#include <algorithm>

namespace coracle {
namespace {

constexpr double slack = 0.25;  // of the mean edge of a body's surface

// A surface, and the points at which it is looked up in others.
struct Thing {
  const char* what;
  const std::string* name;
  bool container = false;
  bool has_inside = true;
  TriTree tree = {};
  Bounds box = {};  // around its surface
  std::vector<Vec3> points = {};
  std::vector<Vec3> pinned = {};  // they may lie in others

  double depth(const Vec3& x) const {
    if (!has_inside || (!container && !box.contains(x))) return 0;
    const double distance = tree.closest(x).distance;
    return container ? distance : -distance;
  }
};

struct Deepest {
  double depth = 0;
  Vec3 at = Vec3::Zero();
};

bool boxes_meet(const Bounds& a, const Bounds& b) {
  return (a.lo.array() <= b.hi.array()).all() && (b.lo.array() <= a.hi.array()).all();
}

Vec3 middle(const std::vector<Vec3>& x, const Vec3i& t) { return (x[t[0]] + x[t[1]] + x[t[2]]) / 3; }

// The point that lies deepest in the other thing.
void look_up(const std::vector<Vec3>& points, const Thing& other, Deepest& deepest) {
  for (const Vec3& x : points)
    if (const double depth = other.depth(x); depth > deepest.depth) deepest = {depth, x};
}

bool is_fastened_in(const Thing& thing, const Thing& other) {
  return std::any_of(thing.pinned.begin(), thing.pinned.end(), [&](const Vec3& x) { return other.depth(x) > 0; });
}

Deepest overlap(const Thing& a, const Thing& b) {
  Deepest deepest;
  if (!a.container && !b.container && !boxes_meet(a.box, b.box)) return deepest;
  if (!is_fastened_in(b, a)) look_up(a.points, b, deepest);
  if (!is_fastened_in(a, b) && !b.container) look_up(b.points, a, deepest);
  return deepest;
}

Thing thing_of(const Solid& solid) {
  Thing thing{.what = "solid", .name = &solid.name, .container = solid.container};
  thing.tree = TriTree(solid.x, solid.rest->tris);
  for (const Vec3& x : solid.x) thing.box.extend(x);
  for (const Vec3i& t : solid.rest->tris) thing.points.push_back(middle(solid.x, t));
  thing.points.insert(thing.points.end(), solid.x.begin(), solid.x.end());
  return thing;
}

Thing thing_of(const Body& body) {
  Thing thing{.what = "body", .name = &body.name, .has_inside = has_inside(body)};
  if (thing.has_inside) thing.tree = TriTree(body.x, body.rest->skin.tris);
  for (const int n : body.rest->skin.nodes) thing.box.extend(body.x[n]);
  std::vector<char> pinned(body.x.size(), 0);
  for (const Hold& hold : body.rest->holds) pinned[hold.node] = hold.free.isZero();
  const std::vector<int>& skin = body.rest->skin.nodes;
  const bool skin_only = std::holds_alternative<Rigid>(body.rest->elements);  // the leading nodes may lie anywhere
  for (std::size_t i = 0; i < body.x.size(); ++i)
    if (!skin_only || std::binary_search(skin.begin(), skin.end(), int(i)))
      (pinned[i] ? thing.pinned : thing.points).push_back(body.x[i]);
  for (const Vec3i& t : body.rest->skin.tris)
    if (!pinned[t[0]] && !pinned[t[1]] && !pinned[t[2]]) thing.points.push_back(middle(body.x, t));
  return thing;
}

std::string with_file(const Body& body) {
  const ShapeOptions& shape = body.rest->options.shape;
  return fmt::format("the body '{}'{}", body.name,
                     shape.kind == ShapeKind::mesh ? fmt::format(" ('{}')", shape.file) : "");
}

}  // namespace

std::vector<Problem> overlap_problems(const std::vector<Solid>& solids, const std::vector<Body>& bodies) {
  std::vector<Thing> things;
  if (!bodies.empty())
    for (const Solid& solid : solids)
      if (!solid.inflow && solid.present) things.push_back(thing_of(solid));
  std::vector<Problem> problems;
  for (const Body& body : bodies) {
    Thing own = thing_of(body);
    for (const Thing& other : things) {
      const Deepest deepest = overlap(own, other);
      if (deepest.depth <= slack * body.rest->skin.edge) continue;
      const Vec3& x = deepest.at;
      problems.push_back(
          {body.rest->options.place,
           fmt::format(
               "{} overlaps the {} '{}' at the start: at ({:.4g}, {:.4g}, {:.4g}) by {:.2g} m; move one of them "
               "away by that, or pin the part inside with a [[body.hold]]",
               with_file(body), other.what, *other.name, x.x(), x.y(), x.z(), deepest.depth)});
    }
    things.push_back(std::move(own));
  }
  return problems;
}

}  // namespace coracle
