// Rules that several fields share: those of fluids stand in check_fluids.cpp, the others in validate.cpp.
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

struct Checker {
  static constexpr double slack = 1e-9;  // relative: corners that were written with rounded digits

  const Scene& scene;
  const KeyPlaces& places;
  std::vector<Problem> problems = {};
  std::optional<Bounds> domain = {};                      // none where it makes no sense itself
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

}  // namespace coracle
