// Bodies of shells, rods and rigid ones from meshes, without a scene.
#pragma once

#include "coracle/body.h"
#include "coracle/world/make_rods.h"
#include "coracle/world/make_shells.h"

#include <Eigen/LU>

#include <memory>
#include <numeric>

namespace coracle {

inline Body body_at_rest(const std::shared_ptr<BodyRest>& rest, const std::string& name) {
  rest->options.name = name;
  return {.name = name, .rest = rest, .x = rest->x, .v = std::vector<Vec3>(rest->x.size(), Vec3::Zero()), .energy = {}};
}

inline std::vector<int> all_nodes(std::size_t count, int first = 0) {
  std::vector<int> nodes(count);
  std::iota(nodes.begin(), nodes.end(), first);
  return nodes;
}

inline Body shell_body(const TriMesh& mesh, double thickness, const std::string& name = "sheet") {
  auto rest = std::make_shared<BodyRest>();
  rest->options.kind = BodyKind::shell;
  rest->options.shell_thickness = thickness;
  rest->x = mesh.x;
  const Shells shells = make_shells(mesh.x, mesh.tris, rest->options.poisson);
  rest->mass = lumped_mass(shells, mesh.x.size(), rest->options);
  rest->elements = shells;
  rest->skin = {.tris = mesh.tris,
                .segments = {},
                .nodes = all_nodes(mesh.x.size()),
                .hull = {},
                .edge = (mesh.x[mesh.tris[0][1]] - mesh.x[mesh.tris[0][0]]).norm(),
                .radius = thickness / 2};
  return body_at_rest(rest, name);
}

inline Body rod_body(const LineMesh& mesh, double radius, const std::string& name = "rope") {
  auto rest = std::make_shared<BodyRest>();
  rest->options.kind = BodyKind::rod;
  rest->options.rod_radius = radius;
  rest->x = mesh.x;
  const Rods rods = make_rods(mesh.x, mesh.segments);
  rest->mass = lumped_mass(rods, mesh.x.size(), rest->options);
  rest->elements = rods;
  rest->skin = {.tris = {},
                .segments = mesh.segments,
                .nodes = all_nodes(mesh.x.size()),
                .hull = {},
                .edge = rods.length[0],
                .radius = radius};
  return body_at_rest(rest, name);
}

// Four leading nodes at corners of a cube of side 1, then the vertices, which follow them.
inline Body rigid_body(const TriMesh& mesh, const std::string& name = "stone") {
  auto rest = std::make_shared<BodyRest>();
  rest->options.kind = BodyKind::rigid;
  rest->x = {Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
  rest->mass.assign(4, 1);
  rest->mass.resize(4 + mesh.x.size(), 0);
  Rigid rigid;
  rigid.frame.tets = {{0, 1, 2, 3}};
  rigid.frame.volume = {1.0 / 6};
  rigid.frame.inverse_edges = {Mat3::Identity()};
  rest->elements = rigid;
  for (const Vec3& x : mesh.x) {
    rest->followers.push_back(
        {.node = int(rest->x.size()), .leaders = {0, 1, 2, 3}, .weights = {1 - x.sum(), x.x(), x.y(), x.z()}});
    rest->x.push_back(x);
  }
  for (const Vec3i& t : mesh.tris) rest->skin.tris.push_back(t + Vec3i::Constant(4));
  rest->skin.nodes = all_nodes(mesh.x.size(), 4);
  rest->skin.hull = rest->skin.tris;
  return body_at_rest(rest, name);
}

}  // namespace coracle
