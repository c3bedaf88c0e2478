#include "coracle/step/skinned/shown_skin.h"

#include "coracle/base/parallel.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace coracle {
namespace {

// Of the sheet, in cells.
constexpr double emerges = 0.1;  // thickness at which it comes out of the skin
constexpr double hidden = 0.7;   // c: how deep it lies where the skin is dry; it is cut off at 0.5
constexpr double fade = emerges / 1.9459101490553132;  // e, so that s(emerges) = 0: ln(hidden / emerges)
constexpr double reach = 1.0;                          // around it, where its φ is found
constexpr double smoothed = 1.0;                       // radius over which the thickness is smoothed
constexpr int most_passes = 16;                        // of smoothing
constexpr double least_ball = 0.3;                     // radius that the shown grid can resolve
constexpr double least_drop = 1e-3;                    // radius of a speck that nobody sees

double shown_height(double thickness, double dx) {
  return thickness - hidden * dx * std::exp(-thickness / (fade * dx));
}

// The skin now.
struct ShownSurface {
  std::span<const Vec3i> tris;
  std::span<const Vec3> x, v;
  std::vector<double> area;         // m², per triangle
  std::vector<double> vertex_area;  // m²: sum over the triangles around

  explicit ShownSurface(const Solid& solid) : tris(solid.rest->tris), x(solid.x), v(solid.v), vertex_area(x.size(), 0) {
    for (const Vec3i& t : tris) {
      area.push_back(0.5 * (x[t[1]] - x[t[0]]).cross(x[t[2]] - x[t[0]]).norm());
      for (const int i : t) vertex_area[i] += area.back();
    }
  }
  Vec3 normal(int tri) const {
    const Vec3i& t = tris[tri];
    return (x[t[1]] - x[t[0]]).cross(x[t[2]] - x[t[0]]).normalized();
  }
  Vec3 velocity(int tri) const { return mean_of(v, tris[tri]); }

  // Volume per area of what lies on the triangles around a vertex.
  std::vector<double> thickness(const std::vector<double>& volume) const {
    std::vector<double> sum(x.size(), 0);
    for (std::size_t t = 0; t < tris.size(); ++t)
      for (const int i : tris[t]) sum[i] += volume[t];
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = vertex_area[i] > 0 ? sum[i] / vertex_area[i] : 0;
    return sum;
  }
  // The same after more passes between vertices and triangles. Each keeps the volume, and widens by an edge.
  std::vector<double> smooth_thickness(std::vector<double> volume, double radius) const {
    double total = 0;
    for (const double a : area) total += a;
    const double edge = std::sqrt(total / std::max<double>(1, double(tris.size())) * 4 / std::numbers::sqrt3);
    const int passes = int(std::clamp(std::ceil(radius * radius / (edge * edge)), 1.0, double(most_passes)));
    std::vector<double> at_vertices = thickness(volume);
    for (int pass = 1; pass < passes; ++pass) {
      for (std::size_t t = 0; t < tris.size(); ++t)
        volume[t] = area[t] * (at_vertices[tris[t][0]] + at_vertices[tris[t][1]] + at_vertices[tris[t][2]]) / 3;
      at_vertices = thickness(volume);
    }
    return at_vertices;
  }
};

// m³ that fur keeps in a tet: it is wet, but no sheet.
double kept_by_fur(const SkinOptions& o, const WetSkin& skin, std::size_t tet) {
  return std::min(skin.tets.volume[tet],
                  o.fur.along > 0 ? o.fur.residual * o.fur.porosity * skin.shell->volume[tet] : 0);
}

// The share of a tet's liquid that flies off rather than runs along the skin: faster than what falls through a tet, and
// no longer on the skin.
double leaving_share(const SkinShell& shell, int tet, double speed, double gravity) {
  const double usual = std::sqrt(gravity * shell.edge);
  const double fast = speed > 0 ? std::clamp(speed / usual - 0.5, 0.0, 1.0) : 0;
  const double far = std::clamp(shell.rank[tet] / shell.edge - 0.5, 0.0, 1.0);
  return fast * far;
}

// What leaves the skins, gathered by cells.
class Leaving {
 public:
  explicit Leaving(const Grid& grid) : grid_(grid) {}
  void add(const Vec3& x, const Vec3& v, double volume) {
    Sum& s = cells_[grid_.cell_index(grid_.cell_of(x))];
    s.volume += volume, s.x += volume * x, s.v += volume * v;
  }
  void give(ShownSkins& shown) const {
    for (const auto& [cell, s] : cells_) {
      const double r = std::cbrt(3 * s.volume / (4 * std::numbers::pi));
      if (r > least_ball * grid_.dx)
        shown.joined.balls.push_back({s.x / s.volume, r});
      else if (r > least_drop * grid_.dx)
        shown.drops.add(s.x / s.volume, s.v / s.volume, s.volume);
    }
  }

