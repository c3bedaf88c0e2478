// A skin with a film on it.
#pragma once

#include "coracle/base/random.h"
#include "coracle/mesh.h"
#include "coracle/step/skinned/film.h"

#include <Eigen/Geometry>

#include <numeric>

namespace coracle::validation {

struct FilmOnSkin {
  TriMesh mesh;
  std::vector<Vec3> v, a;  // of the vertices
  SkinEdges edges;
  SkinFrame frame;
  Film film;
  FilmWork work;
  Drops drops;
  int substeps = 0;

  explicit FilmOnSkin(TriMesh from)
      : mesh(std::move(from)),
        v(mesh.x.size(), Vec3::Zero()),
        a(mesh.x.size(), Vec3::Zero()),
        edges(find_skin_edges(mesh.tris)) {
    dry_film(mesh.tris.size(), film);
    update();
  }
  SkinMotion motion() const { return {.tris = mesh.tris, .x = mesh.x, .v = v, .a = a}; }
  void update() { update_skin_frame(edges, motion(), frame); }
  std::size_t size() const { return film.volume.size(); }
  double thickness(std::size_t i) const { return film.volume[i] / frame.area[i]; }
  Vec3 centroid(std::size_t i) const {
    return (mesh.x[mesh.tris[i][0]] + mesh.x[mesh.tris[i][1]] + mesh.x[mesh.tris[i][2]]) / 3;
  }
  void coat(double thickness) {
    for (std::size_t i = 0; i < size(); ++i) film.volume[i] = thickness * frame.area[i], film.v[i] = frame.v[i];
  }
  // Anything from dry to 1 mm, at up to 1 m/s over the skin.
  void splash(unsigned key) {
    const auto random = [&](std::size_t k) { return 2 * uniform(key, k) - 1; };
    for (std::size_t i = 0; i < size(); ++i) {
      film.volume[i] = std::max(0.0, 1e-3 * random(4 * i)) * frame.area[i];
      film.v[i] = frame.v[i] + along_skin(frame, i, Vec3(random(4 * i + 1), random(4 * i + 2), random(4 * i + 3)));
    }
  }
  void step(const FilmLaw& law, const Vec3& gravity, double dt) {
    update();
    substeps += advance_film(edges, motion(), frame, law, gravity, dt, film, work, drops);
  }
  double film_volume() const { return std::accumulate(film.volume.begin(), film.volume.end(), 0.0); }
  double total_volume() const {
    return std::accumulate(film.pendant.begin(), film.pendant.end(), film_volume()) +
           std::accumulate(drops.volume.begin(), drops.volume.end(), 0.0);
  }
  Vec3 momentum() const {  // of film and drops, over the density
    Vec3 sum = Vec3::Zero();
    for (std::size_t i = 0; i < size(); ++i) sum += film.volume[i] * film.v[i];
    for (std::size_t i = 0; i < drops.size(); ++i) sum += drops.volume[i] * drops.v[i];
    return sum;
  }
};

// A rectangle across × down, in quads whose diagonals change direction; its normal is across × down.
inline TriMesh plate_mesh(const Vec3& across, const Vec3& down, int columns, int rows) {
  TriMesh mesh;
  for (int j = 0; j <= rows; ++j)
    for (int i = 0; i <= columns; ++i) mesh.x.push_back(across * i / columns + down * j / rows);
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i) {
      const int p = j * (columns + 1) + i, q = p + columns + 1;
      if ((i + j) % 2) {
        mesh.tris.push_back({p, p + 1, q});
        mesh.tris.push_back({p + 1, q + 1, q});
      } else {
        mesh.tris.push_back({p, p + 1, q + 1});
        mesh.tris.push_back({p, q + 1, q});
      }
    }
  return mesh;
}

}  // namespace coracle::validation
