// Rules that involve several fields: check_fluids.cpp has those of fluids, check_meshes.cpp those of mesh files,
// check_bodies.cpp those of bodies, check_animation.cpp those of animated meshes, validate.cpp the others.
#pragma once

#include "coracle/scene.h"
#include "coracle/scene/places.h"
#include "coracle/shape/region.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace coracle {

// A mesh file: what is wrong with it, or what is in it.
struct CheckedMesh {
  std::string problem;  // empty if there is none
  std::vector<Vec3> x;  // m
  bool tets = false;    // tetrahedra, not a surface
};

struct Checker {
  static constexpr double slack = 1e-9;  // relative; allows for rounded coordinates in scene files

  const Scene& scene;
  const KeyPlaces& places;
  std::vector<Problem> problems = {};
  std::optional<Bounds> domain = {};               // none if the domain itself is wrong
  std::map<std::string, CheckedMesh> meshes = {};  // by file; each is read once

  template <class... Args>
  void problem(const Place& table, const char* key, fmt::format_string<Args...> format, Args&&... args) {
    problems.push_back({places.find(table, key), fmt::format(format, std::forward<Args>(args)...)});
  }

  void check_domain();
  void check_times();
  void check_liquid();
  void check_gas();
  void check_proxy();
  void check_skins();
  void check_solids();
  bool check_animation(const SolidOptions& solid);  // whether there is one to check
  void check_poses(const SolidOptions& solid);
  void check_bodies();
  void check_muscles(const BodyOptions& body);
  bool check_kind(const BodyOptions& body);
  void check_thin(const BodyOptions& body);
  void check_attachments();
  void check_contact();
  void check_coupling();
  void check_motion(const MotionOptions& motion);
  void check_probes();
  void check_moves_with(const ProbeOptions& probe);
  void check_camera();
  template <class T>
  void check_names(const std::vector<T>& things, const char* what);

  // `owner`, such as "the solid 'ball'", stands in messages if it has a name.
  const CheckedMesh& mesh(const std::string& file);
  bool check_meshes(const ShapeOptions& shape, const std::string& owner, bool may_hold_tets = false);
  bool check_units(const ShapeOptions& shape, const Bounds& b, const std::string& owner);
  bool check_sizes(const ShapeOptions& shape);
  std::optional<Bounds> bounds_of(const ShapeOptions& shape, const std::string& owner = "", bool may_hold_tets = false);
  void check_count(const BodyOptions& body, const Bounds& b);
  bool check_place(const BodyOptions& body, const Bounds& b);
  void check_render(const BodyOptions& body, const std::optional<Bounds>& own);
  bool check_common(const ShapeOptions& shape);
  int axes() const { return scene.domain.slab > 0 ? 2 : 3; }  // axes of the domain that count: not z of a slab
  double margin() const { return slack * (domain->hi - domain->lo).head(axes()).maxCoeff(); }
  bool misses_domain(const Bounds& b) const;
  bool misses_domain(const ShapeOptions& shape, const Bounds& b) const;
  void check_overlap(const ShapeOptions& shape, const char* what);
  bool can_be_inlet(const ShapeOptions& shape, const char* what);
  void check_inside(const ShapeOptions& shape, const Bounds& b);
  void check_point(const ProbeOptions& probe, const char* key, const Vec3& x);
};

}  // namespace coracle