 private:
  struct Sum {
    double volume = 0;
    Vec3 x = Vec3::Zero(), v = Vec3::Zero();
  };
  const Grid& grid_;
  std::map<std::size_t, Sum> cells_;
};

// The liquid on a skin per triangle.
struct Sheet {
  std::vector<double> volume;  // m³
  std::vector<Vec3> momentum;  // m³ m/s
  void add(std::size_t tri, double amount, const Vec3& v) { volume[tri] += amount, momentum[tri] += amount * v; }
};

Sheet gather(const SkinOptions& o, const WetSkin& skin, const ShownSurface& surface, const SkinWork& work,
             double gravity, Leaving& leaving) {
  const SkinShell& shell = *skin.shell;
  Sheet sheet{std::vector<double>(surface.tris.size(), 0), std::vector<Vec3>(surface.tris.size(), Vec3::Zero())};
  for (std::size_t t = 0; t < surface.tris.size(); ++t)
    sheet.add(t, skin.film.volume[t] + skin.film.pendant[t], skin.film.v[t]);
  for (std::size_t t = 0; t < skin.tets.volume.size(); ++t) {
    const double amount = skin.tets.volume[t] - kept_by_fur(o, skin, t);
    if (!(amount > 0)) continue;
    const int tri = shell.tri[t];
    const double speed = (skin.tets.v[t] - surface.velocity(tri)).dot(surface.normal(tri));
    const double off = amount * leaving_share(shell, int(t), speed, gravity);
    if (off > 0) leaving.add(centroid(shell, work.nodes, int(t)), skin.tets.v[t], off);
    sheet.add(std::size_t(tri), amount - off, skin.tets.v[t]);
  }
  return sheet;
}

// Cells of the shown grid around triangles where the sheet is near the skin's surface or above it.
std::vector<std::size_t> cells_around(const Grid& grid, const ShownSurface& surface, const std::vector<double>& height,
                                      double dry, double margin) {
  std::vector<std::size_t> cells;
  for (const Vec3i& t : surface.tris) {
    const double most = std::max({height[t[0]], height[t[1]], height[t[2]]});
    if (most <= dry) continue;
    Vec3 lo = surface.x[t[0]], hi = lo;
    for (const int i : t) lo = lo.cwiseMin(surface.x[i]), hi = hi.cwiseMax(surface.x[i]);
    const Vec3 around = Vec3::Constant(std::max(most, 0.0) + margin);
    const Vec3i from = grid.cell_of(lo - around), to = grid.cell_of(hi + around);
    for (int z = from.z(); z <= to.z(); ++z)
      for (int y = from.y(); y <= to.y(); ++y)
        for (int x = from.x(); x <= to.x(); ++x) cells.push_back(grid.cell_index({x, y, z}));
  }
  std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  return cells;
}

}  // namespace

std::vector<SolidLayer> film_layers(const Scene& scene, const World& world, const Liquid& liquid) {
  std::vector<SolidLayer> layers;
  for (const WetSkin& skin : liquid.skins) {
    const SkinOptions& o = scene.solids[skin.solid].skin;
    const ShownSurface surface(world.solids[skin.solid]);
    std::vector<double> volume = skin.film.volume;
    for (std::size_t t = 0; t < volume.size(); ++t) volume[t] += skin.film.pendant[t];
    for (std::size_t t = 0; t < skin.tets.volume.size(); ++t) volume[skin.shell->tri[t]] += kept_by_fur(o, skin, t);
    const std::vector<double> thickness = surface.thickness(volume);
    layers.push_back({std::size_t(skin.solid), "film", {thickness.begin(), thickness.end()}});
  }
  return layers;
}

ShownSkins shown_skins(const Scene& scene, const World& world, const Liquid& liquid, const SolidField& solids,
                       const std::vector<SkinWork>& work) {
  const Grid fine = shown_grid(liquid.grid);
  const double dx = liquid.grid.dx;
  ShownSkins shown;
  shown.drops = liquid.drops;
  Leaving leaving(liquid.grid);
  for (std::size_t k = 0; k < liquid.skins.size(); ++k) {
    const WetSkin& skin = liquid.skins[k];
    const ShownSurface surface(world.solids[skin.solid]);
    const Sheet sheet = gather(scene.solids[skin.solid].skin, skin, surface, work[k], scene.gravity.norm(), leaving);
    std::vector<double> height = surface.smooth_thickness(sheet.volume, smoothed * dx);
    for (double& h : height) h = shown_height(h, dx);
    const double dry = -0.9 * hidden * dx;  // deep in the solid
    const std::vector<std::size_t> cells = cells_around(fine, surface, height, dry, reach * dx);
    std::vector<MoreLiquid::Cell> found(cells.size());
    const TriTree& tree = solids.each[skin.solid].tree;
    for_each_index(cells.size(), [&](std::size_t i) {
      const ClosestPoint p = tree.closest(fine.center(fine.cell_at(cells[i])));
      const Vec3i& t = surface.tris[p.tri];
      const double s = p.bary[0] * height[t[0]] + p.bary[1] * height[t[1]] + p.bary[2] * height[t[2]];
      const double volume = sheet.volume[p.tri];
      const Vec3 v = volume > 0 ? Vec3(sheet.momentum[p.tri] / volume) : surface.velocity(p.tri);
      found[i] = {cells[i], float(p.distance - s), v.cast<float>()};
    });
    for (const MoreLiquid::Cell& c : found)
      if (c.phi < reach * dx) shown.joined.cells.push_back(c);
  }
  leaving.give(shown);
  std::stable_sort(shown.joined.cells.begin(), shown.joined.cells.end(),
                   [](const auto& a, const auto& b) { return a.index < b.index; });
  return shown;
}

}  // namespace coracle
