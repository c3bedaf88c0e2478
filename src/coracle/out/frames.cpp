#include "coracle/out/frames.h"

#include "coracle/base/files.h"
#include "coracle/base/parallel.h"
#include "coracle/error.h"
#include "coracle/out/nrrd.h"
#include "coracle/out/ply.h"
#include "coracle/out/vdb.h"
#include "coracle/out/vtk.h"
#include "coracle/shape/covers.h"
#include "coracle/step/advance.h"
#include "coracle/step/body/stress.h"
#include "coracle/world/bodies.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace coracle {
namespace {

std::string frame_name(const std::string& what, int frame, const char* extension) {
  return fmt::format("{}.{:04}.{}", what, frame, extension);
}

// The surface as triangles with velocities: collected now, written later.
void write_surface(const std::string& frames, int frame, const SurfaceLayer& layer, bool paraview, const Later& later) {
  const TriMesh mesh = surface_mesh(layer.grid, layer.phi);
  PlyMesh shown;
  shown.x = to_float(mesh.x), shown.tris = mesh.tris;
  shown.normals = point_normals(shown.x, shown.tris);
  shown.v.resize(mesh.x.size());
  for_each_index(mesh.x.size(), [&](std::size_t i) { shown.v[i] = layer.velocity(mesh.x[i]).cast<float>(); });
  if (layer.color) {
    std::vector<Vec3f> color(mesh.x.size());
    for_each_index(mesh.x.size(), [&](std::size_t i) { color[i] = layer.color(mesh.x[i]).cast<float>(); });
    set_colors(shown, color);
  }
  later([frames, frame, file = layer.file, paraview, shown = std::move(shown)] {
    write_ply(frames + frame_name(file, frame, "ply"), shown);
    if (paraview)
      write_vtp(frames + frame_name(file, frame, "vtp"),
                {shown.x, shown.tris, {vector_array("velocity", shown.v)}, {}});
  });
}

void write_points(const std::string& frames, int frame, PointLayer layer, bool paraview, const Later& later) {
  PlyMesh points;
  points.x = std::move(layer.x), points.v = std::move(layer.v);
  for (auto& [name, values] : layer.fields) points.fields.push_back({name, std::move(values)});
  later([frames, frame, file = layer.file, paraview = paraview && layer.indexed, points = std::move(points)] {
    write_ply(frames + frame_name(file, frame, "ply"), points);
    if (!paraview) return;
    std::vector<VtkArray> data{vector_array("velocity", points.v)};
    for (const PlyField& field : points.fields) data.push_back({field.name, 1, field.values});
    write_vtp(frames + frame_name(file, frame, "vtp"), {points.x, {}, data, {}});
  });
}

void write_volume(const std::string& frames, int frame, VolumeLayer layer, const Later& later) {
  later([frames, frame, layer = std::move(layer)] {
    write_vdb(frames + frame_name(layer.file, frame, "vdb"), layer);
    if (layer.picture) write_nrrd(frames + frame_name(layer.file, frame, "nrrd"), layer.grid, layer.fogs[0].values);
  });
}

// A solid as a frame shows it.
struct ShownSolid {
  Solid solid;
  std::vector<PlyField> fields;  // per vertex
  bool changes() const { return solid.moving || !fields.empty(); }
};

// All solids but inflows, which are mouths of jets and no bodies.
std::vector<ShownSolid> shown_solids(const World& world, std::vector<SolidLayer>& layers) {
  std::vector<ShownSolid> shown;
  for (std::size_t s = 0; s < world.solids.size(); ++s) {
    if (world.solids[s].inflow) continue;
    ShownSolid& one = shown.emplace_back(ShownSolid{world.solids[s], {}});
    for (SolidLayer& layer : layers)
      if (layer.solid == s) one.fields.push_back({layer.field, std::move(layer.values)});
  }
  return shown;
}

// All solids in one file. A field is zero on solids that do not have it.
void write_solids(const std::string& path, const std::vector<ShownSolid>& solids) {
  PolyData data;
  std::vector<Vec3f> velocity;
  std::vector<std::int32_t> id;
  std::vector<PlyField> fields;
  for (std::size_t s = 0; s < solids.size(); ++s) {
    const Solid& solid = solids[s].solid;
    const int first = int(data.x.size());
    for (const Vec3& x : solid.x) data.x.push_back(x.cast<float>());
    for (const Vec3& v : solid.v) velocity.push_back(v.cast<float>());
    for (const Vec3i& t : solid.rest->tris) data.tris.push_back(t + Vec3i::Constant(first));
    id.insert(id.end(), solid.rest->tris.size(), std::int32_t(s));
    for (const PlyField& field : solids[s].fields) {
      auto same = std::find_if(fields.begin(), fields.end(), [&](const PlyField& f) { return f.name == field.name; });
      if (same == fields.end()) same = fields.insert(same, {field.name, {}});
      same->values.resize(std::size_t(first), 0.0f);
      same->values.insert(same->values.end(), field.values.begin(), field.values.end());
    }
  }
  data.point_data = {vector_array("velocity", velocity)};
  for (PlyField& field : fields) {
    field.values.resize(data.x.size(), 0.0f);
    data.point_data.push_back({field.name, 1, std::move(field.values)});
  }
  data.cell_data = {{"solid", 1, id}};
  write_vtp(path, data);
}

void write_solid(const std::string& path, const ShownSolid& shown) {
  const Solid& solid = shown.solid;
  PlyMesh mesh;
  mesh.x = to_float(solid.x), mesh.tris = solid.rest->tris, mesh.v = to_float(solid.v);
  mesh.normals = point_normals(mesh.x, mesh.tris);
  mesh.fields = shown.fields;
  write_ply(path, mesh);
}

// The surface of a body without a render surface, with only its own nodes.
Cover cover_of(const Body& body) {
  const BodyRest& rest = *body.rest;
  if (std::holds_alternative<Shells>(rest.elements))
    return sheet_cover(body.x, rest.skin.tris, rest.options.shell_thickness);
  if (const Rods* rods = std::get_if<Rods>(&rest.elements))
    return tube_cover(rest.x, body.x, rod_paths(rods->segments, rods->bends), rest.options.rod_radius);
  Cover cover;
  cover.node = rest.skin.nodes;
  std::vector<int> place(body.x.size(), -1);
  for (const int n : cover.node) {
    place[n] = int(cover.mesh.x.size());
    cover.mesh.x.push_back(body.x[n]);
  }
  for (const Vec3i& t : rest.skin.tris) cover.mesh.tris.emplace_back(place[t[0]], place[t[1]], place[t[2]]);
  return cover;
}

// The visible surface of a body: the embedded surface if there is one, else the cover.
PlyMesh shown_surface(const Body& body, const std::vector<double>& von_mises, const std::vector<double>& pressure) {
  const BodyRest& rest = *body.rest;
  PlyMesh mesh;
  const auto carry = [&](auto&& at) {  // at(values): values at the visible points
    mesh.v = to_float(at(body.v));
    const auto scalars = [&](const std::vector<double>& values) {
      const std::vector<double> found = at(values);
      return std::vector<float>(found.begin(), found.end());
    };
    mesh.fields = {{"von_mises", scalars(von_mises)}, {"pressure", scalars(pressure)}};
  };
  if (!rest.render.tris.empty()) {
    mesh.x = to_float(embedded(rest.embedding, rest, body.x));
    mesh.tris = rest.render.tris;
    carry([&](const auto& values) { return embedded(rest.embedding, rest, values); });
  } else {
    Cover cover = cover_of(body);
    mesh.x = to_float(cover.mesh.x);
    mesh.tris = std::move(cover.mesh.tris);
    carry([&](const auto& values) {
      std::decay_t<decltype(values)> shown;
      for (const int n : cover.node) shown.push_back(values[n]);
      return shown;
    });
  }
  mesh.normals = point_normals(mesh.x, mesh.tris);
  return mesh;
}

// The elements of a body for a VTU file; of a rigid body, the triangles of its skin.
ElementData elements_of(const Body& body, const VonMises& stress) {
  const BodyRest& rest = *body.rest;
  ElementData data{to_float(body.x), 0, {}, {}, {scalar_array("von_mises", stress.elements)}};
  const auto list = [&](const auto& elements) {
    data.nodes = int(elements.front().size());
    for (const auto& nodes : elements) data.elements.insert(data.elements.end(), nodes.begin(), nodes.end());
  };
  if (const Tets* tets = std::get_if<Tets>(&rest.elements)) list(tets->tets);
  if (const QuadraticTets* tets = std::get_if<QuadraticTets>(&rest.elements)) list(tets->nodes);
  if (const Shells* shells = std::get_if<Shells>(&rest.elements)) list(shells->tris);
  if (const Rods* rods = std::get_if<Rods>(&rest.elements)) list(rods->segments);
  if (std::holds_alternative<Rigid>(rest.elements)) {
    list(rest.skin.tris);
    data.cell_data = {scalar_array("von_mises", std::vector<double>(rest.skin.tris.size(), 0.0))};
  }
  return data;
}

void write_body(const std::string& frames, const std::string& what, int frame, const Body& body,
                const std::vector<double>& pressure, bool paraview) {
  const BodyRest& rest = *body.rest;
  const VonMises stress = von_mises(body);
  write_ply(frames + frame_name(what, frame, "ply"), shown_surface(body, stress.nodes, pressure));
  if (!paraview) return;
  std::vector<Vec3> displacement(body.x.size());
  for (std::size_t n = 0; n < body.x.size(); ++n) displacement[n] = body.x[n] - rest.x[n];
  ElementData data = elements_of(body, stress);
  data.point_data = {vector_array("velocity", to_float(body.v)), vector_array("displacement", to_float(displacement)),
                     scalar_array("von_mises", stress.nodes), scalar_array("pressure", pressure)};
  write_vtu(frames + frame_name(what, frame, "vtu"), data);
}

// Lists the frames up to this one whose file exists: after a resume, also those from before it.
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
    if (wanted.paraview) later([=, &scene] { write_index(frames, scene, frame, what, extension, only_first_file); });
  };
  FrameLayers fluid = frame_layers(scene, world, work);
  for (PointLayer& points : fluid.points)
    if (!points.indexed) write_points(frames, frame, std::move(points), wanted.paraview, later);
  for (const SurfaceLayer& surface : fluid.surfaces) {
    write_surface(frames, frame, surface, wanted.paraview, later);
    list(surface.file, "vtp");
  }
  for (VolumeLayer& volume : fluid.volumes) write_volume(frames, frame, std::move(volume), later);

  if (std::vector<ShownSolid> solids = shown_solids(world, fluid.solids); wanted.solids && !solids.empty()) {
    const bool change = std::any_of(solids.begin(), solids.end(), [](const ShownSolid& s) { return s.changes(); });
    const std::string path = frames + frame_name("solids", change ? frame : 0, "vtp");
    const bool paraview = wanted.paraview;
    if (change || frame == 0 || (paraview && !std::filesystem::exists(path)))
      later([=, solids = std::move(solids)] {
        if (paraview) write_solids(path, solids);
        for (const ShownSolid& shown : solids)
          if (shown.changes() || frame == 0)
            write_solid(frames + frame_name("solid_" + shown.solid.name, frame, "ply"), shown);
      });
    list("solids", "vtp", !change);
  }
  if (wanted.solids)
    for (std::size_t b = 0; b < world.bodies.size(); ++b) {
      const std::string what = "body_" + world.bodies[b].name;
      std::vector<double> pressure = fluid.skin_pressure.empty() ? std::vector<double>(world.bodies[b].x.size(), 0.0)
                                                                 : std::move(fluid.skin_pressure[b]);
      later([=, body = world.bodies[b], pressure = std::move(pressure), paraview = wanted.paraview] {
        write_body(frames, what, frame, body, pressure, paraview);
      });
      list(what, "vtu");
    }

  for (PointLayer& points : fluid.points) {
    if (!points.indexed) continue;
    const std::string file = points.file;
    write_points(frames, frame, std::move(points), wanted.paraview, later);
    list(file, "vtp");
  }
}

}  // namespace coracle
