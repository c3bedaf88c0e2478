// Rules for mesh files, and the bounds of shapes that may hold them.
#include "coracle/scene/checker.h"
#include "coracle/scene/nearest.h"
#include "coracle/shape/read_character.h"
#include "coracle/shape/tet_io.h"

#include <algorithm>
#include <new>

namespace coracle {
namespace {

constexpr std::size_t longest_reason = 300;  // bytes of a mesh reader's message
constexpr double far_off = 500;              // a mesh this many times larger or smaller than the domain has wrong units

CheckedMesh read_and_check(const std::string& file) {
  CheckedMesh mesh;
  mesh.tets = is_tet_file(file);
  try {
    if (mesh.tets) {
      mesh.x = read_tet_mesh(file).x;
    } else {
      const TriMesh surface = read_tri_mesh(file);
      mesh.problem = closedness_problem(surface);
      mesh.x = surface.x;
    }
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    std::string reason = error.what();
    if (reason.starts_with(file + ": ")) reason = reason.substr(file.size() + 2);
    mesh.problem = fmt::format("cannot be read: {}", one_line(reason, longest_reason));
  }
  return mesh;
}

std::string of(const std::string& owner) { return owner.empty() ? "" : " of " + owner; }

}  // namespace

const CheckedMesh& Checker::mesh(const std::string& file) {
  const auto [it, added] = meshes.try_emplace(file);
  if (added) it->second = read_and_check(file);
  return it->second;
}

bool Checker::check_meshes(const ShapeOptions& shape, const std::string& owner, bool may_hold_tets) {
  bool fine = true;
  for (const ShapeOptions& part : shape.parts) fine = check_meshes(part, owner) && fine;
  if (shape.kind != ShapeKind::mesh) return fine;
  if (is_sequence(shape.file)) {
    problem(shape.place, "file", "'{}' is a sequence of files, which only solids take; name one of its files",
            shape.file);
    return false;
  }
  const CheckedMesh& found = mesh(shape.file);
  std::string wrong = found.problem;
  if (found.tets && !may_hold_tets)
    wrong = "holds tetrahedra, which only bodies take; give a closed surface (OBJ, PLY, STL or glTF)";
  if (!wrong.empty()) problem(shape.place, "file", "the mesh '{}'{} {}", shape.file, of(owner), wrong);
  return wrong.empty();
}

// The usual cause of a mesh of a wrong size: its file is in millimetres.
bool Checker::check_units(const ShapeOptions& shape, const Bounds& b, const std::string& owner) {
  const double size = (b.hi - b.lo).maxCoeff();
  const double times = size / (domain->hi - domain->lo).head(axes()).maxCoeff();
  if (times <= far_off && times >= 1 / far_off) return true;
  problem(shape.place, places.given(shape.place, "scale") ? "scale" : "file",
          "the mesh '{}'{} is {:.3g} m long, {:.3g} times the domain: lengths are in metres; if {}, set scale = {:.6g}",
          shape.file, of(owner), size, times,
          times > 1 ? "the file is in millimetres" : "it should be a thousand times larger",
          shape.scale * (times > 1 ? 1e-3 : 1e3));
  return false;
}

// None if the shape cannot be checked.
std::optional<Bounds> Checker::bounds_of(const ShapeOptions& shape, const std::string& owner, bool may_hold_tets) {
  const auto doubtful = [&](const auto& self, const ShapeOptions& s) -> bool {
    return places.doubtful(s.place) ||
           std::any_of(s.parts.begin(), s.parts.end(), [&](const ShapeOptions& part) { return self(self, part); });
  };
  const bool fine = check_sizes(shape);
  if (doubtful(doubtful, shape) || !check_meshes(shape, owner, may_hold_tets) || !fine || !domain) return {};
  if (shape.kind == ShapeKind::mesh) {
    Bounds b;
    const Mat3 turn = rotation_xyz(shape.rotate);
    for (const Vec3& x : mesh(shape.file).x) b.extend(shape.translate + turn * (shape.scale * x));
    return check_units(shape, b, owner) ? std::optional(b) : std::nullopt;
  }
  try {
    if (!check_common(shape)) return {};
    return shape_bounds(shape);
  } catch (const std::exception&) {  // the mesh file was removed after its check
    return {};
  }
}

}  // namespace coracle
