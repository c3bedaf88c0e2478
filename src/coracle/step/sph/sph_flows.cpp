#include "coracle/step/sph/sph_flows.h"

#include "coracle/base/parallel.h"
#include "coracle/scene/liquid_kinds.h"
#include "coracle/step/sph/sph_solve.h"
#include "coracle/step/sph/touches.h"
#include "coracle/world/bodies.h"
#include "coracle/world/surface.h"

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

void add_particle(const Vec3& x, const Vec3& v, std::uint8_t kind, SphLiquid& liquid) {
  liquid.x.push_back(x);
  liquid.v.push_back(v);
  liquid.v_last.push_back(v);
  liquid.kind.push_back(kind);
}

void remove(const std::vector<std::uint8_t>& gone, SphLiquid& liquid) {
  if (std::find(gone.begin(), gone.end(), 1) == gone.end()) return;
  for_lists(liquid, [&](auto& values) {
    std::size_t kept = 0;
    for (std::size_t p = 0; p < values.size(); ++p)
      if (!gone[p]) values[kept++] = values[p];
    values.resize(kept);
  });
}

// Sheets and ropes have no inside, and are not among the surfaces: their triangles and segments.
class ThinParts {
 public:
  explicit ThinParts(const World& world, double least)
      : least_(least),
        mesh_(make_contact_mesh(world, 0)),
        x_(contact_positions(mesh_, world, node_positions(world.bodies))) {
    fit_triangles(mesh_, x_, x_);
    for (const ContactPart& part : mesh_.parts) thickest_ = std::max(thickest_, part.radius);
  }
  // Whether a point is nearer to one of them than `least`.
  bool near(const Vec3& x) const {
    bool found = false;
    if (thickest_ == 0) return found;
    const Vec3 around = Vec3::Constant(least_ + thickest_);
    mesh_.tri_tree.visit({x - around, x + around}, [&](int t) {
      const Vec3i& v = mesh_.tris[t];
      const double radius = mesh_.parts[mesh_.part[v[0]]].radius, least = least_ + radius;
      found |= radius > 0 && point_triangle_distance({x, x_[v[0]], x_[v[1]], x_[v[2]]}).squared < least * least;
    });
    return found;
  }

 private:
  double least_ = 0, thickest_ = 0;
  ContactMesh mesh_;
  std::vector<Vec3> x_;
};

bool is_open(const InflowOptions& inflow, double time) { return time >= inflow.start && time <= inflow.end; }

}  // namespace

void seed_sph(const Scene& scene, const World& world, SphLiquid& liquid) {
  const Grid& grid = liquid.grid;
  const double spacing = particle_spacing(grid), least = 0.5 * sph_reach(scene, grid);
  std::vector<Region> regions;
  std::vector<std::uint8_t> kinds;
  for (const RegionOptions& r : scene.liquid.regions)
    regions.emplace_back(r.shape), kinds.push_back(kind_number(scene, r.kind));
  const Surfaces surfaces(world);
  SurfaceTrees trees;
  trees.update(surfaces);
  const ThinParts thin(world, least);
  const auto blocked = [&](const Vec3& x) {
    if (thin.near(x)) return true;
    for (std::size_t s = 0; s < surfaces.size(); ++s) {
      if (surfaces[s].inflow) continue;
      const TriTree& tree = trees.each[s];
      const bool far = ((tree.lower() - x).cwiseMax(x - tree.upper()).array() > least).any();
      if (far && !surfaces[s].container) continue;
      const double distance = tree.closest(x).distance;
      if ((surfaces[s].container ? -distance : distance) < least) return true;
    }
    return false;
  };
  const Vec3i n = 2 * grid.n;
  std::vector<SphLiquid> layers(n.z());
  for_blocks(layers.size(), 1, [&](std::size_t k, std::size_t) {
    for (int j = 0; j < n.y(); ++j)
      for (int i = 0; i < n.x(); ++i) {
        const Vec3 x = grid.origin + spacing * Vec3(i + 0.5, j + 0.5, double(k) + 0.5);
        const auto owner = std::find_if(regions.begin(), regions.end(), [&](const Region& r) { return r.contains(x); });
        if (owner == regions.end() || blocked(x)) continue;
        const std::size_t r = owner - regions.begin();
        add_particle(x, scene.liquid.regions[r].velocity, kinds[r], layers[k]);
      }
  });
  for (const SphLiquid& layer : layers)
    for (std::size_t p = 0; p < layer.size(); ++p) add_particle(layer.x[p], layer.v[p], layer.kind[p], liquid);
}

std::vector<std::uint8_t> inside_inflows(const Scene& scene, const World& world, const std::vector<Region>& inflows,
                                         const std::vector<Vec3>& x) {
  std::vector<std::uint8_t> inside(x.size(), 0);
  for (std::size_t f = 0; f < inflows.size(); ++f) {
    if (!is_open(scene.inflows[f], world.clock.time)) continue;
    for_each_index(x.size(), [&](std::size_t p) { inside[p] |= inflows[f].contains(x[p]); });
  }
  return inside;
}

void emit_sph(const Scene& scene, const World& world, const std::vector<Region>& inflows, double dt,
              SphLiquid& liquid) {
  const Grid& grid = liquid.grid;
  const double spacing = particle_spacing(grid), time = world.clock.time;
  for (std::size_t f = 0; f < inflows.size(); ++f) {
    const InflowOptions& flow = scene.inflows[f];
    if (!is_open(flow, time)) continue;
    const bool opening = dt == 0 || !is_open(flow, time - dt);
    if (opening) {
      std::vector<std::uint8_t> gone(liquid.size());
      for_each_index(gone.size(), [&](std::size_t p) { gone[p] = inflows[f].contains(liquid.x[p]); });
      remove(gone, liquid);
    }
    // Liquid that was pushed back into the inflow goes with it: it is not kept from the sides there.
    for_each_index(liquid.size(), [&](std::size_t p) {
      if (inflows[f].contains(liquid.x[p])) liquid.v[p] = liquid.v_last[p] = flow.velocity;
    });
    const auto holds = [&](const Vec3& x) {
      return (x.array() > grid.origin.array()).all() && (x.array() < grid.upper().array()).all() &&
             inflows[f].contains(x);
    };
    const std::uint8_t kind = kind_number(scene, flow.kind);
    const Vec3 start = grid.origin + flow.velocity * (time - flow.start);  // of the lattice
    const Bounds& box = inflows[f].bounds();
    const Vec3 lo = ((box.lo.cwiseMax(grid.origin) - start) / spacing).array().floor();
    const Vec3 hi = ((box.hi.cwiseMin(grid.upper()) - start) / spacing).array().floor();
    for (long k = long(lo.z()); k <= long(hi.z()); ++k)
      for (long j = long(lo.y()); j <= long(hi.y()); ++j)
        for (long i = long(lo.x()); i <= long(hi.x()); ++i) {
          const Vec3 x = start + spacing * Vec3(double(i) + 0.5, double(j) + 0.5, double(k) + 0.5);
          if (holds(x) && (opening || !holds(x - dt * flow.velocity))) add_particle(x, flow.velocity, kind, liquid);
        }
  }
}

void drain_sph(const std::vector<Region>& outflows, SphLiquid& liquid) {
  if (outflows.empty()) return;
  std::vector<std::uint8_t> gone(liquid.size(), 0);
  for_each_index(gone.size(), [&](std::size_t p) {
    for (const Region& region : outflows) gone[p] |= region.contains(liquid.x[p]);
  });
  remove(gone, liquid);
}

}  // namespace coracle
