// The only source that includes OpenVDB: its headers take more than a minute to compile.
//
// Voxel (i,j,k) is cell (i,j,k): its value lies at the cell's centre, origin + (i+½, j+½, k+½) dx. In a staggered
// vector grid it holds the velocities of the cell's three low faces.
#include "coracle/out/vdb.h"

#include "coracle/base/check.h"
#include "coracle/base/files.h"
#include "coracle/error.h"

#include <openvdb/io/Archive.h>
#include <openvdb/openvdb.h>
#include <openvdb/tools/VolumeToMesh.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <sstream>

namespace coracle {
namespace {

constexpr int band = 3;  // cells; OpenVDB's own half width of a level set

void initialize_once() {
  static const bool done = (openvdb::initialize(), true);
  (void)done;
}

openvdb::math::Transform::Ptr cell_transform(const Grid& grid) {
  auto transform = openvdb::math::Transform::createLinearTransform(grid.dx);
  const Vec3 first = grid.center(Vec3i::Zero());
  transform->postTranslate({first.x(), first.y(), first.z()});
  return transform;
}

Vec3i clamped(const Grid& grid, const Vec3i& c) { return c.cwiseMax(0).cwiseMin(grid.n - Vec3i::Ones()); }

// f(c) for every cell of [lo, hi), x fastest.
template <class F>
void for_cells(const Vec3i& lo, const Vec3i& hi, F&& f) {
  for (int k = lo.z(); k < hi.z(); ++k)
    for (int j = lo.y(); j < hi.y(); ++j)
      for (int i = lo.x(); i < hi.x(); ++i) f(Vec3i(i, j, k));
}

// Distance of a cell's centre to the walls of the domain in cells, negative inside.
double wall_distance(const Grid& grid, const Vec3i& c) {
  const Eigen::Array3d x = c.cast<double>().array() + 0.5;
  return (-x).max(x - grid.n.cast<double>().array()).maxCoeff();
}

// The liquid inside the domain: max(φ, distance to the walls), with `band` layers of cells around the domain,
// so that the surface is closed and runs along the walls.
template <class T>
openvdb::FloatGrid::Ptr level_set(const Grid& grid, const Array3<T>& phi) {
  CHECK(phi.n == grid.n);
  const float far = float(band * grid.dx);
  auto out = openvdb::FloatGrid::create(far);
  auto voxels = out->getAccessor();
  for_cells(Vec3i::Constant(-band), grid.n + Vec3i::Constant(band), [&](const Vec3i& c) {
    const float value = float(std::max<double>(phi[clamped(grid, c)], grid.dx * wall_distance(grid, c)));
    const openvdb::Coord voxel(c.x(), c.y(), c.z());
    if (value <= -far)
      voxels.setValueOff(voxel, -far);
    else if (value < far)
      voxels.setValueOn(voxel, value);
  });
  out->pruneGrid();
  out->setTransform(cell_transform(grid));
  out->setGridClass(openvdb::GRID_LEVEL_SET);
  out->setName("surface");
  return out;
}

// Only of cells for which kept(cell) is true.
template <class Kept>
openvdb::Vec3SGrid::Ptr velocity_grid(const Grid& grid, const FaceField<double>& u, Kept&& kept) {
  auto out = openvdb::Vec3SGrid::create();
  auto voxels = out->getAccessor();
  // One more layer than there are cells: the high faces of the last cells.
  for_cells(Vec3i::Zero(), grid.n + Vec3i::Ones(), [&](const Vec3i& c) {
    if (!kept(clamped(grid, c))) return;
    openvdb::Vec3s value(0);
    for (int a = 0; a < 3; ++a)
      if (u[a].inside(c)) value[a] = float(u[a][c]);
    voxels.setValueOn({c.x(), c.y(), c.z()}, value);
  });
  out->setTransform(cell_transform(grid));
  out->setGridClass(openvdb::GRID_STAGGERED);
  out->setVectorType(openvdb::VEC_CONTRAVARIANT_RELATIVE);
  out->setName("velocity");
  return out;
}

openvdb::FloatGrid::Ptr fog(const Grid& grid, const Array3<float>& values, float least, const char* name) {
  auto out = openvdb::FloatGrid::create(0);
  auto voxels = out->getAccessor();
  for_cells(Vec3i::Zero(), grid.n, [&](const Vec3i& c) {
    if (const float value = values[c]; std::abs(value) > least) voxels.setValueOn({c.x(), c.y(), c.z()}, value);
  });
  out->setTransform(cell_transform(grid));
  out->setGridClass(openvdb::GRID_FOG_VOLUME);
  out->setSaveFloatAsHalf(true);
  out->setName(name);
  return out;
}

// A .vdb file in memory: our own writer then detects a full disk, which OpenVDB's does not.
struct MemoryArchive : openvdb::io::Archive {
  openvdb::io::Archive::Ptr copy() const override { return std::make_shared<MemoryArchive>(*this); }
  std::string bytes(const openvdb::GridCPtrVec& grids) const {
    std::ostringstream out(std::ios::binary);
    write(out, grids, /*seekable=*/true);
    return std::move(out).str();
  }
};

// OpenVDB writes a random identifier into every file; replace it by a hash of the content.
void stamp(std::string& bytes) {
  constexpr std::size_t at = 21, length = 36;  // after magic, three version numbers and a flag
  if (bytes.size() < at + length || bytes[at + 8] != '-' || bytes[at + 13] != '-') return;
  bytes.replace(at, length, length, '0');
  std::uint64_t hash = 0xcbf29ce484222325ull;  // FNV-1a
  for (const char c : bytes) hash = (hash ^ std::uint8_t(c)) * 0x100000001b3ull;
  char id[length + 1];
  std::snprintf(id, sizeof id, "%08x-%04x-4%03x-8000-%012llx", unsigned(hash >> 32), unsigned(hash >> 16 & 0xffff),
                unsigned(hash >> 4 & 0xfff), static_cast<unsigned long long>(hash & 0xffffffffffffull));
  bytes.replace(at, length, id);
}

}  // namespace

TriMesh surface_mesh(const Grid& grid, const Array3<float>& phi) {
  initialize_once();
  std::vector<openvdb::Vec3s> points;
  std::vector<openvdb::Vec3I> triangles;
  std::vector<openvdb::Vec4I> quads;
  openvdb::tools::volumeToMesh(*level_set(grid, phi), points, triangles, quads, /*isovalue=*/0, /*adaptivity=*/0);

  TriMesh mesh;
  mesh.x.reserve(points.size());
  for (const auto& p : points) mesh.x.emplace_back(p.x(), p.y(), p.z());
  mesh.tris.reserve(triangles.size() + 2 * quads.size());
  // OpenVDB's polygons are clockwise seen from outside: reverse them.
  for (const auto& t : triangles) mesh.tris.emplace_back(t[0], t[2], t[1]);
  for (const auto& q : quads) {
    const auto length = [&](int a, int b) { return (mesh.x[q[a]] - mesh.x[q[b]]).squaredNorm(); };
    const int s = length(0, 2) <= length(1, 3) ? 0 : 1;  // split along the shorter diagonal
    mesh.tris.emplace_back(q[s], q[s + 2], q[s + 1]);
    mesh.tris.emplace_back(q[s], q[(s + 3) % 4], q[s + 2]);
  }
  return mesh;
}

void write_vdb(const std::string& path, const VolumeLayer& layer) {
  initialize_once();
  const Grid& grid = layer.grid;
  openvdb::GridCPtrVec grids;
  const bool surface = layer.surface.size() > 0;
  if (surface) grids.push_back(level_set(grid, layer.surface));
  for (const VolumeLayer::Fog& f : layer.fogs) grids.push_back(fog(grid, f.values, f.least, f.name.c_str()));
  const auto velocity =
      velocity_grid(grid, layer.u, [&](const Vec3i& c) { return !surface || layer.surface[c] < band * grid.dx; });
  if (!surface) velocity->setSaveFloatAsHalf(true);
  grids.push_back(velocity);
  std::string bytes = MemoryArchive().bytes(grids);
  stamp(bytes);
  write_atomically(path, bytes);
}

}  // namespace coracle
