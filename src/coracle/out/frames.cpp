#include "coracle/out/frames.h"

#include "coracle/base/files.h"
#include "coracle/base/interpolate.h"
#include "coracle/base/parallel.h"
#include "coracle/error.h"
#include "coracle/out/nrrd.h"
#include "coracle/out/ply.h"
#include "coracle/out/vdb.h"
#include "coracle/out/vtk.h"
#include "coracle/step/body/stress.h"
#include "coracle/step/liquid/shown_liquid.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace coracle {
namespace {

std::string frame_name(const std::string& what, int frame, const char* extension) {
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

void write_surface(const std::string& frames, const World& world, const Workspace& work, const Later& later) {
  const ShownLiquid liquid = shown_liquid(world, work);
  const TriMesh mesh = surface_mesh(liquid.grid, liquid.phi);
  PlyMesh shown;
  shown.x = to_float(mesh.x), shown.tris = mesh.tris;
  shown.normals = point_normals(shown.x, shown.tris);
  shown.v.resize(mesh.x.size());
  for_each_index(mesh.x.size(), [&](std::size_t i) {
    shown.v[i] = sample_faces(world.u, world.grid.to_cells(mesh.x[i])).cast<float>();
  });
  PlyMesh drops;
  for (const int p : liquid.lone_drops) {
    drops.x.push_back(world.particles.x[p].cast<float>());
    drops.v.push_back(world.particles.v[p]);
  }
  const int frame = world.clock.frame;
  later([frames, frame, drops = std::move(drops), shown = std::move(shown)] {
    write_ply(frames + frame_name("drops", frame, "ply"), drops);
    write_ply(frames + frame_name("surface", frame, "ply"), shown);
    write_vtp(frames + frame_name("surface", frame, "vtp"),
              {shown.x, shown.tris, {vector_array("velocity", shown.v)}, {}});
  });
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

void write_solid(const std::string& path, const Solid& solid) {
  PlyMesh mesh;
  mesh.x = to_float(solid.x), mesh.tris = solid.rest->tris, mesh.v = to_float(solid.v);
  mesh.normals = point_normals(mesh.x, mesh.tris);
  write_ply(path, mesh);
}

// Of the nodes, Pa: the mean over the wet pieces around them by their areas; zero where there are none.
std::vector<double> wet_pressure(const World& world, const Workspace& work, int b) {
  const Body& body = world.bodies[b];
  std::vector<double> pressure(body.x.size(), 0), area(body.x.size(), 0);
  for (const Patch& p : work.solids.cut.patches) {
    if (p.surface != int(world.solids.size()) + b) continue;
    for (int i = 0; i < 3; ++i) {
      const int node = body.rest->surface[p.tri][i];
      const double weight = p.bary[i] * p.area.norm();
      area[node] += weight;
      pressure[node] += weight * world.pressure.data[p.cell];
    }
  }
  for (std::size_t n = 0; n < area.size(); ++n) pressure[n] = area[n] > 0 ? pressure[n] / area[n] : 0;
  return pressure;
}

// What to show of a body: the embedded surface where there is one, else its own over the nodes that it needs.
PlyMesh shown_surface(const Body& body, const std::vector<double>& von_mises, const std::vector<double>& pressure) {
  const BodyRest& rest = *body.rest;
  PlyMesh mesh;
  const auto carry = [&](auto&& at) {  // at(values): of the shown points
    mesh.x = to_float(at(body.x));
    mesh.v = to_float(at(body.v));
    const auto scalars = [&](const std::vector<double>& values) {
      const std::vector<double> found = at(values);
      return std::vector<float>(found.begin(), found.end());
    };
    mesh.fields = {{"von_mises", scalars(von_mises)}, {"pressure", scalars(pressure)}};
  };
  if (!rest.render.tris.empty()) {
    mesh.tris = rest.render.tris;
    carry([&](const auto& values) { return embedded(rest.embedding, rest.mesh.tets, values); });
  } else {
    std::vector<int> place(body.x.size(), -1);
    for (std::size_t i = 0; i < rest.surface_nodes.size(); ++i) place[rest.surface_nodes[i]] = int(i);
    for (const Vec3i& t : rest.surface) mesh.tris.emplace_back(place[t[0]], place[t[1]], place[t[2]]);
    carry([&](const auto& values) {
      std::decay_t<decltype(values)> shown;
      for (const int n : rest.surface_nodes) shown.push_back(values[n]);
      return shown;
    });
  }
  mesh.normals = point_normals(mesh.x, mesh.tris);
  return mesh;
}

void write_body(const std::string& frames, const std::string& what, int frame, const Body& body,
                const std::vector<double>& pressure) {
  const BodyRest& rest = *body.rest;
  std::vector<Vec3> displacement(body.x.size());
  for (std::size_t n = 0; n < body.x.size(); ++n) displacement[n] = body.x[n] - rest.mesh.x[n];
  const VonMises stress = von_mises(body);
  write_vtu(frames + frame_name(what, frame, "vtu"),
            {to_float(body.x),
             rest.mesh.tets,
             {vector_array("velocity", to_float(body.v)), vector_array("displacement", to_float(displacement)),
              scalar_array("von_mises", stress.nodes), scalar_array("pressure", pressure)},
             {scalar_array("von_mises", stress.tets)}});
  write_ply(frames + frame_name(what, frame, "ply"), shown_surface(body, stress.nodes, pressure));
}

// The frames up to this one whose file exists, so that a resumed run lists those of the run before it.
void write_index(const std::string& frames, const Scene& scene, int last, const std::string& what,
                 const char* extension, bool only_first_file = false) {
  std::vector<PvdEntry> entries;
  for (int f = 0; f <= last; ++f) {
    const bool listed = only_first_file ? f % scene.output.every == 0
                                        : std::filesystem::exists(frames + frame_name(what, f, extension));
    if (listed) entries.push_back({f / scene.time.fps, frame_name(what, only_first_file ? 0 : f, extension)});
  }
  write_pvd(frames + what + ".pvd", entries);
}

}  // namespace

void write_frame(const std::string& dir, const Scene& scene, const World& world, const Workspace& work,
                 const Later& later) {
  const OutputOptions& wanted = scene.output;
  const int frame = world.clock.frame;
  if (frame % wanted.every != 0) return;
  const std::string frames = dir + "/frames/";
  make_directories(frames);

  const auto list = [&](const std::string& what, const char* extension, bool only_first_file = false) {
    later([=, &scene] { write_index(frames, scene, frame, what, extension, only_first_file); });
  };
  const bool liquid = has_liquid(scene);
  if (liquid && wanted.surface) {
    write_surface(frames, world, work, later);
    list("surface", "vtp");
  }
  if (liquid && wanted.volume)
    later([path = frames + frame_name("liquid", frame, "vdb"), grid = world.grid, phi = visible_liquid(work),
           u = world.u] { write_vdb(path, grid, phi, u); });

  if (world.gas.present() && wanted.smoke) {
    later([path = frames + frame_name("smoke", frame, "vdb"), grid = world.grid, gas = world.gas, u = world.u] {
      write_gas_vdb(path, grid, gas, u);
    });
    later([path = frames + frame_name("smoke", frame, "nrrd"), grid = world.grid, smoke = world.gas.smoke] {
      write_nrrd(path, grid, smoke);
    });
  }

  const auto any_solid = [&](auto&& has) { return std::any_of(world.solids.begin(), world.solids.end(), has); };
  if (wanted.solids && any_solid([](const Solid& s) { return !s.inflow; })) {
    const bool moving = any_solid([](const Solid& s) { return s.moving && !s.inflow; });
    const std::string path = frames + frame_name("solids", moving ? frame : 0, "vtp");
    if (moving || frame == 0 || !std::filesystem::exists(path))
      later([=, solids = world.solids] {
        write_solids(path, solids);
        for (const Solid& solid : solids)
          if (!solid.inflow && (solid.moving || frame == 0))
            write_solid(frames + frame_name("solid_" + solid.name, frame, "ply"), solid);
      });
    list("solids", "vtp", !moving);
  }
  if (wanted.solids)
    for (std::size_t b = 0; b < world.bodies.size(); ++b) {
      const std::string what = "body_" + world.bodies[b].name;
      later([=, body = world.bodies[b], pressure = wet_pressure(world, work, int(b))] {
        write_body(frames, what, frame, body, pressure);
      });
      list(what, "vtu");
    }

  if (liquid && wanted.particles) {
    const Particles& particles = world.particles;
    std::vector<float> pressure(particles.size());
    for_each_index(pressure.size(), [&](std::size_t p) {
      pressure[p] = float(sample_cells(world.pressure, world.grid.to_cells(particles.x[p])));
    });
    PlyMesh points;
    points.x = to_float(particles.x), points.v = particles.v;
    points.fields.emplace_back("pressure", std::move(pressure));
    later([=, points = std::move(points)] {
      write_ply(frames + frame_name("particles", frame, "ply"), points);
      write_vtp(frames + frame_name("particles", frame, "vtp"),
                {points.x, {}, {vector_array("velocity", points.v), {"pressure", 1, points.fields[0].values}}, {}});
    });
    list("particles", "vtp");
  }
}

}  // namespace coracle
