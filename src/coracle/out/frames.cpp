#include "coracle/out/frames.h"

#include "coracle/base/error.h"
#include "coracle/base/files.h"
#include "coracle/base/interpolate.h"
#include "coracle/base/parallel.h"
#include "coracle/out/ply.h"
#include "coracle/out/vdb.h"
#include "coracle/out/vtk.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace coracle {
namespace {

std::string frame_name(const char* what, int frame, const char* extension) {
  return fmt::format("{}.{:04}.{}", what, frame, extension);
}

// Liquid outside solids: max(φ_liquid, −φ_solid).
Array3<double> visible_liquid(const Workspace& work) {
  const Array3<double>& solid_phi = work.solids.phi;
  CHECK(work.liquid_phi.n == solid_phi.n);
  Array3<double> phi = work.liquid_phi;
  for_each_index(phi.size(), [&](std::size_t i) { phi.data[i] = std::max(phi.data[i], -solid_phi.data[i]); });
  return phi;
}

void write_surface(const std::string& frames, const World& world, const Array3<double>& phi) {
  const TriMesh mesh = surface_mesh(world.grid, phi);
  std::vector<Vec3f> velocity(mesh.x.size());
  for_each_index(mesh.x.size(), [&](std::size_t i) {
    velocity[i] = sample_faces(world.u, world.grid.to_cells(mesh.x[i])).cast<float>();
  });
  const std::vector<Vec3f> x = to_float(mesh.x);
  const int frame = world.clock.frame;
  write_ply(frames + frame_name("surface", frame, "ply"), x, mesh.tris);
  write_vtp(frames + frame_name("surface", frame, "vtp"), {x, mesh.tris, {vector_array("velocity", velocity)}, {}});
}

void write_solids(const std::string& path, const std::vector<Solid>& solids) {
  PolyData data;
  std::vector<Vec3f> velocity;
  std::vector<std::int32_t> id;
  for (std::size_t s = 0; s < solids.size(); ++s) {
    const Solid& solid = solids[s];
    if (solid.inflow) continue;  // a mouth, not a body
    const int first = int(data.x.size());
    for (const Vec3& x : solid.x) data.x.push_back(x.cast<float>());
    for (const Vec3& v : solid.v) velocity.push_back(v.cast<float>());
    for (const Vec3i& t : solid.rest->tris) data.tris.push_back(t + Vec3i::Constant(first));
    id.insert(id.end(), solid.rest->tris.size(), std::int32_t(s));
  }
  data.point_data = {vector_array("velocity", velocity)};
  data.cell_data = {{"solid", 1, id}};
  write_vtp(path, data);
}

// The frames up to this one whose file exists, so that a resumed run lists those of the run before it.
void write_index(const std::string& frames, const Scene& scene, int last, const char* what, bool only_first_file) {
  std::vector<PvdEntry> entries;
  for (int f = 0; f <= last; ++f) {
    const bool listed =
        only_first_file ? f % scene.output.every == 0 : std::filesystem::exists(frames + frame_name(what, f, "vtp"));
    if (listed) entries.push_back({f / scene.time.fps, frame_name(what, only_first_file ? 0 : f, "vtp")});
  }
  write_pvd(frames + what + ".pvd", entries);
}

}  // namespace

void write_frame(const std::string& dir, const Scene& scene, const World& world, const Workspace& work) {
  const OutputOptions& wanted = scene.output;
  const int frame = world.clock.frame;
  if (frame % wanted.every != 0) return;
  const std::string frames = dir + "/frames/";
  make_directories(frames);

  if (wanted.surface || wanted.volume) {
    const Array3<double> phi = visible_liquid(work);
    if (wanted.surface) write_surface(frames, world, phi);
    if (wanted.volume) write_vdb(frames + frame_name("liquid", frame, "vdb"), world.grid, phi, world.u);
  }
  if (wanted.surface) write_index(frames, scene, frame, "surface", false);

  const auto any_solid = [&](auto&& has) { return std::any_of(world.solids.begin(), world.solids.end(), has); };
  if (wanted.solids && any_solid([](const Solid& s) { return !s.inflow; })) {
    const bool moving = any_solid([](const Solid& s) { return s.moving && !s.inflow; });
    const std::string path = frames + frame_name("solids", moving ? frame : 0, "vtp");
    if (moving || frame == 0 || !std::filesystem::exists(path)) write_solids(path, world.solids);
    write_index(frames, scene, frame, "solids", !moving);
  }

  if (wanted.particles) {
    const Particles& particles = world.particles;
    write_vtp(frames + frame_name("particles", frame, "vtp"),
              {to_float(particles.x), {}, {vector_array("velocity", particles.v)}, {}});
    write_index(frames, scene, frame, "particles", false);
  }
}

}  // namespace coracle
