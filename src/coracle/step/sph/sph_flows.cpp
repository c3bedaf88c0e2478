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

// Where no particle may begin: inside solids and bodies, nearer to them than half their reach, and outside the domain.
class Obstacles {
 public:
  Obstacles(const Scene& scene, const World& world, const Grid& grid, ContactMesh& mesh)
      : least_(0.5 * sph_reach(scene, grid)), world_(world), mesh_(mesh), surfaces_(world) {
    trees_.update(surfaces_);
    if (!fits(mesh_, world)) mesh_ = make_contact_mesh(world, scene.contact.distance);
    x_ = contact_positions(mesh_, world, node_positions(world.bodies));
    fit_triangles(mesh_, x_, x_);
    for (const ContactPart& part : mesh_.parts) thickest_ = std::max(thickest_, part.radius);
  }
  bool contain(const Vec3& x) const {
    if (!world_.domain.contains(x) || is_near_thin(x)) return true;
    for (std::size_t s = 0; s < surfaces_.size(); ++s) {
      if (surfaces_[s].inflow) continue;
      const TriTree& tree = trees_.each[s];
      const bool far = ((tree.lower() - x).cwiseMax(x - tree.upper()).array() > least_).any();
      if (far && !surfaces_[s].container) continue;
      const double distance = tree.closest(x).distance;
      if ((surfaces_[s].container ? -distance : distance) < least_) return true;
    }
    return false;
  }

 private:
  // Sheets and ropes have no inside, and are not among the surfaces.
  bool is_near_thin(const Vec3& x) const {
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

  double least_, thickest_ = 0;
  const World& world_;
  ContactMesh& mesh_;
  const Surfaces surfaces_;
  SurfaceTrees trees_;
  std::vector<Vec3> x_;
};

// The inflows of a world stand in the scene's order.
const Solid& inflow_of(const World& world, std::size_t number) {
  for (const Solid& solid : world.solids)
    if (solid.inflow && number-- == 0) return solid;
  throw InternalError("an inflow of the scene is not in the world");
}

bool is_open(const InflowOptions& inflow, double time) { return time >= inflow.start && time <= inflow.end; }

}  // namespace

void seed_sph(const Scene& scene, const World& world, ContactMesh& mesh, SphLiquid& liquid) {
  const Grid& grid = liquid.grid;
  const double spacing = particle_spacing(grid);
  std::vector<Region> regions;
  std::vector<std::uint8_t> kinds;
  for (const RegionOptions& r : scene.liquid.regions)
    regions.emplace_back(r.shape), kinds.push_back(kind_number(scene, r.kind));
  const Obstacles obstacles(scene, world, grid, mesh);
  const Vec3i n = 2 * grid.n;
  std::vector<SphLiquid> layers(n.z());
  for_blocks(layers.size(), 1, [&](std::size_t k, std::size_t) {
    for (int j = 0; j < n.y(); ++j)
      for (int i = 0; i < n.x(); ++i) {
        const Vec3 x = grid.origin + spacing * Vec3(i + 0.5, j + 0.5, double(k) + 0.5);
        const auto owner = std::find_if(regions.begin(), regions.end(), [&](const Region& r) { return r.contains(x); });
        if (owner == regions.end() || obstacles.contain(x)) continue;
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

void emit_sph(const Scene& scene, const World& world, const std::vector<Region>& inflows, double dt, ContactMesh& mesh,
              SphLiquid& liquid) {
  if (inflows.empty()) return;
  const Grid& grid = liquid.grid;
  const double spacing = particle_spacing(grid), time = world.clock.time;
  const Obstacles obstacles(scene, world, grid, mesh);
  for (std::size_t f = 0; f < inflows.size(); ++f) {
    const InflowOptions& flow = scene.inflows[f];
    if (!is_open(flow, time)) continue;
    const Solid& source = inflow_of(world, f);
    const Region& region = inflows[f];
    // What was there when it opens goes, and what something has moved over since. Liquid that was pushed back into the
    // inflow goes with it.
    const bool opening = dt == 0 || !is_open(flow, time - dt);
    std::vector<std::uint8_t> gone(liquid.size(), 0);
    for_each_index(gone.size(), [&](std::size_t p) {
      if (!region.contains(liquid.x[p])) return;
      gone[p] = opening || obstacles.contain(liquid.x[p]);
      liquid.v[p] = liquid.v_last[p] = source.flow;
    });
    remove(gone, liquid);

    // The points of the travelling lattice that lie in the region.
    const Vec3 start = grid.origin + source.flowed_at(time);
    const Bounds& box = region.bounds();
    const auto point_below = [&](const Vec3& x) -> Vec3i {
      return ((x - start) / spacing).array().floor().cast<int>();
    };
    const Vec3i lo = point_below(box.lo.cwiseMax(grid.origin)), hi = point_below(box.hi.cwiseMin(grid.upper()));
    if ((hi.array() < lo.array()).any()) continue;
    const Vec3i n = hi - lo + Vec3i::Ones();
    const auto place = [&](const Vec3i& c) -> Vec3 {
      return start + spacing * (c.cast<double>() + Vec3::Constant(0.5));
    };
    // A particle within half a spacing takes the point, be it its own or another's.
    Array3<char> taken(n, 0);
    for (const Vec3& x : liquid.x) {
      const Vec3i c = point_below(x);
      if ((c.array() >= lo.array()).all() && (c.array() <= hi.array()).all() && (x - place(c)).norm() < 0.5 * spacing)
        taken(c.x() - lo.x(), c.y() - lo.y(), c.z() - lo.z()) = 1;
    }
    const std::uint8_t kind = kind_number(scene, flow.kind);
    for (int k = 0; k < n.z(); ++k)
      for (int j = 0; j < n.y(); ++j)
        for (int i = 0; i < n.x(); ++i) {
          const Vec3 x = place(lo + Vec3i(i, j, k));
          if (!taken(i, j, k) && region.contains(x) && !obstacles.contain(x))
            add_particle(x, source.flow, kind, liquid);
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
